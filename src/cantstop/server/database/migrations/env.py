"""Alembic runs this file for every upgrade: the connection is handed in by ``upgrade.py``."""

from alembic import context

from cantstop.server.database.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
