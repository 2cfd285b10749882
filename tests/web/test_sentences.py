"""Sentences that depend on a number, a count or a person: right in every case, in five languages.

The client's own modules are asked in a real browser, all of them on one page.
"""

import os
import re
import string
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from babel import Locale

from browser_player import Player
from cantstop.daily import day_text
from cantstop.language import LANGUAGES, Translator, round_of
from cantstop.rules import Choice, Phase
from cantstop.wire.insight import hint_view
from catalogues import template
from played_games import bust_chance, decisions
from web_messages import translated

REASONS = int(os.environ.get("REASONS", "150"))
"""Hints that are looked at: ``REASONS=2000`` looks at more."""
WEB = Path(__file__).parents[2] / "src/cantstop/web"

# Here the number is never one: all rolls of a map, and the times that a form offers.
ALWAYS_MANY = {
    "All {count} rolls in a table",
    "{seconds} seconds",
    # 15, 30 or 60
    "{seconds} seconds for a decision",
    # two to four; alone it says “Solo”
    "{count} players",
    # a limit of ours
    "Here is who shows their games, has met opponents of at least {opponents} other households, "
    "and whose interval is at most {points} points wide. Games within one household do not count "
    "here.",
}

SPEAKER = """
async () => {
  const load = (name) => import(`/static/${name}.js`);
  const names = ["words/i18n", "words/counts", "words/win-chances", "words/sentences",
    "insight/hint-text", "insight/review/words", "table/panels/clock", "pages/replay"];
  const modules = Object.fromEntries(await Promise.all(
    names.map(async (name) => [name, await load(name)])));
  const words = await load("words/i18n");
  for (const chunk of ["pages-review", "table-panels-clock", "insight-hints"])
    await words.addMessages(chunk).catch(() => {});
  return async ({ language, module, name, cases }) => {
    if (words.language() !== language) await words.chooseLanguage(language);
    return cases.map((given) => modules[module][name](...given));
  };
}
"""


@pytest.fixture(scope="module")
def speaker(browser: Any, server: Any) -> Iterator[Callable[..., list[str]]]:
    """Says what a function of the client says in a language, for each list of arguments."""
    player = Player.at(browser, server.url)
    player.go("/rules")
    handle = player.page.evaluate_handle(SPEAKER)
    messages = {
        language: {str(m.id): translated(language, str(m.id)) for m in template("web") if m.id}
        for language in LANGUAGES
        if language != "en"
    }
    # outside of their bundles modules do not bring their words: every language has all of them
    player.page.route(
        re.compile("/static/words/"),
        lambda route: route.fulfill(json=messages[route.request.url.split("/")[5]]),
    )

    def say(language: str, function: str, *cases: Any) -> list[str]:
        module, _, name = function.rpartition(".")
        given = [list(case) if isinstance(case, tuple) else [case] for case in cases]
        asked = {"language": language, "module": module, "name": name, "cases": given}
        return list(player.page.evaluate("([speak, asked]) => speak(asked)", [handle, asked]))

    yield say
    handle.dispose()
    player.close()


def is_one(language: str, value: float) -> bool:
    """Whether a number takes the singular, by the tables of the Unicode consortium."""
    return Locale(language).plural_form(value) == "one"


NOUNS = {
    "turns": {"en": ("turn", "turns"), "fr": ("tour", "tours"), "nl": ("beurt", "beurten"),
              "it": ("turno", "turni"), "de": ("Zug", "Züge")},
    "rolls": {"en": ("roll", "rolls"), "fr": ("lancer", "lancers"), "nl": ("worp", "worpen"),
              "it": ("lancio", "lanci"), "de": ("Wurf", "Würfe")},
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_nouns_are_singular_and_plural_as_unicode_has_it(
    speaker: Callable[..., list[str]], language: str
) -> None:
    for noun, forms in NOUNS.items():
        counts = [0, 1, 2, 5, 11, 21]
        said = speaker(language, f"words/counts.{noun}Text", *counts)
        for count, text in zip(counts, said, strict=True):
            assert text == f"{count} {forms[language][not is_one(language, count)]}"
    one, many = NOUNS["turns"][language]
    point = "." if language == "en" else ","
    said = speaker(language, "words/counts.turnsText", (0.04, 1), (1.04, 1), (1.5, 1), (6.7, 1))
    assert said == [
        f"0 {one if is_one(language, 0) else many}",
        f"1 {one}",
        f"1{point}5 {one if is_one(language, 1.5) else many}",
        f"6{point}7 {many}",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_change_has_one_sign_everywhere_and_plus_is_good(
    speaker: Callable[..., list[str]], language: str
) -> None:
    point = "." if language == "en" else ","
    cases = [(0.1234, False), (-0.1234, False), (0.0004, False), (-0.0004, False), (0, False)]
    assert speaker(language, "words/win-chances.changeText", *cases) == [
        *(f"+12{point}3", f"−12{point}3"), *[f"0{point}0"] * 3]  # fmt: skip
    alone = [(1.254, True), (-6.54, True), (-0.004, True)]
    assert speaker(language, "words/win-chances.changeText", *alone) == [
        f"+1{point}25",
        f"−6{point}54",
        f"0{point}00",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_figure_is_a_negative_nothing(speaker: Callable[..., list[str]], language: str) -> None:
    for function in ("percent", "number"):
        for text in speaker(language, f"words/i18n.{function}", (-0.0001, 1), (-0.0, 1), (0, 1)):
            assert not re.search("[-−]", text), text


def seat(name: str, bot: str | None = None) -> dict[str, Any]:
    return {"kind": "bot" if bot else "human", "name": name, "bot": bot}


@pytest.mark.parametrize("language", LANGUAGES)
def test_those_who_resigned_are_named_one_or_many(
    speaker: Callable[..., list[str]], language: str
) -> None:
    chick = "Chick" if language == "en" else translated(language, "Chick")
    both = [seat("Anne"), seat("Bob")]
    four = [*both, seat("Cleo"), seat("chick", "chick")]
    one, three = speaker(language, "words/sentences.resignedText", (both, 0), (four, 1))
    assert "Anne" in one
    assert "Bob" in one
    assert all(name in three for name in ("Anne", "Bob", "Cleo", chick))
    assert one.replace("Bob", "") != three.replace("Cleo", "")
    if language == "en":
        assert one == "Anne wins: Bob has resigned."
        assert three == "Bob wins: Anne, Cleo and Chick have resigned."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_counts_and_signs_as_the_daily_page_does(
    speaker: Callable[..., list[str]], language: str
) -> None:
    def review(mistakes: int, luck: float) -> dict[str, Any]:
        grades = {"mistake": mistakes, "blunder": 0, "inaccuracy": 0}
        return {"accuracy": 84, "grades": grades, "luck": luck}

    said = speaker(
        language,
        "insight/review/words.summaryText",
        *((review(count, luck), solo) for count in (0, 1, 2) for luck, solo in (
            (-0.31, False), (0.01, False), (1.26, True), (-0.94, True), (0.001, True))),
    )  # fmt: skip
    assert len(set(said)) == len(said)
    point = "." if language == "en" else ","
    for signed, text in zip(
        [*("−31", "+1", f"+1{point}3", f"−0{point}9", f"0{point}0")] * 3, said, strict=True
    ):
        assert f" {signed} " in text.replace("\N{NO-BREAK SPACE}", " ")
    if language == "en":
        assert said[5] == "Accuracy 84% · 1 mistake · luck: −31 points of win chance"
        assert said[6] == "Accuracy 84% · 1 mistake · luck: +1 point of win chance"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_says_both_ends_of_a_turn_and_nothing_of_a_bust_that_cannot_be(
    speaker: Callable[..., list[str]], language: str
) -> None:
    def hint(bust: float | None, steps: dict[str, int], whole: float) -> dict[str, Any]:
        options = [{"move": "roll", "win": 0.5}, {"move": "stop", "win": 0.4}]
        return {"options": options, "solo": False, "error": None, "phase": "choice",
                "next_bust": bust, "at_stake": steps, "bust": whole}  # fmt: skip

    safe, one, many = speaker(
        language,
        "insight/hint-text.hintText",
        hint(0, {"6": 3}, 0.65),
        hint(0.2, {"6": 1}, 0.65),
        hint(0.2, {"6": 3, "7": 2}, 0.65),
    )
    for text in (safe, one, many):
        assert "65" in text
        assert "35" in text
    assert "20" not in safe
    assert re.search(r"\b1 ", one)
    assert re.search(r"\b5 ", many)
    if language == "en":
        assert "1 step in 6" in one
        assert "5 steps in 6 and 7" in many


def test_every_hint_is_true_of_the_position_beside_it(speaker: Callable[..., list[str]]) -> None:
    """By the rules alone: every roll is tried, and the stake is counted on the board."""
    hints = [decision.position.hint() for decision in decisions(REASONS)]
    views = [msgspec.to_builtins(hint_view(hint)) for hint in hints]
    assert len(views) == REASONS
    for hint, text in zip(hints, speaker("en", "insight/hint-text.hintText", *views), strict=True):
        position = hint.position
        ends = re.findall(r"ends with a stop in ([\d.]+)% .* bust in ([\d.]+)%", text)
        assert len(ends) == any(Choice.ROLL in (one.action, one.then) for one in hint.options)
        for kept, bust in ends or [("100", "0")]:
            assert float(kept) + float(bust) == pytest.approx(100, abs=0.11)
            assert float(bust) == pytest.approx(100 * hint.bust, abs=0.0501)
        if position.phase is not Phase.CHOICE:
            assert "The next roll" not in text
            continue
        due = bust_chance(position)
        assert ("The next roll cannot be a bust." in text) == (due == 0)
        if not due:
            assert "at stake" not in text
            continue
        told = re.findall(
            r"bust in ([\d.]+)% of cases; at stake: (\d+) (steps?) in ([^.]+)\.", text
        )
        ((share, steps, noun, columns),) = told
        tokens = position.tokens.spaces[position.seat]
        stake = {at: to - tokens[at] for at, to in enumerate(position.runners) if to}
        assert float(share) == pytest.approx(100 * float(due), abs=0.0501)
        assert int(steps) == sum(stake.values())
        assert noun == ("step" if steps == "1" else "steps")
        assert sorted(map(int, re.findall(r"\d+", columns))) == sorted(stake)


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_moves_of_the_same_worth_are_called_as_good_as_each_other(
    speaker: Callable[..., list[str]], language: str
) -> None:
    def hint(second: float, solo: bool) -> dict[str, Any]:
        best = -6.0 if solo else 0.5
        options = [
            {"move": "6+8", "win": best, "then": "roll"},
            {"move": "7+7", "win": best - second, "then": "roll"},
        ]
        return {"options": options, "solo": solo, "error": None, "phase": "move",
                "next_bust": None, "at_stake": {}, "bust": 0.25}  # fmt: skip

    for solo, least in ((False, 0.001), (True, 0.01)):
        same, close, apart = speaker(
            language,
            "insight/hint-text.hintText",
            *((hint(lost * least, solo)) for lost in (0, 0.4, 1)),
        )
        assert same == close != apart
        assert "7 + 7" in same
        point = "." if language == "en" else ","
        shown = rf"\b0({re.escape(point)}0+)? "
        assert not re.search(shown, same), same
        assert re.search(rf"\b0{re.escape(point)}0?1", apart), apart


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_that_took_as_many_turns_as_best_play_took_neither_more_nor_fewer(
    speaker: Callable[..., list[str]], language: str
) -> None:
    def over(turn: int, par: float) -> dict[str, Any]:
        return {"par": par, "view": {"turn": turn}}

    fewer, equal, more = speaker(
        language, "words/sentences.againstPar", over(5, 6.7), over(7, 7.02), over(8, 6.7)
    )
    assert len({fewer, equal, more}) == 3
    assert "0" not in equal


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_have_one_form_in_browser_and_terminal(
    speaker: Callable[..., list[str]], language: str
) -> None:
    days = [date(2026, month, 15) for month in range(1, 13)]
    said = speaker(language, "words/i18n.dayText", *(day.isoformat() for day in days))
    assert said == [day_text(Translator(language), day) for day in days]
    with_time = speaker(language, "words/i18n.date", ("2026-11-15T12:05:00Z", "UTC"))
    assert with_time[0].startswith(said[10])
    assert "12:05" in with_time[0]


def test_every_message_with_a_count_is_chosen_by_it() -> None:
    """A figure with a noun stands in both forms, side by side in a call of ``plural``."""
    counted = re.compile(r"\{(count|turns|steps|seconds|days|rolls|points)\} (\w+)")
    source = "\n".join(path.read_text("utf-8") for path in sorted(WEB.rglob("*.js")))
    calls = re.findall(r"plural\((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*\)", source)
    chosen = {text for call in calls for text in re.findall(r't\(\s*"([^"]+)"', call)}
    loose = []
    for message in template("web"):
        text = str(message.id)
        found = counted.search(text)
        if found and text not in chosen | ALWAYS_MANY and found[2] not in NO_NOUNS:
            loose.append(text)
    assert loose == []


NO_NOUNS = {
    "of",
    "s",
    "put",
    "fewer",
    "more",
    "on",
    "average",
    "in",
    "were",
    "min",
    "h",
    "d",
    "without",
}
"""What may follow a figure that is a whole phrase already, or has no noun."""


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_skill_is_no_game(language: str) -> None:
    """Luck and skill are a pair: what the language calls a game or playing is another word."""
    game = {"fr": "jeu", "nl": "spel", "it": "gioco", "de": "Spiel"}[language]
    assert translated(language, "Skill").lower() != game.lower()
    for message in template("web"):
        if "skill {skill}" in str(message.id):
            assert not re.search(rf"\b{game} \{{skill\}}", translated(language, str(message.id)))


# What the languages call one turn of everybody, and one seat's (docs/translating.md).
ROUND = {"en": "Round", "fr": "Manche", "nl": "Ronde", "it": "Giro", "de": "Runde"}
TURN = {"en": "turn", "fr": "tour", "nl": "beurt", "it": "turno", "de": "Zug"}
OF_ONE_SEAT = {
    # who goes first or last decides what their number may be
    "The salt of seat {seat} counts from turn {turn} on, which is not a turn of that seat.",
    # where the text of a record is wrong
    "Here the turn “{turn}” should begin.",
}


def test_a_round_is_one_turn_of_everybody_in_browser_and_library(
    speaker: Callable[..., list[str]],
) -> None:
    cases = [(turn, seats) for seats in range(1, 5) for turn in range(1, 14)]
    found = speaker("en", "words/counts.roundOf", *cases)
    counted = [1 + (turn - 1) // seats for turn, seats in cases]
    assert [int(each) for each in found] == counted
    assert [round_of(*case) for case in cases] == counted


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_far_a_game_is_is_said_in_rounds_everywhere(language: str) -> None:
    """A seat has turns; a place in the game that is numbered is a round, on every screen."""
    for catalogue in ("web", "cantstop"):
        for source in (one.id for one in template(catalogue) if isinstance(one.id, str) and one.id):
            if re.search(r"\bturn \{|\{turn\}", source, re.IGNORECASE):
                assert source in OF_ONE_SEAT
            shown = source if language == "en" else translated(language, source, catalogue)
            if "{round}" in source:
                assert ROUND[language].lower() in shown.lower(), source
                near = rf"\b{TURN[language]}\b.{{0,3}}\{{round\}}"
                assert not re.search(near, shown, re.IGNORECASE), source


@pytest.mark.parametrize("language", LANGUAGES)
def test_alone_there_is_nobody_else_at_the_table(sit: Callable[..., Player], language: str) -> None:
    everybody = "Everybody at the table sees the risk of the next roll."
    alone = "You see the risk of the next roll."
    player = sit(locale=language)
    for way, due in (("solo", alone), ("hotseat", everybody), ("bot", everybody)):
        player.go(f"/new?way={way}").find("[data-field=help]").wait_for()
        said = player.find("main").text_content() or ""
        for text in (alone, everybody):
            shown = text if language == "en" else translated(language, text)
            assert (shown in said) is (text == due), (way, text)
