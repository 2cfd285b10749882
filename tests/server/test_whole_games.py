"""Whole games by the protocol, in every mode and edition, on a real database."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop import read_record, verify
from cantstop.rules import EDITIONS
from table_client import OPEN, Player, at_table, bot, human, open_table, play_to_the_end, sit_down


def checked(server: TestClient, table: Any) -> tuple[Any, Any]:
    """The record of a finished table, after every roll has been checked."""
    text = server.get(f"/api/tables/{table}/record").text
    record = read_record(text)
    verification = verify(record)
    assert verification.dice_checked
    assert verification.outcome is not None
    return record, verification


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_pass_and_play_game_of_each_edition_ends_and_its_record_verifies(
    server: TestClient, edition: str
) -> None:
    opened = open_table(server, human("Anne"), human("Bob"), mode="hotseat", edition=edition)
    assert opened["seats"] == [0, 1]
    with at_table(server, opened["id"], opened["secret"], salt="my-own-salt") as player:
        player.hear_event("started")
        play_to_the_end(player)
        outcome = player.view["outcome"]
    record, verification = checked(server, opened["id"])
    assert record.names == ("Anne", "Bob")
    assert record.edition == edition
    assert list(verification.outcome.winners) == outcome["winners"]
    assert record.dice.seal.salts == ("my-own-salt", "my-own-salt")


@pytest.mark.parametrize(
    "variants",
    [
        {"edition": "ravensburger", "win": 5, "early": True, "sharing": "no-rest", "youngest": 1},
        {"edition": "asmodee", "win": 4, "sharing": "leapfrog"},
        {"edition": "custom", "win": 2, "early": True, "sharing": "leapfrog", "start": "roll-off"},
    ],
    ids=lambda variants: variants["edition"],
)
def test_variants_are_played_as_they_were_chosen(
    server: TestClient, variants: dict[str, Any]
) -> None:
    opened = open_table(server, human("Anne"), bot("bold"), mode="hotseat", **variants)
    with at_table(server, opened["id"], opened["secret"]) as player:
        player.hear_event("started")
        play_to_the_end(player)
    record, _ = checked(server, opened["id"])
    assert record.rules.columns_to_win == variants["win"]
    assert record.rules.sharing.value == variants["sharing"]
    assert record.rules.early == variants.get("early", False)
    if "youngest" in variants:
        assert record.start.seat == variants["youngest"]


def test_a_solo_game_counts_turns_to_the_end(server: TestClient) -> None:
    opened = open_table(server, human(), mode="solo", win=1, edition="custom")
    with at_table(server, opened["id"], opened["secret"]) as player:
        player.hear_event("started")
        play_to_the_end(player)
        turns = sum(kind in ("stopped", "busted") for kind in player.kinds)
        assert player.view["turn"] == turns
        assert player.view["outcome"] == {"winners": [0], "ending": "columns"}


def test_bots_alone_play_a_game_to_its_end(server: TestClient) -> None:
    opened = open_table(server, bot("careful"), bot("random"), bot("bold"), edition="asmodee")
    assert opened["secret"] is None
    with at_table(server, opened["id"]) as watcher:
        if watcher.view["outcome"] is None:
            watcher.hear_event("finished")
    checked(server, opened["id"])


def test_three_players_and_a_watcher_see_the_same_events_in_the_same_order(
    each_server: TestClient,
) -> None:
    server = each_server
    opened = open_table(server, human("Anne"), OPEN, OPEN, bot(), edition="trademark")
    table = opened["id"]
    with (
        at_table(server, table, opened["secret"]) as anne,
        at_table(server, table) as watcher,
        at_table(server, table, sit_down(server, table, "Bob")["secret"]) as bob,
        at_table(server, table, sit_down(server, table, "Carla")["secret"]) as carla,
    ):
        everybody: tuple[Player, ...] = (anne, bob, carla, watcher)
        newest = max(player.n for player in everybody)
        for player in everybody:
            player.catch_up(newest)
        play_to_the_end(*everybody)
    told = server.get(f"/api/tables/{table}/events").json()["events"]
    assert [event["n"] for event in told] == list(range(1, len(told) + 1))
    for player in everybody:
        assert player.events == told[player.state["n"] :]
    checked(server, table)
