"""Taking back a decision, until the next roll, where nobody else is hurt by it.

Where the players throw their own dice, what they entered can be wrong, so everything can be taken
back, one thing after the other: rolls, busts, and the end of the game.

Whoever plays alone, against bots, or for all seats at one screen takes it back at once. Where other
people hold seats, each of them has to agree; whoever rolls instead has not.
"""

from collections.abc import Mapping
from datetime import datetime

from cantstop.rules import Phase
from cantstop.server.errors import Refused, Stale
from cantstop.server.tables.actions import Agree, Decline, TakeBack
from cantstop.server.tables.changes import Change, StoredTable
from cantstop.server.tables.events import Agreed, Asked, Declined, TakenBack
from cantstop.server.tables.table import SeatKind, Stage, Table

MAX_ASKED = 50
"""How often one seat may ask the others."""


def take_back(stored: StoredTable, action: TakeBack, at: datetime) -> Change:
    """The seat's last decision is undone, or the others are asked."""
    table = stored.table
    _check(table, action)
    if not needed(table, action.seat, stored.holders):
        return Change(_undo(table, action.seat, at, action.id))
    if table.asked is not None:
        raise Refused("You have asked already.")
    if table.refused_since == table.last_play:
        raise Refused("The others have not agreed.")
    if table.seats[action.seat].asked >= MAX_ASKED:
        raise Refused("You have asked {most} times at this table.", most=MAX_ASKED)
    return Change((table.append(Asked(), action.seat, at, action.id),))


def agree(stored: StoredTable, action: Agree, at: datetime) -> Change:
    """A seat agrees; with the last of them the decision is undone."""
    table = stored.table
    asker = _check_answer(stored, action)
    agreed = table.append(Agreed(), action.seat, at, action.id)
    if needed(agreed, asker, stored.holders) - agreed.agreed:
        return Change((agreed,))
    return Change((agreed, *_undo(agreed, asker, at)))


def decline(stored: StoredTable, action: Decline, at: datetime) -> Change:
    """A seat does not agree: the decision stands."""
    _check_answer(stored, action)
    return Change((stored.table.append(Declined(), action.seat, at, action.id),))


def needed(table: Table, seat: int, holders: Mapping[int, str]) -> frozenset[int]:
    """The seats of other people, who have to agree before a seat takes anything back."""
    return frozenset(
        number
        for number, other in enumerate(table.seats)
        if other.kind is SeatKind.HUMAN
        and not other.resigned
        and holders.get(number) != holders.get(seat)
    )


def _check(table: Table, action: TakeBack) -> None:
    if table.stage is Stage.OVER and not _may_go_on(table):
        raise Refused("The game is over.")
    if table.opened.entered and table.undo is None:
        raise Refused("There is nothing to take back.")
    if table.undo is None or table.undo.position.seat != action.seat:
        raise Refused("You have nothing to take back since the last roll.")
    if table.seats[action.seat].played_by is not None:
        raise Refused("A bot plays for you: come back to your seat first.")
    if action.n is not None and action.n < table.last_play:
        raise Stale("The game has gone on since; look again.")


def _may_go_on(table: Table) -> bool:
    """Whether a game that is over goes on once its last decision is taken back."""
    return table.opened.entered and table.ended is None and table.next is None


def _check_answer(stored: StoredTable, action: Agree | Decline) -> int:
    """The seat that has asked, if it is for this one to answer."""
    table = stored.table
    if table.asked is None or table.asked.n != action.asked:
        raise Stale("The game has gone on since; look again.")
    asker = table.asked.seat
    assert asker is not None
    if action.seat not in needed(table, asker, stored.holders):
        raise Refused("This is for the others to answer.")
    if action.seat in table.agreed:
        raise Refused("You have agreed already.")
    return asker


def _undo(table: Table, seat: int, at: datetime, action: str | None = None) -> tuple[Table, ...]:
    """The versions of a table whose last decision is taken back; a bust goes with its roll."""
    assert table.undo is not None
    back = table.append(TakenBack(table.undo.event), seat, at, action)
    return (back, *_undo(back, seat, at)) if back.position.phase is Phase.BUST else (back,)
