"""Where tables are stored: the storage protocol and its SQL, connections, backups, migrations."""
