"""The absence clock is the same at every worker, and goes on after a restart."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.database.sql import Database, open_database
from cantstop.server.database.storage import Unavailable
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime.absences import StoredAbsences, seconds_left
from cantstop.server.runtime.presence import Clocks
from cantstop.server.runtime.steady_clock import now
from cantstop.server.tables.opening import open_table as new_table_of
from cantstop.server.tables.seating import Absence
from cantstop.wire.requests import OpenTable
from patience import PATIENCE
from postgresql import Postgres
from table_client import OPEN, at_table, human, open_table, sit_down

NEVER = 3600.0
SOON = 0.05
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)

ABSENT = {"seats": [True, False], "expected": [], "watchers": 0}
EXPECTED = {"seats": [True, False], "expected": [1], "watchers": 0}


class WallClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def serve(url: str, web: Path, absence: float, clock: Callable[[], datetime] = now) -> TestClient:
    return TestClient(
        create_app(
            ServerOptions(
                url,
                web=web,
                clocks=Clocks(NEVER, 0.0, absence),
                clock=clock,
                limits=Limits().times(0),
            )
        )
    )


@pytest.fixture
def served(url: str, web: Path) -> Any:
    """Servers on one database, by their absence timeout."""
    return partial(serve, url, web)


@pytest.fixture
def each_served(each_url: str, web: Path) -> Any:
    """The same on each kind of database in turn."""
    return partial(serve, each_url, web)


def duel(server: TestClient) -> tuple[Any, Any, Any]:
    """An online table of two: its id, and the secrets of both seats."""
    opened = open_table(server, human("Anne", salt="a"), OPEN)
    return opened["id"], opened["secret"], sit_down(server, opened["id"], "Bob")["secret"]


def hear_presence(player: Any, due: Any) -> None:
    while player.presence != due:
        player.hear()


def wait_until_stored(server: Any, table: str, due: Callable[[dict[int, Absence]], bool]) -> None:
    """Read the database until it has what it is to have."""
    storage, patience = server.app.state.runtime.storage, time.monotonic() + PATIENCE
    while not due(found := server.portal.call(storage.absences, table)):
        assert time.monotonic() < patience, f"the database has only {found}"


def bob_goes(server: TestClient, table: str, annes: str, bobs: str, due: Any) -> None:
    """Anne and Bob are there; he goes, and she too when she sees what is due."""
    with at_table(server, table, annes) as anne:
        with at_table(server, table, bobs):
            hear_presence(anne, {"seats": [True, True], "expected": [], "watchers": 0})
        hear_presence(anne, due)
        assert list(anne.bot_in) == [str(seat) for seat in due["expected"]]


def test_an_absence_that_is_over_is_so_after_a_restart(served: Any) -> None:
    with served(absence=0) as server:
        table, annes, bobs = duel(server)
        bob_goes(server, table, annes, bobs, ABSENT)
    with served(absence=NEVER) as server, at_table(server, table, annes) as anne:
        assert anne.presence == ABSENT
        anne.act("substitute", 0, absent=1)


@pytest.mark.parametrize("down", [NEVER / 2, 2 * NEVER])
def test_nobody_is_absent_for_the_time_without_a_server(served: Any, down: float) -> None:
    clock = WallClock()
    with served(absence=NEVER, clock=clock) as server:
        table, annes, bobs = duel(server)
        bob_goes(server, table, annes, bobs, EXPECTED)
    clock.now += timedelta(seconds=down)
    with served(absence=NEVER, clock=clock) as server, at_table(server, table, annes) as anne:
        assert anne.presence == EXPECTED
        assert seconds_expected(server, table, seat=1) > 0.9 * NEVER


def test_whoever_was_there_when_the_server_stopped_is_expected(served: Any) -> None:
    with served(absence=NEVER) as server:
        table, annes, bobs = duel(server)
        with at_table(server, table, annes) as anne, at_table(server, table, bobs):
            hear_presence(anne, {"seats": [True, True], "expected": [], "watchers": 0})
    with served(absence=NEVER) as server, at_table(server, table, annes) as anne:
        assert anne.presence == EXPECTED


def test_the_clock_runs_to_its_end_when_all_are_gone(served: Any) -> None:
    with served(absence=SOON) as server:
        table, annes, bobs = duel(server)
        bob_goes(server, table, annes, bobs, EXPECTED)
        wait_until_stored(
            server, table, lambda found: {seat for seat in found if found[seat].is_over} == {0, 1}
        )
        with at_table(server, table, annes) as anne:
            assert anne.presence == ABSENT


def test_who_comes_back_starts_anew_with_the_next_absence(each_served: Any) -> None:
    with each_served(absence=0) as server:
        table, annes, bobs = duel(server)
        bob_goes(server, table, annes, bobs, ABSENT)
        wait_until_stored(server, table, lambda found: found.keys() == {0, 1})
        with at_table(server, table, bobs):
            wait_until_stored(server, table, lambda found: found.keys() == {0})
    with each_served(absence=NEVER) as server:
        bob_goes(server, table, annes, bobs, EXPECTED)


def seconds_expected(server: Any, table: str, seat: int) -> Any:
    """How long the timer of a seat still runs."""
    at = server.app.state.runtime.presence._tables[table]
    return at.absent[seat].timer.when() - time.monotonic()


class TestTwoWorkers:
    def test_the_clock_that_began_at_one_goes_on_at_the_other(
        self, postgres: Postgres, web: Path
    ) -> None:
        clock = WallClock()
        worker = partial(serve, postgres.new_database(), web, NEVER, clock)
        with worker() as here, worker() as elsewhere:
            presence: Any = elsewhere.app.state.runtime.presence  # type: ignore[attr-defined]
            presence._started -= 2 * NEVER  # it has been running for hours
            table, annes, bobs = duel(here)
            bob_goes(here, table, annes, bobs, EXPECTED)
            wait_until_stored(here, table, lambda found: found.keys() == {0, 1})
            clock.now += timedelta(seconds=NEVER - 1)
            with at_table(elsewhere, table, annes) as anne:
                assert anne.presence == EXPECTED
                assert seconds_expected(elsewhere, table, seat=1) <= 1
                hear_presence(anne, ABSENT)
                anne.act("substitute", 0, absent=1)

    def test_what_is_over_at_one_is_over_at_the_other(self, postgres: Postgres, web: Path) -> None:
        worker = partial(serve, postgres.new_database(), web)
        with worker(absence=0) as here, worker(absence=NEVER) as elsewhere:
            table, annes, bobs = duel(here)
            bob_goes(here, table, annes, bobs, ABSENT)
            wait_until_stored(here, table, lambda found: found.keys() == {0, 1})
            with at_table(elsewhere, table, annes) as anne:
                assert anne.presence == ABSENT
                anne.act("substitute", 0, absent=1)

    def test_who_comes_back_at_the_other_is_back_at_both(
        self, postgres: Postgres, web: Path
    ) -> None:
        worker = partial(serve, postgres.new_database(), web)
        with worker(absence=0) as here, worker(absence=NEVER) as elsewhere:
            table, annes, bobs = duel(here)
            with at_table(here, table, annes) as anne:
                hear_presence(anne, ABSENT)
                wait_until_stored(here, table, lambda found: found.keys() == {1})
                with at_table(elsewhere, table, bobs):
                    hear_presence(anne, {"seats": [True, True], "expected": [], "watchers": 0})
                    wait_until_stored(here, table, lambda found: not found)


@pytest.mark.parametrize(
    ("gone", "uptime", "left"),
    [
        pytest.param(4, 1000, 11, id="it goes on where it was"),
        pytest.param(60, 0.5, 14.5, id="time before the start does not count"),
        pytest.param(3600, 1000, 15, id="a clock that jumped ahead ends nothing at once"),
        pytest.param(-3600, 1000, 15, id="a clock that was set back holds nobody up for an hour"),
    ],
)
def test_how_much_of_the_timeout_is_left(gone: float, uptime: float, left: float) -> None:
    later = NOON + timedelta(seconds=gone)
    assert seconds_left(Absence(NOON), 15, later, uptime) == left
    assert seconds_left(Absence(NOON, is_over=True), 15, later, uptime) == 0


@pytest.mark.anyio
async def test_absences_are_written_when_the_database_is_there_again(
    each_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = msgspec.convert({"mode": "online", "seats": [human("Anne"), OPEN]}, OpenTable)
    opened = new_table_of(request, NOON).new_table
    table, works = opened.table.id, Database.record_absences
    tried = []

    async def fails_once(database: Database, absences: Any) -> None:
        tried.append(dict(absences))
        if len(tried) == 1:
            raise Unavailable
        await works(database, absences)

    monkeypatch.setattr(Database, "record_absences", fails_once)
    async with open_database(each_url) as storage:
        await storage.commit(opened)
        absences = StoredAbsences(storage)
        absences.record(table, 0, Absence(NOON))
        while absences._writing is not None:
            await absences._writing
        assert await storage.absences(table) == {0: Absence(NOON)}
        absences.record(table, 0, Absence(NOON, is_over=True))
        # what is still to be written is read all the same, and written at the end
        assert await absences.read(table) == {0: Absence(NOON, is_over=True)}
        await absences.close()
        assert await storage.absences(table) == {0: Absence(NOON, is_over=True)}
    assert tried[:2] == 2 * [{(table, 0): Absence(NOON)}]
