"""The time for a decision: the bank, and what a thought costs.

How long a player has thought is measured by the runtime (``runtime.decision_clocks``). What a
decision took from the bank is in its event, so a table's banks follow from its events like all
else, whatever the clocks of the machines say.
"""

from cantstop.table.events import Opened
from cantstop.table.table import Table
from cantstop.wire.requests import LONGEST_BANK, OpenTable

SUBSTITUTE_BOT = "careful"
"""The bot that plays for the absent: one that risks little with what is not its own."""

DAY = 86400
_BANK_CLOCKS = 4
_BANK_TURNS = 3


def bank_of(request: OpenTable) -> int:
    """The bank of each seat: as was asked for, else four times the clock, a day at most.

    At a slow table, three times what there is for a turn.
    """
    if request.clock is None and request.days is None:
        return 0
    if request.bank is not None:
        return request.bank
    if request.days is not None:
        return min(_BANK_TURNS * request.days * DAY, LONGEST_BANK)
    assert request.clock is not None
    return min(_BANK_CLOCKS * request.clock, DAY)


def own_time(opened: Opened) -> int | None:
    """Seconds that a person has before the bank: for a decision, or at a slow table for a turn."""
    return opened.clock if opened.days is None else opened.days * DAY


def seconds_to_decide(table: Table) -> float | None:
    """How long whoever is to decide may think in all; None where no clock runs.

    At a slow table that is the time for the whole turn.
    """
    clock = own_time(table.opened)
    if clock is None or table.decider is None:
        return None
    return clock + table.seats[table.decider].bank


def spent_of(table: Table, thinking_time: float) -> float:
    """What a decision takes from the seat's bank after some seconds, to a tenth."""
    clock = own_time(table.opened)
    if clock is None or table.decider is None or thinking_time <= clock:
        return 0.0
    return round(min(thinking_time - clock, table.seats[table.decider].bank), 1)
