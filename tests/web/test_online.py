"""People at a table together, each at their own browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_player import Player, ServerProcess
from cantstop import read_record, verify


def open_online(player: Any, seats: int = 3, *, short: bool = False) -> Any:
    """Open a table for that many, all other seats free; returns its address.

    In a short game one column wins, which the form does not offer.
    """
    if short:
        free = [{"kind": "open"}] * (seats - 1)
        asked = {"win": 1, "seats": [{"kind": "human", "name": "Anne"}, *free]}
        asked |= {"mode": "online", "edition": "custom"}
        opened = player.page.request.post("/api/tables", data=asked).json()
        player.go(f"/t/{opened['id']}#seat={opened['secret']}")
    else:
        player.go("/new?way=online").find(f"[data-field=count-{seats}]").check()
        player.find(".new-game .name-field").fill("Anne")
        player.find(".start-game").click()
    player.sees(stage="open")
    return player.find(".link-field").input_value()


def join(player: Any, link: Any, name: str) -> Any:
    player.go(link).find(".join .name-field").fill(name)
    player.find(".join button", has_text="Sit down").click()
    expect(player.find(".tag.you")).to_have_count(1)
    return player


def test_three_browsers_a_reload_a_change_of_device_and_a_watcher(
    sit: Callable[..., Player],
) -> None:
    anne, ben, cleo, watcher = sit(), sit(), sit(), sit()
    link = open_online(anne, short=True)
    join(ben, link, "Ben")
    watcher.go(link)
    join(cleo, link, "Cleo")
    for somebody in (anne, ben, cleo, watcher):
        somebody.sees(stage="playing")
        expect(somebody.find(".player .name")).to_have_text(["Anne", "Ben", "Cleo"])
    expect(watcher.find(".watching")).to_be_visible()
    expect(watcher.find(".controls")).to_be_hidden()
    expect(anne.find(".watchers")).to_have_text("1")

    # one at a time, so that the game waits while a person reloads or changes the device
    for somebody in (anne, ben, cleo):
        somebody.take_turn()
    expect(anne.find(".turn-number")).to_have_text("Round 2")

    ben.page.reload()
    expect(ben.find(".tag.you")).to_have_count(1)

    cleo.find("[aria-label=Menu]").click()
    cleo.find(".device-link summary").click()
    secret_link = cleo.find(".device-link .link-field").input_value()
    cleo.page.context.close()
    phone = sit(viewport={"width": 360, "height": 740}, has_touch=True)
    phone.go(secret_link).sees(stage="playing")
    expect(phone.find(".tag.you")).to_have_count(1)
    assert "seat=" not in phone.address

    for somebody in (anne, ben, phone):
        somebody.keep_playing(enough=3)
    for somebody in (anne, ben, phone, watcher):
        somebody.sees_the_end()
    won = watcher.find(".result").inner_text()
    said = [somebody.find(".result").inner_text() for somebody in (anne, ben, phone)]
    assert sorted(said) == sorted([won, won, "You win!"])
    assert record_is_right(anne)


def record_is_right(player: Any) -> Any:
    text = player.page.request.get(f"/api/tables/{player.table_id}/record").text()
    return verify(read_record(text)).dice_checked


def test_a_guest_without_a_name_goes_by_the_number_of_the_seat(sit: Callable[..., Player]) -> None:
    anne, guest = sit(), sit()
    guest.go(open_online(anne, seats=2)).find(".join button", has_text="Sit down").click()
    guest.sees(stage="playing")
    expect(guest.find(".player .name")).to_have_text(["Anne", "Player 2"])


def test_somebody_who_leaves_does_not_disturb_a_guest_who_types_a_name(
    sit: Callable[..., Player],
) -> None:
    anne, ben = sit(), sit()
    field = ben.go(open_online(anne)).find(".join .name-field")
    field.press_sequentially("Be")
    anne.go("/")
    expect(ben.find(".player.away .name")).to_have_text("Anne")
    ben.page.keyboard.type("n")
    expect(field).to_have_value("Ben")


def test_reactions_reach_everybody(sit: Callable[..., Player]) -> None:
    anne, ben = sit(), sit()
    join(ben, open_online(anne, seats=2), "Ben")
    anne.sees(stage="playing").stop_the_clock()
    ben.find("[aria-label=React]").click()
    ben.find("[data-reaction=tease]").click()
    expect(anne.find(".player .bubble .reaction-face.tease")).to_be_visible()


@pytest.fixture
def patient_server(tmp_path: Path) -> Iterator[Any]:
    """A server that waits for everybody."""
    server = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}", absence=3600).start()
    yield server
    server.kill()


def test_no_bot_is_offered_for_somebody_who_has_only_just_gone(
    browser: Browser, patient_server: Any
) -> None:
    anne, ben = (Player.at(browser, patient_server.url) for _ in range(2))
    join(ben, open_online(anne, seats=2), "Ben")
    anne.sees(stage="playing")
    ben.go("/")
    expect(anne.find(".notices .notice")).to_have_text(
        re.compile(r"^Ben is away\. A bot may play in 3\d\d\d s\.$")
    )
    expect(anne.find(".notice button")).to_have_count(0)
    anne.close()
    ben.close()


def test_a_bot_takes_an_absent_seat_when_asked_and_gives_it_back(
    sit: Callable[..., Player],
) -> None:
    anne, ben = sit(), sit()
    link = open_online(anne, seats=2)
    join(ben, link, "Ben")
    anne.sees(stage="playing")
    ben.go("/")
    expect(anne.find(".player.away .name")).to_have_text("Ben")
    anne.find(".notice button", has_text="Let a bot play").click()
    expect(anne.find(".player .tag.bot")).to_have_text("bot plays")
    ben.go(link).find(".notice button", has_text="Play myself").click()
    expect(anne.find(".player .tag.bot")).to_have_count(0)
    expect(anne.find(".player.away")).to_have_count(0)
