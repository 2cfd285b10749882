"""Decision clocks: how long whoever is to decide has thought, and what happens then.

A timer runs for every decision of a person at an online table, whoever is connected. With a clock,
its end lets a bot play on; without one it only tells that the player is idle, so that others may
ask for a bot. Timers run on the worker's own monotonic clock: a wall clock that jumps ends nothing.

What is left of a decision is written when the worker stops, and now and then for those that take
long. The next start, or another worker, goes on from there: time without a server does not count.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from cantstop.server.database.storage import PendingDecision, Storage, Unavailable
from cantstop.server.errors import Refused
from cantstop.server.ops.logs import RepeatedLog
from cantstop.server.runtime.absences import seconds_left
from cantstop.server.runtime.background import BackgroundTasks
from cantstop.server.runtime.presence import Presence
from cantstop.server.tables.clock import seconds_to_decide
from cantstop.server.tables.seating import Absence
from cantstop.table.events import Mode
from cantstop.table.table import Table
from cantstop.wire.messages import encode_message
from cantstop.wire.table import clock_view

GRACE_SECONDS = 1.0
"""After the clock shows nothing: an action that was sent in time has to arrive."""

LATE_SECONDS = 2.0
RESPITE_SECONDS = 10.0
"""A timer that ends this late means that the machine stood still: nobody could act meanwhile, so
everybody has a respite."""

RECORD_SECONDS = 60.0
"""What is left of decisions that take longer than this is written this often."""

RETRY_SECONDS = 2.0

_log = RepeatedLog(logging.getLogger(__name__))


@dataclass
class _Decision:
    """A decision that a player has to take."""

    since: int
    """The event that it began with."""
    total: float
    """Seconds for it, in all."""
    ends: float
    """When they are over, by the event loop's clock."""
    has_clock: bool
    """Whether a bot plays on then; else the player only counts as idle."""
    timer: asyncio.TimerHandle | None = None
    recorded: bool = False
    """Whether what is left of it may be in the database."""

    def left(self) -> float:
        """How many seconds are left."""
        return max(0.0, self.ends - asyncio.get_running_loop().time())


class DecisionClocks:
    """The timers of all decisions that this worker knows of, by table."""

    def __init__(
        self, storage: Storage, presence: Presence, clock: Callable[[], datetime], idle: float
    ) -> None:
        self._storage = storage
        self._presence = presence
        self._clock = clock
        self._idle = idle
        self._started = asyncio.get_running_loop().time()
        self._pending: dict[str, _Decision] = {}
        self._taken: set[str] = set()
        """Tables whose decision is to be removed from the database."""
        self._run_out: Callable[[str, int], Awaitable[None]] | None = None
        self._tasks = BackgroundTasks()
        self._recorded_at = self._started

    def subscribe(self, run_out: Callable[[str, int], Awaitable[None]]) -> None:
        """Call this with table and event when the time of a decision is over."""
        self._run_out = run_out

    def thinking_time(self, table: Table) -> float:
        """How many seconds whoever is to decide at a table has thought."""
        pending = self._pending.get(table.id)
        if pending is None or pending.since != table.deciding_since:
            return 0.0
        return pending.total - pending.left()

    # Following tables

    def on_change(self, versions: tuple[Table, ...]) -> None:
        """A table has changed: another decision may be due."""
        table = versions[-1]
        pending = self._pending.get(table.id)
        goes_on = pending is not None and pending.since == table.deciding_since
        if not goes_on or table.decider is None:
            self._begin(table, 0.0)

    def on_arrival(self, table: Table) -> None:
        """A client has connected to a table: send it the time that is left."""
        pending, total = self._pending.get(table.id), self._total(table)
        if total is None:
            self._send_clock(table)
            return
        if pending is not None and pending.since == table.deciding_since:
            pending.total = total  # one that was adopted did not know
            self._send_clock(table)
            return
        began = table.log[table.deciding_since - 1].at
        uptime = asyncio.get_running_loop().time() - self._started
        left = seconds_left(Absence(began), total, self._clock(), uptime)
        self._begin(table, total - left)

    def _total(self, table: Table) -> float | None:
        """Seconds for the decision that is due; None where no timer is to run.

        The time for whole turns, at slow tables, is in the database: see ``turn_clocks``.
        """
        is_slow = table.opened.days is not None
        if table.opened.mode is not Mode.ONLINE or table.decider is None or is_slow:
            return None
        return seconds_to_decide(table) or self._idle

    def _begin(self, table: Table, thinking_time: float) -> None:
        """Start the timer of the decision that is due, after the seconds already thought."""
        had_one = self._end(table.id)
        total = self._total(table)
        if total is not None:
            now = asyncio.get_running_loop().time()
            has_clock = table.opened.clock is not None
            pending = _Decision(table.deciding_since, total, now + total - thinking_time, has_clock)
            self._start_timer(table.id, pending)
        if had_one or total is not None:
            self._send_clock(table)

    def _start_timer(self, table_id: str, pending: _Decision) -> None:
        self._pending[table_id] = pending
        expired = self._on_timeout if pending.has_clock else self._on_idle
        grace = GRACE_SECONDS if pending.has_clock else 0.0
        pending.timer = asyncio.get_running_loop().call_later(
            pending.left() + grace, expired, table_id, pending
        )

    def _end(self, table_id: str) -> bool:
        """Forget the decision at a table, if there was one."""
        pending = self._pending.pop(table_id, None)
        if pending is None:
            return False
        if pending.timer is not None:
            pending.timer.cancel()
        if pending.recorded:
            self._taken.add(table_id)
        return True

    def _send_clock(self, table: Table) -> None:
        if table.opened.clock is None:
            return
        pending = self._pending.get(table.id)
        left = None if pending is None else pending.left()
        message = encode_message(clock_view(table, left))
        self._presence.send(table.id, message)

    # When the time is over

    def _on_timeout(self, table_id: str, pending: _Decision) -> None:
        now = asyncio.get_running_loop().time()
        if now - pending.ends - GRACE_SECONDS > LATE_SECONDS:
            pending.ends = now + RESPITE_SECONDS
            self._start_timer(table_id, pending)
            return
        self._tasks.start(self._substitute(table_id, pending))

    async def _substitute(self, table_id: str, pending: _Decision) -> None:
        assert self._run_out is not None
        try:
            await self._run_out(table_id, pending.since)
        except Unavailable:
            if self._pending.get(table_id) is pending:
                pending.timer = asyncio.get_running_loop().call_later(
                    RETRY_SECONDS, self._on_timeout, table_id, pending
                )
                pending.ends += RETRY_SECONDS
            return
        except Refused:  # the table is gone
            pass
        except Exception:
            _log.log(logging.ERROR, "The clock of table %s failed.", table_id, exc_info=True)
        if self._pending.get(table_id) is pending:  # another worker decided, or it is gone
            self._end(table_id)

    def _on_idle(self, table_id: str, pending: _Decision) -> None:
        del self._pending[table_id]
        self._presence.set_idle(table_id, pending.since)

    # The database

    async def adopt(self) -> None:
        """Go on with the recorded decisions that no timer of this worker runs for."""
        for table_id, found in (await self._storage.pending_decisions()).items():
            if table_id in self._pending:
                self._pending[table_id].recorded = True
            elif table_id not in self._taken:
                ends = asyncio.get_running_loop().time() + found.left
                pending = _Decision(found.since, found.left, ends, has_clock=True, recorded=True)
                self._start_timer(table_id, pending)

    async def record(self, *, every: bool = False) -> None:
        """Write what is left of decisions with a clock: of all, or of those that take long."""
        now = asyncio.get_running_loop().time()
        due = every or now - self._recorded_at >= RECORD_SECONDS
        written: dict[str, PendingDecision | None] = dict.fromkeys(self._taken)
        if due:
            self._recorded_at = now
            for table_id, pending in self._pending.items():
                if pending.has_clock and (every or pending.total > RECORD_SECONDS):
                    written[table_id] = PendingDecision(pending.since, pending.left())
                    pending.recorded = True
        if not written:
            return
        taken, self._taken = self._taken, set()
        try:
            await self._storage.record_decisions(written)
        except Unavailable:
            self._taken |= taken
            raise

    async def close(self) -> None:
        """Cancel all timers, and write what is left, unless the database is unavailable."""
        await self._tasks.cancel()
        try:
            await self.record(every=True)
        except Unavailable:
            _log.log(logging.WARNING, "The clocks of tables could not be written.")
        for table_id in list(self._pending):
            self._end(table_id)
