"""A phone of 360 × 740: everything fits, in every language."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import PHONE, Player
from cantstop.language import LANGUAGES

PAGES = [
    "/",
    "/new?way=online",
    "/new?way=companion",
    "/rules?edition=asmodee",
    "/learn",
    "/games",
    "/verify",
    "/daily",
    "/me",
    "/ladder",
    "/analysis?position=v1,players=4+7:4/6:9,8:3/12:3/-+1+2:1,3:2+-",
    "/odds?runners=6,7,8",
    "/nowhere",
]
# What a thumb can press, but for links in a sentence and the columns of a board, which are as wide
# as the screen allows; what a label covers is pressed on the label.
SMALL = """
() => [...document.querySelectorAll("button, a, summary, select, .segment, input[type=range]")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((one) => !one.matches(":is(p, td, th, .prose li) a, .column-control, .sr-only"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && Math.min(width, height) < 43.9)
  .map(([one, { width, height }]) =>
    `${one.className} “${one.ariaLabel ?? one.textContent}” ${width} × ${height}`)
"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def phone(sit: Callable[..., Player]) -> Callable[..., Any]:
    def pick_up(language: str = "en") -> Any:
        return sit(viewport=PHONE, has_touch=True, is_mobile=True, locale=language)

    return pick_up


def test_no_page_is_wider_than_the_screen(phone: Callable[..., Any]) -> None:
    player = phone()
    for path in PAGES:
        expect(player.go(path).find("[aria-busy]")).to_have_count(0)
        for language in LANGUAGES:
            player.find(".language").select_option(language)
            expect(player.find("html")).to_have_attribute("lang", language)
            expect(player.find("[aria-busy]")).to_have_count(0)
            assert player.page.evaluate(OVERFLOW) <= 0, (path, language)


def test_a_turn_needs_no_scrolling(phone: Callable[..., Any]) -> None:
    """In German, whose words are the longest; test_screens.py measures the other languages."""
    player = phone("de")
    player.go("/new?way=bot").find("[data-field=count-4]").check()
    player.find(".start-game").click()
    player.sees(live=True)
    for selector in (".players", ".board", ".roll", ".stop"):
        assert inside(player, selector), selector
    assert same_width(player, ".roll", ".stop")
    player.find(".roll").tap()
    player.sees(phase="move", live=True)
    for selector in (".dice", ".move:last-child", ".stop"):
        assert inside(player, selector), selector
    player.find(".move").first.tap()
    player.sees(phase="choice", live=True)
    assert inside(player, ".stop")
    assert player.page.evaluate(OVERFLOW) <= 0


def inside(player: Any, selector: Any) -> Any:
    box = player.find(selector).bounding_box()
    return box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["y"] + box["height"] <= 740


def same_width(player: Any, one: Any, other: Any) -> bool:
    widths = [player.find(selector).bounding_box()["width"] for selector in (one, other)]
    return bool(abs(widths[0] - widths[1]) < 1)


def test_the_board_can_be_tapped_and_targets_are_large_enough(phone: Callable[..., Any]) -> None:
    player = phone()
    player.go("/learn").find("[data-lesson=basics]").tap()
    player.sees(live=True).find(".roll").tap()
    player.sees(phase="move", live=True)
    for selector in (".move", ".roll", ".stop", ".icon-button"):
        for each in player.find(selector).filter(visible=True).all():
            box = each.bounding_box()
            assert min(box["width"], box["height"]) >= 44, selector
    player.find(".hit").nth(6 - 2).tap()
    player.sees(phase="choice", live=True)
    expect(player.find(".runner")).to_have_count(2)


def test_every_page_has_targets_for_a_thumb(phone: Callable[..., Any], play_once: Any) -> None:
    player, game = phone(), play_once("hotseat").path
    ways = [f"/new?way={way}" for way in ("bot", "hotseat", "solo")]
    more = {
        "/drill": ".drill",
        "/guide": ".guide-contents",
        "/guide/card": ".rule-card",
        "/review": ".drop-zone",
        f"{game}?n=5": ".turn-step",
        f"{game}/review": ".told",
    }
    found = []
    for path, part in {**dict.fromkeys([*PAGES, *ways], "main"), **more}.items():
        expect(player.go(path).find("[aria-busy]")).to_have_count(0)
        player.find(part).first.wait_for()
        player.page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
        found += [f"{path}: {small}" for small in player.page.evaluate(SMALL)]
    assert not found, "\n".join(found)
