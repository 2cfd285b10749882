"""Turns at slow tables: whose turn runs, since when, and how long it may take.

A slow table gives a person days for a whole turn, and a bank for the game beyond that. When a turn
is over by the clock is kept in the database, since a person's own hours and a server that was down
move it; what a turn has taken from the bank is in the events, as everywhere.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from cantstop.server.tables.clock import seconds_to_decide
from cantstop.server.tables.hours import ALWAYS, Calendar
from cantstop.table.table import Table

LONGEST_GAP = timedelta(minutes=2)
"""Between two heartbeats: what is longer is time without a server, or a clock that was set."""


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
    calendar: Calendar = ALWAYS
    """When the time of its player counts."""
    heartbeat: datetime | None = None
    """When a server has last said that it is there, before this is looked at."""

    def left(self, at: datetime) -> float:
        """How many seconds of it are left.

        Nothing has passed since the last heartbeat if that was long ago: then there was no server,
        or a clock has jumped. The sweep is about to move the end of all turns.
        """
        was_there = self.heartbeat is None or at - self.heartbeat <= LONGEST_GAP
        return self.calendar.counted(at if was_there else self.heartbeat or at, self.ends)

    def thinking_time(self, table: Table, at: datetime) -> float:
        """How many seconds it has taken, less what it has taken from the bank before."""
        total = seconds_to_decide(table)
        if total is None or self.since != table.turn_since:
            return 0.0
        return max(0.0, total - self.left(at))
