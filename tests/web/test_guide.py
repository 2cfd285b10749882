"""The strategy guide and its card in a browser, in every language, and on paper."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser_player import PHONE, Player
from cantstop.language import LANGUAGES, Translator
from cantstop.language.guide import GUIDE, Board, guide_json
from web.axe import severe_problems

WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
BOARDS = sum(isinstance(block, Board) for section in GUIDE for block in section.blocks)


def test_the_guide_is_read_in_every_language(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE).go("/guide")
    for language in LANGUAGES:
        guide = json.loads(guide_json(Translator(language)))
        player.find("select.language").select_option(language)
        expect(player.find("h1")).to_have_text(guide["title"])
        expect(player.find(".guide-section > h2")).to_have_text(
            [section["title"] for section in guide["sections"]]
        )
        expect(player.find(".rule-card h3")).to_have_text(guide["card"]["title"])
        for part, shown in zip(guide["card"]["parts"], range(3), strict=True):
            expect(player.find(".rule-card h4").nth(shown)).to_have_text(part["title"])
        expect(player.find(".guide-board svg.board")).to_have_count(BOARDS)
        expect(player.find("main pre, main code")).to_have_count(0)
        assert not re.search(r"python -m|cantstop \w+ -", player.find("main").inner_text())
        expect(player.find("main", has_text="**")).to_have_count(0)
        assert player.page.evaluate(WIDER) <= 0, language


def test_the_way_to_the_guide_and_about_in_it(player: Player) -> None:
    player.go("/rules").find("main a", has_text="Strategy guide").click()
    expect(player.find(".page-guide h1")).to_have_text("Strategy guide")
    player.find(".guide-contents a", has_text="The race").click()
    expect(player.find("#race > h2")).to_be_focused()
    expect(player.find("#race > h2")).to_be_in_viewport()
    player.find("a", has_text="The card, to print").click()
    expect(player.find(".page-guide-card h1")).to_have_text("Can’t Stop without counting")
    expect(player.find("button", has_text="Print")).to_be_visible()
    assert severe_problems(player) == []


def test_the_card_is_one_page_of_paper_black_on_white(sit: Callable[..., Player]) -> None:
    player = sit(color_scheme="dark").go("/guide/card")
    for language in LANGUAGES:
        title = json.loads(guide_json(Translator(language)))["card"]["title"]
        player.find("select.language").select_option(language)
        expect(player.find(".rule-card h1")).to_have_text(title)
        for size in ("A4", "Letter"):
            paper = player.page.pdf(format=size, prefer_css_page_size=False)
            assert len(re.findall(rb"/Type\s*/Page\b(?!s)", paper)) == 1, (language, size)
    player.page.emulate_media(media="print")
    expect(player.find(".top-bar")).to_be_hidden()
    expect(player.find("button", has_text="Drucken")).to_be_hidden()
    expect(player.find(".rule-card")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(player.find(".rule-card li").first).to_have_css("color", "rgb(0, 0, 0)")
    expect(player.find(".rule-card")).to_be_visible()
