"""My page: what games leave on a device, counted from one history, and taken to another device."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import PHONE, Player
from cantstop.daily import ARCHIVE_DAYS
from cantstop.language import LANGUAGES
from web.axe import ask_axe
from web.conftest import NOON

KEEP = "([key, value]) => localStorage.setItem(`cantstop.${key}`, JSON.stringify(value))"


def played(number: int, won: bool, against: dict[str, str], **more: Any) -> dict[str, Any]:
    at = f"2026-11-{number:02d}T12:00:00Z"
    return {
        "id": f"game {number}",
        "at": at,
        "against": [against],
        "won": won,
        "rounds": 9,
        "feats": [],
        **more,
    }


GAMES = [
    played(1, True, {"bot": "chick"}, luck=-0.5, accuracy=70, feats=["first-win"]),
    played(2, False, {"bot": "chick"}, luck=-0.9, accuracy=60),
    played(3, True, {"name": "Bob"}, luck=0.2, accuracy=80, feats=["first-win", "comeback"]),
    played(4, False, {"name": "Bob"}),
    played(5, True, {"bot": "champion"}, luck=0.1, accuracy=90),
]


def on_my_page(player: Player) -> Player:
    player.go("/rules")
    player.page.evaluate(KEEP, ["history", GAMES])
    player.page.evaluate(KEEP, ["drill-curve", [1500, 1540, 1520]])
    return player.go("/me")


def test_wins_luck_curves_and_feats_are_those_of_the_history(player: Player) -> None:
    on_my_page(player)
    expect(player.find(".me-head")).to_contain_text("5 games: 3 won, 2 lost")
    expect(player.find(".luck-card h2")).to_have_text("The dice owe you 1.1 wins")
    # three of the four reviewed games were won: 3 − (−1.1)
    expect(player.find(".luck-card p")).to_contain_text(
        "would have won 4.1 of the 4 reviewed games"
    )
    rivals = player.find(".rival-list li").evaluate_all(
        "(all) => all.map((one) => [one.querySelector('.rival-name').textContent,"
        " one.querySelector('strong').textContent])"
    )
    assert rivals == [["Chick", "1–1"], ["Champion", "1–0"], ["Bob", "1–1"]]
    expect(player.find(".curve").first).to_contain_text("75%")
    expect(player.find(".curve").last).to_contain_text("1,520")
    done = player.find(".feat.done").evaluate_all("(all) => all.map((one) => one.dataset.feat)")
    assert done == ["first-win", "comeback", "summit"]


@pytest.mark.parametrize(
    ("luck", "said"),
    [
        (0.0, "You and the dice are even"),
        (0.04, "You and the dice are even"),
        (-1.0, "The dice owe you 1 win"),
        (-3.2, "The dice owe you 3.2 wins"),
        (1.0, "You owe the dice 1 win"),
        (0.1, "You owe the dice 0.1 wins"),
    ],
)
def test_what_the_dice_owe_is_said_for_every_sum(player: Player, luck: float, said: str) -> None:
    player.go("/rules")
    player.page.evaluate(KEEP, ["history", [played(1, True, {"bot": "chick"}, luck=luck)]])
    expect(player.go("/me").find(".luck-card h2")).to_have_text(said)


def test_a_device_without_games_says_so(player: Player) -> None:
    player.go("/me")
    expect(player.find(".me-head")).to_contain_text("No finished game yet")
    expect(player.find(".luck-card, .rivals, .curves")).to_have_count(0)
    expect(player.find(".feat.done")).to_have_count(0)


def test_the_calendar_leads_to_every_day_that_can_be_played(player: Player) -> None:
    player.page.clock.set_fixed_time(NOON)
    player.go("/me")
    days = player.find(".calendar a").evaluate_all("(all) => all.map((one) => one.search)")
    assert 28 < len(days) <= ARCHIVE_DAYS + 1
    player.go(f"/daily{days[0]}")
    expect(player.find(".daily .problem")).to_have_count(0)
    expect(player.find("[data-daily=again]")).to_be_visible()


def test_one_file_or_code_moves_everything_and_keeps_what_is_there(
    sit: Callable[..., Player],
) -> None:
    old, new = sit(), sit()
    on_my_page(old)
    old.find(".name-field").fill("Anne")
    with old.page.expect_download() as saved:
        old.find("button", has_text="Save as a file").click()
    old.find("button", has_text="Copy as a code").click()
    expect(old.find(".backup-code")).not_to_have_value("")
    code = old.find(".backup-code").input_value()

    new.go("/rules")
    new.page.evaluate(KEEP, ["history", [played(9, True, {"bot": "magpie"})]])
    new.go("/me").find(".backup-code").fill("nonsense")
    new.find("button", has_text="Take the code over").click()
    expect(new.find(".take-all .problem")).to_contain_text("neither a file nor a code")
    new.find(".backup-code").fill(code)
    new.find("button", has_text="Take the code over").click()
    expect(new.find(".me-head")).to_contain_text("6 games: 4 won, 2 lost")
    expect(new.find(".name-field")).to_have_value("Anne")

    third = sit()
    third.go("/me").find(".take-all input[type=file]").set_input_files(saved.value.path())
    expect(third.find(".me-head")).to_contain_text("5 games: 3 won, 2 lost")
    kept = json.loads(saved.value.path().read_text("utf-8"))["kept"]
    assert kept["history"] == GAMES
    third.find(".take-all input[type=file]").set_input_files(saved.value.path())  # twice is once
    expect(third.find(".me-head")).to_contain_text("5 games: 3 won, 2 lost")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_the_smallest_phone(sit: Callable[..., Player], language: str) -> None:
    player = on_my_page(sit(locale=language, viewport={"width": 320, "height": 568}))
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("path", ["/me", "/daily"])
def test_a_finger_hits_every_day_on_the_smallest_phone(
    sit: Callable[..., Player], path: str
) -> None:
    player = sit(viewport={"width": 320, "height": 568})
    player.page.clock.set_fixed_time(NOON)
    player.go(path).find(".calendar a").first.wait_for()
    sizes = player.find(".calendar a").evaluate_all(
        "(days) => days.map((day) => day.getBoundingClientRect())"
        ".map(({ width, height }) => Math.min(width, height))"
    )
    assert min(sizes) >= 44
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_has_no_serious_problem(sit: Callable[..., Player], theme: str) -> None:
    player = on_my_page(sit(viewport=PHONE, color_scheme=theme))
    found: Any = ask_axe(player, {"resultTypes": ["violations"]})
    assert found == []


def test_nothing_is_compared_with_itself(player: Player) -> None:
    player.go("/rules")
    player.page.evaluate(KEEP, ["history", [played(1, False, {"bot": "fox"}, luck=0.07)]])
    expect(player.go("/me").find(".luck-card p")).to_have_text("The next roll knows nothing of it.")
