"""The daily game: the secret that its dice follow from, and the one try of each device on a day."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the tables; the secret is drawn when it is first needed."""
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
