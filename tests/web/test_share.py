"""A result worth sending: a picture with the game's own headline, and a link that plays it back."""

import re
import struct
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from browser_player import PHONE, Player
from cantstop.language import LANGUAGES
from web.axe import ask_axe
from web.conftest import Finished

# Headlines by the client's own function, of games of which only a few facts are given.
HEADLINE = """
async ({ owners, log, win, turn }) => {
  const { headlineOf } = await import("/static/table/panels/headline.js");
  const seats = [{ name: "Anne", bot: null }, { name: "Bob", bot: null }];
  const view = { owners, turn, outcome: { winners: [0] } };
  const moments = win.map((chance) => ({ win: [chance, 1 - chance] }));
  return headlineOf({ id: "x", seats, view, log, daily: undefined }, [], { moments }).text;
}
"""


def stopped(seat: int, *won: int) -> dict[str, Any]:
    return {"kind": "stopped", "n": 0, "seat": seat, "data": {"won": list(won)}}


@pytest.mark.parametrize(
    ("facts", "headline"),
    [
        ({"win": [0.5, 0.12, 1]}, "Anne won from 12%"),
        ({"log": [stopped(0, 6, 7, 8)]}, "Anne won three columns in one turn"),
        ({"won": [2, 7, 12]}, "Anne won with 2 and 12"),
        (
            {"log": [{"kind": "busted", "n": 0, "seat": 0, "data": {}}] * 5},
            "Anne won after 5 busts",
        ),
        ({"turn": 9}, "Anne won in 5 rounds"),
        ({}, "Anne won with 6, 7 and 8"),
    ],
)
def test_the_headline_is_the_most_remarkable_thing_that_is_true(
    player: Player, facts: dict[str, Any], headline: str
) -> None:
    won = facts.pop("won", [6, 7, 8])
    owners = [0 if column in won else None for column in range(2, 13)]
    game = {"owners": owners, "log": [], "win": [0.5, 0.6, 1], "turn": 21, **facts}
    assert player.go("/rules").page.evaluate(HEADLINE, game) == headline


@pytest.mark.parametrize("size", [(375, 553), (844, 390), (568, 320), (1280, 800)])
def test_the_buttons_are_in_sight_beside_the_picture(
    sit: Callable[..., Player], play_once: Callable[..., Finished], size: tuple[int, int]
) -> None:
    game = play_once("hotseat")
    width, height = size
    player = sit(viewport={"width": width, "height": height}, storage_state=game.memory)
    player.go(game.path).sees(stage="over").find(".share-game-button").click()
    player.find(".game-picture").wait_for()
    for selector in (".game-picture", ".share-game .save-picture"):
        box = player.find(selector).bounding_box()
        assert box is not None
        assert (box["x"] + box["width"] <= width, box["y"] + box["height"] <= height) == (
            True,
            True,
        )


# The headline of a win against an animal, by the device's own history.
BEATEN = """
async ({ id, history }) => {
  localStorage.setItem("cantstop.history", JSON.stringify(history));
  const { headlineOf } = await import("/static/table/panels/headline.js");
  const seats = [{ name: "Anne", bot: null }, { name: "fox", bot: "fox" }];
  const owners = Array.from({ length: 11 }, (_, at) => (at >= 4 && at <= 6 ? 0 : null));
  const view = { owners, turn: 21, outcome: { winners: [0] } };
  return headlineOf({ id, seats, view, log: [] }, [0], null);
}
"""


def test_the_first_win_against_an_animal_is_the_headline_and_no_later_one(player: Player) -> None:
    def won(number: int, *, wins: bool) -> dict[str, Any]:
        return {"id": f"game {number}", "at": f"2026-11-0{number}T12:00:00Z", "won": wins,
                "against": [{"bot": "fox"}], "rounds": 9, "feats": []}  # fmt: skip

    history = [won(1, wins=False), won(2, wins=True), won(3, wins=True)]
    player.go("/rules")
    first, second = (
        player.page.evaluate(BEATEN, {"id": f"game {number}", "history": history})
        for number in (2, 3)
    )
    assert first == {"text": "Anne beat Fox", "strong": "Fox"}
    assert second["text"] == "Anne won with 6, 7 and 8"


def test_the_day_has_a_picture_with_its_turns_and_a_link_that_tells_no_dice(
    sit: Callable[..., Player],
) -> None:
    player = sit(viewport=PHONE)
    player.go("/daily").find("[data-daily=counts]").click()
    player.sees(stage="playing", live=True).play()
    address = player.find(".daily-results").get_attribute("href") or ""
    player.go(address).find(".share-day").click()
    picture = player.find(".game-picture")
    expect(picture).to_be_visible()
    turns = int(player.find(".daily-results-table tr.mine td").nth(1).inner_text())
    said = picture.get_attribute("alt") or ""
    assert said.endswith(f": {turns} turns")
    drawing = unquote(picture.get_attribute("src") or "")
    assert f"{turns} turns" in re.sub("<[^>]+>", "", drawing)
    link = player.find(".share-game .link-field").input_value()
    assert link == player.url + address
    with player.page.expect_download() as saved:
        player.find(".save-picture").click()
    assert saved.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    found: Any = ask_axe(player, {"resultTypes": ["violations"]})
    assert found == []


def test_the_final_card_has_a_picture_and_a_link_that_begins_by_itself(
    sit: Callable[..., Player], play_once: Callable[..., Finished]
) -> None:
    game = play_once("hotseat")
    player = sit(viewport=PHONE, storage_state=game.memory).go(game.path).sees(stage="over")
    player.find(".share-game-button").click()
    picture = player.find(".game-picture")
    expect(picture).to_be_visible()
    drawing = unquote(picture.get_attribute("src") or "")
    headline = (picture.get_attribute("alt") or "").replace(" ", "")
    assert headline in re.sub("<[^>]+>| ", "", drawing)
    assert "Player 1" in drawing
    assert drawing.count("stroke-dasharray") + drawing.count('rx="7"') > 6
    found: Any = ask_axe(player, {"resultTypes": ["violations"]})
    assert found == []
    with player.page.expect_download() as saved:
        player.find(".save-picture").click()
    width, height = struct.unpack(">II", saved.value.path().read_bytes()[16:24])
    assert (width, height) == (2400, 1260)
    link = player.find(".share-game .link-field").input_value()
    assert link.endswith(f"{game.path}?play=1")
    player.go(link.removeprefix(player.url))
    expect(player.find(".replay .play")).to_have_attribute("aria-label", "Pause")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_leave_the_picture(
    sit: Callable[..., Player], play_once: Callable[..., Finished], language: str
) -> None:
    game = play_once("hotseat")
    player = sit(locale=language, storage_state=game.memory).go(game.path).sees(stage="over")
    player.find(".share-game-button").click()
    player.find(".game-picture").wait_for()
    wide = player.page.evaluate(
        """() => {
          const { src } = document.querySelector(".game-picture");
          const source = decodeURIComponent(src.slice(src.indexOf(",") + 1));
          const box = document.createElement("div");
          box.append(new DOMParser().parseFromString(source, "image/svg+xml").documentElement);
          document.body.append(box);
          const right = 1200 - 20;
          return [...box.querySelectorAll("svg > text, svg > g > text, svg > g > g > text")]
            .filter((one) => one.getBBox().x + one.getBBox().width > right)
            .map((one) => one.textContent);
        }"""
    )
    assert wide == []
