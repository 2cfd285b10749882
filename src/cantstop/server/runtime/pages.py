"""The events of tables as JSON, in pages that are built once, and a little at a time.

What happened never changes, and neither does the view of the table right after it. To build the
view of an event takes many times as long as to send it; so pages are cached, in bounded memory, and
whoever asks for a long game has it built in slices between which everybody else is served.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from time import perf_counter

from cantstop.server.runtime.cache import BytesCache
from cantstop.server.work.turns import Turns
from cantstop.table.events import History
from cantstop.table.table import Table
from cantstop.wire.events import encode_entry
from cantstop.wire.table import event_with_view, state_json

PAGE_EVENTS = 64
SLICE_SECONDS = 0.001
PAUSE_SECONDS = 0.003
"""How long a slice of building takes, and the pause after it. A pause of no time would let other
tasks run, but not the threads that write to the database: they wait for the interpreter's lock."""

FOLDED_EVENTS = 4
"""The number of events that are added to a table in the time that the view of one takes."""

CACHE_BYTES = 24_000_000
TABLE_BYTES = 4000
"""About what a table takes without its events."""

_NOTHING = History([])


class _Slices:
    """Long work on the event loop, done in slices with pauses."""

    def __init__(self) -> None:
        self._until = perf_counter() + SLICE_SECONDS

    async def pause(self) -> None:
        """Let others run, if this slice has taken long enough."""
        if perf_counter() > self._until:
            await asyncio.sleep(PAUSE_SECONDS)
            self._until = perf_counter() + SLICE_SECONDS


@dataclass
class _Page:
    """Some events with their views, encoded, and the table after the last of them."""

    table: Table
    events: list[bytes] = field(default_factory=list)

    def size(self) -> int:
        """About how many bytes it takes."""
        return TABLE_BYTES + sum(map(len, self.events)) + 50 * len(self.events)


class EventPages:
    """Reads the events of tables for replays, reconnecting clients and the log of a state."""

    def __init__(self) -> None:
        self._pages = BytesCache[tuple[str, int], _Page]("pages", CACHE_BYTES, _Page.size)
        self._logs = BytesCache[tuple[str, int], bytes]("logs", CACHE_BYTES // 4, len)
        self._starts = BytesCache[tuple[str, int], Table](
            "starts", CACHE_BYTES // 4, lambda _: TABLE_BYTES
        )
        """Tables at the start of their pages, without their logs."""
        self._building = Turns()
        """One page is built at a time: two at once would make everybody wait twice as long."""

    def missing(self, table: Table, after: int, until: int) -> int:
        """How many of these events have to be built before they can be sent.

        Those before them, of which only the table after them is missing, count too, for less.
        """
        if after >= until:
            return 0
        count = 0
        for page in range(after // PAGE_EVENTS, -(-until // PAGE_EVENTS)):
            built = self._pages.get((table.id, page))
            last = page * PAGE_EVENTS + (len(built.events) if built else 0)
            count += max(0, min(until, (page + 1) * PAGE_EVENTS) - last)
        return count + (self.missing_before(table, after + 1) if count else 0)

    def missing_before(self, table: Table, n: int) -> int:
        """What it takes to have the table after event n, as a number of events to be built."""
        page = (n - 1) // PAGE_EVENTS
        return (page - self._nearest_start(table, page)) * PAGE_EVENTS // FOLDED_EVENTS

    def _nearest_start(self, table: Table, page: int) -> int:
        """The last page before which the table is known, up to this one."""
        while page and (table.id, page) not in self._starts:
            page -= 1
        return page

    async def events(
        self, table: Table, after: int, until: int, share: str
    ) -> AsyncIterator[list[bytes]]:
        """The events after one number, up to another one, each with its view: page by page.

        ``share`` is whoever asks: what is to be built is built for one of them after the other.
        """
        while after < until:
            page = after // PAGE_EVENTS
            first = page * PAGE_EVENTS
            last = min(until, first + PAGE_EVENTS)
            built = await self._build(table, page, last, share)
            yield built[after - first : last - first]
            after = last

    async def table_at(self, table: Table, n: int, share: str) -> Table:
        """The table as it was after event n."""
        at = await self._start_of(table, (n - 1) // PAGE_EVENTS, share)
        async with self._building.turn(share):
            for entry in table.log[at.n : n]:
                at = at.after(entry)
            return at

    async def state(self, table: Table, present: frozenset[int], you: frozenset[int]) -> bytes:
        """The complete state of a table, with the log of all its events."""
        log = await self._log(table)
        return state_json(table, present, you, log=log)

    async def _log(self, table: Table) -> bytes:
        pages, slices = [], _Slices()
        for page in range(table.n // PAGE_EVENTS):  # those that are full
            key = table.id, page
            found = self._logs.recent(key)
            if found is None:
                first = page * PAGE_EVENTS
                found = _entries(table, first, first + PAGE_EVENTS)
                self._logs.keep(key, found)
                await slices.pause()
            pages.append(found)
        if table.n % PAGE_EVENTS:
            pages.append(_entries(table, len(pages) * PAGE_EVENTS, table.n))
        return b",".join(pages)

    # Building

    async def _build(self, table: Table, number: int, last: int, share: str) -> list[bytes]:
        """The events of a page, up to the one of number ``last`` at least."""
        key = table.id, number
        needed = last - number * PAGE_EVENTS
        page = self._pages.recent(key)
        if page is not None and len(page.events) >= needed:
            return page.events
        start = await self._start_of(table, number, share) if page is None else table
        async with self._building.turn(share):
            page = self._pages.recent(key)
            if page is None:
                page = _Page(_without_log(start))
            elif len(page.events) >= needed:
                return page.events
            events, slices = list(page.events), _Slices()
            first = number * PAGE_EVENTS + len(events)
            at = _with_log(page.table, table, first)
            for entry in table.log[first:last]:
                at = at.after(entry) if entry.n > 1 else at
                events.append(event_with_view(at))
                await slices.pause()
            self._pages.keep(key, _Page(_without_log(at), events))
            return events

    async def _start_of(self, table: Table, number: int, share: str) -> Table:
        """The table after all events before a page; at the first page, after its first event."""
        nearest = self._nearest_start(table, number)
        at = Table.opening(table.id, table.log[0])
        if nearest:
            start = self._starts.recent((table.id, nearest))
            assert start is not None
            at = _with_log(start, table, nearest * PAGE_EVENTS)
        for page in range(nearest + 1, number + 1):
            async with self._building.turn(share):
                for entry in table.log[at.n : page * PAGE_EVENTS]:
                    at = at.after(entry)
                self._starts.keep((table.id, page), _without_log(at))
                await asyncio.sleep(PAUSE_SECONDS)
        return at


def _entries(table: Table, first: int, last: int) -> bytes:
    return b",".join(map(encode_entry, table.log[first:last]))


def _without_log(table: Table) -> Table:
    """The table to be cached: its log would keep all versions of it in memory."""
    return replace(table, log=_NOTHING)


def _with_log(start: Table, table: Table, n: int) -> Table:
    """A table that was cached, with its events; before the first page that is its first event."""
    return replace(start, log=History(table.log[: max(n, 1)]))
