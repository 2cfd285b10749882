"""Clock, resigning and taking back, as players at their browsers meet them."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_player import Player, ServerProcess
from cantstop import read_record, verify
from web.axe import ask_axe


def axe_is_content(player: Player) -> None:
    assert ask_axe(player, {"resultTypes": ["violations"]}) == []


def roll_and_move(player: Player) -> None:
    """The first roll of a game has a move, whatever the dice."""
    player.sees(phase="roll", live=True).find(".roll").click()
    player.sees(phase="move", live=True).page.keyboard.press("1")
    player.sees(phase="choice", live=True)


class TestAtOneScreen:
    def test_a_move_and_a_stop_are_taken_back_by_button_and_by_key(self, player: Player) -> None:
        player.go("/").find("[data-way=hotseat]").click()
        take_back = player.find(".take-back")
        player.sees(phase="roll", live=True)
        expect(take_back).to_be_hidden()
        roll_and_move(player)
        take_back.click()
        player.sees(phase="move", live=True)
        expect(take_back).to_be_hidden()
        player.page.keyboard.press("1")
        player.sees(phase="choice", live=True).find(".stop").click()
        player.sees(phase="roll", live=True)
        expect(player.find(".player.turn .name")).to_have_text("Player 2")
        player.page.keyboard.press("u")
        player.sees(phase="choice", live=True)
        expect(player.find(".player.turn .name")).to_have_text("Player 1")
        player.find(".stop").click()
        player.sees(phase="roll", live=True).find(".roll").click()
        player.sees(phase="move", live=True)
        expect(take_back).to_be_hidden()  # the dice are thrown

    def test_resigning_asks_first_and_the_record_says_so(self, player: Player) -> None:
        player.go("/").find("[data-way=hotseat]").click()
        roll_and_move(player)
        player.find("[aria-label=Menu]").click()
        player.find(".menu-item", has_text="Resign").click()
        expect(player.find("dialog.sheet h2")).to_have_text("Resign?")
        expect(player.find("dialog.sheet")).to_contain_text("The other player wins the game.")
        axe_is_content(player)
        player.find("dialog.sheet .primary").click()
        expect(player.find("dialog.sheet")).to_have_count(0)
        player.sees(stage="playing").find("[aria-label=Menu]").click()
        player.find(".menu-item", has_text="Resign").click()
        player.find("dialog.sheet button.resign").click()
        player.sees(stage="over")
        expect(player.find(".result")).to_have_text("Player 2 wins: Player 1 has resigned.")
        text = player.page.request.get(f"/api/tables/{player.table_id}/record").text()
        record = read_record(text)
        assert (record.ended, record.resigned) == ("resigned", (0,))
        assert verify(record).dice_checked


@pytest.fixture
def two(sit: Callable[..., Player]) -> tuple[Player, Player]:
    """Anne and Ben at a table with a clock of a minute."""
    anne, ben = sit(), sit(viewport={"width": 360, "height": 740})
    anne.go("/new?way=online").find("[data-field=clock]").select_option("60")
    anne.find(".new-game .name-field").fill("Anne")
    anne.find(".start-game").click()
    link = anne.sees(stage="open").find(".link-field").input_value()
    ben.go(link).find(".join .name-field").fill("Ben")
    ben.find(".join button", has_text="Sit down").click()
    for player in (anne, ben):
        player.sees(stage="playing")
    return anne, ben


def test_a_take_back_online_needs_consent_and_the_clock_is_shown(
    two: tuple[Player, Player],
) -> None:
    anne, ben = two
    for player in two:
        ring = player.find(".player.turn .ring")
        expect(ring).to_have_attribute("aria-label", re.compile(r"^[23]\d\d seconds left\.$"))
        expect(player.find(".player .ring")).to_have_count(1)
        # the time for this decision, and what the other one has in reserve
        expect(player.find(".tag.bank").first).to_have_text(re.compile(r"^(1:00|0:\d\d)$"))
        expect(player.find(".tag.bank").last).to_have_text("+4:00")
        axe_is_content(player)
    roll_and_move(anne)
    anne.find(".take-back").click()
    expect(anne.find(".notices .notice")).to_have_text("Waiting for Ben to agree…")
    expect(ben.find(".notices .notice")).to_contain_text(
        "Anne asks to take back their last decision."
    )
    axe_is_content(ben)
    ben.find(".notice button", has_text="Decline").click()
    expect(anne.find("#toasts")).to_contain_text("Ben does not agree.")
    expect(anne.find(".notices .notice")).to_have_count(0)
    anne.sees(phase="choice", live=True).find(".stop").click()
    expect(ben.find(".player.turn .name")).to_have_text("Ben")
    anne.find(".take-back").click()
    ben.find(".notice button", has_text="Agree").click()
    anne.sees(phase="choice", live=True)
    expect(ben.find(".player.turn .name")).to_have_text("Anne")
    expect(ben.find(".player.turn .ring")).to_be_visible()
    expect(ben.find(".notices .notice")).to_have_count(0)
    ben.find("[aria-label=Menu]").click()
    ben.find(".menu-item", has_text="Resign").click()
    ben.find("dialog.sheet button.resign").click()
    for player in two:
        player.sees(stage="over")
        expect(player.find(".result")).to_contain_text("has resigned")
        expect(player.find(".ring")).to_have_count(0)


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[tuple[ServerProcess, Path]]:
    """A server of this test's own, and its database."""
    path = tmp_path / "tables.db"
    server = ServerProcess(f"sqlite:///{path}", absence=3600).start()
    yield server, path
    server.kill()


def test_a_clock_runs_out_although_the_server_was_restarted_in_between(
    browser: Browser, timed: tuple[ServerProcess, Path]
) -> None:
    server, path = timed
    anne, ben = (Player.at(browser, server.url) for _ in range(2))
    seats: list[Any] = [{"kind": "human", "name": "Anne"}, {"kind": "open"}]
    opened = anne.page.request.post(
        "/api/tables", data={"mode": "online", "clock": 3600, "bank": 0, "seats": seats}
    ).json()
    ben.go(f"/t/{opened['id']}").find(".join .name-field").fill("Ben")
    ben.find(".join button", has_text="Sit down").click()
    anne.go(f"/t/{opened['id']}#seat={opened['secret']}").sees(stage="playing", live=True)
    expect(ben.find(".player.turn .ring")).to_be_visible()

    server.stop()
    for player in (anne, ben):
        expect(player.find(".notices .notice")).to_be_visible()
    with sqlite3.connect(path) as database:  # as if the hour had almost passed
        changed = database.execute(
            "UPDATE tables SET clock_left = 0.5 WHERE clock_left BETWEEN 3000 AND 3600"
        )
        assert changed.rowcount == 1
    database.close()
    server.start()

    expect(anne.find(".notices .notice", has_text="Your time is up")).to_be_visible()
    expect(ben.find(".player .tag.bot")).to_have_text("bot plays")
    anne.find(".notice button", has_text="Play myself").click()
    expect(ben.find(".player .tag.bot")).to_have_count(0)
    for player in (anne, ben):
        player.close()


def test_a_clock_keeps_the_seat_of_whoever_is_away(two: tuple[Player, Player]) -> None:
    anne, ben = two
    ben.go("/rules")
    notice = anne.find(".notices .notice")
    expect(notice).to_have_text("Ben is away.")  # and that is all: no bot before the time is up
    expect(notice.locator("button")).to_have_count(0)
    told = anne.page.request.get(f"/api/tables/{anne.table_id}").json()
    assert told["seats"][1]["substitute"] is None
