"""What an action leads to: pure decisions, one line for each kind of action."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cantstop.server.database.storage import Stored
from cantstop.server.errors import NotYourSeat
from cantstop.server.tables.actions import (
    Action,
    MakeMove,
    React,
    Rematch,
    Return,
    Roll,
    Stop,
    Substitute,
)
from cantstop.server.tables.attendance import Attendance
from cantstop.server.tables.dice import throw
from cantstop.server.tables.events import Entry, Happened, Reacted, Rematched
from cantstop.server.tables.opening import Opening
from cantstop.server.tables.play import check_turn, moved, rolled, stopped
from cantstop.server.tables.rematch import rematch_of
from cantstop.server.tables.substitutes import returned, substituted
from cantstop.server.tables.table import Table


@dataclass(frozen=True)
class Caller:
    """Who asks: a person by the seats that their secret holds, or the bot that plays a seat."""

    seats: frozenset[int]
    bot: bool = False


@dataclass(frozen=True)
class Decision:
    """What is to be committed."""

    happened: list[Happened]
    holders: Mapping[int, str] = field(default_factory=dict)
    rematch: Opening | None = None


def decide(
    stored: Stored, caller: Caller, action: Action, attendance: Attendance
) -> Decision | Entry:
    """What an action leads to, or what it led to before; one that cannot be is refused."""
    table = stored.table
    if action.seat not in caller.seats:
        raise NotYourSeat("This seat is not yours.")
    done = table.accepted(action.id)
    if done is not None:
        return done
    match action:
        case Roll() | MakeMove() | Stop():
            check_turn(table, action, bot=caller.bot)
            return Decision(_played(stored, action))
        case React(reaction=reaction):
            return Decision([Happened(action.seat, Reacted(reaction))])
        case Substitute():
            return Decision(substituted(table, action, attendance))
        case Return():
            return Decision(returned(table, action))
        case Rematch():
            return _rematched(table) or _rematch(stored, action)


def _played(stored: Stored, action: Roll | MakeMove | Stop) -> list[Happened]:
    match action:
        case Roll():
            return rolled(stored.table, throw(stored.table, stored.dice_secret))
        case MakeMove(move=move):
            return moved(stored.table, move)
        case Stop():
            return stopped(stored.table, stored.dice_secret)


def _rematched(table: Table) -> Entry | None:
    return next((entry for entry in table.log if isinstance(entry.event, Rematched)), None)


def _rematch(stored: Stored, action: Rematch) -> Decision:
    opening = rematch_of(stored.table, stored.holders)
    return Decision([Happened(action.seat, Rematched(opening.id))], rematch=opening)
