"""What a client at a slow table is sent about its clock, by a time that the test turns."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.database import days
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime.presence import Clocks
from cantstop.server.tables import turns
from cantstop.wire.events import time_text
from cantstop.wire.messages import ClockView
from club import Member, member
from postgresql import Postgres
from slow_workers import Turned
from table_client import OPEN, Player, Refusal, at_table, human, open_table, sit_down
from wire_json import check_type

Json = dict[str, Any]

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
SLOW: Json = {"days": 1, "bank": 3600, "edition": "custom", "start": "first-seat", "win": 8}


@pytest.fixture
def turned(monkeypatch: pytest.MonkeyPatch) -> Turned:
    """The time; what the test lets pass at once is no time without a server."""
    monkeypatch.setattr(days, "LONGEST_GAP", timedelta(days=30))
    monkeypatch.setattr(turns, "LONGEST_GAP", timedelta(days=30))
    return Turned(NOW)


def worker(url: str, web: Path, turned: Turned) -> TestClient:
    options = ServerOptions(
        url,
        pace=0,
        web=web,
        clocks=Clocks(600, 0, 0),
        limits=Limits().times(0),
        clock=turned,
    )
    return TestClient(create_app(options))


@pytest.fixture
def server_then(each_new_url: Callable[[], str], web: Path, turned: Turned) -> Iterator[TestClient]:
    with worker(each_new_url(), web, turned) as running:
        yield running


def hear_clock(player: Player) -> Json:
    """The next message about the clock."""
    clock: Json = player.hear_until(lambda message: message["t"] == "clock")["d"]
    check_type(ClockView, clock)
    return clock


def sweep(server: TestClient) -> None:
    """Have the server look for turns that are due."""
    runtime: Any = server.app.state.runtime  # type: ignore[attr-defined]
    assert server.portal is not None
    server.portal.call(runtime.turn_clocks.sweep)


def play_turn(player: Player, seat: int) -> None:
    """A roll, a move and a stop."""
    player.catch_up(player.act("roll", seat))
    player.catch_up(player.act("move", seat, move=player.view["moves"][0]["move"]))
    player.catch_up(player.act("stop", seat))


def test_whoever_comes_is_sent_how_long_the_turn_runs(
    server_then: TestClient, turned: Turned
) -> None:
    opened = open_table(server_then, human(salt="a"), OPEN, **SLOW)
    bobs = sit_down(server_then, opened["id"], "Bob", salt="b")["secret"]
    turned.now += timedelta(hours=20)
    with at_table(server_then, opened["id"], opened["secret"]) as anne:
        state = anne.state["clock"]
        assert (state["ends_at"], state["left"], "away" in state) == (None, None, False)
        assert hear_clock(anne) == {
            "seconds": 86400,
            "seat": 0,
            "left": 5 * 3600.0,
            "banks": [3600.0, 3600.0],
            "ends_at": time_text(NOW + timedelta(hours=25)),
            "missed": [0, 0],
            "drop": [],
            "away": [None, None],
        }
        play_turn(anne, 0)
        clock = hear_clock(anne)
        assert (clock["seat"], clock["left"]) == (1, 25 * 3600.0)
        with at_table(server_then, opened["id"], bobs) as bob:
            assert hear_clock(bob) == clock


def test_a_turn_that_is_over_is_played_before_everybodys_eyes_and_a_seat_is_given_up(
    server_then: TestClient, turned: Turned
) -> None:
    opened = open_table(server_then, human(salt="a"), OPEN, **SLOW)
    bobs = sit_down(server_then, opened["id"], "Bob", salt="b")["secret"]
    with at_table(server_then, opened["id"], bobs) as bob:
        hear_clock(bob)
        for missed in (1, 2):
            turned.now += timedelta(hours=25)
            sweep(server_then)
            returned = bob.hear_event("returned")
            assert returned["seat"] == 0
            clock = hear_clock(bob)
            assert (clock["missed"], clock["banks"][0]) == ([missed, 0], 0)
            assert clock["drop"] == ([0] if missed == 2 else [])
            if missed == 1:
                with pytest.raises(Refusal, match="two turns"):
                    bob.act("drop", 1, absent=0)
                play_turn(bob, 1)
        bob.catch_up(bob.act("drop", 1, absent=0) + 1)
        resigned, finished = bob.events[-2:]
        assert (resigned["kind"], resigned["seat"], resigned["data"]) == ("resigned", 0, {"by": 1})
        assert finished["data"]["winners"] == [1]


def test_a_time_away_is_shown_at_once(server_then: TestClient) -> None:
    anne, bob = member(server_then, "Away Anne"), member(server_then, "Away Bob")
    table = slow_game(anne, bob)
    until = NOW + timedelta(days=5)
    with at_table(server_then, table, bob.key) as watching:
        ends = datetime.fromisoformat(hear_clock(watching)["ends_at"])
        anne.ask("POST", "/me/away", 201, from_at=time_text(NOW), until_at=time_text(until))
        clock = hear_clock(watching)
        assert clock["away"] == [time_text(until), None]
        assert clock["ends_at"] == time_text(ends + timedelta(days=5))
        assert clock["left"] == 25 * 3600.0


def test_it_is_shown_by_other_workers_too(postgres: Postgres, web: Path, turned: Turned) -> None:
    url = postgres.new_database()
    with worker(url, web, turned) as first, worker(url, web, turned) as second:
        anne, bob = member(first, "Far Anne"), member(first, "Far Bob")
        table = slow_game(anne, bob)
        until = NOW + timedelta(days=5)
        with at_table(second, table, bob.key) as watching:
            hear_clock(watching)
            anne.ask("POST", "/me/away", 201, from_at=time_text(NOW), until_at=time_text(until))
            assert hear_clock(watching)["away"] == [time_text(until), None]


def test_after_a_lost_connection_clocks_are_sent_again(
    postgres: Postgres, web: Path, turned: Turned
) -> None:
    """Notices that were lost meanwhile are not sent again."""
    with worker(postgres.new_database(), web, turned) as running:
        anne, bob = member(running, "Lost Anne"), member(running, "Lost Bob")
        table = slow_game(anne, bob)
        with at_table(running, table, bob.key) as watching:
            clock = hear_clock(watching)
            runtime: Any = running.app.state.runtime  # type: ignore[attr-defined]
            assert running.portal is not None
            running.portal.call(runtime.turn_clocks.on_reconnect)
            assert hear_clock(watching) == clock


def slow_game(first: Member, second: Member) -> str:
    seats = [human(salt="a"), OPEN]
    table = first.ask("POST", "/tables", 201, mode="online", seats=seats, **SLOW)["id"]
    name = second.ask("GET", "/me")["name"]
    second.ask("POST", f"/tables/{table}/seats", 201, name=name, salt="b")
    return str(table)
