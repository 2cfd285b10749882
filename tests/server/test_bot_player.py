"""Bots at tables: paced, taken up again after a restart, and never told the secret."""

import logging
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.bots import bot_named
from cantstop.rules import Move, Position
from cantstop.server import ServerOptions, create_app
from cantstop.server.runtime import bot_player
from cantstop.server.runtime.presence import Clocks
from table_client import OPEN, at_table, bot, human, open_table, sit_down


def test_after_a_restart_a_bot_goes_on_with_its_turn(url: str, web: Path) -> None:
    with TestClient(create_app(ServerOptions(url, pace=3600, web=web))) as server:
        opened = open_table(server, bot(), human(salt="a"), mode="hotseat")
        waiting = open_table(server, human(), OPEN)
        assert len(server.get(f"/api/tables/{opened['id']}").json()["log"]) == 4
    with (
        TestClient(create_app(ServerOptions(url, pace=0, web=web))) as server,
        at_table(server, opened["id"], opened["secret"], after=4) as player,
    ):
        while not player.events or player.view["seat"] == 0:
            player.hear()
        assert player.events[0]["kind"] == "rolled"
        player.act("roll", 1)
        assert server.get(f"/api/tables/{waiting['id']}").json()["stage"] == "open"


def test_a_substitute_goes_on_after_a_restart(url: str, web: Path) -> None:
    with TestClient(
        create_app(ServerOptions(url, pace=3600, web=web, clocks=Clocks(absence=0)))
    ) as server:
        opened = open_table(server, human("Anne", salt="a"), OPEN)
        bobs = sit_down(server, opened["id"], "Bob")["secret"]
        with at_table(server, opened["id"], bobs) as bob:
            bob.act("substitute", 1, absent=0)
    with (
        TestClient(create_app(ServerOptions(url, pace=0, web=web))) as server,
        at_table(server, opened["id"], bobs, after=0) as bob,
    ):
        while bob.view["seat"] == 0:
            bob.hear()


def test_an_expired_table_is_left_alone(
    url: str, web: Path, caplog: pytest.LogCaptureFixture
) -> None:
    start = datetime(2026, 11, 15, tzinfo=UTC)
    with TestClient(
        create_app(ServerOptions(url, pace=3600, web=web, clock=lambda: start))
    ) as server:
        table = open_table(server, bot(), human(salt="a"), mode="hotseat")["id"]
    later = start + timedelta(days=31)
    with TestClient(create_app(ServerOptions(url, pace=0, web=web, clock=lambda: later))) as server:
        assert server.get(f"/api/tables/{table}").status_code == 410
    assert not caplog.records


class Crashing:
    name = "bold"

    def choose(self, *_: Any) -> Move:
        raise RuntimeError("no idea what to do")

    def stop(self, *_: Any) -> bool:
        raise RuntimeError("no idea when to stop")


class Cheating(Crashing):
    def choose(self, *_: Any) -> Move:
        return Move(99)


@pytest.mark.parametrize(
    ("bad", "reason"), [(Crashing, "no idea what"), (Cheating, "not a legal move")]
)
def test_a_bot_that_fails_is_noted_and_another_plays_on(
    server: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    bad: Any,
    reason: str,
) -> None:
    monkeypatch.setattr(
        bot_player, "bot_named", lambda name: bad() if name == "bold" else bot_named(name)
    )
    with caplog.at_level(logging.ERROR):
        opened = open_table(server, bot("bold"), human(salt="a"), mode="hotseat")
        with at_table(server, opened["id"], opened["secret"]) as player:
            while player.view["seat"] == 0:
                player.hear()
    assert "The bot bold fails" in caplog.text
    assert reason in caplog.text


def test_a_bot_is_told_a_position_and_a_count_and_nothing_else(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    class Curious:
        name = "careful"

        def choose(self, *told: Any, **more: Any) -> Any:
            asked.append((told, more))
            return told[0].legal_moves[0]

        def stop(self, *told: Any, **more: Any) -> bool:
            asked.append((told, more))
            return True

    monkeypatch.setattr(bot_player, "bot_named", lambda _name: Curious())
    opened = open_table(server, bot(), human(salt="a"), mode="hotseat")
    with at_table(server, opened["id"], opened["secret"]) as player:
        while player.view["seat"] == 0:
            player.hear()
    assert asked or "busted" in [entry["kind"] for entry in player.state["log"]] + player.kinds
    for told, more in asked:
        assert [type(one) for one in told] == [Position, int]
        assert not more


@pytest.mark.parametrize("name", ["careful", "bold:3", "random:7"])
def test_a_bot_may_have_a_number(server: TestClient, name: str) -> None:
    opened = open_table(server, bot(name), human(salt="a"), mode="hotseat")
    assert opened["state"]["seats"][0]["bot"] == name
    with at_table(server, opened["id"]) as watcher:
        while watcher.view["seat"] == 0:
            watcher.hear()


def test_an_owner_who_comes_back_while_the_bot_thinks_is_the_one_who_moves(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinking, enough = threading.Event(), threading.Event()

    class Slow:
        name = "careful"

        def choose(self, position: Position, _moves: Any) -> Any:
            thinking.set()
            assert enough.wait(60)
            return position.legal_moves[-1]

    monkeypatch.setattr(bot_player, "bot_named", lambda _name: Slow())
    opened = open_table(server, human("Anne", salt="a"), OPEN)
    bobs = sit_down(server, opened["id"], "Bob")["secret"]
    with at_table(server, opened["id"], bobs) as bob:
        bob.act("substitute", 1, absent=0)
        assert thinking.wait(60)
        with at_table(server, opened["id"], opened["secret"]) as anne:
            anne.act("return", 0)
            anne.act("move", 0, move=anne.view["moves"][0]["move"])
            enough.set()
            anne.act("roll", 0)
            assert anne.kinds[:3] == ["returned", "moved", "rolled"]
