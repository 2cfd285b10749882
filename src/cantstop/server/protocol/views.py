"""A table as JSON for clients: everything needed to draw it, and nothing secret."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cantstop.daily import reveals_at
from cantstop.odds import par, rolls_of, usable_chance
from cantstop.rules import NOBODY, Phase, Position, splits
from cantstop.server.tables.events import Entry, Opened, entry_json, time_text
from cantstop.server.tables.seating import SeatPresence
from cantstop.server.tables.table import Seat, SeatKind, Table

_FIRST_COLUMN = 2
_NOBODY_LEFT: Mapping[int, float] = {}


def state_json(
    table: Table,
    present: frozenset[int],
    you: frozenset[int],
    *,
    log: Iterable[Entry] | None = None,
) -> dict[str, Any]:
    """The complete state of a table, up to its last event; ``log`` replaces the log in it."""
    opened = table.opened
    series = {} if opened.series is None else {"series": asdict(opened.series)}
    state = {
        "id": table.id,
        "n": table.n,
        "mode": opened.mode,
        "edition": opened.edition,
        "lesson": opened.lesson,
        "rules": opened.rules,
        "par": par(table.start),
        "help": opened.help,
        "hints": opened.hints,
        "youngest": opened.youngest,
        "you": sorted(you),
        "seats": [_seat_json(seat, number in present) for number, seat in enumerate(table.seats)],
        "stage": table.stage,
        "commitment": opened.commitment,
        "secret": table.secret,
        "salts": [seat.salt for seat in table.seats],
        "dice": _dice_kind(opened),
        "next": table.next,
        **series,
        "view": view_json(table),
    }
    # left out where there are none: what older programs are told stays as it was
    if opened.daily is not None:
        state["daily"] = {
            "day": opened.daily.day.isoformat(),
            "counts": opened.daily.counts,
            "reveals_at": time_text(reveals_at(opened.daily.day)),
        }
    if opened.clock is not None:
        state["clock"] = clock_json(table, None)
    state["log"] = [entry_json(entry) for entry in (table.log if log is None else log)]
    return state


def _dice_kind(opened: Opened) -> str:
    """Where the dice of a table come from."""
    if opened.entered:
        return "entered"
    return "sealed" if opened.commitment else "prepared"


def clock_json(table: Table, left: float | None) -> dict[str, Any]:
    """The clock of a table: whose time runs, and how many seconds of it are left."""
    return {
        "seconds": table.opened.clock,
        "seat": table.decider,
        "left": None if left is None else round(left, 1),
        "banks": [seat.bank for seat in table.seats],
    }


def presence_json(
    table: Table, presence: SeatPresence, watchers: int, left: Mapping[int, float] = _NOBODY_LEFT
) -> dict[str, Any]:
    """Who is connected, and the absent seats that a bot may not play for yet.

    ``left`` are the seconds until it may.
    """
    present = presence.present
    seats = [number in present or seat.bot is not None for number, seat in enumerate(table.seats)]
    told: dict[str, Any] = {
        "seats": seats,
        "expected": sorted(presence.expected),
        "watchers": watchers,
    }
    if left:
        told["bot_in"] = {str(seat): round(seconds, 1) for seat, seconds in sorted(left.items())}
    if presence.idle:
        told["idle"] = sorted(presence.idle)
    return told


def event_json(table: Table) -> dict[str, Any]:
    """A table's last event, with the view of the table right after it."""
    return {**entry_json(table.last_entry), "view": view_json(table)}


def events_after(table: Table, n: int) -> list[dict[str, Any]]:
    """The events after number n, each with its view: what ``runtime.pages`` has to come to."""
    found = []
    at = Table.opening(table.id, table.log[0])
    for entry in table.log:
        at = at if entry.n == 1 else at.after(entry)
        if entry.n > n:
            found.append(event_json(at))
    return found


def _seat_json(seat: Seat, present: bool) -> dict[str, Any]:
    told = {
        "kind": seat.kind,
        "name": seat.name,
        "colour": seat.colour,
        "bot": seat.bot,
        "present": present or seat.kind is SeatKind.BOT,
        "substitute": seat.substitute,
    }
    return {**told, "resigned": True} if seat.resigned else told


def view_json(table: Table) -> dict[str, Any]:
    """The board, and the legal moves on it."""
    position = table.position
    tokens = position.tokens
    return {
        "position": str(position),
        "turn": table.turn,
        "seat": position.seat,
        "phase": position.phase.value,
        "rolls": table.rolls,
        "lengths": list(position.rules.board.lengths),
        "tokens": [_columns(spaces) for spaces in tokens.spaces],
        "runners": _columns(position.runners),
        "owners": [None if owner == NOBODY else owner for owner in _columns(tokens.owners)],
        "won": list(tokens.counts),
        "dice": None if table.thrown is None else list(table.thrown),
        "splits": [] if position.dice is None else [list(split) for split in splits(position.dice)],
        "moves": [
            {"move": str(move), "runners": _columns(position.move(move).runners)}
            for move in position.legal_moves
        ],
        "may_stop": position.may_stop,
        "stop_reason": _stop_reason(position),
        "shared": list(position.shared_runners) if _is_shared(position) else [],
        "bust_chance": _bust_chance(table),
        "roll_off": _roll_off(position),
        "outcome": _outcome(position),
    }


def _columns(values: Sequence[int]) -> list[int]:
    """Values by column number, without the unused entries 0 and 1."""
    return list(values[_FIRST_COLUMN:])


def _is_shared(position: Position) -> bool:
    """Whether stopping is forbidden by V3."""
    return position.phase is Phase.CHOICE and not position.may_stop


def _stop_reason(position: Position) -> str | None:
    if _is_shared(position):
        return "shared"
    if position.phase in (Phase.MOVE, Phase.BUST):
        return "dice"
    return "first-move" if position.phase in (Phase.START, Phase.ROLL) else None


def _bust_chance(table: Table) -> list[int] | None:
    """How many of all rolls bust, where the table offers help."""
    position = table.position
    if not table.opened.help or position.phase not in (Phase.ROLL, Phase.CHOICE):
        return None
    rolls = rolls_of(position.rules.board)
    return [int((1 - usable_chance(position)) * rolls), rolls]


def _roll_off(position: Position) -> dict[str, Any] | None:
    roll_off = position.roll_off
    if roll_off is None:
        return None
    return {"contenders": list(roll_off.contenders), "sums": list(roll_off.sums)}


def _outcome(position: Position) -> dict[str, Any] | None:
    outcome = position.outcome
    if outcome is None:
        return None
    return {"winners": list(outcome.winners), "ending": outcome.ending.value}
