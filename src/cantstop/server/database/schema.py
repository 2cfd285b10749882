"""The database schema, as the newest migration leaves it."""

from datetime import UTC, datetime

import sqlalchemy as sa


def in_utc(moment: datetime) -> datetime:
    """A timestamp of a driver in UTC: SQLite's have no zone, PostgreSQL's that of its settings."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


class UtcTime(sa.TypeDecorator[datetime]):
    """A timestamp in UTC, also where the database stores no time zone."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        """Written in UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        """Read as UTC."""
        return None if value is None else in_utc(value)


metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

unsaved = sa.MetaData(naming_convention=metadata.naming_convention)
"""What no backup has: it is about this database, not about what was played."""

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("opened_at", UtcTime, nullable=False),
    # when something happened last, to the minute
    sa.Column("touched_at", UtcTime, nullable=False, index=True),
    # never in an event before the game is over, and never sent
    sa.Column("dice_secret", sa.LargeBinary(32), nullable=True),
    # derived from the events, so that a start finds the tables that wait for a bot
    sa.Column("bot_to_act", sa.Boolean, nullable=False, index=True),
    # the event that a decision with a clock began with, and the seconds that were left for it when
    # that was written; null where none waits that long
    sa.Column("clock_n", sa.Integer, nullable=True, index=True),
    sa.Column("clock_left", sa.Float, nullable=True),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", UtcTime, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.Integer, nullable=True),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("action_id", sa.String(64), nullable=True),
    sa.UniqueConstraint("table_id", "action_id"),
)

holders = sa.Table(
    "holders",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("secret_hash", sa.String(64), nullable=False),
    # since when the seat's player is absent; null while they are there, or nobody has looked
    sa.Column("left_at", UtcTime, nullable=True),
    # whether the absence timeout has ended since
    sa.Column("absence_over", sa.Boolean, nullable=False, server_default=sa.false()),
)

daily_secret = sa.Table(
    "daily_secret",
    metadata,
    # always 1: what is there once is not drawn again
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    # what the dice of every day follow from; never sent
    sa.Column("secret", sa.LargeBinary(32), nullable=False),
)

clock = sa.Table(
    "clock",
    unsaved,
    # always 1
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    # the newest time that a server on this database has believed; written about once an hour
    sa.Column("believed_at", UtcTime, nullable=False),
)

daily_tries = sa.Table(
    "daily_tries",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("device_hash", sa.String(64), primary_key=True),
    # no foreign key: results outlast the tables, which expire
    sa.Column("table_id", sa.String(32), nullable=False, unique=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("opened_at", UtcTime, nullable=False),
    # written with the event that ends the game; null where it does not count
    sa.Column("finished_at", UtcTime, nullable=True),
    sa.Column("turns", sa.Integer, nullable=True),
    sa.Column("signs", sa.Text, nullable=True),
    # derived from the events, when they have been computed
    sa.Column("luck", sa.Float, nullable=True),
    sa.Column("skill", sa.Float, nullable=True),
    sa.Index("ix_daily_tries_day_turns", "day", "turns"),
)
