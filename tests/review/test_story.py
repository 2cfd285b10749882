"""A game in sentences: right in every case, and true by the figures that they rest on."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pytest

from cantstop import Game, Record, read_record
from cantstop.engine import Hint, best_evaluator, worths_before_start
from cantstop.language import LANGUAGES, Translator
from cantstop.review import Review, review
from cantstop.review.story import Chapter, Telling
from cantstop.rules import (
    Busted,
    Choice,
    Moved,
    Phase,
    Rolled,
    Stopped,
)
from played_games import bust_chance, played

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = int(os.environ.get("STORY_GAMES", "30"))
"""Games whose story is checked: ``STORY_GAMES=500`` checks more."""
WON = {"en": "Yes", "fr": "Oui", "nl": "Ja", "it": "Sì", "de": "Ja"}
NOT = {"en": "No", "fr": "Non", "nl": "Nee", "it": "No", "de": "Nein"}


@cache
def golden(name: str) -> Review:
    return review(read_record((GOLDEN / f"{name}.cantstop").read_text("utf-8")))


def with_figures(found: Review, luck: float, skill: float, drift: float = 0.0) -> Review:
    """The same game, but for what the dice, the decisions and the estimate gave its winner."""
    assert found.winners is not None
    (winner,) = found.winners

    def share(value: float) -> tuple[float, ...]:
        rest = max(1, len(found.names) - 1)
        return tuple(value if seat == winner else -value / rest for seat in range(len(found.names)))

    roll = replace(found.rolls[0], changes=share(luck))
    return replace(found, rolls=(roll,), skills=share(skill), drifts=((1, share(drift)),))


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


TOO_CLOSE = "Too close to say: the estimate may be off by more than luck and skill."


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_uncertainty_stands_beside_luck_and_skill_and_takes_away_smaller_signs(
    language: str,
) -> None:
    found, words = golden("classic-two"), Translator(language)
    point = "." if language == "en" else ","
    for luck, skill in product((0.123, 0.0, -0.123), repeat=2):
        clear, close = (
            Telling(with_figures(found, luck, skill, drift), words).verdict()
            for drift in (0.122, 0.124)
        )
        assert figures(clear)[1::2] == [f"12{point}2"] * 2
        assert figures(close)[1::2] == [f"12{point}4"] * 2
        without = Telling(with_figures(found, luck, skill), words).verdict()
        assert clear.partition(".")[0] == without.partition(".")[0]
        assert close.startswith(words.say(TOO_CLOSE)) == bool(luck or skill)


@pytest.mark.parametrize(
    ("luck", "skill", "due"),
    [
        (0.3, 0.05, "Yes: the dice decided it."),
        (0.3, -0.05, "Yes: the dice decided it."),
        (0.05, 0.3, "No: Ada decided better."),
        (-0.05, 0.3, "No: Ada decided better."),
        (-0.3, 0.05, "No: the dice were against Ada."),
        (0.3, 0.11, "Mostly luck."),
        (0.2, 0.15, "Luck and skill, both."),
        (0.09, 0.08, TOO_CLOSE),
        (-0.09, 0.08, TOO_CLOSE),
    ],
)
def test_what_is_smaller_than_its_uncertainty_has_no_say(
    luck: float, skill: float, due: str
) -> None:
    told = Telling(with_figures(golden("classic-two"), luck, skill, -0.1), Translator()).verdict()
    assert told.startswith(due)


def test_alone_it_can_be_too_close_too() -> None:
    assert Telling(with_figures(golden("solo"), 0.4, -0.3, 0.5), Translator()).verdict() == (
        TOO_CLOSE
    )


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
            "The dice saved 1.3 turns. Decisions that were not the best cost 1.3 turns."
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


class Truth:
    """The same game worked out from its record alone: every position by the rules, and its worth
    by a hint at that position, as if nothing else were known of the game.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.players = record.rules.players
        self.scale = 1 if self.players == 1 else 100
        self.positions = [record.start]
        self.turns = [1]
        self._hints: dict[int, Hint] = {}
        self._worths: dict[int, tuple[float, ...]] = {}
        for event in record.events:
            self.positions.append(self.positions[-1].after(event))
            ended = isinstance(event, Stopped | Busted) and self.positions[-1].outcome is None
            self.turns.append(self.turns[-1] + ended)

    def hint(self, n: int) -> Hint:
        if n not in self._hints:
            self._hints[n] = self.positions[n].hint()
        return self._hints[n]

    def worths(self, n: int) -> tuple[float, ...]:
        """What the game is worth to each seat after event n; alone, minus all its turns."""
        if n not in self._worths:
            self._worths[n] = self._find_worths(n)
        return self._worths[n]

    def _find_worths(self, n: int) -> tuple[float, ...]:
        position = self.positions[n]
        if position.outcome is not None:
            winners = position.outcome.winners
            shares = (1 / len(winners) if seat in winners else 0.0 for seat in range(self.players))
            return (-float(self.turns[n]),) if self.players == 1 else tuple(shares)
        if position.phase is Phase.START:
            return worths_before_start(position, best_evaluator(position.rules))
        worths = self.hint(n).worths
        return (worths[0] - self.turns[n],) if self.players == 1 else worths

    def rolls(self) -> Iterator[tuple[int, Rolled]]:
        for n, event in enumerate(self.record.events, 1):
            if isinstance(event, Rolled):
                yield n, event

    def luck(self, n: int, seat: int) -> float | None:
        """What the roll that became event n changed; None where no hint can tell."""
        before = self.positions[n - 1]
        if before.phase is not Phase.CHOICE:
            return self.worths(n)[seat] - self.worths(n - 1)[seat]
        rolling = next(
            one.worth for one in self.hint(n - 1).options if one.action is Choice.ROLL
        ) - (self.turns[n - 1] if self.players == 1 else 0)
        if seat == before.seat:
            return self.worths(n)[seat] - rolling
        return self.worths(n)[seat] - (1 - rolling) if self.players == 2 else None

    def margins(self, seat: int) -> Iterator[tuple[int, float, float]]:
        """A seat's decisions: their events, what was given away, by how much the best was best."""
        for n, event in enumerate(self.record.events, 1):
            before = self.positions[n - 1]
            if before.seat != seat or before.phase not in (Phase.MOVE, Phase.CHOICE):
                continue
            if before.phase is Phase.CHOICE and not before.may_stop:
                continue
            chosen = event.move if isinstance(event, Moved) else (
                Choice.STOP if isinstance(event, Stopped) else Choice.ROLL
            )  # fmt: skip
            options = self.hint(n - 1).options
            lost = options[0].worth - next(one.worth for one in options if one.action == chosen)
            margin = options[0].worth - options[1].worth if len(options) > 1 else 0.0
            if lost or margin:
                yield n, lost, margin

    def is_safe(self, n: int) -> bool:
        """Whether event n is a roll that could not bust, whatever had fallen."""
        before = self.positions[n - 1]
        is_roll = isinstance(self.record.events[n - 1], Rolled)
        return is_roll and before.phase is Phase.CHOICE and bust_chance(before) == 0


def amount(text: str) -> float:
    return float(text.replace("−", "-"))


NEAR = 0.0501
"""A figure with one decimal is as near as that to what it shows."""


def check_dice(truth: Truth, seat: int, text: str, n: int) -> None:
    """The roll changed most for the seat, and the sum is that of all rolls."""
    rolls = dict(truth.rolls())
    if not rolls:
        assert text == "No dice were rolled."
        return
    changes = {at: truth.luck(at, seat) for at in rolls}
    assert "-".join(map(str, rolls[n].dice)) in text
    assert ("busts" in text) == (truth.positions[n].phase is Phase.BUST)
    assert f"Round {-(-truth.turns[n - 1] // truth.players)}:" in text
    change, luck = (amount(one) for one in re.findall(r"[+−]?\d+\.\d", text)[-2:])
    known = [one for one in changes.values() if one is not None]
    assert abs(change) >= truth.scale * max(map(abs, known)) - NEAR
    due = changes[n]
    if due is not None:
        assert change == pytest.approx(truth.scale * due, abs=NEAR)
    if len(known) == len(changes):
        assert luck == pytest.approx(truth.scale * sum(known), abs=NEAR)


def check_turning_point(truth: Truth, seat: int, text: str, n: int) -> None:
    """No other turn but the winning one changed more; both chances are those of the positions."""
    begins = [at for at, turn in enumerate(truth.turns) if turn not in truth.turns[:at]]
    last = len(truth.turns) - 1
    spans = [(at, end) for at, end in pairwise([*begins, last]) if at < end or last == 0]
    if truth.positions[-1].outcome is not None and len(spans) > 1:
        spans.pop()
    changes = {end: abs(truth.worths(end)[seat] - truth.worths(at)[seat]) for at, end in spans} or {
        0: 0.0
    }
    before, after = re.findall(r"(\d+\.\d)", text)[-2:]
    if truth.players == 1:
        before, after = after, before
    assert float(after) == pytest.approx(truth.scale * abs(truth.worths(n)[seat]), abs=NEAR)
    begin = {end: at for at, end in spans}.get(n, 0)
    assert float(before) == pytest.approx(truth.scale * abs(truth.worths(begin)[seat]), abs=NEAR)
    assert changes[n] == pytest.approx(max(changes.values()), abs=1e-9)
    assert ("busts" in text) == isinstance(truth.record.events[n - 1] if n else None, Busted)


def check_best_moment(truth: Truth, seat: int, text: str, n: int) -> None:
    """It was the best option, and no better chance to go wrong was avoided; a roll that cannot bust
    is praised only where there is nothing else.
    """
    own = list(truth.margins(seat))
    if not own:
        assert "nothing to decide" in text
        (worth,) = re.findall(r"(\d+\.\d)", text)
        due = truth.scale * abs(truth.worths(len(truth.positions) - 1)[seat])
        assert float(worth) == pytest.approx(due, abs=NEAR)
        return
    (lost,) = (error for at, error, _ in own if at == n)
    (cost,) = re.findall(r"(\d+\.\d+) (?:points|turns)", text)
    best = {at: each for at, error, each in own if not error}
    dared = {at: each for at, each in best.items() if not truth.is_safe(at)}
    if not best:
        assert "closest to the best" in text
        assert lost == min(error for _, error, _ in own)
        assert float(cost) == pytest.approx(truth.scale * lost, abs=NEAR)
        return
    assert lost == 0
    assert float(cost) == pytest.approx(truth.scale * max((dared or best).values()), abs=NEAR)
    assert not (dared and truth.is_safe(n))
    event = truth.record.events[n - 1]
    dares = "rolls again without any risk" if truth.is_safe(n) else "dares to roll again"
    word = {Stopped: "stops in time", Rolled: dares}.get(type(event), "takes")
    assert word in text


CHECKS = {
    Chapter.DICE: check_dice,
    Chapter.TURNING_POINT: check_turning_point,
    Chapter.BEST_MOMENT: check_best_moment,
}


def check_verdict(truth: Truth, telling: Telling) -> str:
    """Who won and why, by the record and the signs of the figures beside it; returns it."""
    outcome, record = truth.positions[-1].outcome, truth.record
    verdict = telling.verdict()
    if outcome is None and not record.resigned:
        assert (telling.headline(), verdict) == ("An unfinished game", "")
        return verdict
    winners = record.winners(outcome)
    assert winners is not None
    if truth.players == 1:
        assert telling.headline().startswith(f"{truth.turns[-1]} turn")
        luck, skill = telling.review.seats[0].luck, telling.review.seats[0].skill
        # what luck and skill add up to, by the record alone
        due = truth.worths(len(truth.turns) - 1)[0] - truth.worths(0)[0]
        assert luck + skill + telling.review.seats[0].drift == pytest.approx(due, abs=1e-9)
        assert ("dice saved" in verdict) == (round(luck, 1) > 0)
        assert ("dice cost" in verdict) == (round(luck, 1) < 0)
        return verdict
    if len(winners) > 1:
        assert verdict == ""
        return verdict
    name = ["Anne", "Fox", "Cleo", "Dan"][winners[0]]
    assert telling.headline().startswith(f"{name} wins")
    shown = [amount(one) for one in re.findall(r"(?:luck|skill) ([+−]?\d+\.\d)", verdict)]
    seat = telling.review.seats[winners[0]]
    # a figure within its uncertainty says nothing, neither way
    luck, skill = (
        one if abs(exact) > seat.uncertainty else 0.0
        for one, exact in zip(shown, (seat.luck, seat.skill), strict=True)
    )
    if outcome is None:
        chance = truth.worths(len(truth.turns) - 1)[winners[0]]
        assert f"{100 * chance:.1f}%" in verdict
        assert not verdict.startswith(("Yes", "No", "Mostly", "Luck"))
        return verdict
    too_close = any(shown) and not luck and not skill
    assert verdict.startswith("Too close to say") == too_close
    assert verdict.startswith("Yes") == (luck > 0 >= skill)
    assert verdict.startswith("No") == (luck <= 0 and not too_close)
    assert ("a bot played on" in verdict) == bool(record.resigned)
    return verdict


def check_story(number: int) -> list[str]:
    """Check every sentence about one game against the truth of its record; returns them."""
    record = played(number)
    found, truth = review(record), Truth(record)
    telling, told = Telling(found, Translator()), []
    check_verdict(truth, telling)
    for seat in range(truth.players):
        moments = telling.moments(seat)
        assert [one.chapter for one in moments] == list(Chapter)
        for one in moments:
            assert one.text.strip()
            assert 0 <= one.n < len(truth.positions)
            CHECKS[one.chapter](truth, seat, one.text, one.n)
            told.append(one.text)
    return told


def test_every_sentence_is_true_by_the_figures_of_its_game() -> None:
    told = Counter(text for number in range(GAMES) for text in set(check_story(number)))
    assert max(told.values()) <= 2 + GAMES // 100, told.most_common(3)


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
