"""A bot plays for a person who is away, when the others ask, and gives the seat back."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.runtime.presence import Clocks
from table_client import OPEN, Refusal, at_table, bot, human, open_table, play_to_the_end, sit_down


@pytest.fixture
def duel(server: TestClient) -> tuple[Any, Any, Any]:
    """An online table of two: its id, and the secrets of both seats."""
    opened = open_table(server, human("Anne", salt="a"), OPEN)
    return opened["id"], opened["secret"], sit_down(server, opened["id"], "Bob")["secret"]


def refused(player: Any, **action: Any) -> Any:
    with pytest.raises(Refusal) as caught:
        player.act(**action)
    return caught.value.code


def until_turn_of(player: Any, seat: int) -> None:
    while player.view["seat"] != seat:
        player.play_on(moves=1)


def test_a_bot_takes_an_absent_players_seat_and_plays_its_turns(
    server: TestClient, duel: tuple[Any, Any, Any]
) -> None:
    table, annes, _ = duel
    with at_table(server, table, annes) as anne:
        anne.act("substitute", 0, absent=1)
        asked = anne.events[-1]
        assert (asked["kind"], asked["seat"]) == ("substituted", 1)
        assert asked["data"] == {"bot": "careful", "by": 0}
        until_turn_of(anne, 1)
        anne.hear_until(
            lambda message: (
                message["t"] == "event"
                and message["d"]["seat"] == 1
                and message["d"]["kind"] in ("stopped", "busted")
            )
        )
    state = server.get(f"/api/tables/{table}").json()
    assert state["seats"][1]["substitute"] == "careful"
    assert state["seats"][1]["kind"] == "human"


def test_an_absent_player_in_turn_is_played_for_at_once_and_to_the_end(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="a"), OPEN, win=1, edition="custom")
    bobs = sit_down(server, opened["id"], "Bob")["secret"]
    with at_table(server, opened["id"], bobs) as bob:
        bob.act("substitute", 1, absent=0)
        play_to_the_end(bob)
        assert bob.events[-1]["kind"] == "finished"
        assert refused(bob, kind="substitute", seat=1, absent=0) == "not-now"


def test_whoever_comes_back_has_the_seat_again(
    server: TestClient, duel: tuple[Any, Any, Any]
) -> None:
    table, annes, bobs = duel
    with at_table(server, table, annes) as anne:
        anne.act("substitute", 0, absent=1)
        with at_table(server, table, bobs) as bob:
            assert bob.state["seats"][1]["substitute"] == "careful"
            bob.act("return", 1)
            assert anne.hear_event("returned")["seat"] == 1
            until_turn_of(anne, 1)
            bob.catch_up(anne.n)
            bob.act("roll", 1)
            assert anne.hear_event("rolled")["seat"] == 1
            assert refused(bob, kind="return", seat=1) == "not-now"


def test_while_a_bot_plays_its_owner_can_only_say_something_or_come_back(
    url: str, web: Path
) -> None:
    with TestClient(
        create_app(ServerOptions(url, pace=3600, web=web, clocks=Clocks(absence=0)))
    ) as server:
        opened = open_table(server, human("Anne", salt="a"), OPEN)
        table, bobs = opened["id"], sit_down(server, opened["id"], "Bob")["secret"]
        with at_table(server, table, bobs) as bob:
            bob.act("substitute", 1, absent=0)
        with at_table(server, table, opened["secret"]) as anne:
            anne.act("react", 0, reaction="gasp")
            assert refused(anne, kind="roll", seat=0) == "not-now"
            anne.act("return", 0)
            anne.act("roll", 0)


def test_nobody_who_is_there_is_replaced(server: TestClient, duel: tuple[Any, Any, Any]) -> None:
    table, annes, bobs = duel
    with at_table(server, table, annes) as anne, at_table(server, table, bobs):
        assert refused(anne, kind="substitute", seat=0, absent=1) == "not-now"


def test_only_another_persons_seat_can_be_asked_for_and_only_once(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="a"), OPEN, bot())
    table = opened["id"]
    with at_table(server, table, opened["secret"]) as anne:
        assert refused(anne, kind="substitute", seat=0, absent=0) == "not-now"
        assert refused(anne, kind="substitute", seat=0, absent=1) == "not-now"  # still free
        assert refused(anne, kind="substitute", seat=0, absent=2) == "not-now"
        assert refused(anne, kind="substitute", seat=0, absent=3) == "malformed"
        sit_down(server, table, "Bob")
        anne.act("substitute", 0, absent=1)
        assert refused(anne, kind="substitute", seat=0, absent=1) == "not-now"


def test_a_watcher_cannot_ask_for_a_bot(server: TestClient, duel: tuple[Any, Any, Any]) -> None:
    table, _, _ = duel
    with at_table(server, table) as watcher:
        assert refused(watcher, kind="substitute", seat=0, absent=1) == "not-your-seat"
