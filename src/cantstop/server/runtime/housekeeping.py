"""Background work of a worker: sync with its peers, heartbeats, orphaned bots, expired tables."""

import asyncio
import itertools
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from cantstop.server.cluster.peers import (
    Committed,
    EventsCommitted,
    Heartbeat,
    Notice,
    Peers,
    WorkerStopped,
)
from cantstop.server.database.sql import open_database
from cantstop.server.database.storage import Storage, Unavailable
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import RepeatedLog
from cantstop.server.runtime.background import BackgroundTasks, pause_about
from cantstop.server.runtime.bot_player import BotPlayer
from cantstop.server.runtime.decision_clocks import DecisionClocks
from cantstop.server.runtime.master import KEEP, Master
from cantstop.server.runtime.presence import Presence
from cantstop.server.runtime.steady_clock import now

HEARTBEAT_SECONDS = 3.0
"""How often a worker sends its heartbeat, and looks for bots at its tables that no worker plays."""

RESYNC_BEATS = 10
"""All cached tables are compared with the database once in this many heartbeats."""

DEAD_SECONDS = 10.0
"""A worker without any notice for this long is dead."""

GRACE = timedelta(days=30)
"""Expired tables stay in the database this long, for a host who wants to check a backup."""

CLEANUP_SECONDS = 3600.0
CLEANUP_BATCH = 200
"""Tables deleted in one transaction: others want to write too."""
CLEANUP_TABLES = 100
CLEANUP_SHARE = 0.1
"""No sweep deletes more than this many tables, or this share of all if that is more, nor all of
them: rather than all of them being old, the clock is ahead. The operator can have them deleted."""

_log = logging.getLogger(__name__)
_repeated = RepeatedLog(_log)


class Cleanup:
    """Deletes tables that have expired, and the names in old results of daily games.

    One worker would be enough; with several, each deletes what the others have not.
    """

    def __init__(
        self,
        storage: Storage,
        keep: timedelta,
        clock: Callable[[], datetime],
        keep_names: timedelta | None = None,
    ) -> None:
        """By a clock that is believed: what it deletes is gone."""
        self._storage = storage
        self._keep = keep
        self._clock = clock
        self._keep_names = keep_names

    async def run(self) -> None:
        """Delete expired tables about once an hour, with jitter so that workers take turns."""
        while True:
            await pause_about(CLEANUP_SECONDS)
            try:
                await self.delete_expired()
                await self.forget_names()
                await self._storage.record_time(self._clock())
            except Unavailable:
                _log.warning("Cleanup is postponed: the database is unavailable.")

    async def rewritten(self) -> list[str]:
        """Tables whose events a name was taken out of lately."""
        return await self._storage.rewritten(self._clock())

    async def delete_expired(self, *, force: bool = False) -> int:
        """Delete what is old enough; returns how many tables that were.

        None are deleted if there are suspiciously many, unless that is what the operator wants.
        """
        before = self._clock() - self._keep - GRACE
        if not force and not await self._is_plausible(before):
            return 0
        deleted = 0
        while count := await self._storage.delete_untouched(before, CLEANUP_BATCH):
            deleted += count
        if deleted:
            _log.info("Deleted %d expired tables.", deleted)
        return deleted

    async def forget_names(self) -> None:
        """Remove the names from results of daily games that are old enough."""
        if self._keep_names is not None:
            await self._storage.forget_daily_names((self._clock() - self._keep_names).date())

    async def _is_plausible(self, before: datetime) -> bool:
        expired, every = await self._storage.count_untouched(before)
        most = max(CLEANUP_TABLES, int(CLEANUP_SHARE * every))
        # if nothing at all has happened for so long, the clock was wrong when the server started
        is_plausible = expired <= most and (expired < every or not every)
        metrics.CLEANUP_REFUSED.set(0 if is_plausible else expired)
        if is_plausible:
            return True
        _log.error(
            "%d of %d tables look expired, and none is deleted: is the clock right? "
            "If it is, “cantstop tables clean” deletes them.",
            expired,
            every,
        )
        return False


def clean_up(url: str) -> int:
    """Delete all expired tables of a database, however many, as its operator wants."""

    async def cleaned() -> int:
        async with open_database(url, must_exist=True) as database:
            return await Cleanup(database, KEEP, now).delete_expired(force=True)

    return asyncio.run(cleaned())


class Housekeeping:
    """Keeps a worker in sync with its peers, and makes sure that every bot is played."""

    def __init__(
        self,
        master: Master,
        presence: Presence,
        bots: BotPlayer,
        decisions: DecisionClocks,
        peers: Peers,
        worker: str,
        cleanup: Cleanup,
    ) -> None:
        self._master = master
        self._presence = presence
        self._bots = bots
        self._decisions = decisions
        self._peers = peers
        self._worker = worker
        self._cleanup = cleanup
        self._last_notice: dict[str, float] = {}
        """When each other worker was heard last."""
        self._wake = asyncio.Event()
        self._resync_due = False
        """Whether a notice may have been missed since all followed tables were compared last."""
        self._heads: dict[str, int] = {}
        """Tables that other workers have changed, with the number of their last event."""
        self._syncing = False
        self._tasks = BackgroundTasks()

    def start(self) -> None:
        """Start the background tasks."""
        self._tasks.start(self._run_loop())
        self._tasks.start(self._cleanup.run())

    async def close(self) -> None:
        """Cancel the background tasks."""
        await self._tasks.cancel()

    # Notices

    def on_notice(self, notice: Notice) -> None:
        """Another worker has sent a notice."""
        if isinstance(notice, WorkerStopped):
            self._last_notice.pop(notice.worker, None)
            self._wake.set()  # its bots have to be played by another worker
        else:
            self._last_notice[notice.worker] = time.monotonic()
        if isinstance(notice, Committed):
            self._sync_soon(notice.table_id, notice.n)
        elif isinstance(notice, EventsCommitted):
            with self._log_errors():
                self._add_notified(notice)
        elif not isinstance(notice, Heartbeat):
            self._presence.on_notice(notice)

    def on_reconnect(self) -> None:
        """The connection to the peers was lost: notices may be missing."""
        self._presence.resync()
        self._wake.set()

    def _add_notified(self, notice: EventsCommitted) -> None:
        for table_id, group in itertools.groupby(notice.events, lambda event: event[0]):
            entries = [entry for _, entry in group]
            if not self._master.add_notified(table_id, entries):
                self._sync_soon(table_id, entries[-1].n)

    def _sync_soon(self, table_id: str, n: int) -> None:
        """Read the events of a table up to this number."""
        self._heads[table_id] = max(n, self._heads.get(table_id, 0))
        if not self._syncing:
            self._syncing = True
            self._tasks.start(self._sync())

    async def _sync(self) -> None:
        """Read the announced events; what is announced meanwhile is read as one batch."""
        while self._heads:
            heads, self._heads = self._heads, {}
            with self._log_errors():
                for table_id in await self._master.sync_tables(heads):
                    self._tasks.start(self._sync_table(table_id, heads[table_id]))
        self._syncing = False

    async def _sync_table(self, table_id: str, n: int) -> None:
        with self._log_errors():
            await self._master.sync_table(table_id, n)

    @contextmanager
    def _log_errors(self) -> Iterator[None]:
        """Log an error instead of ending the task; the next resync retries."""
        try:
            yield
        except Unavailable:
            self._resync_due = True
            _repeated.log(logging.WARNING, "The database is unavailable; the next resync retries.")
        except Exception:
            self._resync_due = True
            _repeated.log(
                logging.ERROR,
                "Sync with the other workers failed; the next resync retries.",
                exc_info=True,
            )

    # The loop

    async def _run_loop(self) -> None:
        """Heartbeat, orphaned bots, resync and dead workers: regularly, or when woken."""
        for beat in itertools.count():
            if self._wake.is_set():
                self._resync_due = True
            self._wake.clear()
            self._peers.send(Heartbeat(self._worker))
            with self._log_errors():
                self._bots.adopt(self._presence.tables())
                await self._decisions.record()
                if self._resync_due or beat % RESYNC_BEATS == 0:
                    self._resync_due = False
                    await self._master.resync()
                    await self._forget_rewritten()
                    await self._decisions.adopt()
            self._drop_dead_workers()
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                pass

    async def _forget_rewritten(self) -> None:
        """Read tables again that a player was erased from, here or elsewhere."""
        for table_id in await self._cleanup.rewritten():
            await self._master.forget(table_id)

    def _drop_dead_workers(self) -> None:
        timeout = time.monotonic() - DEAD_SECONDS
        for worker in [worker for worker, at in self._last_notice.items() if at < timeout]:
            del self._last_notice[worker]
            self._presence.drop_worker(worker)
