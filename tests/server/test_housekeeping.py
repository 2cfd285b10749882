"""Old tables are deleted, and no others."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import msgspec
import pytest

from cantstop.server.database.sql import open_database
from cantstop.server.database.storage import Unavailable
from cantstop.server.runtime import housekeeping
from cantstop.server.runtime.housekeeping import GRACE, Cleanup, clean_up
from cantstop.server.runtime.master import Master
from cantstop.server.tables.opening import open_table
from cantstop.table.permissions import SeatPresence
from cantstop.wire.requests import OpenTable, TakeSeat
from table_client import OPEN, human

KEEP = timedelta(days=30)
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture
def url(each_url: str) -> str:
    """Each of these tests is run on both databases."""
    return each_url


async def opened(storage: Any, at: Any) -> Any:
    request = msgspec.convert({"mode": "online", "seats": [human(salt="a"), OPEN]}, OpenTable)
    new_table = open_table(request, at).new_table
    await storage.commit(new_table)
    return new_table.table.id


@pytest.mark.anyio
async def test_what_nobody_touched_for_so_long_is_deleted(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "CLEANUP_BATCH", 3)
    second = timedelta(seconds=1)
    async with open_database(url) as storage:
        old = [await opened(storage, NOW - KEEP - GRACE - second) for _ in range(7)]
        kept = [await opened(storage, NOW - KEEP - GRACE + second), await opened(storage, NOW)]
        worker = Cleanup(storage, KEEP, lambda: NOW)
        assert await worker.delete_expired() == 7
        assert await worker.delete_expired() == 0
        assert [await storage.load(table) for table in old] == [None] * 7
        for table in kept:
            stored = await storage.load(table)
            assert stored is not None
            assert stored.table.id == table


@pytest.mark.anyio
async def test_it_looks_again_and_again_also_after_a_database_that_did_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(housekeeping, "CLEANUP_SECONDS", 0)
    asked, enough = [], asyncio.Event()

    class Moody:
        async def delete_untouched(self, before: Any, limit: Any) -> int:
            asked.append((before, limit))
            if len(asked) == 4:
                enough.set()
            if len(asked) == 1:
                raise Unavailable
            return 0

        async def record_time(self, _believed: Any) -> None:
            pass

        async def count_untouched(self, _before: Any) -> tuple[int, int]:
            return 0, 0

    working = asyncio.create_task(Cleanup(cast("Any", Moody()), KEEP, lambda: NOW).run())
    await enough.wait()
    working.cancel()
    assert asked[:4] == [(NOW - KEEP - GRACE, housekeeping.CLEANUP_BATCH)] * 4


@pytest.mark.anyio
async def test_a_sweep_that_would_delete_much_at_once_refuses_unless_it_is_forced(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(housekeeping, "CLEANUP_TABLES", 3)
    async with open_database(url) as storage:
        for _ in range(5):
            await opened(storage, NOW)
        much_later = NOW + timedelta(days=3650)  # a clock that jumped ahead
        worker = Cleanup(storage, KEEP, lambda: much_later)
        assert await worker.delete_expired() == 0
        assert await storage.count_untouched(much_later) == (5, 5)
        assert "5 of 5 tables look expired, and none is deleted" in caplog.text
        assert await worker.delete_expired(force=True) == 5
        assert await storage.count_untouched(much_later) == (0, 0)
    assert await asyncio.to_thread(clean_up, url) == 0


@pytest.mark.anyio
async def test_a_clock_that_is_set_back_makes_no_table_older(url: str) -> None:
    back = NOW - timedelta(days=40)
    async with open_database(url) as storage:
        table = await opened(storage, NOW)
        master = Master(storage, lambda _: SeatPresence(), clock=lambda: back)
        await master.take_seat(table, TakeSeat(name="Bob", salt="b"), "secret")
        stored = await storage.load(table)
        assert stored is not None
        assert stored.table.touched == NOW
        assert await storage.count_untouched(NOW) == (0, 1)
