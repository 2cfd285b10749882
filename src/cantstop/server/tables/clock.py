"""The time for a decision: the bank, and what a thought costs.

How long a player has thought is measured by the runtime (``runtime.decision_clocks``). What a
decision took from the bank is in its event, so a table's banks follow from its events like all
else, whatever the clocks of the machines say.
"""

from cantstop.table.table import Table
from cantstop.wire.requests import OpenTable

SUBSTITUTE_BOT = "careful"
"""The bot that plays for the absent: one that risks little with what is not its own."""

_BANK_CLOCKS = 4
_LONGEST_BANK = 86400


def bank_of(request: OpenTable) -> int:
    """The bank of each seat: as was asked for, else four times the clock, a day at most."""
    if request.clock is None:
        return 0
    if request.bank is not None:
        return request.bank
    return min(_BANK_CLOCKS * request.clock, _LONGEST_BANK)


def seconds_to_decide(table: Table) -> float | None:
    """How long whoever is to decide may think in all; None where no clock runs."""
    clock = table.opened.clock
    if clock is None or table.decider is None:
        return None
    return clock + table.seats[table.decider].bank


def spent_of(table: Table, thinking_time: float) -> float:
    """What a decision takes from the seat's bank after some seconds, to a tenth."""
    clock = table.opened.clock
    if clock is None or table.decider is None or thinking_time <= clock:
        return 0.0
    return round(min(thinking_time - clock, table.seats[table.decider].bank), 1)
