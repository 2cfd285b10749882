"""Pages and panels that are loaded on demand: with their styles and words, and when that fails."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser_player import Player
from web_messages import translated

RULES = re.compile(r"/static/pages-rules\.js")


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
    loaded = [url.partition("/static/")[2].partition("?")[0] for url in asked if "rules" in url]
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
    player.page.route(re.compile(r"/static/style/rules\.css"), lambda route: route.abort())
    player.go("/rules")
    expect(player.find("h1")).to_have_text("Rules")
