"""The turns that wait for a player at slow tables, with what a sentence about them needs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema

MOST_TURNS = 60

_TURNS, _EVENTS = schema.turns.c, schema.events.c
_ENDS_TURN = ("stopped", "busted")


@dataclass(frozen=True)
class SeatName:
    """Who sits at a table."""

    name: str
    bot: str | None


@dataclass(frozen=True)
class Waiting:
    """A turn that waits for a player."""

    table_id: str
    since: int
    """The event that it began with."""
    seat: int
    began_at: datetime
    ends_at: datetime
    others: tuple[SeatName, ...]
    """In the order of their seats."""
    before: SeatName | None
    """Who had the turn before it; None where the game has just begun."""


def waiting_turns(connection: sa.Connection, player_id: str) -> list[Waiting]:
    """The turns that wait for a player, the one that ends first in front."""
    return _turns(connection, _TURNS.player_id == player_id)


def waiting_at(
    connection: sa.Connection, player_id: str, table_ids: Iterable[str]
) -> dict[str, Waiting]:
    """The turns that wait for a player at some tables, by table."""
    mine = _TURNS.player_id == player_id, _TURNS.table_id.in_(list(table_ids))
    return {turn.table_id: turn for turn in _turns(connection, *mine)}


def _turns(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> list[Waiting]:
    query = (
        sa.select(schema.turns)
        .where(*which, ~_TURNS.bot)
        .order_by(_TURNS.ends_at, _TURNS.table_id)
        .limit(MOST_TURNS)
    )
    rows = connection.execute(query).all()
    seats = _seats_at(connection, [row.table_id for row in rows])
    found = []
    for row in rows:
        names = seats.get(row.table_id, {})
        found.append(
            Waiting(
                row.table_id,
                row.since,
                row.seat,
                row.began_at,
                row.ends_at,
                tuple(name for seat, name in sorted(names.items()) if seat != row.seat),
                _before(connection, row, names),
            )
        )
    return found


def _before(
    connection: sa.Connection, turn: sa.Row[Any], names: Mapping[int, SeatName]
) -> SeatName | None:
    """Who had the turn before this one: it ended with the event that this one began with."""
    last = connection.execute(
        sa.select(_EVENTS.kind, _EVENTS.seat).where(
            _EVENTS.table_id == turn.table_id, _EVENTS.n == turn.since
        )
    ).one_or_none()
    if last is None or last.kind not in _ENDS_TURN or last.seat == turn.seat:
        return None
    return names.get(last.seat)


def _seats_at(
    connection: sa.Connection, table_ids: Iterable[str]
) -> Mapping[str, Mapping[int, SeatName]]:
    """Who sits where, by table."""
    query = (
        sa.select(_EVENTS.table_id, _EVENTS.seat, _EVENTS.data)
        .where(_EVENTS.table_id.in_(list(table_ids)), _EVENTS.kind == "seated")
        .order_by(_EVENTS.n)
    )
    found: dict[str, dict[int, SeatName]] = {}
    for row in connection.execute(query):
        name = SeatName(row.data["name"], row.data.get("bot"))
        found.setdefault(row.table_id, {})[row.seat] = name
    return found
