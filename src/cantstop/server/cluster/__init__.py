"""Several workers on one database: notices between peers, and locks, over PostgreSQL."""
