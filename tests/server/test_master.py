"""The master by itself: no HTTP, no sockets, two of them on one database where that matters."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import msgspec
import pytest

from cantstop.server.database.sql import open_database
from cantstop.server.errors import NotYourTurn, Refused, Stale, TableFull
from cantstop.server.runtime import master as master_module
from cantstop.server.runtime.master import Master
from cantstop.server.runtime.steady_clock import now
from cantstop.server.tables.decisions import Caller
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.seating import hashed
from cantstop.table.events import Reaction
from cantstop.wire.actions import React, Roll
from cantstop.wire.requests import OpenTable, TakeSeat
from patience import PATIENCE

pytestmark = pytest.mark.anyio

ANYBODY = Caller(frozenset({0, 1}))


@pytest.fixture
def url(each_url: str) -> str:
    """Each of these tests is run on both databases."""
    return each_url


def nobody(_table_id: Any) -> Any:
    return frozenset()


@asynccontextmanager
async def masters(url: str, count: int = 1) -> AsyncIterator[list[Master]]:
    """A number of masters, each with connections of its own, as in processes of their own."""
    async with open_database(url) as one, open_database(url) as other:
        yield [Master(storage, nobody) for storage in (one, other)[:count]]


def pair(**settings: Any) -> Any:
    seats = [
        {"kind": "human", "name": "Anne", "salt": "a"},
        {"kind": "human", "name": "Bob", "salt": "b"},
    ]
    request = msgspec.convert({"mode": "hotseat", "seats": seats, **settings}, OpenTable)
    return open_table(request, now()).new_table


def roll(number: int, n: int | None = None) -> Roll:
    return Roll(id=f"roll-{number:04}", seat=0, n=n)


async def outcomes(*tries: Any) -> Any:
    """What became of actions that were all asked for at once."""
    return await asyncio.gather(*tries, return_exceptions=True)


async def test_of_two_actions_at_once_exactly_one_wins(url: str) -> None:
    async with masters(url) as [master]:
        for _ in range(20):
            table = await master.open(pair())
            tries = [master.act(table.id, ANYBODY, roll(number, table.n)) for number in range(5)]
            results = await outcomes(*tries)
            assert results.count(table.n + 1) == 1
            assert sum(isinstance(result, Stale | NotYourTurn) for result in results) == 4
            after = (await master.stored(table.id)).table
            assert sum(entry.kind == "rolled" for entry in after.log) == 1


async def test_of_two_processes_on_one_database_exactly_one_wins(url: str) -> None:
    async with masters(url, 2) as [one, other]:
        for _ in range(10):
            table = await one.open(pair())
            await other.stored(table.id)
            results = await outcomes(
                one.act(table.id, ANYBODY, roll(1, table.n)),
                other.act(table.id, ANYBODY, roll(2, table.n)),
            )
            assert results.count(table.n + 1) == 1
            assert sum(isinstance(result, Stale | NotYourTurn) for result in results) == 1
            logs = [
                (await Master(m._storage, nobody).stored(table.id)).table.log for m in (one, other)
            ]
            assert logs[0] == logs[1]
            assert [entry.n for entry in logs[0]] == list(range(1, len(logs[0]) + 1))


async def test_what_another_process_accepted_is_not_accepted_again(url: str) -> None:
    async with masters(url, 2) as [one, other]:
        table = await one.open(pair())
        await other.stored(table.id)
        cheer = React(id="the-same", seat=0, reaction=Reaction.CHEER)
        first = await one.act(table.id, ANYBODY, cheer)
        assert await other.act(table.id, ANYBODY, cheer) == first
        assert (await other.stored(table.id)).table.n == first


async def test_of_many_who_want_the_last_seat_one_gets_it(url: str) -> None:
    seats = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}]
    request = msgspec.convert({"mode": "online", "seats": seats}, OpenTable)
    async with masters(url, 2) as [one, other]:
        table = await one.open(open_table(request, now()).new_table)
        await other.stored(table.id)
        guests = [(master, f"secret-{number}") for number, master in enumerate((one, other) * 3)]
        results = await outcomes(
            *(master.take_seat(table.id, TakeSeat(name="Bob"), secret) for master, secret in guests)
        )
        assert results.count(1) == 1
        assert sum(isinstance(result, TableFull) for result in results) == 5
        _, winner = guests[results.index(1)]
        stored = await Master(one._storage, nobody).stored(table.id)
        assert stored.holders[1] == hashed(winner)


async def test_listeners_hear_everything_in_order_and_only_once_it_is_committed(url: str) -> None:
    async with masters(url, 2) as [master, reader]:
        heard: list[Any] = []
        master.subscribe(heard.extend)
        table = await master.open(pair())
        await master.act(table.id, ANYBODY, roll(1))
        assert [table.n for table in heard] == list(range(1, heard[-1].n + 1))
        assert heard[-1] == (await reader.stored(table.id)).table


def slowed_down(master: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Have the database write when the second event is set; it sets the first when it could."""
    loop, under_way, go_on = asyncio.get_running_loop(), asyncio.Event(), threading.Event()
    writer = master._storage._writer
    write = writer._write

    def slow_write(batch: Any) -> Any:
        loop.call_soon_threadsafe(under_way.set)
        assert go_on.wait(PATIENCE)
        return write(batch)

    monkeypatch.setattr(writer, "_write", slow_write)
    return under_way, go_on


async def test_an_action_goes_through_although_its_sender_is_gone(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with masters(url) as [master]:
        table = await master.open(pair())
        told = asyncio.Event()
        master.subscribe(lambda _versions: told.set())
        under_way, go_on = slowed_down(master, monkeypatch)
        async with anyio.create_task_group() as sender:
            sender.start_soon(master.act, table.id, ANYBODY, roll(1))
            await under_way.wait()
            sender.cancel_scope.cancel()
            asyncio.get_running_loop().call_later(0.01, go_on.set)
        assert told.is_set()
        assert (await master.stored(table.id)).table.n > table.n


@pytest.mark.parametrize("cancels", [1, 3])
async def test_who_is_cancelled_learns_first_what_became_of_their_action(
    url: str, monkeypatch: pytest.MonkeyPatch, cancels: int
) -> None:
    learnt: list[int] = []

    async with masters(url) as [master]:
        table = await master.open(pair())
        under_way, go_on = slowed_down(master, monkeypatch)

        async def act() -> None:
            learnt.append(await master.act(table.id, ANYBODY, roll(1)))
            await asyncio.sleep(60)

        task = asyncio.create_task(act())
        await under_way.wait()
        for _ in range(cancels):
            task.cancel()
            await asyncio.sleep(0)
        assert not learnt
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert learnt == [table.n + 1]


async def test_who_is_cancelled_again_and_again_learns_it_too(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So one of the times is right after the database has written."""
    learnt: list[int] = []

    async with masters(url) as [master]:
        table = await master.open(pair())
        under_way, go_on = slowed_down(master, monkeypatch)

        async def act() -> None:
            learnt.append(await master.act(table.id, ANYBODY, roll(1)))

        task = asyncio.create_task(act())
        await under_way.wait()
        go_on.set()
        while not task.done():
            task.cancel()
            await asyncio.sleep(0)
        assert learnt == [table.n + 1]


async def test_nobody_waits_for_a_writer_that_has_ended(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with masters(url) as [master]:
        table = await master.open(pair())
        under_way, go_on = slowed_down(master, monkeypatch)
        task = asyncio.create_task(master.act(table.id, ANYBODY, roll(1)))
        await under_way.wait()
        writing = master._storage._writer._task  # type: ignore[attr-defined]
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()


async def test_a_refused_action_leaves_no_trace(url: str) -> None:
    async with masters(url) as [master]:
        table = await master.open(pair())
        with pytest.raises(Refused):
            await master.act(table.id, Caller(frozenset({1})), roll(1))
        with pytest.raises(NotYourTurn):
            await master.act(table.id, ANYBODY, Roll(id="too-early", seat=1))
        assert (await Master(master._storage, nobody).stored(table.id)).table == table


async def test_tables_that_nobody_follows_are_forgotten_and_read_again(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(master_module, "IDLE_TABLES", 2)
    async with masters(url) as [master]:
        tables = [await master.open(pair()) for _ in range(5)]
        with master.following(tables[0].id):
            for table in tables:
                assert (await master.stored(table.id)).table == table
            assert set(master._cache) == {tables[0].id, tables[3].id, tables[4].id}
        assert set(master._cache) == {tables[0].id, tables[4].id}
        again = await asyncio.gather(*(master.stored(tables[1].id) for _ in range(3)))
        assert len(set(map(id, again))) == 1
        assert again[0].table == tables[1]
