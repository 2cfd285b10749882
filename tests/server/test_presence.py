"""Three clocks, one after the other: connection lost, player gone, seat free for a bot."""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime.presence import Clocks
from postgresql import Postgres
from table_client import OPEN, Refusal, at_table, human, open_table, pass_time, sit_down

NEVER = 3600.0
SOON = 0.05


def serve(
    url: str, web: Any, heartbeat: Any = NEVER, presence: float = 0.0, absence: float = 0.0
) -> TestClient:
    clocks = Clocks(heartbeat, presence, absence, idle=NEVER)
    return TestClient(
        create_app(ServerOptions(url, web=web, clocks=clocks, limits=Limits().times(0)))
    )


@pytest.fixture
def served(url: str, web: Path) -> Any:
    """Servers by their clocks."""
    return partial(serve, url, web)


def duel(server: TestClient) -> tuple[Any, Any, Any]:
    """An online table of two: its id, and the secrets of both seats."""
    opened = open_table(server, human("Anne", salt="a"), OPEN)
    return opened["id"], opened["secret"], sit_down(server, opened["id"], "Bob")["secret"]


def there(player: Any, seats: Any, expected: Sequence[int] = ()) -> None:
    """Listen until that is who is there."""
    due = {"seats": seats, "expected": list(expected), "watchers": 0}
    player.hear_until(lambda message: message == {"t": "presence", "d": due})


def told(messages: Any) -> list[Any]:
    """What messages say about presence, without repetitions."""
    found: list[Any] = []
    for message in messages:
        if message["t"] == "presence":
            now = (message["d"]["seats"], message["d"]["expected"])
            if found[-1:] != [now]:
                found.append(now)
    return found


def refusal(player: Any, absent: Any) -> str:
    with pytest.raises(Refusal) as refused:
        player.act("substitute", 0, absent=absent)
    return str(refused.value)


def test_the_usual_clocks_are_those_of_the_documentation() -> None:
    assert Clocks() == Clocks(heartbeat=9, presence=2, absence=15)


def test_somebody_who_comes_back_at_once_was_never_gone(served: Any) -> None:
    with served(presence=NEVER, absence=NEVER) as server:
        table, annes, bobs = duel(server)
        with at_table(server, table, annes) as anne:
            with at_table(server, table, bobs):
                there(anne, [True, True])
            before = len(anne.heard)
            anne.hear()  # the connection has ended
            assert refusal(anne, 1) == "not-now: Bob is there: nobody can play for them."
            with at_table(server, table, bobs) as bob:
                bob.act("react", 1, reaction="cheer")
                anne.hear_event("reacted")
            assert told(anne.heard[before:]) == [([True, True], [])]


def test_no_bot_plays_yet_for_somebody_who_has_only_just_gone(served: Any) -> None:
    with served(absence=NEVER) as server:
        table, annes, bobs = duel(server)
        with at_table(server, table, annes) as anne:
            with at_table(server, table, bobs):
                there(anne, [True, True])
            there(anne, [True, False], expected=[1])
            assert refusal(anne, 1) == "not-now: Bob has only just gone: wait a moment."
            with at_table(server, table, bobs):
                there(anne, [True, True])
            there(anne, [True, False], expected=[1])


def test_the_clocks_run_one_after_the_other(served: Any) -> None:
    with served(presence=SOON, absence=SOON) as server:
        table, annes, bobs = duel(server)
        with at_table(server, table, annes) as anne:
            with at_table(server, table, bobs):
                there(anne, [True, True])
            before = len(anne.heard)
            there(anne, [True, False])
            assert told(anne.heard[before:]) == [
                ([True, True], []),
                ([True, False], [1]),
                ([True, False], []),
            ]
            anne.act("substitute", 0, absent=1)


def test_somebody_who_has_not_come_yet_is_waited_for_too(served: Any) -> None:
    with served(absence=SOON) as server:
        opened = open_table(server, human("Anne"), OPEN)
        table, annes = opened["id"], opened["secret"]
        bobs = sit_down(server, table, "Bob")["secret"]
        with at_table(server, table, bobs) as bob:
            assert bob.presence == {"seats": [False, True], "expected": [0], "watchers": 0}
            there(bob, [False, True])
            with at_table(server, table, annes):
                there(bob, [True, True])


def test_a_silent_connection_ends_and_then_its_player_is_gone(served: Any) -> None:
    with served(heartbeat=600, absence=NEVER) as server:
        table, annes, bobs = duel(server)
        with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
            there(anne, [True, True])
            pass_time(server, 400)
            anne.say("ping")  # Anne speaks, Bob does not
            anne.hear_until(lambda message: message["t"] == "pong")
            pass_time(server, 400)
            there(anne, [True, False], expected=[1])
            with pytest.raises(WebSocketDisconnect) as closed:
                bob.hear_until(lambda _: False)
            assert closed.value.code == 4408


def test_the_clocks_run_for_players_at_other_workers(postgres: Postgres, web: Path) -> None:
    worker = partial(serve, postgres.new_database(), web, absence=SOON)
    with worker() as here, worker() as elsewhere:
        table, annes, bobs = duel(here)
        with at_table(here, table, annes) as anne:
            with at_table(elsewhere, table, bobs) as bob:
                there(anne, [True, True])
                there(bob, [True, True])
            before = len(anne.heard)
            there(anne, [True, False])
            # workers may repeat what they have said before
            assert told(anne.heard[before:])[-2:] == [([True, False], [1]), ([True, False], [])]
            anne.act("substitute", 0, absent=1)


def test_tables_that_were_left_are_forgotten_even_where_no_bot_plays(served: Any) -> None:
    with served() as server:
        presence = server.app.state.runtime.presence
        for _ in range(4):
            table, anne, _ = duel(server)
            with at_table(server, table, anne):
                assert table in presence._tables
            while table in presence._tables:
                time.sleep(0.01)
        assert len(presence._left) == 1
