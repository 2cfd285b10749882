"""Accepts what is asked of a table: decide, commit, and only then tell.

It knows neither HTTP nor sockets: storage and listeners are handed in, so that hot-seat tables,
online ones and tests run the same code.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from weakref import WeakValueDictionary

import anyio

from cantstop.server.actions import Action
from cantstop.server.decisions import Caller, Decision, decide
from cantstop.server.errors import TableExpired, UnknownTable
from cantstop.server.events import Entry
from cantstop.server.opening import Opening
from cantstop.server.requests import TakeSeat
from cantstop.server.seats import hashed, is_table_id
from cantstop.server.sitting import free_seat, take_free_seat, take_reserved_seats
from cantstop.server.steps import Step, Write, decision_write, opening_write
from cantstop.server.storage import Conflict, Storage, Stored
from cantstop.server.tables import Table

TABLES_IN_MEMORY = 1000
"""As many as a small server has in play; the others are read again when they are needed."""

KEEP = timedelta(days=30)
"""How long a table is kept that nobody touches."""

Listener = Callable[[tuple[Step, ...]], None]
Presence = Callable[[str], frozenset[int]]
"""Says which seats of a table have their player there."""


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


class Master:
    """The one place where tables change."""

    def __init__(
        self,
        storage: Storage,
        presence: Presence,
        *,
        keep: timedelta = KEEP,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._storage = storage
        self._presence = presence
        self._keep = keep
        self._clock = clock
        self._listeners: list[Listener] = []
        self._known: OrderedDict[str, Stored] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def listen(self, listener: Listener) -> None:
        """Have somebody told of everything that happens, in order, once it is committed."""
        self._listeners.append(listener)

    # Looking

    async def stored(self, table_id: str) -> Stored:
        """The table as it is; one that is unknown, or was left alone too long, is refused."""
        stored = self._known.get(table_id) or await self._load(table_id)
        if self._clock() - stored.table.touched > self._keep:
            raise TableExpired("This table was left alone for too long and is gone.")
        return stored

    async def _load(self, table_id: str) -> Stored:
        stored = await self._storage.load(table_id) if is_table_id(table_id) else None
        if stored is None:
            raise UnknownTable("There is no such table.")
        known = self._known.get(table_id)
        if known is not None and known.table.n >= stored.table.n:
            return known  # it went on while it was read
        self._remember(stored)
        return stored

    def _remember(self, stored: Stored) -> None:
        self._known[stored.table.id] = stored
        self._known.move_to_end(stored.table.id)
        if len(self._known) > TABLES_IN_MEMORY:
            self._known.popitem(last=False)

    @asynccontextmanager
    async def still(self, table_id: str) -> AsyncIterator[Stored]:
        """The table, while nothing happens at it."""
        async with self._lock(table_id):
            yield await self.stored(table_id)

    def _lock(self, table_id: str) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

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
            return decide(stored, caller, action, self._presence(table_id))

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
            while True:
                stored = await self.stored(table_id)
                decision = decided(stored)
                if not isinstance(decision, Decision):
                    return decision
                write = decision_write(stored, decision, self._clock(), action)
                rematch = decision.rematch
                also = [] if rematch is None else [opening_write(rematch, self._clock())]
                try:
                    await self._commit(*also, write)
                except Conflict:  # another process was quicker: look again
                    self._known.pop(table_id, None)
                else:
                    return write.steps[0].entry

    async def _commit(self, *writes: Write) -> None:
        # whoever asked may be gone in the middle of this: the others are told all the same
        with anyio.CancelScope(shield=True):
            await self._storage.commit(*(write.change for write in writes))
            for write in writes:
                self._remember(write.after)
                for listener in self._listeners:
                    listener(write.steps)
