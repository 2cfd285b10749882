"""How much time a decision had left when it was last looked at, for the next start."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns; tables of before have no clock."""
    op.add_column("tables", sa.Column("clock_n", sa.Integer, nullable=True))
    op.add_column("tables", sa.Column("clock_left", sa.Float, nullable=True))
    op.create_index("ix_tables_clock_n", "tables", ["clock_n"])
