"""Sealed dice over days in browsers: one visit each, then the game is on; and who withholds."""

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import Player, ServerProcess
from cantstop import read_record, verify
from cantstop.client import Player as Program
from slow_games import Friend
from web.axe import severe_problems
from web.test_online import join
from web.test_turns import sits_at

AWAY = "/guide"
"""A page without a connection to the table."""


def open_slow(player: Player, seats: int) -> str:
    """Open a slow table at which one column wins; the first seat is this player's."""
    free = [{"kind": "open"}] * (seats - 1)
    asked: dict[str, Any] = {"win": 1, "seats": [{"kind": "human", "name": "Anne"}, *free]}
    asked |= {"mode": "online", "edition": "custom", "days": 1}
    opened = player.page.request.post("/api/tables", data=asked).json()
    player.go(f"/t/{opened['id']}#seat={opened['secret']}").sees(stage="open")
    return f"/t/{opened['id']}"


def secret_link(player: Player) -> str:
    player.find("[aria-label=Menu]").click()
    player.find(".device-link summary").click()
    return player.find(".device-link .link-field").input_value()


def checked(player: Player) -> Any:
    """What the browser says of the dice of the game that is over."""
    player.find(".tile", has_text="Check the dice").click()
    verdict = player.find(".verdict.yes")
    expect(verdict).to_contain_text("every roll and every move is right")
    return verdict


def finish(*players: Player) -> None:
    for somebody in players:
        somebody.keep_playing(enough=3)
    for somebody in players:
        somebody.sees_the_end()


def test_four_visit_once_each_and_the_game_is_on(sit: Callable[..., Player]) -> None:
    anne, ben, cleo, dora = players = [sit() for _ in range(4)]
    link = open_slow(anne, 4)
    anne.go(AWAY)
    for somebody, name in ((ben, "Ben"), (cleo, "Cleo")):
        join(somebody, link, name).go(AWAY)
    join(dora, link, "Dora").sees(stage="playing")
    expect(dora.find(".story", has_text="Dora adds a number to the dice.")).to_be_attached()
    dora.go(AWAY)
    for somebody in players:
        somebody.go(link).take_turn()
    finish(*players)
    verdict = checked(ben)
    expect(verdict.locator(".protected li")).to_have_text(
        [
            "Anne: from roll 1 on",
            "Ben: from roll 2 on",
            "Cleo: from roll 3 on",
            "Dora: from roll 1 on",
        ]
    )
    expect(verdict).to_contain_text("the one that this browser saw before the game")
    expect(verdict.locator(".withheld")).to_have_count(0)
    text = anne.page.request.get(f"/api{link.replace('/t/', '/tables/')}/record").text()
    found = verify(read_record(text))
    assert (found.scheme, found.protected_from, found.dice_checked) == (3, (1, 2, 3, 1), True)


def test_who_does_not_reveal_is_named(
    sit: Callable[..., Player], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    anne, dora = sit(), sit()
    link = open_slow(anne, 3)
    with Program.join(f"{anne.url}{link}", "Cleo") as cleo:
        join(dora, link, "Dora").sees(stage="playing")
        expect(dora.find(".story", has_text="Dora adds a number to the dice.")).to_be_attached()
        cleo.resign()  # a bot takes her turns, and has no salt of hers
    for somebody in (anne, dora):
        somebody.take_turn()
    finish(anne, dora)
    verdict = checked(anne)
    expect(verdict.locator(".protected li")).to_have_text(
        ["Anne: from roll 1 on", "Dora: from roll 1 on"]
    )
    expect(verdict.locator(".withheld")).to_contain_text("Cleo did not reveal their number in time")


def test_another_device_of_a_player_gets_the_number_by_a_link_and_loses_nothing(
    sit: Callable[..., Player], server: ServerProcess
) -> None:
    """Its key holds the seat, too, but it has a number of its own."""
    anne = Friend.begin(server.url, f"Salted {token_hex(4)}")
    desk = sits_at(sit(), anne).go("/new?way=online")
    desk.find("[data-field=clock]").select_option("days 1")
    desk.find(".start-game").click()
    table = desk.sees(stage="open").table_id
    join(sit(), f"/t/{table}", "Bob")
    desk.sees(stage="playing")

    phone = sits_at(sit(viewport={"width": 360, "height": 740}), anne).go(f"/t/{table}")
    phone.sees(phase="roll", live=True).find(".roll").click()
    dialog = phone.find("dialog.lost-salt")
    named = "Continue on another device"
    expect(dialog).to_contain_text(f"“{named}”")
    assert severe_problems(phone) == []
    dialog.locator(".not-now").click()
    expect(dialog).to_have_count(0)

    link = secret_link(desk)
    assert desk.find(".device-link summary").inner_text() == named
    phone.page.goto(link)  # at the same table: nothing is loaded again
    phone.take_turn()
    assert phone.address.endswith(f"/t/{table}")
    state = phone.page.request.get(f"/api/tables/{table}").json()
    kinds = [event["kind"] for event in state["log"]]
    assert "saltlost" not in kinds
    assert {event["seat"] for event in state["log"] if event["kind"] == "revealed"} == {0, 1}


def test_a_seat_moves_to_another_device_with_its_number_or_plays_without(
    sit: Callable[..., Player],
) -> None:
    anne, ben, cleo = sit(), sit(), sit()
    link = open_slow(anne, 3)
    join(ben, link, "Ben")
    join(cleo, link, "Cleo").sees(stage="playing")
    moved, bare = secret_link(anne), secret_link(ben).partition("&salt=")[0]
    for somebody in (anne, ben):
        somebody.page.context.close()
    phone, other = sit(viewport={"width": 360, "height": 740}), sit()
    phone.go(moved).take_turn()
    assert "salt=" not in phone.address
    other.go(bare).sees(phase="roll", live=True).find(".roll").click()
    dialog = other.find("dialog.lost-salt")
    expect(dialog).to_contain_text("on the device on which you sat down")
    dialog.locator(".lose-salt").click()
    expect(other.find(".story", has_text="Ben has lost their number")).to_be_attached()
    other.take_turn()
    finish(phone, other, cleo)
    verdict = checked(cleo)
    expect(verdict).to_contain_text("Ben had lost their number, and played without it.")
    expect(verdict.locator(".protected li")).to_have_text(
        ["Anne: from roll 1 on", "Cleo: from roll 1 on"]
    )
