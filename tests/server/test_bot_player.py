"""Bots at tables: paced, taken up again after a restart, and never given the secret."""

import logging
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import bad_bots
from cantstop.bots import BOTS, register_bot
from cantstop.rules import Phase, Rules
from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime import bot_player
from cantstop.server.runtime.presence import Clocks
from cantstop.server.tables import decisions, opening
from cantstop.server.work.pool import WorkPool
from table_client import OPEN, Player, at_table, bot, human, open_table, sit_down


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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where bots in other processes leave their notes."""
    folder = tmp_path_factory.mktemp("notes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(bad_bots.FOLDER, str(folder))
        yield folder


@pytest.fixture(scope="module")
def strange(
    new_url: Callable[[], str],
    web: Path,
    folder: Path,  # noqa: ARG001 - its processes inherit the variable that names it
) -> Iterator[TestClient]:
    """A server with bots that its operator should not have trusted."""
    own = tuple(f"{name}=bad_bots:{name.capitalize()}" for name in STRANGERS)
    for text in own:
        register_bot(text)
    options = ServerOptions(
        new_url(), pace=0, web=web, bots=own, clocks=Clocks(600, 0, 0), limits=UNLIMITED
    )
    with TestClient(create_app(options)) as running:
        yield running
    for name in STRANGERS:
        del BOTS[name]


STRANGERS = ("crashing", "cheating", "leaving", "hanging", "stuck", "curious", "slow")
UNLIMITED = Limits().times(0)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("crashing", "RuntimeError: no idea"),
        ("cheating", "not a legal move"),
        ("leaving", "its process died"),
        ("hanging", "it took more than 0.3 s"),
    ],
)
def test_a_bot_that_fails_is_named_and_another_decides_in_its_place(
    strange: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    bad: str,
    reason: str,
) -> None:
    if bad == "hanging":
        monkeypatch.setattr(bot_player, "DECISION_SECONDS", 0.3)
    with caplog.at_level(logging.ERROR):
        opened = open_table(strange, bot(bad), human(salt="a"), mode="hotseat")
        with at_table(strange, opened["id"], opened["secret"]) as player:
            while player.view["seat"] == 0:
                player.hear()
    assert f"The bot {bad} fails" in caplog.text
    assert reason in caplog.text
    health = strange.get("/healthz")
    assert health.status_code == 200
    assert health.json()["status"] == "degraded"
    assert reason in health.json()["bots"][bad]


def test_a_board_that_is_too_heavy_is_left_to_another_bot_before_anything_is_begun(
    url: str, web: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """No request opens such a table today; the bound holds for whatever will."""
    heavy = Rules.parse("v1,players=2,lengths=" + ".".join(["9"] * 39))
    monkeypatch.setattr(opening, "_rules", lambda _: heavy)

    async def never(*_: object, **__: object) -> None:
        raise AssertionError("the pool was asked")

    monkeypatch.setattr(WorkPool, "submit", never)
    options = ServerOptions(url, pace=0, web=web, clocks=Clocks(600, 0, 0), limits=UNLIMITED)
    with TestClient(create_app(options)) as server, caplog.at_level(logging.ERROR):
        opened = open_table(server, bot("champion"), human(salt="a"), mode="hotseat")
        with at_table(server, opened["id"], opened["secret"]) as player:
            while player.view["seat"] == 0:
                player.hear()
        named = server.get("/healthz").json()["bots"]["champion"]
    assert "a turn on this board takes about" in named
    assert "careful decides in its place" in caplog.text


def test_a_bot_that_hung_is_not_asked_again_for_a_while(
    strange: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_player, "DECISION_SECONDS", 0.3)
    asked, submit = [], WorkPool.submit

    async def counted(pool: WorkPool, function: Any, args: Any, **how: Any) -> Any:
        asked.append(args[2].phase)
        return await submit(pool, function, args, **how)

    monkeypatch.setattr(WorkPool, "submit", counted)
    for _ in range(3):
        opened = open_table(strange, bot("stuck"), human(salt="a"), mode="hotseat")
        with at_table(strange, opened["id"], opened["secret"]) as player:
            while player.view["seat"] == 0:
                player.hear()
    assert asked.count(Phase.MOVE) == 1
    assert "stuck" in strange.get("/healthz").json()["bots"]


def test_a_bot_is_told_a_position_and_a_count_and_nothing_else(
    strange: TestClient, folder: Path
) -> None:
    opened = open_table(strange, bot("curious"), human(salt="a"), mode="hotseat")
    with at_table(strange, opened["id"], opened["secret"]) as player:
        while player.view["seat"] == 0:
            player.hear()
    assert set((folder / "told").read_text().splitlines()) == {"Position int"}


@pytest.mark.parametrize("name", ["careful", "bold:3", "random:7"])
def test_a_bot_may_have_a_number(server: TestClient, name: str) -> None:
    opened = open_table(server, bot(name), human(salt="a"), mode="hotseat")
    assert opened["state"]["seats"][0]["bot"] == name
    with at_table(server, opened["id"]) as watcher:
        while watcher.view["seat"] == 0:
            watcher.hear()


def test_an_owner_who_comes_back_while_the_bot_thinks_is_the_one_who_moves(
    strange: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "SUBSTITUTE_BOT", "slow")
    opened = open_table(strange, human("Anne", salt="a"), OPEN)
    bobs = sit_down(strange, opened["id"], "Bob")["secret"]
    with at_table(strange, opened["id"], bobs) as bob:
        bob.act("substitute", 1, absent=0)
        while not (folder / "thinking").exists():
            time.sleep(0.01)
        with at_table(strange, opened["id"], opened["secret"]) as anne:
            anne.act("return", 0)
            anne.act("move", 0, move=anne.view["moves"][0]["move"])
            (folder / "enough").touch()
            anne.act("roll", 0)
            assert anne.kinds[:3] == ["returned", "moved", "rolled"]


class TestPace:
    """A bot that would wait for an hour plays at once for a player who is alone with it."""

    @pytest.fixture
    def patient(self, url: str, web: Path) -> Iterator[TestClient]:
        options = ServerOptions(url, pace=3600, web=web, clocks=Clocks(600, 0, 0), limits=UNLIMITED)
        with TestClient(create_app(options)) as server:
            yield server

    def test_a_skipped_turn_is_played_at_once(self, patient: TestClient) -> None:
        opened = open_table(patient, bot(), human(salt="a"), mode="hotseat")
        with at_table(patient, opened["id"], opened["secret"]) as player:
            player.say("pace", pace="at-once")
            while player.view["seat"] == 0:
                player.hear()
            assert "rolled" in player.kinds

    def test_it_can_be_asked_for_in_the_hello(self, patient: TestClient) -> None:
        opened = open_table(patient, bot(), human(salt="a"), mode="hotseat")
        address = f"/api/tables/{opened['id']}/socket"
        with patient.websocket_connect(address) as socket:
            player = Player(socket)
            player.say("hello", secret=opened["secret"], pace="at-once")
            player.hear_event("rolled")

    @pytest.mark.parametrize("wanted", ["quick", 0, None])
    def test_another_pace_is_refused(self, patient: TestClient, wanted: object) -> None:
        opened = open_table(patient, bot(), human(salt="a"), mode="hotseat")
        with at_table(patient, opened["id"], opened["secret"]) as player:
            player.say("pace", pace=wanted)
            refused = player.hear_until(lambda message: message["t"] == "refused")
            assert refused["d"]["error"]["code"] == "malformed"

    def test_the_slowest_at_the_table_decides(self, patient: TestClient) -> None:
        opened = open_table(patient, bot(), human(salt="a"), OPEN)
        bobs = sit_down(patient, opened["id"], "Bob", salt="b")["secret"]
        presence = patient.app.state.runtime.presence  # type: ignore[attr-defined]

        def told(*players: Player) -> str:
            for player in players:  # what was sent before the ping is done when the pong is here
                player.say("ping")
                player.hear_until(lambda message: message["t"] == "pong")
            pace: str = presence.pace_at(opened["id"])
            return pace

        with at_table(patient, opened["id"], opened["secret"]) as anne:
            anne.say("pace", pace="at-once")
            assert told(anne) == "at-once"
            with at_table(patient, opened["id"], bobs) as bob:
                assert told(anne, bob) == "normal"
                bob.say("pace", pace="fast")
                assert told(bob) == "fast"
                with at_table(patient, opened["id"], None) as watcher:
                    watcher.say("pace", pace="at-once")
                    assert told(watcher) == "normal"
