"""Turns at slow tables: whose turn runs, since when, and how long it may take.

A slow table gives a person days for a whole turn, and a bank for the game beyond that. When a turn
is over by the clock is kept in the database, since a person's own hours and a server that was down
move it; what a turn has taken from the bank is in the events, as everywhere.
"""

from dataclasses import dataclass
from datetime import datetime

from cantstop.server.tables.clock import seconds_to_decide
from cantstop.table.table import Table


@dataclass(frozen=True)
class TurnBegun:
    """The turn that runs at a slow table."""

    table: str
    since: int
    """The number of the event that it began with."""
    seat: int
    began: datetime
    seconds: float | None
    """How long it may take, the bank included; None where a bot plays it."""

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays it."""
        return self.seconds is None


def turn_of(table: Table) -> TurnBegun | None:
    """The turn that runs at a slow table; None at other tables, and where no game is on."""
    seat, since = table.to_act, table.turn_since
    if table.opened.days is None or seat is None:
        return None
    return TurnBegun(table.id, since, seat, table.log[since - 1].at, seconds_to_decide(table))


@dataclass(frozen=True)
class RunningTurn:
    """The turn that a person has at a slow table, as the database keeps it."""

    since: int
    ends: datetime
    """When the time for it, the bank included, will have passed."""

    def left(self, at: datetime) -> float:
        """How many seconds of it are left."""
        return max(0.0, (self.ends - at).total_seconds())

    def thinking_time(self, table: Table, at: datetime) -> float:
        """How many seconds it has taken, less what it has taken from the bank before."""
        total = seconds_to_decide(table)
        if total is None or self.since != table.turn_since:
            return 0.0
        return max(0.0, total - self.left(at))
