"""Five languages, switched without a reload, and not one sentence that stays English."""

import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import NO_WORKERS, PHONE, Player
from cantstop.language import LANGUAGES
from catalogues import template
from web_messages import catalogue, translated

GOLDEN = Path(__file__).parents[1] / "golden"
TRANSLATED = [language for language in LANGUAGES if language != "en"]

# Names are the same in every language.
NAMES = {
    "Can’t Stop",
    "Classic (1981)",
    "Ravensburger (2007)",
    "Ravensburger",
    "Ravensburger, Asmodee",
    "Asmodee",
    "Tab",
    "ABCD-2345",  # what a code for a second device looks like
    *LANGUAGES.values(),
}

# Every text on the page that a person can read or hear, except for data: dates, and the
# names of those who have played today's game.
TEXTS = """
() => {
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node instanceof Text) {
      const foreign = "code, noscript, script, time, .daily-results-table tbody th";
      if (!node.parentElement.closest(foreign)) texts.push(node.data);
    } else {
      for (const name of ["aria-label", "title", "placeholder"]) {
        if (node.hasAttribute(name) && !node.matches("code, textarea")) texts.push(node.getAttribute(name));
      }
    }
  }
  return [...texts, document.title];
}
"""  # noqa: E501


def fields(text: str) -> list[Any]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_of_the_client_is_translated_with_its_fields(language: str) -> None:
    wanted = {message.id for message in template("web") if message.id}
    found = {message.id: message for message in catalogue(language) if message.id}
    assert set(found) == wanted
    for source, message in found.items():
        assert message.string, source
        assert not message.fuzzy, source
        assert fields(str(message.string)) == fields(str(source)), source


def in_brackets(route: Any) -> None:
    """A language of our own: every message in brackets, so that what is missing stands out."""
    messages = {message.id: f"⟦{message.id}⟧" for message in template("web") if message.id}
    route.fulfill(json=messages)


def english_left(player: Any) -> list[Any]:
    left = []
    for text in player.page.evaluate(TEXTS):
        rest = text
        while "⟦" in rest and "⟧" in rest:  # messages may hold others: the inner ones go first
            inner, _, after = rest.partition("⟧")
            before = inner[: inner.rindex("⟦")]
            rest = before + after
        rest = re.sub(r"\b[0-9a-f]{64}\b", "", rest)  # what the dice are committed to
        rest = rest.replace(" · Can’t Stop", "").strip()
        if rest not in NAMES and re.search(r"[^\W\d_]{2}", rest):
            left.append(text)
    return left


@pytest.fixture
def bracketed(sit: Callable[..., Player]) -> Any:
    # a service worker's own requests are not the page's: they would come without brackets
    player = sit(locale="fr", viewport=PHONE, service_workers="block")
    player.page.route(re.compile("/static/words/fr/"), in_brackets)
    return player


PAGES = [
    "/",
    "/new?way=hotseat",
    "/rules?edition=ravensburger",
    "/learn",
    "/games",
    "/me",
    "/verify",
    "/daily",
    "/review",
    "/analysis?position=v1,players=2+7:4/6:9,8:3+1+2:1,3:2,12:1+-",
    "/odds?runners=6,7&won=2",
    "/drill",
]


def test_no_page_has_an_english_sentence_of_its_own(bracketed: Any) -> None:
    for path in PAGES:
        expect(bracketed.go(path).find("[aria-busy]")).to_have_count(0)
        assert english_left(bracketed) == [], path


def test_no_moment_of_a_game_has_an_english_sentence_of_its_own(bracketed: Any) -> None:
    player = bracketed
    player.go("/learn").find("[data-lesson=basics]").click()
    player.sees(live=True)
    assert english_left(player) == []
    player.find(".roll").click()
    player.sees(phase="move", live=True)
    assert english_left(player) == []
    player.find("[aria-label*=Menu]").click()
    player.find(".menu-tools").wait_for()
    assert english_left(player) == []
    player.find("dialog button", has_text="Keys").click()
    player.find(".keys").wait_for()
    assert english_left(player) == []
    player.page.keyboard.press("Escape")
    player.play()
    player.find(".afterwards").wait_for()
    assert english_left(player) == []
    player.find(".tile", has_text="Statistics").click()
    player.find(".bars").first.wait_for()
    assert english_left(player) == []
    player.page.keyboard.press("Escape")
    player.find(".tile", has_text="Replay").click()
    player.find(".slider").wait_for()
    assert english_left(player) == []
    player.go("/t/unknown")
    assert english_left(player) == []


def test_a_review_that_the_device_works_out_is_in_its_language(
    bracketed: Any, tmp_path: Path
) -> None:
    player, path = bracketed, tmp_path / "game.cantstop"
    text = (GOLDEN / "classic-two.cantstop").read_text("utf-8")
    path.write_text(text.replace('"Ada"', '"1"').replace('"Zoë"', '"2"'), "utf-8")
    player.open_review(path)
    player.find(".look").first.click()
    assert english_left(player) == []


def test_no_part_of_a_review_has_an_english_sentence_of_its_own(bracketed: Any) -> None:
    def without_the_servers_words(route: Any) -> None:
        answer = route.fetch().json()
        answer["names"] = ["1", "2"]
        answer["headline"], answer["verdict"] = "3", "4"
        for told in answer["story"]:
            for moment in told:
                moment["text"] = "5"
        for decision in answer["decisions"]:
            decision["why"] = None
        route.fulfill(json=answer)

    player = bracketed
    player.page.add_init_script(NO_WORKERS)  # so that a server reviews it
    player.page.route("**/api/review", without_the_servers_words)
    player.open_review(GOLDEN / "classic-two.cantstop")
    expect(player.find(".told-words span")).to_have_text(["5"] * 3)
    player.find(".look").first.click()
    assert english_left(player) == []
    player.find(".retry-link").first.click()
    player.find(".retry").wait_for()
    assert english_left(player) == []
    while not player.find(".retry-list").count():
        player.find(".retry .move:visible, .retry .stop:visible").first.click()
        player.find(".retry-next").wait_for()
        assert english_left(player) == []
        player.find(".retry-next").click()
    assert english_left(player) == []


def test_the_lobby_has_no_english_sentence_of_its_own(bracketed: Any) -> None:
    bracketed.go("/").find("[data-way=online]").click()
    bracketed.find(".lobby").wait_for()
    assert english_left(bracketed) == []


def test_the_language_is_switched_in_the_middle_of_a_game_and_remembered(player: Player) -> None:
    player.go("/").find("[data-way=hotseat]").click()
    player.sees(live=True).find(".roll").click()
    player.sees(phase="move", live=True)
    player.page.evaluate("() => { window.sameDocument = true; }")
    for language in [*TRANSLATED, "en", "de"]:
        player.find(".icon-menu").click()
        player.find("dialog .language").select_option(language)
        expect(player.find("html")).to_have_attribute("lang", language)
        player.page.keyboard.press("Escape")
        expect(player.find("dialog")).to_have_count(0)
        player.sees(phase="move", live=True)
    assert player.page.evaluate("() => window.sameDocument")
    expect(player.find(".stop .label")).to_have_text("Stopp")
    player.page.reload()
    player.sees(phase="move", live=True)
    expect(player.find(".stop .label")).to_have_text("Stopp")


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_browsers_language_is_the_first_choice_on_pages_that_are_missing_too(
    sit: Callable[..., Player], language: str
) -> None:
    player = sit(locale=language)
    for path, place, text in (
        ("/", "[data-way=bot] strong", "Play"),
        ("/t/unknown", "h1", "There is no such table"),
        ("/t/unknown?n=4", "h1", "There is no such table"),
        ("/a/b/c", "h1", "There is nothing here"),
    ):
        expect(player.go(path).find(place)).to_have_text(translated(language, text))


def test_what_the_server_refuses_is_said_in_the_players_language(
    sit: Callable[..., Player],
) -> None:
    host, guest = sit(), sit(locale="de")
    host.go("/").find("[data-way=online]").click()
    host.sees(stage="open")
    guest.go(f"/t/{host.table_id}")
    # Written and sent in one step: the form is drawn again while the host sits down,
    # and the field's limit with it.
    guest.find(".join").evaluate(
        "(form) => { form.querySelector('.name-field').value = 'x'.repeat(99);"
        " form.querySelector('button').click(); }"
    )
    expect(guest.find(".join .problem")).to_contain_text("24")
    expect(guest.find(".join .problem")).not_to_contain_text("printable characters")
