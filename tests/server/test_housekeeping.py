"""Old tables are deleted, and no others."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from cantstop.server.database.sql import open_database
from cantstop.server.database.storage import Unavailable
from cantstop.server.runtime import housekeeping
from cantstop.server.runtime.housekeeping import GRACE, Cleanup
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.requests import OpenTable
from table_client import OPEN, human

KEEP = timedelta(days=30)
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


async def opened(storage: Any, at: Any) -> Any:
    request = OpenTable.model_validate({"mode": "online", "seats": [human(salt="a"), OPEN]})
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

    working = asyncio.create_task(Cleanup(cast("Any", Moody()), KEEP, lambda: NOW).run())
    await enough.wait()
    working.cancel()
    assert asked[:4] == [(NOW - KEEP - GRACE, housekeeping.CLEANUP_BATCH)] * 4
