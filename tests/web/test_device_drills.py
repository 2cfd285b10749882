"""Drills on the device: questions, verdicts, reasons and ratings are those of the library."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser_player import NO_WORKERS, Player
from cantstop.drills import (
    Drill,
    Progress,
    Rating,
    Topic,
    nearest,
    next_drill,
    package_drills,
    progress_data,
)
from cantstop.drills.text import reasons, verdict_text
from cantstop.language import LANGUAGES, Translator
from cantstop.wire.drills import drill_view, ranked_options
from web import test_drills
from web_modules import modules_in
from wire_json import as_json

SCRIPT = """
const at = (file) => import(`./${file}`);
const [files, drills, texts, i18n] = await Promise.all(
  ["engine/files.js", "engine/drills.js", "words/drill-text.js", "words/i18n.js"].map(at),
);
files.useFiles("/engine/files.json");
globalThis.next = ([progress, topic, players]) => drills.nextDrill(progress, topic, players);
globalThis.answered = async ([id, answer, progress, languages]) => {
  const found = await drills.answerDrill(id, answer, progress);
  const told = {};
  for (const language of languages) {
    await i18n.chooseLanguage(language);
    told[language] = texts.toldDrill(found);
  }
  return told;
};
"""
BLANK = re.compile(r"\s")
EVERY = 67
"""One in 67 drills is compared: all topics are among them."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page with the client's modules."""
    page = browser.new_page()
    with modules_in(page, SCRIPT):
        yield page
    page.close()


def plain(text: str) -> str:
    return BLANK.sub(" ", text)


def compared(page: Page, drill: Drill, progress: Progress, *, right: bool) -> Progress:
    """Answer a drill both ways; the progress after it."""
    best = drill.best.answer
    wrong = next(option.answer for option in drill.options if option.answer != best)
    given = best if right else wrong
    after = progress.after(drill, is_right=right)
    asked = [drill.id, str(given), as_json(progress_data(progress)), [*LANGUAGES]]
    for language, told in page.evaluate("(asked) => answered(asked)", asked).items():
        words = Translator(language)
        assert told["right"] is right
        assert plain(told["verdict"]) == plain(verdict_text(words, drill, given))
        assert [*map(plain, told["reasons"])] == [*map(plain, reasons(words, drill))]
        assert told["options"] == [as_json(option) for option in ranked_options(drill)]
        assert told["progress"] == as_json(progress_data(after))
    return after


def test_answers_are_judged_explained_and_rated_alike(page: Page) -> None:
    sample = package_drills()[::EVERY]
    assert {drill.topic for drill in sample} == {*Topic}
    progress = Progress()
    for number, drill in enumerate(sample):
        progress = compared(page, drill, progress, right=number % 3 > 0)
    assert progress.answered == len(sample)


def test_a_drill_that_was_seen_changes_no_rating(page: Page) -> None:
    drill = package_drills()[0]
    once = compared(page, drill, Progress(), right=True)
    assert compared(page, drill, once, right=False).rating == once.rating


@pytest.mark.parametrize("rating", [400.0, 1500.0, 1800.5, 4000.0])
def test_the_next_one_is_new_and_near_the_rating(page: Page, rating: float) -> None:
    drills = [drill for drill in package_drills() if drill.topic is Topic.END]
    seen = tuple(drill.id for drill in drills[::2])
    progress = Progress(Rating(rating, 80.0), len(seen), 0, 0, 0, seen)
    fresh = [drill for drill in drills if drill.id not in seen]
    due = {drill.id: as_json(drill_view(drill)) for drill in nearest(fresh, rating)}
    for _ in range(5):
        asked = [as_json(progress_data(progress)), "end", None]
        found = page.evaluate("(asked) => next(asked)", asked)
        assert found == due[found["id"]]


def test_when_all_were_seen_the_oldest_comes_again(page: Page) -> None:
    wanted = [drill for drill in package_drills() if drill.topic is Topic.VARIANT]
    seen = tuple(drill.id for drill in reversed(wanted))
    progress = Progress(Rating(), len(seen), 0, 0, 0, seen)
    found = page.evaluate(
        "(asked) => next(asked)", [as_json(progress_data(progress)), "variant", None]
    )
    due = next_drill(package_drills(), progress, None, lambda drill: drill in wanted)  # type: ignore[arg-type]
    assert due is not None
    assert found["id"] == due.id == seen[0]


def requests_for_a_drill(player: Player) -> int:
    """Answer one; how often the server was asked."""
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url))
    player.go("/drill")
    test_drills.give(player, test_drills.shown(player), right=True)
    expect(player.find("[data-figure=right]")).to_contain_text("1 of 1")
    return len([url for url in asked if "/api/drills/" in url])


def test_the_server_is_spared_drills_unless_the_device_cannot(
    sit: Callable[..., Player],
) -> None:
    able, unable = sit(), sit()
    unable.page.add_init_script(NO_WORKERS)
    assert requests_for_a_drill(able) == 0
    assert requests_for_a_drill(unable) == 2


def test_the_drills_are_loaded_when_they_are_first_wanted(player: Player) -> None:
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url))
    player.go("/").find("[data-way=bot]").click()
    player.sees(live=True).find(".roll").click()
    player.sees(rolls=1)
    assert [url for url in asked if "drills" in url] == []
