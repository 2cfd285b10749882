"""Games over days: whose turn runs at slow tables, and when players have no time for them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the tables; there is no slow table yet."""
    op.create_table(
        "turns",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("bot", sa.Boolean, nullable=False),
        sa.Column("player_id", sa.String(12), nullable=True),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_turns"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_turns_table_id"),
    )
    op.create_index("ix_turns_player_id", "turns", ["player_id"])
    op.create_index("ix_turns_due_at", "turns", ["due_at"])
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_heartbeat"),
    )
    op.create_table(
        "player_hours",
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("quiet_from", sa.Integer, nullable=True),
        sa.Column("quiet_until", sa.Integer, nullable=True),
        sa.Column("weekends_off", sa.Boolean, nullable=False),
        sa.Column("weekends_since", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("player_id", name="pk_player_hours"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_player_hours_player_id"),
    )
    op.create_table(
        "player_away",
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("from_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "from_at", name="pk_player_away"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_player_away_player_id"),
    )
