"""A rematch keeps the people together and rotates the start."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from table_client import (
    OPEN,
    Refusal,
    at_table,
    bot,
    human,
    open_table,
    play_to_the_end,
    sit_down,
)

SHORT: dict[str, Any] = {
    "edition": "custom",
    "win": 1,
    "sharing": "leapfrog",
    "early": True,
    "help": True,
}


@pytest.fixture
def finished(server: TestClient) -> tuple[Any, Any, Any]:
    """A finished table of Anne, Bob and a bot: its id, and the secrets of both people."""
    opened = open_table(server, human("Anne", salt="a", colour=3), OPEN, bot("bold"), **SHORT)
    table, annes = opened["id"], opened["secret"]
    bobs = sit_down(server, table, "Bob", colour=1)["secret"]
    with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
        play_to_the_end(anne, bob)
    return table, annes, bobs


def test_the_next_table_has_the_same_people_settings_and_secrets_one_seat_on(
    server: TestClient, finished: tuple[Any, Any, Any]
) -> None:
    table, annes, bobs = finished
    with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
        anne.act("rematch", 0)
        following = bob.hear_event("rematched")["data"]["table"]
    assert server.get(f"/api/tables/{table}").json()["next"] == following
    state = server.get(f"/api/tables/{following}").json()
    assert [(seat["kind"], seat["name"], seat["colour"]) for seat in state["seats"]] == [
        ("reserved", "Bob", 1),
        ("bot", "bold", 0),
        ("reserved", "Anne", 3),
    ]
    assert (state["edition"], state["help"], state["stage"]) == ("custom", True, "open")
    assert state["rules"] == "v1,players=3,win=1,early,sharing=leapfrog"
    before = server.get(f"/api/tables/{table}").json()
    assert state["commitment"] != before["commitment"]
    with (
        at_table(server, following, annes, salt="from-anne") as anne,
        at_table(server, following, bobs, salt="from-bob") as bob,
    ):
        assert (anne.state["you"], bob.state["you"]) == ([2], [0])
        salts = bob.hear_event("started")["data"]["salts"]
        assert (salts[0], salts[2]) == ("from-bob", "from-anne")
        anne.hear_event("started")
        assert bob.view["seat"] == 0  # Bob starts this time
        play_to_the_end(anne, bob)


def test_the_score_of_a_series_goes_from_table_to_table(
    server: TestClient, finished: tuple[Any, Any, Any]
) -> None:
    table, annes, bobs = finished
    assert "series" not in server.get(f"/api/tables/{table}").json()
    wins = dict.fromkeys(("Anne", "Bob", "bold"), 0)
    for games in (1, 2):
        over = server.get(f"/api/tables/{table}").json()
        for winner in over["log"][-1]["data"]["winners"]:
            wins[over["seats"][winner]["name"]] += 1
        with at_table(server, table, annes) as anne:
            anne.act("rematch", anne.state["you"][0])
            following = anne.events[-1]["data"]["table"]
        state = server.get(f"/api/tables/{following}").json()
        names = [seat["name"] for seat in state["seats"]]
        expected = {"previous": table, "games": games, "wins": [wins[name] for name in names]}
        assert state["series"] == expected
        assert state["log"][0]["data"]["series"] == expected
        with at_table(server, following, annes) as anne, at_table(server, following, bobs) as bob:
            play_to_the_end(anne, bob)
        table = following


def test_a_game_that_ended_by_resigning_counts_in_the_score(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="a"), OPEN, **SHORT)
    table, annes = opened["id"], opened["secret"]
    bobs = sit_down(server, table, "Bob", salt="b")["secret"]
    expected = {"Anne": 0, "Bob": 0}
    for games, loser in enumerate(("Anne", "Bob", "Anne"), 1):
        with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
            me, other = (anne, bob) if loser == "Anne" else (bob, anne)
            me.act("resign", me.state["you"][0])
            expected["Bob" if loser == "Anne" else "Anne"] += 1
            other.act("rematch", other.state["you"][0])
            table = other.events[-1]["data"]["table"]
        state = server.get(f"/api/tables/{table}").json()
        names = [seat["name"] for seat in state["seats"]]
        assert state["series"]["games"] == games
        assert dict(zip(names, state["series"]["wins"], strict=True)) == expected


def test_asking_again_leads_to_the_same_table(
    server: TestClient, finished: tuple[Any, Any, Any]
) -> None:
    table, annes, bobs = finished
    with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
        first = anne.act("rematch", 0)
        assert bob.act("rematch", 1) == first
        assert anne.act("rematch", 0) == first
        assert [event["kind"] for event in anne.events] == ["rematched"]


def test_there_is_none_before_the_end_and_none_for_watchers(
    server: TestClient, finished: tuple[Any, Any, Any]
) -> None:
    opened = open_table(server, human("Anne", salt="a"), human("Bob", salt="b"), mode="hotseat")
    with (
        at_table(server, opened["id"], opened["secret"]) as player,
        pytest.raises(Refusal, match="once the game is over"),
    ):
        player.act("rematch", 0)
    with at_table(server, finished[0]) as watcher, pytest.raises(Refusal, match="not-your-seat"):
        watcher.act("rematch", 0)


def test_a_bot_can_sit_in_for_somebody_who_does_not_come(
    server: TestClient, finished: tuple[Any, Any, Any]
) -> None:
    table, annes, bobs = finished
    with at_table(server, table, annes) as anne:
        anne.act("rematch", 0)
        following = anne.events[-1]["data"]["table"]
    with at_table(server, following, annes) as anne:
        anne.hear_event("seated")
        anne.act("substitute", 2, absent=0)
        kinds = [event["kind"] for event in anne.events]
        assert kinds[:4] == ["seated", "seated", "substituted", "started"]
        with at_table(server, following, bobs) as bob:
            bob.act("return", 0)


def test_a_game_for_the_youngest_rotates_too(server: TestClient) -> None:
    opened = open_table(
        server,
        human("Anne", salt="a"),
        human("Bob", salt="b"),
        mode="hotseat",
        edition="custom",
        start="youngest",
        youngest=1,
        win=1,
    )
    with at_table(server, opened["id"], opened["secret"]) as player:
        assert player.view["seat"] == 1
        play_to_the_end(player)
        player.act("rematch", 0)
        following = player.events[-1]["data"]["table"]
    with at_table(server, following, opened["secret"]) as player:
        player.hear_event("started")
        assert player.state["you"] == [0, 1]
        assert player.state["seats"][player.view["seat"]]["name"] == "Anne"


def test_bots_among_themselves_start_at_once(server: TestClient) -> None:
    opened = open_table(server, human(salt="a"), mode="solo", edition="custom", win=1)
    with at_table(server, opened["id"], opened["secret"]) as player:
        play_to_the_end(player)
        player.act("rematch", 0)
        following = player.events[-1]["data"]["table"]
    with at_table(server, following, opened["secret"]) as player:
        assert player.hear_event("started")
