"""Calls: where players are notified that a table waits for them, and what is to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the tables; nobody is called yet."""
    op.create_table(
        "contacts",
        sa.Column("id", sa.String(12), nullable=False),
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("address", sa.String(1000), nullable=False),
        sa.Column("device_id", sa.String(12), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("digest", sa.Boolean, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("sent_at", _TIME, nullable=True),
        sa.Column("failing_since", _TIME, nullable=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("not_before", _TIME, nullable=True),
        sa.Column("secret", sa.LargeBinary(32), nullable=False),
        sa.Column("public_key", sa.LargeBinary(65), nullable=False),
        sa.Column("auth", sa.LargeBinary(16), nullable=False),
        sa.Column("server_key", sa.String(16), nullable=False),
        sa.Column("site", sa.String(300), nullable=False),
        sa.Column("claim", sa.String(16), nullable=True),
        sa.Column("claimed_until", _TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_contacts"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_contacts_player_id"),
        sa.UniqueConstraint(
            "player_id", "channel", "address", name="uq_contacts_player_id_channel_address"
        ),
    )
    op.create_index("ix_contacts_address", "contacts", ["address"])
    op.create_table(
        "outbox",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("since", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("hours", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("contact_id", sa.String(12), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("due_at", _TIME, nullable=True),
        sa.Column("message_id", sa.String(64), nullable=True),
        sa.Column("result", sa.String(8), nullable=True),
        sa.PrimaryKeyConstraint("table_id", "since", "hours", "contact_id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_contact_id", "outbox", ["contact_id"])
    op.create_index("ix_outbox_due_at", "outbox", ["due_at"])
    op.create_table(
        "call_reminders",
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("hours", sa.Integer, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "hours", name="pk_call_reminders"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_call_reminders_player_id"),
    )
    op.create_table(
        "feeds",
        sa.Column("player_id", sa.String(12), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "kind", name="pk_feeds"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_feeds_player_id"),
        sa.UniqueConstraint("key_hash", name="uq_feeds_key_hash"),
    )
    op.create_table(
        "server_key",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("private", sa.LargeBinary(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_server_key"),
    )
    op.create_table(
        "asked_addresses",
        sa.Column("address_hash", sa.String(64), nullable=False),
        sa.Column("since", _TIME, nullable=False),
        sa.Column("times", sa.Integer, nullable=False),
        sa.Column("refused", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("address_hash", name="pk_asked_addresses"),
    )
    op.create_index("ix_asked_addresses_since", "asked_addresses", ["since"])
