"""Taking back a decision, until the next roll, where nobody else is hurt by it.

Where the players throw their own dice, what they entered can be wrong, so everything can be taken
back, one thing after the other: rolls, busts, and the end of the game.

Whoever plays alone, against bots, or for all seats at one screen takes it back at once. Where other
people hold seats, each of them has to agree; whoever rolls instead has not.
"""

from collections.abc import Mapping
from datetime import datetime

from cantstop.rules import Phase
from cantstop.server.errors import Refused, Stale, check_permission
from cantstop.server.tables.changes import Change, StoredTable
from cantstop.table.events import Agreed, Asked, Declined, TakenBack
from cantstop.table.permissions import people_to_ask, why_no_take_back
from cantstop.table.table import Table
from cantstop.wire.actions import Agree, Decline, TakeBack


def take_back(stored: StoredTable, action: TakeBack, at: datetime) -> Change:
    """The seat's last decision is undone, or the others are asked."""
    table = stored.table
    to_ask = needed(table, action.seat, stored.holders)
    check_permission(why_no_take_back(table, action.seat, to_ask))
    if action.n is not None and action.n < table.last_play:
        raise Stale("The game has gone on since; look again.")
    if to_ask:
        return Change((table.append(Asked(), action.seat, at, action.id),))
    return Change(_undo(table, action.seat, at, action.id))


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
    asked = people_to_ask(table, seat)
    return frozenset(number for number in asked if holders.get(number) != holders.get(seat))


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
