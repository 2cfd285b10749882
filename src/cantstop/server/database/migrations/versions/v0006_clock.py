"""The newest time that servers on this database have believed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the table; the first server that runs writes its one row."""
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("believed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clock"),
    )
