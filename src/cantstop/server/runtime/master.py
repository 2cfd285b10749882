"""Accepts what is asked of a table: decide, commit, and only then tell.

It knows neither HTTP nor sockets: storage and listeners are handed in, so that hot-seat tables,
online ones and tests run the same code.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from itertools import chain
from weakref import WeakValueDictionary

from cantstop.rules import CantStopError
from cantstop.server.database.storage import Conflict, News, Storage, Unavailable
from cantstop.server.errors import TableExpired, UnknownTable
from cantstop.server.ops import metrics
from cantstop.server.runtime.steady_clock import now
from cantstop.server.tables.changes import Change, NewTable, StoredTable
from cantstop.server.tables.decisions import (
    Caller,
    Decision,
    bot_turn,
    decide,
    run_out,
    turn_run_out,
)
from cantstop.server.tables.hints import note_hint
from cantstop.server.tables.seating import (
    hashed,
    is_table_id,
    seats_held,
    take_free_seat,
    take_reserved_seats,
)
from cantstop.server.tables.turns import RunningTurn
from cantstop.table.events import Entry
from cantstop.table.permissions import SeatPresence
from cantstop.table.table import Stage, Table
from cantstop.wire.actions import Deciding, Substitute, TableAction
from cantstop.wire.events import forget
from cantstop.wire.requests import TakeSeat

IDLE_TABLES = 200
IDLE_EVENTS = 20_000
"""How many tables without followers stay in the cache, and how many events they have together; the
least recently used are evicted."""

KEEP = timedelta(days=30)
"""A table expires when nothing happened at it for this long."""

Listener = Callable[[tuple[Table, ...]], None]
"""Called with the table right after each new event."""
PresenceAt = Callable[[str], SeatPresence]
"""Looks up who is connected to a table."""


class Master:
    """The one place where tables change: a cache of tables, with one lock each."""

    def __init__(
        self,
        storage: Storage,
        presence_at: PresenceAt,
        *,
        shared: bool = False,
        keep: timedelta = KEEP,
        clock: Callable[[], datetime] = now,
        believed: Callable[[], datetime] | None = None,
        thinking_time: Callable[[Table], float] = lambda _: 0.0,
    ) -> None:
        self._storage = storage
        self._presence_at = presence_at
        self._thinking_time = thinking_time
        """How many seconds whoever is to decide at a table has thought, where a clock runs."""
        self._shared = shared
        """Whether other workers change the same tables."""
        self._keep = keep
        self._clock = clock
        self._believed = believed or clock
        """What tables expire by: a clock that is wrong ends none of them."""
        self._listeners: list[Listener] = []
        self._own_listeners: list[Listener] = []
        self._cache: dict[str, StoredTable] = {}
        self._idle: OrderedDict[str, None] = OrderedDict()
        """Cached tables without followers, least recently used first."""
        self._uncertain: set[str] = set()
        """Tables whose last commit may have been written or not: the database was lost over it."""
        self._followers: Counter[str] = Counter()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def subscribe(self, listener: Listener, *, own: bool = False) -> None:
        """Call a listener with everything that happens, in order, once it is committed.

        With ``own`` only with what this worker has committed.
        """
        (self._own_listeners if own else self._listeners).append(listener)

    # Reading

    async def stored(self, table_id: str) -> StoredTable:
        """The table as it is; one that is unknown or has expired is refused."""
        cached = self._cache.get(table_id)
        if cached is not None and not self._may_be_stale(table_id):
            return self._not_expired(cached)
        async with self.locked(table_id) as stored:
            return stored

    async def seats_held(self, stored: StoredTable, secret: str | None) -> frozenset[int]:
        """The seats that a secret holds at a table; a player's key holds the seat of the player."""
        held = seats_held(secret, stored.holders)
        if held or secret is None:
            return held
        seat = await self._storage.seat_of_key(stored.table.id, hashed(secret))
        return frozenset() if seat is None else frozenset({seat})

    def cached(self, table_id: str) -> Table | None:
        """The table as this worker knows it, without asking the database."""
        stored = self._cache.get(table_id)
        return None if stored is None else stored.table

    @asynccontextmanager
    async def locked(self, table_id: str) -> AsyncIterator[StoredTable]:
        """The table, under its lock: nothing happens at it in this worker meanwhile."""
        async with self._lock(table_id):
            stored = await self._load(table_id)
            if self._may_be_stale(table_id):
                stored = await self._catch_up(stored)
            yield self._not_expired(stored)

    def _may_be_stale(self, table_id: str) -> bool:
        return self._shared or table_id in self._uncertain

    def _not_expired(self, stored: StoredTable) -> StoredTable:
        table = stored.table
        if table.opened.days is not None and table.stage is Stage.PLAYING:
            return stored  # whoever has the turn may have weeks for it, and then it is played
        if self._believed() - table.touched > self._keep:
            raise TableExpired("This table was left alone for too long and is gone.")
        return stored

    async def _load(self, table_id: str) -> StoredTable:
        """The table from the cache, or else from storage."""
        stored = self._cache.get(table_id)
        if stored is None:
            stored = await self._storage.load(table_id) if is_table_id(table_id) else None
            if stored is None:
                raise UnknownTable("There is no such table.")
            self._uncertain.discard(table_id)
            self._put(stored)
        return stored

    async def _catch_up(self, stored: StoredTable) -> StoredTable:
        """Read the events that other workers have added to a table, and publish them."""
        table = stored.table
        news = (await self._storage.news({table.id: table.n}))[table.id]
        self._uncertain.discard(table.id)
        return self._add(stored, news)

    def _add(self, stored: StoredTable, news: News) -> StoredTable:
        """Cache the events that other workers have added to a table, and publish them."""
        table = stored.table
        versions = []
        for entry in news.entries:
            if entry.n > table.n:  # some may have been read another way meanwhile
                table = table.after(entry)
                versions.append(table)
        if not versions:
            return stored
        holders = stored.holders if news.holders is None else news.holders
        newer = StoredTable(table, holders, stored.dice_secret)
        self._put(newer)
        self._tell(tuple(versions), self._listeners)
        return newer

    # The cache

    def _put(self, stored: StoredTable) -> None:
        self._cache[stored.table.id] = stored
        if not self._followers[stored.table.id]:
            self._evict_idle(stored.table.id)
        metrics.TABLES.set(len(self._cache))

    def _evict_idle(self, table_id: str) -> None:
        """Mark a table as the most recently used without followers; evict the least recent."""
        self._idle[table_id] = None
        self._idle.move_to_end(table_id)
        events = sum(self._cache[idle].table.n for idle in self._idle)
        while len(self._idle) > 1 and (len(self._idle) > IDLE_TABLES or events > IDLE_EVENTS):
            oldest, _ = self._idle.popitem(last=False)
            events -= self._cache.pop(oldest).table.n

    def _lock(self, table_id: str) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    # Following what other workers do

    @contextmanager
    def following(self, table_id: str) -> Iterator[None]:
        """Keep a table in the cache and up to date with what other workers do at it."""
        self._followers[table_id] += 1
        self._idle.pop(table_id, None)
        try:
            yield
        finally:
            self._followers[table_id] -= 1
            if not self._followers[table_id]:
                del self._followers[table_id]
                if table_id in self._cache:
                    self._evict_idle(table_id)

    @contextmanager
    def passing_by(self, table_id: str) -> Iterator[None]:
        """Work at a table that is not kept in the cache for it, if it was not there before."""
        was_cached = table_id in self._cache
        try:
            yield
        finally:
            is_locked = self._lock(table_id).locked()
            if not was_cached and not is_locked and table_id not in self._followers:
                self._cache.pop(table_id, None)
                self._idle.pop(table_id, None)
                metrics.TABLES.set(len(self._cache))

    def add_notified(self, table_id: str, entries: Sequence[Entry]) -> bool:
        """Add events from another worker's notice; False if they have to be read instead.

        That is so where some before them are missing, or this worker is about to add its own.
        """
        cached = self._cache.get(table_id)
        if cached is None:
            return True
        if self._lock(table_id).locked() or entries[0].n > cached.table.n + 1:
            return False
        self._add(cached, News(entries, None))
        return True

    async def sync_tables(self, heads: Mapping[str, int]) -> list[str]:
        """Read what other workers have committed at these tables, up to these numbers.

        Returns the tables that are locked by this worker just now: ``sync_table`` waits for them.
        """
        behind = {
            table_id: cached.table.n
            for table_id, n in heads.items()
            if (cached := self._cache.get(table_id)) is not None and cached.table.n < n
        }
        if not behind:
            return []
        news = await self._storage.news(behind)
        busy = []
        for table_id in behind:
            if self._lock(table_id).locked():
                busy.append(table_id)
            elif table_id in self._cache:
                self._add(self._cache[table_id], news[table_id])
        return busy

    async def sync_table(self, table_id: str, n: int) -> None:
        """The same for one table, under its lock."""
        async with self._lock(table_id):
            cached = self._cache.get(table_id)
            if cached is not None and cached.table.n < n:
                await self._catch_up(cached)

    async def resync(self) -> None:
        """Compare all cached tables with the database, in case a notice was lost.

        Without peers there are no notices: then it finds what an operator has done to a table.
        """
        cached = list(self._cache)
        heads = await self._storage.heads(cached)
        for table_id in cached:
            if table_id not in heads and not self._lock(table_id).locked():
                self._cache.pop(table_id, None)  # the operator has deleted it
                self._idle.pop(table_id, None)
        for table_id in await self.sync_tables(heads):
            await self.sync_table(table_id, heads[table_id])

    async def forget(self, table_id: str) -> None:
        """Read a table again when it is asked for next: its log was changed in the database."""
        async with self._lock(table_id):
            self._cache.pop(table_id, None)
            self._idle.pop(table_id, None)

    # Changing

    async def open(self, new_table: NewTable) -> Table:
        """Add a new table."""
        await self._commit((new_table,), None)
        return new_table.table

    async def take_seat(
        self, table_id: str, request: TakeSeat, secret: str, player: str | None = None
    ) -> int:
        """Take a free seat for a player, held by the secret; returns its number.

        Idempotent: a retry with the same secret gives the same seat. ``player`` is the id of a
        player of the club; a rated game is for those only.
        """

        def decided(stored: StoredTable, at: datetime) -> Decision:
            for seat in sorted(seats_held(secret, stored.holders)):
                if (taken := stored.table.seated(seat)) is not None:
                    return taken
            return (take_free_seat(stored.table, request, secret, at, player),)

        entry = await self._change(table_id, decided)
        assert entry is not None
        assert entry.seat is not None
        return entry.seat

    async def take_reserved_seats(
        self, table_id: str, held: frozenset[int], salt: str | None, promised: str | None = None
    ) -> None:
        """Take every seat that is reserved for a player who has connected."""

        def decided(stored: StoredTable, at: datetime) -> Decision:
            change = take_reserved_seats(stored.table, held, salt, promised, at)
            return () if change is None else (change,)

        await self._change(table_id, decided)

    async def act(self, table_id: str, caller: Caller, action: TableAction) -> int:
        """Accept a player's action; returns the number of the event that it became.

        Idempotent: a retry of the action with the same id gives the same number.
        """
        turn = await self._running_turn(table_id) if isinstance(action, Deciding) else None

        def decided(stored: StoredTable, at: datetime) -> Decision:
            # only who asks for a substitute asks who is there
            at_table = isinstance(action, Substitute)
            presence = self._presence_at(table_id) if at_table else SeatPresence()
            table = stored.table
            thought = self._thinking_time(table)
            if turn is not None:
                thought = turn.thinking_time(table, self._believed())
            return decide(stored, caller, action, presence, at, thought)

        entry = await self._change(table_id, decided)
        assert entry is not None
        return entry.n

    async def _running_turn(self, table_id: str) -> RunningTurn | None:
        """The turn that a person has, at a slow table."""
        cached = self._cache.get(table_id)
        if cached is None:
            async with self._lock(table_id):
                cached = await self._load(table_id)
        if cached.table.opened.days is None:
            return None
        return await self._storage.running_turn(table_id)

    async def note_hint(self, looked_at: Table) -> None:
        """The seat to decide has had a hint: the first one is an event."""

        def decided(stored: StoredTable, at: datetime) -> Decision:
            change = note_hint(stored.table, looked_at, at)
            return () if change is None else (change,)

        await self._change(looked_at.id, decided)

    async def run_out(self, table_id: str, since: int) -> None:
        """The time of the decision that began with this event is over, if it still waits."""

        def decided(stored: StoredTable, at: datetime) -> Decision:
            change = run_out(stored, since, at)
            return () if change is None else (change,)

        await self._change(table_id, decided)

    async def turn_run_out(self, table_id: str, since: int) -> bool:
        """The time of the turn that began with this event, at a slow table, is over.

        False where it was played meanwhile.
        """

        def decided(stored: StoredTable, at: datetime) -> Decision:
            change = turn_run_out(stored, since, at)
            return () if change is None else (change,)

        await self.stored(table_id)  # of a table that nobody follows, a notice may have been lost
        return await self._change(table_id, decided) is not None

    async def play_bot_turn(self, table_id: str, since: int, bot: str) -> None:
        """A bot plays the turn that began with this event, at a slow table, all of it at once."""

        def decided(stored: StoredTable, at: datetime) -> Decision:
            change = bot_turn(stored, since, bot, at)
            return () if change is None else (change,)

        await self._change(table_id, decided)

    async def _change(
        self, table_id: str, decided: Callable[[StoredTable, datetime], Decision]
    ) -> Entry | None:
        """Commit what is decided, with a retry after every conflict; returns its first event."""
        async with self._lock(table_id):
            stored = await self._load(table_id)
            if table_id in self._uncertain:
                stored = await self._catch_up(stored)
            while True:
                try:
                    # a clock that was set back does not make a table older than it is
                    at = max(self._clock(), stored.table.touched)
                    decision = decided(self._not_expired(stored), at)
                    if isinstance(decision, Entry):
                        return decision
                    if decision:
                        await self._commit(decision, stored)
                    return decision[-1].entries[0] if decision else None
                except Unavailable:
                    self._uncertain.add(table_id)
                    raise
                except (CantStopError, Conflict) as error:
                    # refused for a stale state, or another worker was faster: decide again
                    behind = self._shared or isinstance(error, Conflict)
                    newer = await self._catch_up(stored) if behind else stored
                    if newer is stored:
                        raise
                    stored = newer

    async def _commit(self, changes: tuple[Change, ...], before: StoredTable | None) -> None:
        """Write changes in one transaction, then publish them.

        Nothing comes between the two: the client that asked may disconnect while the database
        writes, and ``commit`` returns all the same.
        """
        await self._storage.commit(*changes)
        for change in changes:
            if isinstance(change, NewTable):
                self._put(StoredTable.opened(change))
            else:
                assert before is not None
                self._put(before.after(change))
            self._tell(change.versions, chain(self._listeners, self._own_listeners))

    def _tell(self, versions: tuple[Table, ...], listeners: Iterable[Listener]) -> None:
        for listener in listeners:
            listener(versions)
        for table in versions:
            forget(table.last_entry)
