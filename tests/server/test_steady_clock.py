"""A clock that jumps: no table is older for it, and no day begins."""

import logging
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.database.sql import open_database
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime.housekeeping import GRACE, Cleanup
from cantstop.server.runtime.master import KEEP
from cantstop.server.runtime.runtime import open_runtime
from cantstop.server.runtime.steady_clock import MOST_OFF, BelievedClock, SteadyClock
from cantstop.server.tables.opening import open_table
from cantstop.wire.requests import OpenTable
from table_client import OPEN, human

START = datetime(2026, 11, 15, 12, tzinfo=UTC)


class Machine:
    """A machine whose clock can be set."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.set_by = timedelta()
        self.clock = SteadyClock(self.time_of_day, lambda: self.passed)

    def time_of_day(self) -> datetime:
        return START + timedelta(seconds=self.passed) + self.set_by

    def wait(self, span: timedelta) -> None:
        self.passed += span.total_seconds()


@pytest.fixture
def machine() -> Machine:
    machine = Machine()
    machine.wait(timedelta(days=1))
    machine.clock()
    return machine


@pytest.mark.parametrize("days", [61, -61, 1, -1])
def test_a_jump_is_not_followed_and_one_line_says_so(
    machine: Machine, days: int, caplog: pytest.LogCaptureFixture
) -> None:
    machine.set_by = timedelta(days=days)
    with caplog.at_level(logging.ERROR):
        assert machine.clock() == START + timedelta(days=1)
        machine.wait(timedelta(hours=2))
        assert machine.clock() == START + timedelta(days=1, hours=2)
    assert caplog.text.count("has jumped") == 1
    machine.set_by = timedelta()
    assert machine.clock() == START + timedelta(days=1, hours=2)


def test_small_corrections_are_followed_and_may_add_up(machine: Machine) -> None:
    for number in range(1, 21):
        machine.set_by = timedelta(hours=number)
        machine.wait(timedelta(days=7))
        assert machine.clock() == machine.time_of_day()


def test_right_after_the_start_the_clock_may_be_set() -> None:
    machine = Machine()
    machine.wait(timedelta(minutes=1))
    machine.set_by = timedelta(days=9000)
    assert machine.clock() == machine.time_of_day()
    machine.wait(timedelta(days=2))
    assert machine.clock() == machine.time_of_day()


def test_sleep_is_time_that_passes(machine: Machine) -> None:
    machine.wait(timedelta(days=40))
    assert machine.clock() == machine.time_of_day()


@pytest.mark.anyio
async def test_a_start_with_a_clock_far_ahead_deletes_not_even_a_few_tables(url: str) -> None:
    """A club has three tables, fewer than any sweep might delete."""
    request = msgspec.convert({"mode": "online", "seats": [human(salt="a"), OPEN]}, OpenTable)
    async with open_database(url) as storage:
        for _ in range(3):
            await storage.commit(open_table(request, START).new_table)
        ahead = START + KEEP + GRACE + timedelta(days=1)
        sweep = Cleanup(storage, KEEP, lambda: ahead)
        assert await sweep.delete_expired() == 0
        # a person plays: the clock is right, and the others are old
        await storage.commit(open_table(request, ahead).new_table)
        assert await sweep.delete_expired() == 3


@pytest.mark.anyio
async def test_a_server_goes_by_it(url: str) -> None:
    async with open_runtime(url) as runtime:
        assert isinstance(runtime.clock, SteadyClock)


class TestBelief:
    """What cannot be undone is done by a time that the database has seen, or nearly."""

    @pytest.mark.parametrize("ahead", [timedelta(days=9), timedelta(days=61), timedelta(days=9000)])
    def test_a_clock_far_ahead_of_the_database_is_not_believed(
        self, ahead: timedelta, caplog: pytest.LogCaptureFixture
    ) -> None:
        machine = Machine()
        machine.set_by = ahead
        believed = BelievedClock(machine.time_of_day, START, time_passed=lambda: machine.passed)
        with caplog.at_level(logging.ERROR):
            assert believed() == START
            machine.wait(timedelta(days=3))  # it goes on by the time that passes
            assert believed() == START + timedelta(days=3)
        assert caplog.text.count("--clock-is-right") == 1
        assert believed.doubt is not None
        machine.set_by = timedelta()  # it was set right
        assert believed() == machine.time_of_day()
        assert believed.doubt is None

    @pytest.mark.parametrize("off", [timedelta(), timedelta(days=7), -timedelta(days=61)])
    def test_a_server_may_have_been_off_for_a_week_or_its_clock_be_behind(
        self, off: timedelta
    ) -> None:
        believed = BelievedClock(lambda: START + off, START)
        assert believed() == START + off
        assert believed.doubt is None
        assert believed.newest() >= START

    def test_the_operator_can_say_that_it_is_right(self) -> None:
        later = START + timedelta(days=400)
        assert BelievedClock(lambda: later, START, is_right=True)() == later

    def test_a_new_database_believes_any_clock(self) -> None:
        assert BelievedClock(lambda: START, None)() == START


class TestRestart:
    """A server is started again with a clock that is 61 days off, and plays go on meanwhile."""

    @staticmethod
    def server(url: str, web: Path, at: datetime, *, is_right: bool = False) -> TestClient:
        options = ServerOptions(
            url, web=web, clock=lambda: at, clock_is_right=is_right, limits=Limits().times(0)
        )
        return TestClient(create_app(options))

    @pytest.fixture
    def url(self, each_url: str) -> str:
        """On both databases."""
        return each_url

    def keys_told(self, server: TestClient, days: list[date]) -> list[date]:
        told = []
        for day in days:
            answer = server.get(f"/api/daily/{day.isoformat()}")
            if answer.status_code == 200 and answer.json()["key"] is not None:
                told.append(day)
            opened = server.post("/api/daily", json={"name": "Anne", "day": day.isoformat()})
            if opened.status_code == 201:
                record = server.get(f"/api/tables/{opened.json()['id']}/record")
                if "[Secret " in record.text:
                    told.append(day)
        return told

    def test_ahead_tells_no_key_of_a_coming_day_and_deletes_nothing(
        self, url: str, web: Path
    ) -> None:
        with self.server(url, web, START) as server:
            tables = [open_seat(server) for _ in range(3)]
        wrong = START + timedelta(days=61)
        coming = [START.date() + timedelta(days=days) for days in range(62)]
        # twice: what was done by the wrong clock is no witness for it
        for _ in range(2):
            with self.server(url, web, wrong) as server:
                assert self.keys_told(server, coming[:-1]) == []
                assert server.get("/api/daily/archive").json()["days"] == []
                health = server.get("/healthz").json()
                assert health["status"] == "degraded"
                assert "2027-01-15" in health["clock"]
                tables.append(open_seat(server))
                runtime = server.app.state.runtime  # type: ignore[attr-defined]
                sweep = Cleanup(runtime.storage, KEEP, runtime.believed)
                assert server.portal is not None
                assert server.portal.call(sweep.delete_expired) == 0
                for table in tables:  # nor is any of them refused
                    assert server.get(f"/api/tables/{table}").status_code == 200
        with self.server(url, web, START + timedelta(days=1)) as server:
            assert server.get("/healthz").json()["clock"] == "ok"
            for table in tables[:3]:
                assert server.get(f"/api/tables/{table}").status_code == 200
        with self.server(url, web, wrong, is_right=True) as server:
            told = self.keys_told(server, coming[31:34])
        assert set(told) == set(coming[31:34])

    def test_behind_deletes_nothing_and_no_game_with_known_dice_counts(
        self, url: str, web: Path
    ) -> None:
        with self.server(url, web, START) as server:
            tables = [open_seat(server) for _ in range(3)]
        with self.server(url, web, START - timedelta(days=61)) as server:
            assert server.post("/api/daily", json={"name": "Anne"}).json()["counts"] is False
            runtime = server.app.state.runtime  # type: ignore[attr-defined]
            sweep = Cleanup(runtime.storage, KEEP, runtime.believed)
            assert server.portal is not None
            assert server.portal.call(sweep.delete_expired) == 0
        with self.server(url, web, START + MOST_OFF) as server:
            for table in tables:
                assert server.get(f"/api/tables/{table}").status_code == 200
            assert server.post("/api/daily", json={"name": "Anne"}).json()["counts"] is True


def open_seat(server: TestClient) -> str:
    seats = [human(salt="a"), OPEN]
    opened = server.post("/api/tables", json={"mode": "online", "seats": seats})
    table: str = opened.json()["id"]
    return table
