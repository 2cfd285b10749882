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
    # whose seat it is, where that is a player of the club: beside the events, to be erased
    sa.Column("player_id", sa.String(12), nullable=True),
    sa.Index("ix_holders_player_id_table_id", "player_id", "table_id", unique=True),
)

turns = sa.Table(
    "turns",
    metadata,
    # one row for each slow table whose game is on: whose turn runs there
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    # the event that it began with
    sa.Column("since", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    # whether a bot has the turn; then it is due at once
    sa.Column("bot", sa.Boolean, nullable=False),
    # whose turn it is, where that is a player of the club
    sa.Column("player_id", sa.String(12), nullable=True, index=True),
    sa.Column("began_at", UtcTime, nullable=False),
    # when the time for it, the bank included, will have passed
    sa.Column("ends_at", UtcTime, nullable=False),
    # the same, but never in the quiet hours of the player: what the sweep goes by
    sa.Column("due_at", UtcTime, nullable=False, index=True),
)

heartbeat = sa.Table(
    "heartbeat",
    metadata,
    # always 1
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    # when a server has last said that it is there: time without one counts for nobody
    sa.Column("at", UtcTime, nullable=False),
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

# The club: players, what they have played, and who is here

players = sa.Table(
    "players",
    metadata,
    sa.Column("id", sa.String(12), primary_key=True),
    sa.Column("name", sa.String(64), nullable=False),
    # what the name looks like: no two players can be taken for each other
    sa.Column("shape", sa.String(96), nullable=False, unique=True),
    sa.Column("mark", sa.Integer, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    # a slow hash; null where there are no words
    sa.Column("words_hash", sa.String(64), nullable=True, unique=True),
    sa.Column("excluded_at", UtcTime, nullable=True),
    # where they last sat down at a rated table: a number that thousands of addresses share
    sa.Column("household", sa.Integer, nullable=True),
)

player_keys = sa.Table(
    "player_keys",
    metadata,
    sa.Column("key_hash", sa.String(64), primary_key=True),
    # what its player removes it by
    sa.Column("id", sa.String(12), nullable=False, unique=True),
    sa.Column("player_id", sa.ForeignKey("players.id"), nullable=False, index=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("added_at", UtcTime, nullable=False),
    # to the day
    sa.Column("seen_at", UtcTime, nullable=False),
)

player_hours = sa.Table(
    "player_hours",
    metadata,
    # when a player has no time for games over days
    sa.Column("player_id", sa.ForeignKey("players.id"), primary_key=True),
    # the name of an IANA time zone
    sa.Column("zone", sa.String(64), nullable=False),
    # minutes of the day; null where there are no quiet hours
    sa.Column("quiet_from", sa.Integer, nullable=True),
    sa.Column("quiet_until", sa.Integer, nullable=True),
    sa.Column("weekends_off", sa.Boolean, nullable=False),
    # since when weekends are off, and in this zone; null where they never were
    sa.Column("weekends_since", UtcTime, nullable=True),
)

player_away = sa.Table(
    "player_away",
    metadata,
    sa.Column("player_id", sa.ForeignKey("players.id"), primary_key=True),
    # full hours
    sa.Column("from_at", UtcTime, primary_key=True),
    sa.Column("until_at", UtcTime, nullable=False),
)

contacts = sa.Table(
    "contacts",
    metadata,
    # where a player is called when a table waits for them
    sa.Column("id", sa.String(12), primary_key=True),
    sa.Column("player_id", sa.ForeignKey("players.id"), nullable=False),
    sa.Column("channel", sa.String(8), nullable=False),
    sa.Column("address", sa.String(1000), nullable=False, index=True),
    # of the device that it was added by, which a browser's messages end with
    sa.Column("device_id", sa.String(12), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("digest", sa.Boolean, nullable=False),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    # when a message was tried last
    sa.Column("sent_at", UtcTime, nullable=True),
    # since when none was taken; null where the last one was
    sa.Column("failing_since", UtcTime, nullable=True),
    # how many tries have failed in a row
    sa.Column("failures", sa.Integer, nullable=False),
    # nothing is sent before that
    sa.Column("not_before", UtcTime, nullable=True),
    # what signs a webhook, and what the links in a mail follow from; never sent but to its owner
    sa.Column("secret", sa.LargeBinary(32), nullable=False),
    # the keys of a browser; empty elsewhere
    sa.Column("public_key", sa.LargeBinary(65), nullable=False),
    sa.Column("auth", sa.LargeBinary(16), nullable=False),
    # which key of this server a browser has subscribed with; empty elsewhere
    sa.Column("server_key", sa.String(16), nullable=False),
    # the address of this server, as whoever added it had it
    sa.Column("site", sa.String(300), nullable=False),
    # who is sending to it now, and when that can be over at the latest
    sa.Column("claim", sa.String(16), nullable=True),
    sa.Column("claimed_until", UtcTime, nullable=True),
    sa.UniqueConstraint("player_id", "channel", "address"),
)

outbox = sa.Table(
    "outbox",
    metadata,
    # what is to be sent, and what was: written in the transaction of the event that it follows from
    sa.Column("table_id", sa.String(32), primary_key=True),
    # the event that the turn began with; 0 for what is about no turn
    sa.Column("since", sa.Integer, primary_key=True, autoincrement=False),
    # of a reminder, how many hours before the end it comes; 0 for the call itself
    sa.Column("hours", sa.Integer, primary_key=True, autoincrement=False),
    # no foreign key: whoever writes an event waits for nobody who changes a contact
    sa.Column("contact_id", sa.String(12), primary_key=True, index=True),
    sa.Column("created_at", UtcTime, nullable=False),
    # when it is sent; null once that is settled
    sa.Column("due_at", UtcTime, nullable=True, index=True),
    # the id of the message that it went into; the same for every copy
    sa.Column("message_id", sa.String(64), nullable=True),
    # what came of it; also that its player was at the table when it was looked at first
    sa.Column("result", sa.String(8), nullable=True),
)

call_reminders = sa.Table(
    "call_reminders",
    metadata,
    sa.Column("player_id", sa.ForeignKey("players.id"), primary_key=True),
    # before the time for a turn is over
    sa.Column("hours", sa.Integer, primary_key=True, autoincrement=False),
)

feeds = sa.Table(
    "feeds",
    metadata,
    sa.Column("player_id", sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("kind", sa.String(8), primary_key=True),
    # of what is secret in the address
    sa.Column("key_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
)

server_key = sa.Table(
    "server_key",
    metadata,
    # always 1: what is there once is not drawn again
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    # what push services know this server by; never sent
    sa.Column("private", sa.LargeBinary(32), nullable=False),
)

asked_addresses = sa.Table(
    "asked_addresses",
    metadata,
    # mail addresses that were asked whether they want calls, by their hash
    sa.Column("address_hash", sa.String(64), primary_key=True),
    # how often since then
    sa.Column("since", UtcTime, nullable=False, index=True),
    sa.Column("times", sa.Integer, nullable=False),
    # whether the answer was that nobody here is to ask again
    sa.Column("refused", sa.Boolean, nullable=False),
)

link_codes = sa.Table(
    "link_codes",
    unsaved,
    sa.Column("code_hash", sa.String(64), primary_key=True),
    sa.Column("player_id", sa.String(12), nullable=False, unique=True),
    sa.Column("expires_at", UtcTime, nullable=False),
)

passkeys = sa.Table(
    "passkeys",
    metadata,
    # what the authenticator calls it
    sa.Column("credential", sa.String(1364), primary_key=True),
    # what its player removes it by
    sa.Column("id", sa.String(12), nullable=False, unique=True),
    sa.Column("player_id", sa.ForeignKey("players.id"), nullable=False, index=True),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    # how many signatures the authenticator had counted; many count none
    sa.Column("signatures", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("added_at", UtcTime, nullable=False),
    # to the day
    sa.Column("used_at", UtcTime, nullable=False),
)

passkey_challenges = sa.Table(
    "passkey_challenges",
    unsaved,
    # of the device that has asked for it
    sa.Column("key_hash", sa.String(64), primary_key=True),
    sa.Column("challenge_hash", sa.String(64), nullable=False),
    sa.Column("expires_at", UtcTime, nullable=False, index=True),
)

daily_devices = sa.Table(
    "daily_devices",
    metadata,
    # the device's token in daily games, and whose results these are
    sa.Column("device_hash", sa.String(64), primary_key=True),
    sa.Column("player_id", sa.ForeignKey("players.id"), nullable=False, index=True),
)

games = sa.Table(
    "games",
    metadata,
    # no foreign key: games outlast their tables, which expire
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("finished_at", UtcTime, nullable=False, index=True),
    sa.Column("edition", sa.String(32), nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    # why it counts for no rating; null where it does
    sa.Column("why_not", sa.String(16), nullable=True),
    # the game without names, packed: what luck and skill were can be found out again
    sa.Column("record", sa.LargeBinary, nullable=False),
    # what found out luck and skill; null until then
    sa.Column("evaluator", sa.String(64), nullable=True, index=True),
)

game_seats = sa.Table(
    "game_seats",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("finished_at", UtcTime, nullable=False),
    # null for bots, for people without a profile, and for those who were erased
    sa.Column("player_id", sa.String(12), nullable=True),
    # the household that its player was of then
    sa.Column("household", sa.Integer, nullable=True),
    sa.Column("bot", sa.String(64), nullable=True),
    sa.Column("won", sa.Boolean, nullable=False),
    # the event of the game before which another began to play for the seat; null where nobody did
    sa.Column("left_at", sa.Integer, nullable=True),
    # derived from the game, when it has been looked at
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
    sa.Index("ix_game_seats_player_id_finished_at", "player_id", "finished_at"),
)

costly_decisions = sa.Table(
    "costly_decisions",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    # the event of the game that it became
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.String(12), nullable=True),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("question", sa.String(16), nullable=False),
    sa.Column("chosen", sa.String(16), nullable=False),
    sa.Column("best", sa.String(16), nullable=False),
    sa.Column("error", sa.Float, nullable=False),
    sa.Index("ix_costly_decisions_player_id_error", "player_id", "error"),
)


def _ratings(name: str) -> sa.Table:
    return sa.Table(
        name,
        metadata,
        sa.Column("player_id", sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("size", sa.String(8), primary_key=True),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("low", sa.Float, nullable=False),
        sa.Column("high", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("replaces", sa.Float, nullable=False),
        sa.Column("opponents", sa.Integer, nullable=False),
        sa.Column("evaluator", sa.String(64), nullable=False),
        sa.Index(f"ix_{name}_kind_size_value", "kind", "size", "value"),
    )


ratings = _ratings("ratings")

leaders = _ratings("leaders")
"""The same from games between households alone, of those who have met enough of them."""

courtesies = sa.Table(
    "courtesies",
    metadata,
    sa.Column("player_id", sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("other_id", sa.ForeignKey("players.id"), primary_key=True, index=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("since", UtcTime, nullable=False),
)

reports = sa.Table(
    "reports",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", UtcTime, nullable=False),
    # null once they were erased
    sa.Column("reporter_id", sa.String(12), nullable=True),
    sa.Column("player_id", sa.String(12), nullable=True, index=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("n", sa.Integer, nullable=False),
    sa.Column("reason", sa.String(16), nullable=False),
)

operator_log = sa.Table(
    "operator_log",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", UtcTime, nullable=False),
    sa.Column("what", sa.String(16), nullable=False),
    # no name: what was erased stays erased
    sa.Column("player_id", sa.String(12), nullable=False),
)

seeks = sa.Table(
    "seeks",
    unsaved,
    sa.Column("player_id", sa.String(12), primary_key=True),
    sa.Column("secret_hash", sa.String(64), nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("edition", sa.String(32), nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("rating", sa.Float, nullable=True),
    sa.Column("since", UtcTime, nullable=False),
    # when it was renewed last; one that is not is over
    sa.Column("seen_at", UtcTime, nullable=False, index=True),
    # where its player was seated
    sa.Column("table_id", sa.String(32), nullable=True),
    sa.Column("seat", sa.Integer, nullable=True),
)

lobby_tables = sa.Table(
    "lobby_tables",
    unsaved,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("opened_at", UtcTime, nullable=False, index=True),
    sa.Column("player_id", sa.String(12), nullable=True),
)

lobby_here = sa.Table(
    "lobby_here",
    unsaved,
    sa.Column("player_id", sa.String(12), primary_key=True),
    sa.Column("seen_at", UtcTime, nullable=False, index=True),
)

rewritten_tables = sa.Table(
    "rewritten_tables",
    unsaved,
    # whose events a name was taken out of: servers read them again
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("at", UtcTime, nullable=False, index=True),
)
