"""What is kept of a finished game that players of the club have played, and whether it counts.

It outlasts the table, which expires: so it has the game itself, without names.
"""

import zlib
from dataclasses import dataclass, replace
from datetime import datetime

from cantstop.record import Record, read_record, record_text
from cantstop.server.tables.changes import Change
from cantstop.server.tables.records import record_of
from cantstop.table.events import (
    EndReason,
    Finished,
    Played,
    Resigned,
    Returned,
    Substituted,
    SubstituteReason,
    TakenBack,
)
from cantstop.table.table import Table
from cantstop.wire.club import WhyNot
from cantstop.wire.offers import CUSTOM

FEWEST_TURNS = 2
"""Turns of each seat, below which a game is too short to say anything."""


@dataclass(frozen=True)
class FinishedSeat:
    """A seat of a finished game."""

    bot: str | None
    won: bool
    left_at: int | None
    """How many events the game had when another began to play for the seat."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game."""

    table: str
    finished_at: datetime
    edition: str
    rules: str
    turns: int
    why_not: WhyNot | None
    packed: bytes
    """Its record, without names."""
    seats: tuple[FinishedSeat, ...]


@dataclass(frozen=True)
class SeatFindings:
    """What a review has found out about a seat: until the end, or until the first seat left."""

    start: float
    luck: float
    skill: float
    drift: float
    press_decisions: int
    press_error: float
    move_decisions: int
    move_error: float
    inaccuracies: int
    mistakes: int
    blunders: int
    left_chance: float | None
    """The chance to win when the first seat left."""


@dataclass(frozen=True)
class Costly:
    """A decision that has cost much."""

    n: int
    seat: int
    position: str
    question: str
    chosen: str
    best: str
    error: float


@dataclass(frozen=True)
class GameFindings:
    """What a review has found out about a game."""

    evaluator: str
    seats: tuple[SeatFindings, ...]
    costly: tuple[Costly, ...]


def ended_in(change: Change) -> bool:
    """Whether a change ends a game that had begun."""
    ends = any(isinstance(entry.event, Finished) for entry in change.entries)
    return ends and change.table.has_started and bool(change.table.played)


def finished_game(table: Table, at: datetime) -> FinishedGame:
    """What is kept of a game that is over."""
    left = _left_at(table)
    return FinishedGame(
        table.id,
        at,
        table.opened.edition,
        str(table.rules),
        table.turn,
        _why_not(table),
        packed_game(record_of(table)),
        tuple(
            FinishedSeat(seat.bot, number in table.winners and left[number] is None, left[number])
            for number, seat in enumerate(table.seats)
        ),
    )


def packed_game(record: Record) -> bytes:
    """A record without names, day and dice: what a review needs of it."""
    names = tuple(str(seat) for seat in range(1, len(record.names) + 1))
    bare = replace(record, names=names, edition=None, date=None, dice=None, hints=())
    return zlib.compress(record_text(bare).encode(), 9)


def game_text(packed: bytes) -> str:
    """The text of the record that ``packed_game`` has packed."""
    return zlib.decompress(packed).decode()


def unpacked_game(packed: bytes) -> Record:
    """The record that ``packed_game`` has packed."""
    return read_record(game_text(packed))


def _why_not(table: Table) -> WhyNot | None:
    opened = table.opened
    if not opened.rated:
        return WhyNot.UNRATED
    if opened.edition == CUSTOM:
        return WhyNot.CUSTOM
    if table.ended in (EndReason.CLOSED, EndReason.TURNS) or not table.winners:
        return WhyNot.CLOSED
    return WhyNot.SHORT if table.turn < FEWEST_TURNS * len(table.seats) else None


def _left_at(table: Table) -> list[int | None]:
    """For each seat the moment from which its moves were not its player's any more.

    A bot that was asked to play but never did so has taken nothing over.
    """
    undone = {entry.event.event for entry in table.log if isinstance(entry.event, TakenBack)}
    left: list[int | None] = [None] * len(table.seats)
    replaced: set[int] = set()
    missed = [0] * len(table.seats)
    count = 0
    for entry in table.log:
        seat = entry.seat
        match entry.event:
            case Substituted(reason=reason) if seat is not None:
                missed[seat] += reason is SubstituteReason.TIME
                is_slow = table.opened.days is not None
                # at a slow table a bot plays one turn, and the next is its player's again
                if not is_slow or reason is not SubstituteReason.TIME or missed[seat] > 1:
                    replaced.add(seat)
            case Returned() if seat is not None:
                replaced.discard(seat)
            case Resigned() if seat is not None and left[seat] is None:
                left[seat] = count
            case Played() if entry.n not in undone:
                if seat in replaced and seat is not None and left[seat] is None:
                    left[seat] = count
                count += 1
    return left
