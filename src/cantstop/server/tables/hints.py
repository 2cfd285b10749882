"""Hints at a table: where they are allowed, who gets one, and that everybody knows of the first."""

from datetime import datetime

from cantstop.server.errors import NotYourTurn, Stale, WrongSecret, check_permission
from cantstop.server.tables.changes import Change
from cantstop.table.events import Hinted, Mode
from cantstop.table.permissions import why_no_hint
from cantstop.table.table import Table
from cantstop.wire.requests import BotSeat, OpenTable


def may_have_hints(request: OpenTable) -> bool:
    """Whether a table has hints: as was asked for, else wherever nobody plays against them."""
    if request.hints is not None:
        return request.hints
    if request.rated:
        return False
    people = sum(not isinstance(seat, BotSeat) for seat in request.seats)
    return request.mode is not Mode.ONLINE or people <= 1


def check_hint(table: Table, held: frozenset[int]) -> int:
    """The seat that is to decide, if the table has hints and the caller holds that seat."""
    if not held:
        raise WrongSecret("This link does not hold a seat at this table.")
    if table.opened.hints and table.to_act is not None and table.to_act not in held:
        raise NotYourTurn("It is not your turn.")
    check_permission(why_no_hint(table))
    assert table.to_act is not None
    return table.to_act


def note_hint(table: Table, looked_at: Table, at: datetime) -> Change | None:
    """The event of a seat's first hint, if this is the one; refused if the game has gone on."""
    if table.last_play != looked_at.last_play or table.to_act is None:
        raise Stale("The game has gone on since; look again.")
    if table.seats[table.to_act].hinted:
        return None
    return Change((table.append(Hinted(), table.to_act, at),))
