"""Drills in the browser: answered, explained, rated and taken along as the library says."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import NO_WORKERS, PHONE, Player
from cantstop.drills import (
    Drill,
    Progress,
    Topic,
    next_drill,
    package_drills,
    parse_progress,
    progress_json,
    read_progress,
)
from cantstop.drills.text import reasons, verdict_text
from cantstop.language import LANGUAGES, Translator
from web.axe import severe_problems
from web.test_phone import OVERFLOW

DRILLS = {drill.id: drill for drill in package_drills()}
KEPT = "() => localStorage.getItem('cantstop.drills')"
SEEN = "text => localStorage.setItem('cantstop.drills', text)"

OVERLAPS = """
() => {
  const parts = ["h1", ".drill-progress", ".drill-choice", ".drill-ask", ".drill .stage",
                 ".drill .question:not([hidden])", ".drill-verdict", ".take-along"]
    .flatMap((selector) => [...document.querySelectorAll(selector)]);
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const found = [];
  boxes.forEach((one, i) => boxes.slice(i + 1).forEach((two, j) => {
    const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    if (wide > 1 && high > 1) found.push([parts[i].className, parts[i + 1 + j].className]);
  }));
  return found;
}
"""
OUTSIDE = """
() => [...document.querySelectorAll("main *")].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  return width > 0 && !each.closest("svg, .sr-only") && (left < -1 || right > innerWidth + 1);
}).map((each) => each.outerHTML.slice(0, 120))
"""


TOO_SMALL = """
() => [...document.querySelectorAll("main :is(button, select)")].filter((each) => {
  const { height } = each.getBoundingClientRect();
  return height > 0 && height < 40;
}).map((each) => each.outerHTML.slice(0, 120))
"""
TITLES = {"en": "Drills", "fr": "Exercices", "nl": "Oefeningen", "it": "Esercizi", "de": "Übungen"}


def name_of(answer: Any) -> str:
    return str(answer)


def shown(player: Player) -> Drill:
    """The drill on the page, once it can be answered; who asks for another one makes it busy."""
    expect(player.find(".drill[data-drill]:not([aria-busy])")).to_be_visible()
    expect(player.find(".drill .question")).to_be_visible()
    name = player.find(".drill").get_attribute("data-drill")
    assert name is not None
    return DRILLS[name]


def button(answer: str) -> str:
    return f".question .{answer}" if answer.isalpha() else f".question [data-move='{answer}']"


def give(player: Player, drill: Drill, *, right: bool) -> str:
    """Click an answer, and wait for what is said of it."""
    names = [name_of(option.answer) for option in drill.options]
    best = name_of(drill.best.answer)
    answer = best if right else next(name for name in names if name != best)
    player.find(button(answer)).click()
    expect(player.find(f".drill-verdict [data-right={str(right).lower()}]")).to_be_visible()
    return answer


def kept(player: Player) -> Progress:
    return parse_progress(player.page.evaluate(KEPT), "kept")


def test_a_browser_rounds_as_the_library_does(player: Player) -> None:
    """What drills lose is a difference of rounded numbers: half is not rare."""
    values = [best / 1000 - other / 1000 for best in range(300, 340) for other in range(0, 300, 7)]
    rounded = player.go("/rules").page.evaluate(
        """(values) => {
          const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
          return values.map((value) => value.toLocaleString("en", digits));
        }""",
        values,
    )
    assert rounded == [Translator().decimal(value, 2) for value in values]


def test_right_and_wrong_answers_are_explained_and_rated_as_the_library_does(
    player: Player,
) -> None:
    player.go("/").find(".more-link[href$='/drill']").click()
    expect(player.find(".drill-progress")).to_contain_text("first answer")
    expected = Progress()
    drill = shown(player)
    for right in (True, True, False, True):
        before = expected.rating.rating
        answer = give(player, drill, right=right)
        expected = expected.after(drill, is_right=right)
        found = kept(player)
        assert found.rating.rating == pytest.approx(expected.rating.rating, abs=1e-9)
        assert found == expected
        given = next(one.answer for one in drill.options if name_of(one.answer) == answer)
        expect(player.find(".grade-line strong")).to_have_text(
            verdict_text(Translator(), drill, given)
        )
        expect(player.find(".reasons li")).to_have_text(list(reasons(Translator(), drill)))
        expect(player.find(".option")).to_have_count(len(drill.options))
        expect(player.find(".option.best")).to_have_attribute(
            "data-action", name_of(drill.best.answer)
        )
        expect(player.find(".option.chosen")).to_have_attribute("data-action", answer)
        rating = expected.rating
        expect(player.find("[data-figure=rating]")).to_contain_text(
            f"{round(rating.rating):,} ± {round(rating.deviation)}"
        )
        expect(player.find("[data-figure=streak] strong")).to_have_text(str(expected.streak))
        expect(player.find("[data-figure=right]")).to_contain_text(
            f"{expected.right} of {expected.answered}"
        )
        if expected.answered > 1:
            change = round(rating.rating) - round(before)
            sign = f"+{change}" if change >= 0 else f"−{-change}"
            expect(player.find(".grade-line .hint")).to_contain_text(f"({sign})")
        expect(player.find(".drill-next")).to_be_focused()
        expect(player.find("#live")).to_contain_text(next(reasons(Translator(), drill)))
        player.find(".drill-next").click()
        drill = shown(player)
    expect(player.find("[data-figure=streak]")).to_contain_text("best: 2")
    # a look elsewhere, and another language, leave the same drill, answered or not
    player.go("/drill")
    shown(player)


def test_another_language_says_the_same_of_the_same_drill_and_counts_nothing_twice(
    player: Player,
) -> None:
    player.go("/drill")
    drill = shown(player)
    player.find(".language").select_option("de")
    expect(player.find("h1")).to_have_text("Übungen")
    assert shown(player) == drill
    give(player, drill, right=True)
    expect(player.find(".reasons li")).to_have_text(list(reasons(Translator("de"), drill)))
    after = kept(player)
    player.find(".language").select_option("it")
    expect(player.find(".reasons li")).to_have_text(list(reasons(Translator("it"), drill)))
    assert kept(player) == after == Progress().after(drill, is_right=True)


def test_themes_players_and_what_there_is_none_of(player: Player) -> None:
    player.go("/drill")
    shown(player)
    for topic in Topic:
        player.find("[data-field=topic]").select_option(topic.value)
        assert shown(player).topic is topic
    expect(player.find(".drill-rules")).to_be_visible()  # the last are variants
    player.find("[data-field=players]").select_option("1")
    expect(player.find(".drill .problem")).to_have_text("There is no such drill.")
    player.find("[data-field=topic]").select_option("end")
    alone = shown(player)
    assert (alone.topic, alone.is_solo) == (Topic.END, True)
    player.page.reload()  # what was chosen is remembered
    assert shown(player).is_solo


def test_keys_alone_are_enough(player: Player) -> None:
    player.go("/drill")
    drill, keys = shown(player), player.page.keyboard
    for _ in range(4):
        names = [name_of(option.answer) for option in drill.options]
        moves = player.find(".question .move").evaluate_all("all => all.map(m => m.dataset.move)")
        best = name_of(drill.best.answer)
        assert sorted(moves) == (sorted(names) if moves else [])
        keys.press(best[0] if best.isalpha() else str(moves.index(best) + 1))
        expect(player.find(".drill-verdict [data-right=true]")).to_be_visible()
        expect(player.find(".drill-next")).to_be_focused()
        keys.press("Enter" if len(names) == 2 else "n")
        drill = shown(player)
        expect(player.find(".drill-title")).to_be_focused()
    assert kept(player).streak == 4


def test_progress_goes_to_a_file_and_to_another_device_and_to_the_terminal(
    sit: Callable[..., Player], tmp_path: Path
) -> None:
    one, two = sit(), sit()
    one.go("/drill")
    give(one, shown(one), right=True)
    one.find(".take-along summary").click()
    with one.page.expect_download() as download:
        one.find(".progress-save").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert read_progress(file) == kept(one)  # as `cantstop drill --import` reads it
    two.go("/drill")
    give(two, shown(two), right=False)
    own = kept(two)
    two.find(".take-along summary").click()
    two.find(".progress-file input").set_input_files(file)
    expect(two.find(".take-along .told")).to_contain_text(file.name)
    assert kept(two) == kept(one)
    expect(two.find("[data-figure=right]")).to_contain_text("1 of 1")
    two.find(".progress-back").click()  # nothing was lost
    expect(two.find("[data-figure=right]")).to_contain_text("0 of 1")
    assert kept(two) == own
    # and a file that the terminal has written
    progress, chance = Progress(), random.Random(1)
    for _ in range(30):
        drill = next_drill(package_drills(), progress, chance)
        assert drill is not None
        progress = progress.after(drill, is_right=True)
    file.write_text(progress_json(progress), "utf-8")
    two.find(".progress-file input").set_input_files(file)
    expect(two.find("[data-figure=right]")).to_contain_text("30 of 30")
    assert kept(two) == progress


FOREIGN = {
    b'{"rating": 1500}': "is not a file of drill progress.",
    b"\x89PNG\r\n": "is not a file of drill progress.",
    progress_json(Progress()).replace('"version": 1', '"version": 9').encode(): (
        "has version 9 of its format; this program reads version 1."
    ),
    progress_json(Progress()).replace('"right": 0', '"right": 1').encode(): (
        "is a damaged file of drill progress."
    ),
    b" " * 300_000: "is too large for a file of drill progress.",
}


def test_files_of_other_programs_get_a_sentence_and_nothing_is_lost(
    player: Player, tmp_path: Path
) -> None:
    player.go("/drill")
    give(player, shown(player), right=True)
    before = kept(player)
    player.find(".take-along summary").click()
    for number, (content, sentence) in enumerate(FOREIGN.items()):
        theirs = tmp_path / f"theirs-{number}.json"
        theirs.write_bytes(content)
        player.find(".progress-file input").set_input_files(theirs)
        expect(player.find(".take-along .problem")).to_have_text(f"{theirs.name} {sentence}")
        assert kept(player) == before
    expect(player.find(".drill-verdict")).to_be_visible()
    expect(player.find(".progress-back")).to_be_hidden()


def test_damaged_progress_on_the_device_and_a_server_that_is_gone_have_a_way_on(
    player: Player,
) -> None:
    player.page.add_init_script(NO_WORKERS)
    player.go("/drill")
    shown(player)
    player.page.evaluate(SEEN, '{"rating":"much"}')
    player.page.reload()
    expect(player.find(".drill .problem")).to_have_text("progress is not a file of drill progress.")
    player.find(".drill button").click()
    drill = shown(player)
    aside = player.page.evaluate("() => localStorage.getItem('cantstop.drills-before')")
    assert aside == '{"rating":"much"}'  # put aside, not lost
    player.page.route("**/api/drills/answer", lambda route: route.abort())
    player.find(button(name_of(drill.best.answer))).click()
    expect(player.find(".drill .problem")).to_contain_text("cannot be reached")
    player.page.unroute("**/api/drills/answer")
    player.find(".drill button").click()
    expect(player.find(".drill-verdict [data-right=true]")).to_be_visible()
    assert kept(player) == Progress().after(drill, is_right=True)


def test_it_has_no_serious_problem(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE)
    player.go("/drill").find("[data-field=topic]").select_option("variant")
    drill = shown(player)
    player.find(".take-along summary").click()
    assert severe_problems(player) == [], "question"
    give(player, drill, right=False)
    assert severe_problems(player) == [], "answer"


def test_it_fits_on_a_screen_of_320_in_every_language(sit: Callable[..., Player]) -> None:
    player = sit(viewport={"width": 320, "height": 568})
    player.go("/drill").find(".take-along summary").click()
    shown(player)
    for language in LANGUAGES:
        player.find(".language").select_option(language)
        expect(player.find("h1")).to_have_text(TITLES[language])
        for topic in ("variant", "move"):
            player.find("[data-field=topic]").select_option(topic)
            drill = shown(player)
            check_geometry(player, f"{language} {topic} {drill.id}")
            give(player, drill, right=False)
            check_geometry(player, f"{language} {topic} {drill.id} answered")


def check_geometry(player: Player, where: str) -> None:
    assert player.page.evaluate(OVERFLOW) <= 0, where
    assert player.page.evaluate(OUTSIDE) == [], where
    assert player.page.evaluate(OVERLAPS) == [], where
    assert player.page.evaluate(TOO_SMALL) == [], where


def test_until_the_first_mistake_counts_and_keeps_the_best(player: Player) -> None:
    player.go("/drill")
    shown(player)
    player.find("[data-run=streak]").click()
    for count in (1, 2):
        drill = shown(player)
        player.find(button(name_of(drill.best.answer))).click()
        words = "1 right answer" if count == 1 else "2 right answers"
        expect(player.find(".run-score")).to_have_text(words)
        player.wait_for(
            "(id) => document.querySelector('.drill[data-drill]').dataset.drill !== id", drill.id
        )
    drill = shown(player)
    wrong = next(one for one in drill.options if one.answer != drill.best.answer)
    player.find(button(name_of(wrong.answer))).click()
    expect(player.find(".run-summary h2")).to_have_text("2 right answers")
    expect(player.find(".run-summary")).to_contain_text("Your best so far!")
    assert severe_problems(player) == []
    player.find(".run-again").click()
    shown(player)
    player.find(".run-end").click()
    expect(player.find(".run-summary")).to_contain_text("Your best: 2")
    expect(player.find("[data-run=streak]")).to_contain_text("best: 2")


def test_three_minutes_end_when_they_are_over(player: Player) -> None:
    player.page.clock.install()
    player.go("/drill")
    shown(player)
    player.find("[data-run=timed]").click()
    drill = shown(player)
    player.find(button(name_of(drill.best.answer))).click()
    expect(player.find(".run-score")).to_have_text("1 right answer")
    shown(player)
    player.page.clock.run_for(185_000)
    expect(player.find(".run-summary h2")).to_have_text("1 right answer")


def test_one_that_was_missed_comes_back_until_it_is_right(player: Player) -> None:
    player.go("/drill")
    first = shown(player)
    give(player, first, right=False)
    seen: list[str] = []
    for _ in range(4):
        player.find(".drill-next").click()
        drill = shown(player)
        seen.append(drill.id)
        give(player, drill, right=True)
    assert seen.index(first.id) == 2  # the page's own first drill was the one before
    player.find(".drill-next").click()
    assert player.page.evaluate("JSON.parse(localStorage['cantstop.drills-missed'])") == []
