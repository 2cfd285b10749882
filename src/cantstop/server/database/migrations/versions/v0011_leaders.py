"""Households of players, and who may lead by games between them."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add columns and table; of games before, nobody knows which households they were between."""
    op.add_column("players", sa.Column("household", sa.Integer, nullable=True))
    op.add_column("game_seats", sa.Column("household", sa.Integer, nullable=True))
    op.create_table(
        "leaders",
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("size", sa.String(8), nullable=False),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("low", sa.Float, nullable=False),
        sa.Column("high", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("replaces", sa.Float, nullable=False),
        sa.Column("opponents", sa.Integer, nullable=False),
        sa.Column("evaluator", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "kind", "size", name="pk_leaders"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_leaders_player_id"),
    )
    op.create_index("ix_leaders_kind_size_value", "leaders", ["kind", "size", "value"])
