"""When something happened last at a table, so that old ones are found."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; what happened so far is in the events."""
    op.add_column(
        "tables",
        sa.Column(
            "touched_at",
            sa.DateTime(timezone=True),
            nullable=False,
            server_default="1970-01-01 00:00:00",
        ),
    )
    op.execute(
        "UPDATE tables SET touched_at = "
        "coalesce((SELECT max(at) FROM events WHERE table_id = tables.id), opened_at)"
    )
    op.create_index("ix_tables_touched_at", "tables", ["touched_at"])
