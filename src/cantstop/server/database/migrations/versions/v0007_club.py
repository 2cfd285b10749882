"""The club: players with their keys, what they have played, their ratings, and who is here."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the tables; nobody has a profile yet."""
    op.add_column("holders", sa.Column("player_id", sa.String(12), nullable=True))
    op.create_index(
        "ix_holders_player_id_table_id", "holders", ["player_id", "table_id"], unique=True
    )
    op.create_table(
        "players",
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("shape", sa.String(96), nullable=False),
        sa.Column("mark", sa.Integer, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("words_hash", sa.String(64), nullable=True),
        sa.Column("excluded_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("shape", name="uq_players_shape"),
        sa.UniqueConstraint("words_hash", name="uq_players_words_hash"),
    )
    op.create_table(
        "player_keys",
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name="pk_player_keys"),
        sa.UniqueConstraint("id", name="uq_player_keys_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_player_keys_player_id"),
    )
    op.create_index("ix_player_keys_player_id", "player_keys", ["player_id"])
    op.create_table(
        "link_codes",
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("code_hash", name="pk_link_codes"),
        sa.UniqueConstraint("player_id", name="uq_link_codes_player_id"),
    )
    op.create_table(
        "daily_devices",
        sa.Column("device_hash", sa.String(64), nullable=False),
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.PrimaryKeyConstraint("device_hash", name="pk_daily_devices"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_daily_devices_player_id"),
    )
    op.create_index("ix_daily_devices_player_id", "daily_devices", ["player_id"])
    op.create_table(
        "games",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("edition", sa.String(32), nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("why_not", sa.String(16), nullable=True),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Column("evaluator", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("table_id", name="pk_games"),
    )
    op.create_index("ix_games_evaluator", "games", ["evaluator"])
    op.create_index("ix_games_finished_at", "games", ["finished_at"])
    op.create_table(
        "game_seats",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("player_id", sa.String(12), nullable=True),
        sa.Column("bot", sa.String(64), nullable=True),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("left_at", sa.Integer, nullable=True),
        sa.Column("left_chance", sa.Float, nullable=True),
        sa.Column("start", sa.Float, nullable=True),
        sa.Column("luck", sa.Float, nullable=True),
        sa.Column("skill", sa.Float, nullable=True),
        sa.Column("drift", sa.Float, nullable=True),
        sa.Column("press_decisions", sa.Integer, nullable=True),
        sa.Column("press_error", sa.Float, nullable=True),
        sa.Column("move_decisions", sa.Integer, nullable=True),
        sa.Column("move_error", sa.Float, nullable=True),
        sa.Column("inaccuracies", sa.Integer, nullable=True),
        sa.Column("mistakes", sa.Integer, nullable=True),
        sa.Column("blunders", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_game_seats"),
    )
    op.create_index(
        "ix_game_seats_player_id_finished_at", "game_seats", ["player_id", "finished_at"]
    )
    op.create_table(
        "costly_decisions",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("n", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("player_id", sa.String(12), nullable=True),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("question", sa.String(16), nullable=False),
        sa.Column("chosen", sa.String(16), nullable=False),
        sa.Column("best", sa.String(16), nullable=False),
        sa.Column("error", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "n", name="pk_costly_decisions"),
    )
    op.create_index(
        "ix_costly_decisions_player_id_error", "costly_decisions", ["player_id", "error"]
    )
    op.create_table(
        "ratings",
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
        sa.PrimaryKeyConstraint("player_id", "kind", "size", name="pk_ratings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ratings_player_id"),
    )
    op.create_index("ix_ratings_kind_size_value", "ratings", ["kind", "size", "value"])
    op.create_table(
        "courtesies",
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("other_id", sa.String(12), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "other_id", name="pk_courtesies"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_courtesies_player_id"),
        sa.ForeignKeyConstraint(["other_id"], ["players.id"], name="fk_courtesies_other_id"),
    )
    op.create_index("ix_courtesies_other_id", "courtesies", ["other_id"])
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reporter_id", sa.String(12), nullable=True),
        sa.Column("player_id", sa.String(12), nullable=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
    )
    op.create_index("ix_reports_player_id", "reports", ["player_id"])
    op.create_table(
        "operator_log",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator_log"),
    )
    op.create_table(
        "seeks",
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("edition", sa.String(32), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("rating", sa.Float, nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=True),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("player_id", name="pk_seeks"),
    )
    op.create_index("ix_seeks_seen_at", "seeks", ["seen_at"])
    op.create_table(
        "lobby_tables",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("player_id", sa.String(12), nullable=True),
        sa.PrimaryKeyConstraint("table_id", name="pk_lobby_tables"),
    )
    op.create_index("ix_lobby_tables_opened_at", "lobby_tables", ["opened_at"])
    op.create_table(
        "lobby_here",
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_lobby_here"),
    )
    op.create_index("ix_lobby_here_seen_at", "lobby_here", ["seen_at"])
    op.create_table(
        "rewritten_tables",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_rewritten_tables"),
    )
    op.create_index("ix_rewritten_tables_at", "rewritten_tables", ["at"])
