"""Games over days in the database: whose turn runs at each slow table, and until when.

A row is written in the transaction of the event that it follows from, so that neither is there
without the other.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.hours import (
    calendar_of,
    calendars_of,
    lock_players,
    move_turns,
)
from cantstop.server.database.outbox import end_calls, write_calls
from cantstop.server.tables.changes import Change
from cantstop.server.tables.hours import ALWAYS, Calendar, resumed
from cantstop.server.tables.turns import LONGEST_GAP, RunningTurn, TurnBegun, turn_of

_TURNS, _HOLDERS = schema.turns.c, schema.holders.c

BOT_GRACE = timedelta(seconds=15)
"""How long a bot's turn is left to whoever is connected to the table, where it is played at the
pace that they want."""
LEASE = timedelta(minutes=2)
"""How long a worker has for the turns that it has claimed."""
PAGE = 500
"""Turns that are moved at once after a time without a server."""


def write_turns(connection: sa.Connection, changes: Iterable[Change]) -> None:
    """Bring up to date whose turn runs at the slow tables among those that have changed.

    Whatever is locked is locked in one order by all who change it: players, their turns, what is to
    be sent to them.
    """
    begun: dict[str, TurnBegun | None] = {}
    for change in changes:
        if change.table.opened.days is None:
            continue
        turn, before = turn_of(change.table), change.before
        if change.table.id in begun or before is None or _key(turn_of(before)) != _key(turn):
            begun[change.table.id] = turn
    if not begun:
        return
    players = _players_of(connection, begun)
    lock_players(connection, set(players.values()), to_change=False)
    running = _lock_turns(connection, begun)
    others = [one for one, turn in begun.items() if running.get(one) != _key(turn)]
    if not others:
        return
    connection.execute(schema.turns.delete().where(_TURNS.table_id.in_(others)))
    end_calls(connection, others)
    calendars = calendars_of(connection, set(players.values()))
    for table_id in others:
        turn, player = begun[table_id], players.get(table_id)
        if turn is None:
            continue
        calendar = ALWAYS if player is None else calendars.get(player, ALWAYS)
        connection.execute(schema.turns.insert(), _row(turn, player, calendar))
        if player is not None:
            write_calls(connection, table_id, turn.since, player, turn.began)


def _key(turn: TurnBegun | None) -> tuple[int, int, bool] | None:
    """What makes a turn another one: not what its person thinks about."""
    return None if turn is None else (turn.since, turn.seat, turn.is_bot)


def _players_of(connection: sa.Connection, begun: Mapping[str, TurnBegun | None]) -> dict[str, str]:
    """The players of the club who have a turn, by table."""
    found = connection.execute(
        sa.select(_HOLDERS.table_id, _HOLDERS.seat, _HOLDERS.player_id).where(
            _HOLDERS.table_id.in_(list(begun)), _HOLDERS.player_id.is_not(None)
        )
    )
    seats = {(row.table_id, row.seat): row.player_id for row in found}
    return {
        table_id: seats[table_id, turn.seat]
        for table_id, turn in begun.items()
        if turn is not None and not turn.is_bot and (table_id, turn.seat) in seats
    }


def _lock_turns(
    connection: sa.Connection, tables: Collection[str]
) -> dict[str, tuple[int, int, bool]]:
    """What runs at tables as far as their rows say."""
    query = sa.select(_TURNS.table_id, _TURNS.since, _TURNS.seat, _TURNS.bot).where(
        _TURNS.table_id.in_(list(tables))
    )
    rows = connection.execute(query.order_by(_TURNS.table_id).with_for_update())
    return {row.table_id: (row.since, row.seat, row.bot) for row in rows}


def _row(turn: TurnBegun, player: str | None, calendar: Calendar) -> Mapping[str, object]:
    row = {
        "table_id": turn.table,
        "since": turn.since,
        "seat": turn.seat,
        "bot": turn.is_bot,
        "player_id": player,
        "began_at": turn.began,
    }
    if turn.seconds is None:
        return {**row, "ends_at": turn.began, "due_at": turn.began + BOT_GRACE}
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


# The sweep: which turns are due


@dataclass(frozen=True)
class Outlook:
    """What there is to do for a sweep."""

    heartbeat: datetime | None
    """When a server has last said that it is there."""
    next_due: datetime | None
    """When the next turn is due; None where no slow game is on."""


@dataclass(frozen=True)
class DueTurn:
    """A turn that is over, or a bot's."""

    table: str
    since: int
    bot: bool


def look_ahead(connection: sa.Connection) -> Outlook:
    """What a sweep begins with: one statement, which two indexes answer."""
    beat = sa.select(schema.heartbeat.c.at).scalar_subquery()
    due = sa.select(sa.func.min(_TURNS.due_at)).scalar_subquery()
    row = connection.execute(sa.select(beat, due)).one()
    return Outlook(*row)


def due_turns(now: datetime, most: int) -> sa.Select[tuple[str]]:
    """The tables whose turns are due, the longest overdue first."""
    query = sa.select(_TURNS.table_id).where(_TURNS.due_at <= now)
    return query.order_by(_TURNS.due_at).limit(most)


def claim_due(connection: sa.Connection, now: datetime, most: int) -> list[DueTurn]:
    """Turns that are due, for whoever asks first; they are due again after a while.

    That is for a worker that dies over them. Nobody waits for rows that another one claims.
    """
    some = due_turns(now, most).with_for_update(skip_locked=True)
    claim = (
        schema.turns.update()
        .where(_TURNS.table_id.in_(some), _TURNS.due_at <= now)
        .values(due_at=now + LEASE)
        .returning(_TURNS.table_id, _TURNS.since, _TURNS.bot)
    )
    return [DueTurn(row.table_id, row.since, row.bot) for row in connection.execute(claim)]


# The time of servers


def heartbeat_of(connection: sa.Connection) -> datetime | None:
    """When a server has last said that it is there."""
    return connection.scalar(sa.select(schema.heartbeat.c.at))


def beat(connection: sa.Connection, now: datetime) -> int:
    """Say that a server is there; if none was for long, let all turns end later.

    Whichever worker is first has done it for all, in one transaction. Returns how many turns end
    later. A clock that was set back says nothing until it has caught up.
    """
    heartbeat, seen = schema.heartbeat, heartbeat_of(connection)
    if seen is None:
        connection.execute(heartbeat.insert(), {"id": 1, "at": now})
        return 0
    if now <= seen:
        return 0
    done = connection.execute(heartbeat.update().where(heartbeat.c.at == seen).values(at=now))
    if done.rowcount != 1 or now - seen <= LONGEST_GAP:
        return 0
    return sum(_resume(connection, rows, seen, now) for rows in _pages(connection))


def _pages(connection: sa.Connection) -> Iterator[Sequence[sa.Row[Any]]]:
    """The running turns of people, a page at a time: there may be many."""
    last = ""
    while True:
        query = sa.select(schema.turns).where(_TURNS.table_id > last, ~_TURNS.bot)
        page = query.order_by(_TURNS.table_id).limit(PAGE).with_for_update()
        rows = connection.execute(page).all()
        if not rows:
            return
        yield rows
        last = rows[-1].table_id


def _resume(
    connection: sa.Connection, rows: Sequence[sa.Row[Any]], stopped: datetime, now: datetime
) -> int:
    """Let turns end later that ran while there was no server."""
    calendars = calendars_of(connection, {row.player_id for row in rows if row.player_id})
    later = []
    for row in rows:
        since = max(stopped, row.began_at)
        calendar = calendars.get(row.player_id, ALWAYS)
        if row.due_at <= since or since >= now:
            continue  # it was over, and nobody was there to say so; or it has only just begun
        if row.ends_at > since:
            ends = resumed(row.ends_at, since, now, calendar)
            due = calendar.held_back(ends)
        else:
            ends, due = row.ends_at, calendar.held_back(now + (row.due_at - since))
        later.append({"table": row.table_id, "began_with": row.since, "ends": ends, "due": due})
    move_turns(connection, later)
    return len(later)
