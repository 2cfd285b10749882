"""Passkeys of players, and the challenges that they are to sign."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the tables; nobody has a passkey yet."""
    op.create_table(
        "passkeys",
        sa.Column("credential", sa.String(1364), nullable=False),
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("signatures", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("credential", name="pk_passkeys"),
        sa.UniqueConstraint("id", name="uq_passkeys_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_passkeys_player_id"),
    )
    op.create_index("ix_passkeys_player_id", "passkeys", ["player_id"])
    op.create_table(
        "passkey_challenges",
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("challenge_hash", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name="pk_passkey_challenges"),
    )
    op.create_index("ix_passkey_challenges_expires_at", "passkey_challenges", ["expires_at"])
