"""Since when the player of a seat is absent, for all workers and after a restart."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns; nobody has looked yet who is absent."""
    op.add_column("holders", sa.Column("left_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "holders",
        sa.Column("absence_over", sa.Boolean, nullable=False, server_default=sa.false()),
    )
