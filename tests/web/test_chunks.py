"""Pages and panels that are loaded on demand: with their styles and words, and when that fails."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from browser_player import Player
from web_messages import translated

RULES = re.compile(r"/static/pages-rules\.\w+\.js")


def test_a_page_comes_with_its_styles_and_words_once(sit: Callable[..., Player]) -> None:
    player = sit(locale="de")
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url))
    player.go("/")
    expect(player.find(".more-link[href='/rules']")).to_be_visible()
    assert not [url for url in asked if "rules" in url]
    for _ in range(2):
        player.find(".more-link[href='/rules']").click()
        expect(player.find("h1")).to_have_text(translated("de", "Rules"))
        expect(player.find(".column-chances")).to_have_css("list-style-type", "none")
        player.page.go_back()
        expect(player.find("[data-way=bot]")).to_be_visible()
    loaded = [
        re.sub(r"\.\w{8}\.", ".", url.partition("/static/")[2]) for url in asked if "rules" in url
    ]
    assert sorted(loaded) == ["pages-rules.js", "style/rules.css", "words/de/pages-rules.json"]


def test_a_page_that_is_loaded_follows_the_language(player: Player) -> None:
    player.go("/rules")
    for language in ("fr", "nl"):
        player.find(".language").select_option(language)
        expect(player.find("h1")).to_have_text(translated(language, "Rules"))
    player.find(".brand").click()
    expect(player.find("[data-way=bot] strong")).to_have_text(translated("nl", "Play"))


def test_a_page_that_cannot_be_loaded_says_so_and_is_there_at_the_next_try(player: Player) -> None:
    player.go("/")
    player.page.route(RULES, lambda route: route.abort())
    player.find(".more-link[href='/rules']").click()
    expect(player.find("h1")).to_have_text("The server does not answer")
    player.page.unroute_all(behavior="wait")
    player.find("main button", has_text="Try again").click()
    expect(player.find(".page-rules h1")).to_have_text("Rules")


def test_a_page_without_its_style_sheet_can_still_be_read(player: Player) -> None:
    player.page.route(re.compile(r"/static/style/rules\.\w+\.css"), lambda route: route.abort())
    player.go("/rules")
    expect(player.find("h1")).to_have_text("Rules")


def refuse(player: Player, part: str, *, times: int | None = None) -> list[str]:
    """Refuse one part of the client, its script and its words; returns a log of it."""
    refused: list[str] = []

    def answer(route: Route) -> None:
        refused.append(route.request.url)
        route.abort()

    player.page.route(re.compile(rf"/static/(words/../)?{part}\."), answer, times=times)
    return refused


@pytest.mark.parametrize(
    "part", ["device-service-worker", "table-effects-animals", "table-panels-menu"]
)
def test_a_game_goes_on_without_what_it_can_do_without(
    sit: Callable[..., Player], part: str
) -> None:
    player = sit(locale="it")
    refused = refuse(player, part)
    player.go("/").find("[data-way=bot]").click()
    player.sees(live=True).play(turns=1)
    if not refused:
        player.page.wait_for_event("requestfailed", lambda request: request.url in refused)
    player.sees(live=True)
    # nobody has pressed what is missing, so there is nothing to say
    expect(player.find(".toast.bad")).to_have_count(0)


def test_a_button_whose_part_is_missing_says_so_and_works_at_the_next_try(
    sit: Callable[..., Player],
) -> None:
    player = sit(locale="it")
    refuse(player, "table-panels-menu")
    player.go("/").find("[data-way=hotseat]").click()
    menu = player.sees(live=True).find(f"[aria-label={translated('it', 'Menu')}]")
    menu.click()
    missing = "The server cannot be reached. Check the connection and try again."
    expect(player.find(".toast.bad")).to_have_text(translated("it", missing))
    player.page.unroute_all(behavior="wait")
    menu.click()
    expect(player.find("dialog")).to_be_visible()


def test_what_a_table_needs_is_asked_for_until_it_is_there(player: Player) -> None:
    refused = refuse(player, "table-panels-lobby", times=1)
    player.go("/").find("[data-way=online]").click()
    expect(player.find(".lobby")).to_be_visible()
    assert len(refused) == 1
