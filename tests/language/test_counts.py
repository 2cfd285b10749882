"""Sentences with a figure: the form of the noun follows it, for 0, 1 and many, in all languages."""

import re
import string
from typing import Any

import pytest
from babel import Locale

import catalogues
from cantstop.language import LANGUAGES, Translator
from cantstop.language.figures import points_text, signed, turns_text

COUNTS = (0, 1, 2, 3, 5, 11, 21, 100, 101)

NOUNS = (
    "actions|answers|bots|bytes|columns|days|decisions|dice|drills|events|games|mistakes|names|"
    "pairs|players|points|positions|records|rolls|rounds|rows|runners|salts|seats|seconds|sides|"
    "spaces|states|steps|tables|threads|times|tokens|turns"
)

ALWAYS_MANY = {
    # limits of ours, and what is said only of more than those
    "it wrote a line of more than {most} bytes.",
    "A text cannot have more than {most} records.",
    "A record cannot have more than {most} events.",
    "A request can have {most} bytes at most.",
    "A message can have {most} bytes at most.",
    "This table has had {most} events: open another one.",
    "You have reacted {most} times at this table.",
    "You have asked {most} times at this table.",
    "There is no daily game of {day} here: only those of the last {days} days.",
    "A secret has {due} bytes, not {count}.",
    "With CUDA only boards for dice with at most {sides} sides and columns of at most {longest} "
    "spaces can be solved.",
    "Can't Stop is for 1 to {most} players, not {players}.",
    "{count} bots make too many matches: at most {most} can be played.",
    "A turn on this board is too large to be solved: it has {states} states in {sets} sets of "
    "columns.",
    "There are {count} records here: say which one with --game, from 1.",
    "There are {count} runners, but a turn has {runners}.",
    "Seat {seat} cannot have won {count} columns: the game ends at {win}.",
    "The rules are for {players} players, but the number of bots is {count}.",
    "Dice with {sides} sides do not fit this board: it takes {due}.",
    "{dice} is not a roll: it takes {count} dice from 1 to {sides}.",
    "{count} dice cannot be thrown as roll {number}: both are whole numbers.",
    "The next roll can be used: {usable} of {total} rolls, {percent}",
    "{rows} rows so far",
    "{anchors} positions at the start of a turn, {boards} with those that end the game",
    # never one, since one is what can be had
    "{games} games cannot be played: 1 to {most} are possible.",
    "{threads} threads cannot be used: 1 to {most} are possible.",
    "Column {column} cannot have {length} spaces: 1 to {longest} are possible.",
    "A turn cannot have {runners} runners: 1 to {most} are possible on this board.",
    "A die cannot have {sides} sides.",
    "{win} columns cannot be won: this board has {columns}.",
    # means of many games, with their decimals
    "{turns} turns and {rolls} rolls a game.",
    "{turns} turns and {rolls} rolls a game; {busts} of the turns are busts.",
    "Counting wins alone would take {times} times as many games.",
    "{month}: luck {luck}, skill {skill} points of a win a game",
    "{bar} {percent}%, {speed} games a second, {left} left",
}
"""A figure in these is never one."""

MEASURED = "cantstop/language/guide.py"
"""The guide's figures were measured once; ``make known-figures`` checks them."""


def counted() -> list[tuple[str, ...]]:
    """The messages with two forms."""
    messages = catalogues.template("cantstop")
    return [message.id for message in messages if isinstance(message.id, tuple)]


def test_a_figure_with_a_noun_has_two_forms_or_is_never_one() -> None:
    noun = re.compile(rf"\{{\w+\}} (?:{NOUNS})\b")
    found = {
        message.id
        for message in catalogues.template("cantstop")
        if isinstance(message.id, str)
        and noun.search(message.id)
        and not any(path.endswith(MEASURED) for path, _ in message.locations)
    }
    # verbs that look like nouns: “{name} rolls {dice}.”
    found = {text for text in found if not re.search(r"\{(name|who|server)\} \w+s\b", text)}
    assert found == ALWAYS_MANY


def fields(text: str) -> dict[str, str]:
    return {name: f"<{name}>" for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_count_has_the_form_that_unicode_gives_it(language: str) -> None:
    words, plurals = Translator(language), Locale(language).plural_form
    for singular, plural in counted():
        given: dict[str, Any] = {**fields(singular), **fields(plural)}
        given.pop("count", None)
        one, many = (words.say_count(singular, plural, count, **given) for count in (1, 2))
        assert one.replace("1", "2") != many, f"{language} has one form only of {plural}"
        for count in COUNTS:
            said = words.say_count(singular, plural, count, **given)
            due = one if plurals(count) == "one" else many
            assert said == due.replace("1" if due is one else "2", str(count)), said
            assert "{" not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_with_decimals_has_the_form_that_unicode_gives_it(language: str) -> None:
    words, point = Translator(language), "." if language == "en" else ","
    values = (0.04, 0.5, 1.0, 1.04, 1.96, 6.7)
    turns = [turns_text(words, value, 1) for value in values]
    points = [points_text(words, value / 100) for value in values]
    for said in (turns, points):
        assert [text.split()[0] for text in said] == [
            f"{value:.1f}".replace(".", point) for value in values
        ]
        nouns = {value: text.split()[1] for value, text in zip(values, said, strict=True)}
        assert (nouns[0.5] == nouns[6.7]) is (language != "fr")
        assert nouns[1.0] == nouns[0.5]
        assert nouns[1.96] == nouns[6.7]  # it is shown as 2.0
    assert turns_text(words, 1).split()[1] != turns_text(words, 2).split()[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_has_no_sign(language: str) -> None:
    words = Translator(language)
    for value in (0.0, -0.0, 0.04, -0.04, -0.0499):
        assert re.fullmatch(r"0[.,]0", signed(words, value))
    assert signed(words, -0.06)[0] == "−"
    assert signed(words, 0.06)[0] == "+"
