"""The parts of a running server, and how they are put together."""

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from cantstop.bots import PACE
from cantstop.server.cluster.notices import Alive, Committed, Gone, Notice
from cantstop.server.cluster.peers import Alone, Neighbours, new_worker_id
from cantstop.server.database.connections import is_postgresql, postgresql_dsn
from cantstop.server.database.sql import Database, open_database
from cantstop.server.database.storage import Unavailable
from cantstop.server.runtime.bot_player import Driver
from cantstop.server.runtime.master import KEEP, Master, now
from cantstop.server.runtime.presence import Presence
from cantstop.server.tables.attendance import Clocks

LOOK_SECONDS = 3.0
"""How often a worker says that it runs, and looks for bots that nobody plays."""

LOOKS_BETWEEN = 10
"""How many such looks lie between two at all the tables that somebody follows."""

DEAD_SECONDS = 10.0
"""A worker that says nothing for so long has ended."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Room:
    """What the requests of a running server share."""

    storage: Database
    master: Master
    presence: Presence
    clocks: Clocks
    worker: str


@asynccontextmanager
async def open_room(
    database: str,
    *,
    pace: float = PACE,
    keep: timedelta = KEEP,
    clocks: Clocks | None = None,
    clock: Callable[[], datetime] = now,
) -> AsyncIterator[Room]:
    """A room with its database open and its bots at play."""
    worker, clocks = new_worker_id(), clocks or Clocks()
    async with (
        open_database(database, worker) as storage,
        _neighbours(database, worker) as neighbours,
    ):
        presence = Presence(clocks, neighbours, worker)
        master = Master(
            storage, presence.attendance, shared=neighbours.are_there, keep=keep, clock=clock
        )
        driver = Driver(master, pace, neighbours)
        master.listen(presence.tell_steps)
        master.listen(driver.look, own=True)
        housekeeping = _Housekeeping(storage, master, presence, driver, neighbours, worker)
        neighbours.listen(housekeeping.hear, housekeeping.missed)
        housekeeping.begin()
        try:
            yield Room(storage, master, presence, clocks, worker)
        finally:
            await housekeeping.close()
            await driver.close()


@asynccontextmanager
async def _neighbours(database: str, worker: str) -> AsyncIterator[Neighbours]:
    if not is_postgresql(database):
        yield Alone()
        return
    from cantstop.server.cluster.postgresql import (
        PostgresNeighbours,  # its driver is loaded for it alone
    )

    neighbours = PostgresNeighbours(postgresql_dsn(database), worker)
    async with neighbours.at_work():
        yield neighbours


class _Housekeeping:
    """Keeps a worker in step with the others, and sees that every bot is played by somebody."""

    def __init__(
        self,
        storage: Database,
        master: Master,
        presence: Presence,
        driver: Driver,
        neighbours: Neighbours,
        worker: str,
    ) -> None:
        self._storage = storage
        self._master = master
        self._presence = presence
        self._driver = driver
        self._neighbours = neighbours
        self._worker = worker
        self._heard: dict[str, float] = {}
        self._look = asyncio.Event()
        self._behind = False
        """Whether a notice may have been missed since the last look at every table."""
        self._heads: dict[str, int] = {}
        """Tables that others have changed, with the number of the last event heard of."""
        self._catching_up = False
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, notice: Notice) -> None:
        """Another worker says something."""
        if isinstance(notice, Gone):
            self._heard.pop(notice.worker, None)
            self._look.set()  # somebody has to play its bots
        else:
            self._heard[notice.worker] = time.monotonic()
        if isinstance(notice, Committed):
            self._heads[notice.table_id] = max(notice.n, self._heads.get(notice.table_id, 0))
            if not self._catching_up:
                self._catching_up = True
                self._start(self._catch_up())
        elif not isinstance(notice, Alive):
            self._presence.hear(notice)

    async def _catch_up(self) -> None:
        """Read what was heard of; what is heard of meanwhile is read together."""
        while self._heads:
            heads, self._heads = self._heads, {}
            with self._carrying_on():
                for table_id in await self._master.hear(heads):
                    self._start(self._catch_up_at(table_id, heads[table_id]))
        self._catching_up = False

    async def _catch_up_at(self, table_id: str, n: int) -> None:
        with self._carrying_on():
            await self._master.hear_at(table_id, n)

    @contextmanager
    def _carrying_on(self) -> Iterator[None]:
        """Go on whatever happens: what cannot be read now is read at the next look around."""
        try:
            yield
        except Unavailable:
            self._behind = True
            _log.warning("The database does not answer.")
        except Exception:
            self._behind = True
            _log.exception("What others have done could not be read; the next look will.")

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End everything that is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def missed(self) -> None:
        """The line to the others was cut: nothing that was claimed or known is sure."""
        self._driver.drop()
        self._presence.ask_again()
        self._look.set()

    def begin(self) -> None:
        """Begin to look around."""
        self._start(self._keep_on())

    async def _keep_on(self) -> None:
        """Look around now and then, and at once where there is a reason."""
        for look in itertools.count():
            if self._look.is_set():
                self._behind = True
            self._look.clear()
            self._neighbours.tell(Alive(self._worker))
            with self._carrying_on():
                for table_id in await self._storage.tables_waiting_for_bots():
                    self._driver.take_up(table_id)
                if self._neighbours.are_there and (self._behind or look % LOOKS_BETWEEN == 0):
                    self._behind = False
                    await self._master.look_around()
            self._forget_the_dead()
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._look.wait()
            except TimeoutError:
                pass

    def _forget_the_dead(self) -> None:
        before = time.monotonic() - DEAD_SECONDS
        for worker in [worker for worker, at in self._heard.items() if at < before]:
            del self._heard[worker]
            self._presence.forget(worker)
