"""Everything that version 1 begins with; the steps before it were never released.

It has the name of the last of them, so that a database of that time is up to date as it is.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = None


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("touched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dice_secret", sa.LargeBinary(32), nullable=True),
        sa.Column("bot_to_act", sa.Boolean, nullable=False),
        sa.Column("clock_n", sa.Integer, nullable=True),
        sa.Column("clock_left", sa.Float, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_bot_to_act", "tables", ["bot_to_act"])
    op.create_index("ix_tables_touched_at", "tables", ["touched_at"])
    op.create_index("ix_tables_clock_n", "tables", ["clock_n"])
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("n", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("action_id", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("table_id", "n", name="pk_events"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_events_table_id"),
        sa.UniqueConstraint("table_id", "action_id", name="uq_events_table_id_action_id"),
    )
    op.create_table(
        "holders",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("absence_over", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_holders"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_holders_table_id"),
    )
    op.create_table(
        "daily_secret",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("secret", sa.LargeBinary(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_daily_secret"),
    )
    op.create_table(
        "daily_tries",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("device_hash", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("turns", sa.Integer, nullable=True),
        sa.Column("signs", sa.Text, nullable=True),
        sa.Column("luck", sa.Float, nullable=True),
        sa.Column("skill", sa.Float, nullable=True),
        sa.PrimaryKeyConstraint("day", "device_hash", name="pk_daily_tries"),
        sa.UniqueConstraint("table_id", name="uq_daily_tries_table_id"),
    )
    op.create_index("ix_daily_tries_day_turns", "daily_tries", ["day", "turns"])
