"""A person who was never here: what this is, two taps to the first roll, and a light page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser_player import KEEPS_THE_APP, Player, ServerProcess
from cantstop.language import LANGUAGES
from web_messages import translated
from wire import counting_wire

PHONE = {"width": 390, "height": 844}
BUDGET = 75_000
"""Bytes that the server sends up to the first roll, headers and socket included."""


@pytest.mark.parametrize("language", ["en", "de"])  # German words are the longest
def test_two_taps_from_the_start_page_to_the_first_roll(
    browser: Browser, server: ServerProcess, language: str
) -> None:
    def say(english: str) -> str:
        return english if language == "en" else translated(language, english)

    with counting_wire(server.port) as wire:
        player = Player.at(
            browser,
            wire.url,
            viewport=PHONE,
            has_touch=True,
            is_mobile=True,
            locale=language,
            **KEEPS_THE_APP,
        )
        asked: list[str] = []
        player.page.on("request", lambda request: asked.append(request.url))
        player.go("/")
        # the start page shows the game, and says whom one is about to play and what the shapes are
        expect(player.find(".demo .board")).to_be_visible()
        expect(player.find(".what")).to_contain_text("Sid Sackson")
        expect(player.find("[data-way=bot]")).to_contain_text(
            say("against Chick, who has just read the rules too")
        )
        for selector in (".demo .board", ".what", "[data-way=bot]", ".learn-link"):
            assert whole(player, player.find(selector)), selector

        player.find("[data-way=bot]").tap()
        player.sees(stage="playing", phase="roll", live=True)
        expect(player.find(".status")).to_have_text(say("Your turn: roll the dice."))
        expect(player.find(".roll .label")).to_have_text(say("Roll"))
        expect(player.find(".stop .note")).to_have_text(say("Only after your first move"))
        for selector in (".roll", ".stop", ".board", ".players"):
            assert whole(player, player.find(selector)), selector
        expect(player.find("dialog, #toasts > *, .notice:visible")).to_have_count(0)

        assert wire.sent <= BUDGET
        later = ("panels-menu", "panels-game-over", "sw.js")
        assert not [url for url in asked if any(name in url for name in later)]

        with player.page.expect_request(lambda request: "panels-game-over." in request.url):
            player.find(".roll").tap()
        player.sees(phase="move", live=True)
        expect(player.find(".dice .die")).to_have_count(4)
        expect(player.find(".status")).to_have_text(say("Pick a move."))
        for move in player.find(".move").all():
            assert whole(player, move)
        player.page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        player.close()


# phones upright and on their side, and a laptop whose page is zoomed to 200 %
SCREENS = [(320, 568), (375, 553), (390, 844), (568, 320), (844, 390), (683, 384), (1366, 768)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_is_play_and_learn_are_there_on_every_screen(
    sit: Callable[..., Player], language: str
) -> None:
    player = sit(locale=language)
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        player.go("/")
        for selector in (".what", "[data-way=bot]", ".learn-link"):
            assert whole(player, player.find(selector), (width, height)), (width, selector)
        assert player.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_large_screen_is_read_from_afar(browser: Browser, server: ServerProcess) -> None:
    player = Player.at(browser, server.url, viewport={"width": 3840, "height": 2160})
    for path in ("/", "/rules", "/new?way=bot"):
        player.go(path)
        sizes = player.page.evaluate(
            """() => [...document.querySelectorAll("main p, main strong, main label")]
              .filter((one) => one.checkVisibility() && one.textContent.trim())
              .map((one) => parseFloat(getComputedStyle(one).fontSize))"""
        )
        assert min(sizes) >= 24, path
    player.close()


def whole(player: Any, element: Locator, screen: tuple[int, int] = (390, 844)) -> bool:
    """Whether it can be seen whole, without scrolling."""
    expect(element).to_be_visible()
    box = element.bounding_box()
    assert box is not None
    return bool(
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= screen[0]
        and box["y"] + box["height"] <= screen[1]
        and player.page.evaluate("scrollY") == 0
    )
