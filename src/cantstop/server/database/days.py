"""Games over days in the database: whose turn runs at each slow table, and until when.

A row is written in the transaction of the event that it follows from, so that neither is there
without the other.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.hours import calendar_of, lock_calendar
from cantstop.server.database.outbox import end_calls, write_calls
from cantstop.server.tables.changes import Change
from cantstop.server.tables.turns import RunningTurn, TurnBegun, turn_of

_TURNS, _HOLDERS = schema.turns.c, schema.holders.c

BOT_GRACE = timedelta(seconds=15)
"""How long a bot's turn is left to whoever is connected to the table, where it is played at the
pace that they want."""


def write_turns(connection: sa.Connection, changes: Iterable[Change]) -> None:
    """Bring up to date whose turn runs at the slow tables among those that have changed."""
    for change in changes:
        if change.table.opened.days is None:
            continue
        turn = turn_of(change.table)
        if change.before is None or _key(turn_of(change.before)) != _key(turn):
            _write_turn(connection, change.table.id, turn)


def _key(turn: TurnBegun | None) -> tuple[int, int, bool] | None:
    """What makes a turn another one: not what its person thinks about."""
    return None if turn is None else (turn.since, turn.seat, turn.is_bot)


def _write_turn(connection: sa.Connection, table_id: str, turn: TurnBegun | None) -> None:
    """Write the row of a table, unless it has this one already."""
    query = sa.select(_TURNS.since, _TURNS.seat, _TURNS.bot).where(_TURNS.table_id == table_id)
    found = connection.execute(query).one_or_none()
    if (None if found is None else tuple(found)) == _key(turn):
        return
    if found is not None:
        connection.execute(schema.turns.delete().where(_TURNS.table_id == table_id))
    end_calls(connection, table_id)
    if turn is not None:
        row = _row(connection, turn)
        connection.execute(schema.turns.insert(), row)
        if row["player_id"] is not None:
            write_calls(connection, table_id, turn.since, str(row["player_id"]), turn.began)


def _row(connection: sa.Connection, turn: TurnBegun) -> Mapping[str, object]:
    player = connection.scalar(
        sa.select(_HOLDERS.player_id).where(
            _HOLDERS.table_id == turn.table, _HOLDERS.seat == turn.seat
        )
    )
    row = {
        "table_id": turn.table,
        "since": turn.since,
        "seat": turn.seat,
        "bot": turn.is_bot,
        "player_id": None if turn.is_bot else player,
        "began_at": turn.began,
    }
    if turn.seconds is None:
        return {**row, "ends_at": turn.began, "due_at": turn.began + BOT_GRACE}
    if player is not None:
        lock_calendar(connection, player, to_change=False)
    calendar = calendar_of(connection, player)
    ends = calendar.end_of(turn.began, turn.seconds)
    return {**row, "ends_at": ends, "due_at": calendar.held_back(ends)}


def running_turn(connection: sa.Connection, table_id: str) -> RunningTurn | None:
    """The turn that a person has at a slow table, if one runs there."""
    query = sa.select(schema.turns).where(_TURNS.table_id == table_id, ~_TURNS.bot)
    found = connection.execute(query).one_or_none()
    if found is None:
        return None
    calendar = calendar_of(connection, found.player_id)
    return RunningTurn(found.since, found.ends_at, calendar, heartbeat_of(connection))


# The time of servers


def heartbeat_of(connection: sa.Connection) -> datetime | None:
    """When a server has last said that it is there."""
    return connection.scalar(sa.select(schema.heartbeat.c.at))
