"""Events are read as they happened, whatever is cached, and reading them holds nobody up."""

import asyncio
import json
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from cantstop.rules import Busted, Moved, Phase, Rolled, Stopped
from cantstop.server.runtime import pages
from cantstop.server.runtime.cache import ENTRY_BYTES
from cantstop.server.runtime.pages import PAGE_EVENTS, EventPages
from cantstop.server.tables.opening import open_table
from cantstop.table.events import Entry, Reacted, Reaction
from cantstop.table.table import Table
from cantstop.wire.requests import OpenTable
from cantstop.wire.table import event_with_view, state_json

NOW = datetime(2026, 11, 16, 4, 0, tzinfo=UTC)


def long_table(events: int) -> Table:
    """A table of two with a number of events."""
    seats = [{"kind": "human", "name": name, "salt": name} for name in ("Anne", "Bob")]
    request = msgspec.convert({"mode": "hotseat", "seats": seats, "help": True}, OpenTable)
    table = open_table(request, NOW).new_table.table
    while table.n < events:
        if table.n % 7 == 0 or table.position.phase is Phase.OVER:
            table = table.append(Reacted(Reaction.CHEER), 0, NOW)
        elif table.position.phase is Phase.BUST:
            table = table.play(Busted(), NOW)
        elif table.position.phase is Phase.MOVE:
            table = table.play(Moved(next(iter(table.position.legal_moves))), NOW)
        elif table.position.may_stop:
            table = table.play(Stopped(), NOW)
        else:
            table = table.play(Rolled((1 + table.n % 6, 2, 3, 4)), NOW)
    return table


def events_after(table: Table, n: int) -> list[Any]:
    """The events after number n, each with its view: folded from the start."""
    found = []
    at = Table.opening(table.id, table.log[0])
    for entry in table.log:
        at = at if entry.n == 1 else at.after(entry)
        if entry.n > n:
            found.append(json.loads(event_with_view(at)))
    return found


async def read(reader: EventPages, table: Table, after: int, until: int) -> list[Any]:
    return [
        json.loads(event)
        async for page in reader.events(table, after, until, "anybody")
        for event in page
    ]


@pytest.mark.anyio
async def test_whatever_part_is_read_is_that_part_of_the_whole() -> None:
    table = long_table(3 * PAGE_EVENTS + 5)
    whole = events_after(table, 0)
    reader = EventPages()
    bounds = [70, 75, 0, 1, 64, 65, table.n, 128, 3, 192, 191, table.n]
    for after, until in pairwise(bounds):
        expected = whole[after:until] if after < until else []
        assert await read(reader, table, after, until) == expected
    assert await read(reader, table, 0, table.n) == whole


@pytest.mark.anyio
async def test_a_page_grows_with_its_table() -> None:
    reader, table = EventPages(), long_table(100)
    for n in (66, 67, 80, 100):
        shorter = Table.from_log(table.id, table.log[:n])
        assert await read(reader, shorter, 60, n) == events_after(shorter, 60)
        assert await read(reader, shorter, 0, n) == events_after(shorter, 0)


@pytest.mark.anyio
async def test_what_was_built_once_is_not_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []

    def counted(table: Table) -> Any:
        built.append(table.n)
        return event_with_view(table)

    monkeypatch.setattr(pages, "event_with_view", counted)
    reader, table = EventPages(), long_table(200)
    assert reader.missing(table, 0, 200) == 200
    await read(reader, table, 0, 200)
    assert sorted(built) == list(range(1, 201))
    assert reader.missing(table, 0, 200) == 0
    for after in (0, 100, 136, 199):
        await read(reader, table, after, 200)
    assert len(built) == 200
    longer = table.append(Reacted(Reaction.GASP), 1, NOW)
    await read(reader, longer, 150, 201)  # a client reconnects
    assert built[200:] == [201]


@pytest.mark.anyio
async def test_who_reconnects_has_no_whole_game_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[int] = []
    after = Table.after

    def counted(table: Table, entry: Entry) -> Table:
        folded.append(entry.n)
        return after(table, entry)

    monkeypatch.setattr(Table, "after", counted)
    reader, table = EventPages(), long_table(40 * PAGE_EVENTS)
    folded.clear()
    await reader.table_at(table, table.n - 3, "anybody")
    assert len(folded) == table.n - 4
    folded.clear()
    assert (await reader.table_at(table, table.n - 3, "anybody")).n == table.n - 3
    await read(reader, table, table.n - 10, table.n)
    assert len(folded) <= 2 * PAGE_EVENTS


@pytest.mark.anyio
async def test_a_board_of_the_past_is_the_board_that_was() -> None:
    reader, table = EventPages(), long_table(200)
    for n in (200, 1, 64, 65, 128, 130, 2):
        then = await reader.table_at(table, n, "anybody")
        assert then == Table.from_log(table.id, table.log[:n])


@pytest.mark.anyio
async def test_a_state_has_the_whole_log() -> None:
    reader = EventPages()
    for n in (4, 63, 64, 65, 200):
        table = long_table(n)
        told = json.loads(await reader.state(table, frozenset({0}), frozenset({1})))
        assert told == json.loads(state_json(table, frozenset({0}), frozenset({1})))


@pytest.mark.anyio
async def test_others_are_served_while_a_long_game_is_built() -> None:
    reader, table = EventPages(), long_table(1000)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    await read(reader, table, 0, table.n)
    task.cancel()
    assert turns > 10


@pytest.mark.anyio
async def test_the_cache_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "CACHE_BYTES", 200_000)
    reader = EventPages()
    for _ in range(10):
        table = long_table(300)
        assert await read(reader, table, 0, table.n) == events_after(table, 0)
        await reader.state(table, frozenset(), frozenset())
    assert reader._pages.bytes <= 200_000
    assert reader._pages.bytes == sum(ENTRY_BYTES + page.size() for page in reader._pages.values())
    assert len(reader._pages) < 10
