"""The hours of players in the database, and what a change of them does to turns that run."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.errors import NotFound, Refused
from cantstop.server.tables.hours import (
    ALWAYS,
    ZONE_KEPT,
    Away,
    Calendar,
    Hours,
    check_away,
    check_hours,
    cut_short,
    moved,
)

_HOURS, _AWAY, _TURNS = schema.player_hours.c, schema.player_away.c, schema.turns.c
_HOLDERS = schema.holders.c
_KEPT = timedelta(days=2 * 366)
"""How long times away are kept that are over: those of a calendar year count together."""

_MOVE = (
    schema.turns.update()
    .where(_TURNS.table_id == sa.bindparam("table"), _TURNS.since == sa.bindparam("began_with"))
    .values(ends_at=sa.bindparam("ends"), due_at=sa.bindparam("due"))
)


@dataclass(frozen=True)
class MovedTurns:
    """What a change of hours has done: the new ones, and the tables whose turns it has moved."""

    calendar: Calendar
    tables: tuple[str, ...]
    looked_at: int
    """How many turns of the player were running."""


def calendars_of(connection: sa.Connection, players: Collection[str]) -> Mapping[str, Calendar]:
    """The calendars of those players who have said anything about their time."""
    if not players:
        return {}
    hours = {
        row.player_id: Hours(row.zone, row.quiet_from, row.quiet_until, row.weekends_off)
        for row in connection.execute(
            sa.select(schema.player_hours).where(_HOURS.player_id.in_(players))
        )
    }
    away: dict[str, list[Away]] = {}
    for row in connection.execute(
        sa.select(schema.player_away)
        .where(_AWAY.player_id.in_(players))
        .order_by(_AWAY.player_id, _AWAY.from_at)
    ):
        away.setdefault(row.player_id, []).append(Away(row.from_at, row.until_at))
    return {
        player: Calendar(hours.get(player, Hours()), tuple(away.get(player, ())))
        for player in hours.keys() | away.keys()
    }


def calendar_of(connection: sa.Connection, player_id: str | None) -> Calendar:
    """When a player's time counts; all of it, for whoever is no player of the club."""
    if player_id is None:
        return ALWAYS
    return calendars_of(connection, (player_id,)).get(player_id, ALWAYS)


def lock_players(connection: sa.Connection, players: Collection[str], *, to_change: bool) -> None:
    """Keep the hours of players as they are until the transaction ends.

    So a turn is not written by hours that are being changed. SQLite has one writer at a time.
    """
    if players:
        mine = schema.players.c.id
        query = sa.select(mine).where(mine.in_(players)).order_by(mine)
        connection.execute(query.with_for_update(read=not to_change)).all()


def set_hours(connection: sa.Connection, player_id: str, hours: Hours, now: datetime) -> MovedTurns:
    """Write new hours, and move the end of the player's running turns."""
    check_hours(hours)
    lock_players(connection, {player_id}, to_change=True)
    old = calendar_of(connection, player_id)
    since = connection.scalar(sa.select(_HOURS.weekends_since).where(_HOURS.player_id == player_id))
    if hours.weekends_off and _weekends(hours) != _weekends(old.hours):
        if since is not None and now - since < ZONE_KEPT:
            raise Refused("Weekends off can be changed once in seven days.")
        since = now
    connection.execute(schema.player_hours.delete().where(_HOURS.player_id == player_id))
    row = {
        "player_id": player_id,
        "zone": hours.zone,
        "quiet_from": hours.quiet_from,
        "quiet_until": hours.quiet_until,
        "weekends_off": hours.weekends_off,
        "weekends_since": since,
    }
    connection.execute(schema.player_hours.insert(), row)
    return _moved(connection, player_id, old, Calendar(hours, old.away), now)


def _weekends(hours: Hours) -> tuple[bool, str]:
    return hours.weekends_off, hours.zone


def add_away(connection: sa.Connection, player_id: str, away: Away, now: datetime) -> MovedTurns:
    """A player will be away."""
    lock_players(connection, {player_id}, to_change=True)
    over = _AWAY.player_id == player_id, _AWAY.until_at < now - _KEPT
    connection.execute(schema.player_away.delete().where(*over))
    old = calendar_of(connection, player_id)
    check_away(away, old.away, now)
    row = {"player_id": player_id, "from_at": away.start, "until_at": away.end}
    connection.execute(schema.player_away.insert(), row)
    new = Calendar(old.hours, tuple(sorted((*old.away, away))))
    return _moved(connection, player_id, old, new, now)


def cancel_away(
    connection: sa.Connection, player_id: str, start: datetime, now: datetime
) -> MovedTurns:
    """A player is back, or does not go."""
    lock_players(connection, {player_id}, to_change=True)
    old = calendar_of(connection, player_id)
    found = next((one for one in old.away if one.start == start and one.end > now), None)
    if found is None:
        raise NotFound("You have not said that you are away then, or it is over.")
    mine = _AWAY.player_id == player_id, _AWAY.from_at == start
    left = cut_short(found, now)
    if left is None:
        connection.execute(schema.player_away.delete().where(*mine))
    else:
        connection.execute(schema.player_away.update().where(*mine).values(until_at=left.end))
    others = (one for one in old.away if one is not found)
    away = tuple(sorted((*others, *(() if left is None else (left,)))))
    return _moved(connection, player_id, old, Calendar(old.hours, away), now)


def _moved(
    connection: sa.Connection, player_id: str, old: Calendar, new: Calendar, now: datetime
) -> MovedTurns:
    """Move the end of all turns that a player has; one whose time is up stays as it is."""
    query = sa.select(_TURNS.table_id, _TURNS.since, _TURNS.ends_at, _TURNS.due_at).where(
        _TURNS.player_id == player_id, ~_TURNS.bot
    )
    running = connection.execute(query.order_by(_TURNS.table_id).with_for_update()).all()
    rows = []
    for row in running:
        if row.ends_at <= now:
            continue
        ends = moved(row.ends_at, now, old, new)
        due = new.held_back(ends)
        if (ends, due) != (row.ends_at, row.due_at):
            rows.append({"table": row.table_id, "began_with": row.since, "ends": ends, "due": due})
    move_turns(connection, rows)
    return MovedTurns(new, tuple(str(row["table"]) for row in rows), len(running))


def move_turns(connection: sa.Connection, rows: Sequence[Mapping[str, object]]) -> None:
    """Write when turns end, by ``table`` and ``began_with``: ``ends`` and ``due``."""
    if rows:
        connection.execute(_MOVE, list(rows))


# What others see


@dataclass(frozen=True)
class TurnTimes:
    """What a slow table's view needs beside its events."""

    ends: datetime | None
    """When the turn that runs is over; None where none of a person's does."""
    left: float | None
    """Seconds that are left for it, and that count."""
    away: Mapping[int, datetime]
    """Until when the players of seats are away that are."""


NO_TIMES = TurnTimes(None, None, {})


def turn_times(
    connection: sa.Connection, tables: Collection[str], now: datetime
) -> Mapping[str, TurnTimes]:
    """When turns end at slow tables, and who is away there; no others are in it."""
    if not tables:
        return {}
    turns = connection.execute(sa.select(schema.turns).where(_TURNS.table_id.in_(tables))).all()
    away: dict[str, dict[int, datetime]] = {row.table_id: {} for row in turns}
    gone = (
        sa.select(_HOLDERS.table_id, _HOLDERS.seat, _AWAY.until_at)
        .join_from(schema.holders, schema.player_away, _AWAY.player_id == _HOLDERS.player_id)
        .where(_HOLDERS.table_id.in_(list(away)), _AWAY.from_at <= now, _AWAY.until_at > now)
    )
    for row in connection.execute(gone):
        away[row.table_id][row.seat] = row.until_at
    calendars = calendars_of(connection, {row.player_id for row in turns if row.player_id})
    return {
        row.table_id: TurnTimes(
            None if row.bot else row.due_at,
            None if row.bot else calendars.get(row.player_id, ALWAYS).counted(now, row.ends_at),
            away[row.table_id],
        )
        for row in turns
    }
