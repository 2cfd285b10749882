"""A game in sentences: right in every case, and true by the figures that they rest on."""

import os
import random
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pytest

from cantstop import Game, Record, read_record
from cantstop.bots import bot_named, decide
from cantstop.language import LANGUAGES, Translator
from cantstop.review import Review, RollLuck, review
from cantstop.review.story import Chapter, Telling
from cantstop.rules import Board, Choice, Rules, Sharing, Start

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = int(os.environ.get("STORY_GAMES", "60"))
"""Games whose story is checked: ``STORY_GAMES=500`` checks more."""
KINDS = [
    Rules(),
    Rules(players=3),
    Rules(players=4, sharing=Sharing.LEAPFROG, start=Start.ROLL_OFF),
    Rules(players=1),
    Rules(players=2, columns_to_win=2, board=Board((1, 2, 3, 2, 1))),
]
WON = {"en": "Yes", "fr": "Oui", "nl": "Ja", "it": "Sì", "de": "Ja"}
NOT = {"en": "No", "fr": "Non", "nl": "Nee", "it": "No", "de": "Nein"}


@cache
def golden(name: str) -> Review:
    return review(read_record((GOLDEN / f"{name}.cantstop").read_text("utf-8")))


def with_figures(found: Review, luck: float, skill: float) -> Review:
    """The same game, but for what the dice and the decisions gave its winner."""
    assert found.winners is not None
    (winner,) = found.winners

    def share(value: float) -> tuple[float, ...]:
        rest = max(1, len(found.names) - 1)
        return tuple(value if seat == winner else -value / rest for seat in range(len(found.names)))

    roll = replace(found.rolls[0], changes=share(luck))
    return replace(found, rolls=(roll,), skills=share(skill))


def figures(text: str) -> list[str]:
    """The signed figures of a text, as they stand there."""
    return re.findall(r"[+−]?\d+[.,]\d", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verdict_is_right_in_all_nine_combinations_of_signs(language: str) -> None:
    found, words, told = golden("classic-two"), Translator(language), {}
    for luck, skill in product((0.123, 0.0, -0.123), repeat=2):
        text = Telling(with_figures(found, luck, skill), words).verdict()
        told[luck, skill] = text.partition(".")[0]
        point = "." if language == "en" else ","
        shown = [
            "0.0".replace(".", point) if not one else f"{'+−'[one < 0]}12{point}3"
            for one in (luck, skill)
        ]
        assert figures(text) == shown
        if luck > 0 and skill <= 0:
            assert text.startswith(WON[language])
        elif luck <= 0:
            assert text.startswith(NOT[language])
        else:
            assert not text.startswith((WON[language], NOT[language]))
    assert len(set(told.values())) == 9


def test_what_rounds_to_nothing_has_no_sign_and_no_say() -> None:
    for tiny in (0.0004, -0.0004):
        verdict = Telling(with_figures(golden("classic-two"), tiny, tiny), Translator()).verdict()
        assert verdict.startswith("No: neither the dice nor the decisions stood out.")
        assert figures(verdict) == ["0.0", "0.0"]


@pytest.mark.parametrize(
    ("luck", "skill", "due"),
    [
        (0.3, 0.1, "Mostly luck."),
        (0.2, 0.1, "Luck and skill, both."),
        (0.1, 0.2, "Luck and skill, both."),
        (0.1, 0.3, "Mostly skill."),
    ],
)
def test_where_both_helped_the_larger_one_is_named(luck: float, skill: float, due: str) -> None:
    told = Telling(with_figures(golden("classic-two"), luck, skill), Translator()).verdict()
    assert told.startswith(due)


@pytest.mark.parametrize("language", LANGUAGES)
def test_alone_plus_is_good_too(language: str) -> None:
    found, words = golden("solo"), Translator(language)
    told = {
        (luck, skill): Telling(with_figures(found, luck, skill), words).verdict()
        for luck, skill in product((1.25, 0.0, -1.25), repeat=2)
    }
    assert len(set(told.values())) == 9
    assert all("−" not in text and "+" not in text for text in told.values())
    if language == "en":
        assert told[1.25, -1.25] == (
            "The dice saved 1.2 turns. Decisions that were not the best cost 1.2 turns."
        )


def resigned(*seats: int, players: int = 3, over: bool = False) -> Review:
    """A game in which these seats have resigned, after some turns or at once."""
    names = ("Anne", "chick", "Cleo", "Dan")[:players]
    game = Game(players=players)
    game.roll("1122")
    record = replace(Record.of(game, names), resigned=seats, ended=None if over else "resigned")
    return review(record)


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_resignations_it_says_what_happened(language: str) -> None:
    words = Translator(language)
    one = Telling(resigned(1, players=2), words)
    assert one.review.winners == (0,)
    assert "Anne" in one.headline()
    assert words.say("Chick") in one.headline()
    assert "?" not in one.headline()
    chance = words.percent(one.review.seats[0].result)  # type: ignore[arg-type]
    assert chance in one.verdict()
    assert not one.verdict().startswith((WON[language], NOT[language]))
    both = Telling(resigned(1, 2), words).headline()
    assert words.join([words.say("Chick"), "Cleo"]) in both
    assert both != one.headline()


def test_one_who_resigned_has_and_two_have() -> None:
    english = Translator()
    assert Telling(resigned(1, players=2), english).headline() == "Anne wins: Chick has resigned."
    assert Telling(resigned(0, 1), english).headline() == "Cleo wins: Anne and Chick have resigned."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_that_played_on_for_somebody_is_mentioned(language: str) -> None:
    found = golden("classic-four")
    one, two = (
        Telling(replace(found, resigned=seats), Translator(language)).verdict()
        for seats in ((3,), (2, 3))
    )
    names = found.names
    assert names[3] in one
    assert Translator(language).join(names[2:4]) in two
    assert len({one, two, Telling(found, Translator(language)).verdict()}) == 3


def test_a_shared_win_and_an_unfinished_game_have_no_verdict() -> None:
    shared = Telling(golden("none-open-shared"), Translator())
    assert "share the win" in shared.headline()
    assert shared.verdict() == ""
    game = Game(players=2)
    game.roll("1122")
    unfinished = Telling(review(game), Translator())
    assert (unfinished.headline(), unfinished.verdict()) == ("An unfinished game", "")


# Games of all kinds


def played(number: int) -> Record:
    """A game of some bots: to its end, resigned, cut off, or with dice that were entered."""
    dice = random.Random(f"story {number}")
    rules = KINDS[number % len(KINDS)]
    game = Game(rules)
    bots = [bot_named(dice.choice(["random:1", "careful", "bold"])) for _ in range(rules.players)]
    longest = dice.choice([10_000, 10_000, 10_000, 40, 3])
    while game.outcome is None and len(game.events) < longest:
        match decide(bots[game.seat], game.position, game.moves_in_turn):
            case Choice.STOP:
                game.stop()
            case Choice.ROLL:
                count = game.position.dice_to_roll
                game.roll(tuple(dice.choices(range(1, rules.board.sides + 1), k=count)))
            case move:
                game.move(move)
    names = ["Anne", "fox", "Cleo", "Dan"][: rules.players]
    record = Record.of(game, names)
    if game.outcome is None and rules.players > 1 and dice.random() < 0.5:
        left = dice.randrange(rules.players)
        others = tuple(seat for seat in range(rules.players) if seat != left)
        return replace(record, resigned=others, ended="resigned")
    return record


def amount(text: str) -> float:
    return float(text.replace("−", "-"))


def check_dice(found: Review, seat: int, text: str, n: int) -> None:
    """The roll changed most for the seat, and the sums are those of all rolls."""
    scale = 1 if found.is_solo else 100
    changes = {roll.n: roll.changes[seat] for roll in found.rolls}
    if not changes:
        assert text == "No dice were rolled."
        return
    assert abs(changes[n]) == max(map(abs, changes.values()))
    change, luck = (amount(one) for one in re.findall(r"[+−]?\d+\.\d", text)[-2:])
    assert change == pytest.approx(scale * changes[n], abs=0.0501)
    assert luck == pytest.approx(scale * sum(changes.values()), abs=0.0501)
    roll: RollLuck = next(roll for roll in found.rolls if roll.n == n)
    assert "-".join(map(str, roll.dice)) in text
    assert ("busts" in text) == (not found.moments[n].position.legal_moves and len(roll.dice) == 4)


def check_turning_point(found: Review, seat: int, text: str, n: int) -> None:
    """No other turn but the winning one changed more; both chances are those of the chart."""
    ends: dict[int, float] = {}
    for moment in found.moments:
        ends.setdefault(moment.turn, moment.worths[seat])  # where each turn begins
    worths = [*ends.values(), found.moments[-1].worths[seat]]
    changes = [abs(after - before) for before, after in pairwise(worths)]
    counted = changes[:-1] if found.outcome is not None and len(changes) > 1 else changes
    at = found.moments[n]
    before, after = re.findall(r"(\d+\.\d)", text)[-2:]
    if found.is_solo:
        before, after = after, before
    scale = -1 if found.is_solo else 100
    assert float(after) == pytest.approx(scale * at.worths[seat], abs=0.0501)
    assert abs(float(after) - float(before)) / abs(scale) >= max(counted) - 0.11 / abs(scale)


def check_best_moment(found: Review, seat: int, text: str, n: int) -> None:
    """It was the best option, and no better chance to go wrong was avoided."""
    own = [decision for decision in found.decisions if decision.seat == seat]
    if not own:
        assert "nothing to decide" in text
        (worth,) = re.findall(r"(\d+\.\d)", text)
        scale = -1 if found.is_solo else 100
        assert float(worth) == pytest.approx(scale * found.moments[-1].worths[seat], abs=0.0501)
        return
    (decision,) = (one for one in own if one.n == n)
    scale = 1 if found.is_solo else 100
    (cost,) = re.findall(r"(\d+\.\d+) (?:points|turns)", text)
    margins = [
        sorted(option.worth for option in one.options)[-1]
        - sorted(option.worth for option in one.options)[-2]
        for one in own
        if one.chosen == one.best
    ]
    if not margins:
        assert "closest to the best" in text
        assert decision.error == min(one.error for one in own)
        return
    assert decision.chosen == decision.best
    assert float(cost) == pytest.approx(scale * max(margins), abs=0.0501)


CHECKS = {
    Chapter.DICE: check_dice,
    Chapter.TURNING_POINT: check_turning_point,
    Chapter.BEST_MOMENT: check_best_moment,
}


def check_story(number: int) -> list[str]:
    """Check every sentence about one game against the review's figures; returns them."""
    found = review(played(number))
    told = []
    for seat in found.seats:
        moments = Telling(found, Translator()).moments(seat.seat)
        assert [one.chapter for one in moments] == list(Chapter)
        for one in moments:
            assert one.text.strip()
            assert 0 <= one.n < len(found.moments)
            CHECKS[one.chapter](found, seat.seat, one.text, one.n)
            told.append(one.text)
    return told


def test_every_sentence_is_true_by_the_figures_of_its_game() -> None:
    told = Counter(text for number in range(GAMES) for text in set(check_story(number)))
    assert max(told.values()) <= 1 + GAMES // 10, told.most_common(3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_the_same_figures(language: str) -> None:
    for name in ("classic-two", "classic-four", "solo", "none-open-shared"):
        found = golden(name)
        for seat in range(len(found.names)):
            english = Telling(found, Translator()).moments(seat)
            there = Telling(found, Translator(language)).moments(seat)
            for one, other in zip(english, there, strict=True):
                assert "{" not in other.text
                plain = other.text.replace(",", ".")
                assert sorted(re.findall(r"\d+\.\d+", plain)) == sorted(
                    re.findall(r"\d+\.\d+", one.text)
                )
