"""Old tables are deleted, and no others."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from cantstop.server.database.sql import open_database
from cantstop.server.database.storage import Unavailable
from cantstop.server.protocol.requests import OpenTable
from cantstop.server.runtime import cleanup as janitor
from cantstop.server.runtime.cleanup import GRACE, Janitor
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.steps import opening_write
from table_client import OPEN, human

KEEP = timedelta(days=30)
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


async def opened(storage: Any, at: Any) -> Any:
    request = OpenTable.model_validate({"mode": "online", "seats": [human(salt="a"), OPEN]})
    write = opening_write(open_table(request).opening, at)
    await storage.commit(write.change)
    return write.after.table.id


@pytest.mark.anyio
async def test_what_nobody_touched_for_so_long_is_deleted(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(janitor, "MOST_AT_ONCE", 3)
    second = timedelta(seconds=1)
    async with open_database(url) as storage:
        old = [await opened(storage, NOW - KEEP - GRACE - second) for _ in range(7)]
        kept = [await opened(storage, NOW - KEEP - GRACE + second), await opened(storage, NOW)]
        worker = Janitor(storage, KEEP, lambda: NOW)
        assert await worker.clean_up() == 7
        assert await worker.clean_up() == 0
        assert [await storage.load(table) for table in old] == [None] * 7
        for table in kept:
            stored = await storage.load(table)
            assert stored is not None
            assert stored.table.id == table


@pytest.mark.anyio
async def test_it_looks_again_and_again_also_after_a_database_that_did_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(janitor, "EVERY_SECONDS", 0)
    asked, enough = [], asyncio.Event()

    class Moody:
        async def delete_untouched(self, before: Any, most: Any) -> int:
            asked.append((before, most))
            if len(asked) == 4:
                enough.set()
            if len(asked) == 1:
                raise Unavailable
            return 0

    working = asyncio.create_task(Janitor(cast("Any", Moody()), KEEP, lambda: NOW).work())
    await enough.wait()
    working.cancel()
    assert asked[:4] == [(NOW - KEEP - GRACE, janitor.MOST_AT_ONCE)] * 4
