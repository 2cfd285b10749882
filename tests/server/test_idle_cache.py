"""Tables that nobody follows: they stay in memory up to a total number of events."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from cantstop.daily import counts_until
from cantstop.dice import DailyDice
from cantstop.server.database.sql import open_database
from cantstop.server.runtime import master as master_module
from cantstop.server.runtime.master import Master
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.tries import open_daily
from cantstop.table.permissions import SeatPresence
from cantstop.wire.requests import OpenTable, PlayDaily
from table_client import human

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.mark.anyio
async def test_long_tables_push_others_out_and_one_always_stays(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = [human(salt="a"), human("Bob", salt="b")]
    request = msgspec.convert({"mode": "hotseat", "seats": seats}, OpenTable)
    async with open_database(url) as storage:
        master = Master(storage, lambda _: SeatPresence(), clock=lambda: NOW)
        tables = [await master.open(open_table(request, NOW).new_table) for _ in range(4)]
        events = tables[0].n
        assert len(master._cache) == 4
        monkeypatch.setattr(master_module, "IDLE_EVENTS", 2 * events)
        await master.stored(tables[3].id)
        with master.following(tables[0].id):
            pass
        assert set(master._cache) == {tables[3].id, tables[0].id}
        monkeypatch.setattr(master_module, "IDLE_EVENTS", 0)
        with master.following(tables[3].id):
            pass
        assert set(master._cache) == {tables[3].id}


@pytest.mark.parametrize("after", [timedelta(seconds=-1), timedelta(0)])
def test_there_are_no_hints_on_dice_of_a_day_that_may_still_count(after: timedelta) -> None:
    dice = DailyDice.of(bytes(32), NOW.date())
    at = counts_until(NOW.date()) + after
    opening = open_daily(PlayDaily(name="Anne"), "device", dice, at, counts=False)
    assert opening.new_table.table.opened.hints == (after >= timedelta(0))
