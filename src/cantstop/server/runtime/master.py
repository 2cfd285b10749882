"""Accepts what is asked of a table: decide, commit, and only then tell.

It knows neither HTTP nor sockets: storage and listeners are handed in, so that hot-seat tables,
online ones and tests run the same code.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from weakref import WeakValueDictionary

import anyio

from cantstop.rules import CantStopError
from cantstop.server.database.storage import Conflict, News, Storage, Stored, Unavailable
from cantstop.server.errors import TableExpired, UnknownTable
from cantstop.server.ops import metrics
from cantstop.server.protocol.requests import TakeSeat
from cantstop.server.tables.actions import Action
from cantstop.server.tables.attendance import Attendance
from cantstop.server.tables.decisions import Caller, Decision, decide
from cantstop.server.tables.events import Entry
from cantstop.server.tables.opening import Opening
from cantstop.server.tables.secrets import hashed, is_table_id
from cantstop.server.tables.sitting import free_seat, take_free_seat, take_reserved_seats
from cantstop.server.tables.steps import Step, Write, decision_write, opening_write
from cantstop.server.tables.table import Table

TABLES_AT_REST = 200
"""So many tables that nobody follows are kept in memory; the others are read again when needed."""

KEEP = timedelta(days=30)
"""How long a table is kept that nobody touches."""

Listener = Callable[[tuple[Step, ...]], None]
Attending = Callable[[str], Attendance]
"""Says who is at a table."""


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


class Master:
    """The one place where tables change."""

    def __init__(
        self,
        storage: Storage,
        attending: Attending,
        *,
        shared: bool = False,
        keep: timedelta = KEEP,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._storage = storage
        self._attending = attending
        self._shared = shared
        """Whether other workers change the same tables."""
        self._keep = keep
        self._clock = clock
        self._listeners: list[Listener] = []
        self._listeners_to_own: list[Listener] = []
        self._known: dict[str, Stored] = {}
        self._at_rest: OrderedDict[str, None] = OrderedDict()
        """Those of them that nobody follows, what was touched last at the end."""
        self._unsure: set[str] = set()
        """Tables whose last change may be written or not: the database was lost over it."""
        self._followed: Counter[str] = Counter()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def listen(self, listener: Listener, *, own: bool = False) -> None:
        """Have somebody told of everything that happens, in order, once it is committed.

        With ``own`` only of what this worker has committed.
        """
        (self._listeners_to_own if own else self._listeners).append(listener)

    # Looking

    async def stored(self, table_id: str) -> Stored:
        """The table as it is; one that is unknown, or was left alone too long, is refused."""
        known = self._known.get(table_id)
        if known is not None and not self._may_be_behind(table_id):
            return self._not_expired(known)
        async with self.still(table_id) as stored:
            return stored

    @asynccontextmanager
    async def still(self, table_id: str) -> AsyncIterator[Stored]:
        """The table, while nothing happens at it in this worker."""
        async with self._lock(table_id):
            stored = await self._seen(table_id)
            if self._may_be_behind(table_id):
                stored = await self._catch_up(stored)
            yield self._not_expired(stored)

    def _may_be_behind(self, table_id: str) -> bool:
        return self._shared or table_id in self._unsure

    def _not_expired(self, stored: Stored) -> Stored:
        if self._clock() - stored.table.touched > self._keep:
            raise TableExpired("This table was left alone for too long and is gone.")
        return stored

    async def _seen(self, table_id: str) -> Stored:
        """The table as it was when this worker looked last."""
        stored = self._known.get(table_id)
        if stored is None:
            stored = await self._storage.load(table_id) if is_table_id(table_id) else None
            if stored is None:
                raise UnknownTable("There is no such table.")
            self._unsure.discard(table_id)
            self._remember(stored)
        return stored

    async def _catch_up(self, stored: Stored) -> Stored:
        """Read what others have added to a table, and tell of it."""
        table = stored.table
        news = (await self._storage.news({table.id: table.n}))[table.id]
        self._unsure.discard(table.id)
        return self._add(stored, news)

    def _add(self, stored: Stored, news: News) -> Stored:
        """Remember what others have added to a table, and tell of it."""
        table = stored.table
        steps = []
        for entry in news.entries:
            if entry.n > table.n:  # some of it may have come another way meanwhile
                table = table.after(entry)
                steps.append(Step(entry, table))
        if not steps:
            return stored
        holders = stored.holders if news.holders is None else news.holders
        newer = Stored(table, holders, stored.dice_secret)
        self._remember(newer)
        self._tell(tuple(steps), self._listeners)
        return newer

    def _remember(self, stored: Stored) -> None:
        self._known[stored.table.id] = stored
        if not self._followed[stored.table.id]:
            self._rest(stored.table.id)
        metrics.TABLES.set(len(self._known))

    def _rest(self, table_id: str) -> None:
        self._at_rest[table_id] = None
        self._at_rest.move_to_end(table_id)
        if len(self._at_rest) > TABLES_AT_REST:
            oldest, _ = self._at_rest.popitem(last=False)
            del self._known[oldest]

    def _lock(self, table_id: str) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

    # Following what other workers do

    @contextmanager
    def following(self, table_id: str) -> Iterator[None]:
        """Tell what happens at a table, whoever does it, for as long as this lasts."""
        self._followed[table_id] += 1
        self._at_rest.pop(table_id, None)
        try:
            yield
        finally:
            self._followed[table_id] -= 1
            if not self._followed[table_id]:
                del self._followed[table_id]
                if table_id in self._known:
                    self._rest(table_id)

    async def hear(self, heads: Mapping[str, int]) -> list[str]:
        """Other workers have committed events of tables, up to these numbers.

        Returns the tables at which this worker is busy itself: ``hear_at`` waits for them.
        """
        behind = {
            table_id: known.table.n
            for table_id, n in heads.items()
            if (known := self._known.get(table_id)) is not None and known.table.n < n
        }
        if not behind:
            return []
        news = await self._storage.news(behind)
        busy = []
        for table_id in behind:
            if self._lock(table_id).locked():
                busy.append(table_id)
            elif table_id in self._known:
                self._add(self._known[table_id], news[table_id])
        return busy

    async def hear_at(self, table_id: str, n: int) -> None:
        """The same of one table, as soon as this worker is not busy there."""
        async with self._lock(table_id):
            known = self._known.get(table_id)
            if known is not None and known.table.n < n:
                await self._catch_up(known)

    async def look_around(self) -> None:
        """Catch up at the tables that somebody follows, should a notice have been lost."""
        heads = await self._storage.heads(list(self._followed))
        for table_id in await self.hear(heads):
            await self.hear_at(table_id, heads[table_id])

    # Changing

    async def open(self, opening: Opening) -> Table:
        """A new table."""
        write = opening_write(opening, self._clock())
        await self._commit(write)
        return write.after.table

    async def take_seat(self, table_id: str, request: TakeSeat, secret: str) -> int:
        """Somebody sits down at a free seat and holds it with the secret; returns which one."""

        def taken(stored: Stored) -> Decision:
            seat = free_seat(stored.table)
            return Decision(take_free_seat(stored.table, seat, request), {seat: hashed(secret)})

        entry = await self._change(table_id, taken)
        assert entry is not None
        assert entry.seat is not None
        return entry.seat

    async def arrive(self, table_id: str, held: frozenset[int], salt: str | None) -> None:
        """Somebody has come: they sit down wherever a seat is reserved for them."""

        def taken(stored: Stored) -> Decision | None:
            happened = take_reserved_seats(stored.table, held, salt)
            return Decision(happened) if happened else None

        await self._change(table_id, taken)

    async def act(self, table_id: str, caller: Caller, action: Action) -> int:
        """A player does something; returns the number of the event that it became.

        The same action asked for again, with the same id, gives the same number.
        """

        def decided(stored: Stored) -> Decision | Entry:
            return decide(stored, caller, action, self._attending(table_id))

        entry = await self._change(table_id, decided, action.id)
        assert entry is not None
        return entry.n

    async def _change(
        self,
        table_id: str,
        decided: Callable[[Stored], Decision | Entry | None],
        action: str | None = None,
    ) -> Entry | None:
        """Commit what is decided; returns its first event, or what was decided instead."""
        async with self._lock(table_id):
            stored = await self._seen(table_id)
            if table_id in self._unsure:
                stored = await self._catch_up(stored)
            while True:
                try:
                    decision = decided(self._not_expired(stored))
                except CantStopError:
                    newer = await self._catch_up(stored) if self._shared else stored
                    if newer is stored:
                        raise
                    stored = newer  # it was refused for how things are no more
                    continue
                if not isinstance(decision, Decision):
                    return decision
                write = decision_write(stored, decision, self._clock(), action)
                rematch = decision.rematch
                also = [] if rematch is None else [opening_write(rematch, self._clock())]
                try:
                    await self._commit(*also, write)
                except Conflict:  # another worker was quicker: look again
                    newer = await self._catch_up(stored)
                    if newer is stored:
                        raise
                    stored = newer
                except Unavailable:
                    self._unsure.add(table_id)
                    raise
                else:
                    return write.steps[0].entry

    async def _commit(self, *writes: Write) -> None:
        # whoever asked may be gone in the middle of this: the others are told all the same
        with anyio.CancelScope(shield=True):
            await self._storage.commit(*(write.change for write in writes))
            for write in writes:
                self._remember(write.after)
                self._tell(write.steps, chain(self._listeners, self._listeners_to_own))

    def _tell(self, steps: tuple[Step, ...], listeners: Iterable[Listener]) -> None:
        for listener in listeners:
            listener(steps)
