"""Reasons that people are given: true of the position beside them, by the rules alone.

Chances to bust come from trying every roll, stakes from the pieces, worths from a second look at
the position. ``REASONS=2000`` looks at more decisions.
"""

import os
import re

import pytest

from cantstop.drills import Drill, package_drills
from cantstop.drills.text import reasons, verdict_text
from cantstop.engine import Hint, hint_reasons
from cantstop.language import Translator
from cantstop.review import Decision
from cantstop.review.text import decision_sentence
from cantstop.rules import Choice, Move, Phase, Position
from played_games import bust_chance, decisions

COUNT = int(os.environ.get("REASONS", "150"))
ENGLISH = Translator()
SMALL = 0.0501
"""A figure with one decimal is as near as that to what it shows."""


def figures(text: str) -> list[float]:
    return [float(figure) for figure in re.findall(r"\d+\.\d+", text)]


def percent(chance: object) -> float:
    return 100 * float(chance)  # type: ignore[arg-type]


def columns(text: str) -> list[int]:
    """The columns that a sentence names, where it names nothing else."""
    return [int(column) for column in re.findall(r"\b\d+\b(?![.%])", text)]


def check_bust(text: str, position: Position) -> None:
    """“runners on 6, 7 and 8 bust in 8.0% of rolls”, or that no roll can."""
    due = bust_chance(position)
    if "no roll can bust" in text.lower():
        assert due == 0
        return
    where, _, share = re.sub(r"\.$", "", text).partition(" in ")
    assert due > 0
    assert figures(share) == [pytest.approx(percent(due), abs=SMALL)]
    out = [column for column, space in enumerate(position.runners) if space]
    assert columns(where) == out
    assert where.lower().startswith("a runner on" if len(out) == 1 else "runners on")


def check_stake(text: str, position: Position) -> None:
    tokens = position.tokens.spaces[position.seat]
    due = {column: space - tokens[column] for column, space in enumerate(position.runners) if space}
    told = re.findall(r"(\d+) (spaces?) in column (\d+)", text)
    assert {int(column): int(steps) for steps, _, column in told} == due
    assert all((steps == "1") == (noun == "space") for steps, noun, _ in told)


def shown(decision: Decision, worth: float) -> float:
    """A worth as the sentence shows it: a percentage, or all turns of the game."""
    solo = decision.position.rules.players == 1
    return decision.turn - worth if solo else percent(worth)


def check_sentence(decision: Decision, hint: Hint) -> None:
    """Why a decision was good or bad, as the review tells it."""
    text, position = decision_sentence(ENGLISH, decision), decision.position
    worths = {option.action: shown(decision, option.worth) for option in hint.options}
    assert decision.best == hint.options[0].action
    if position.phase is Phase.CHOICE:
        told, _, reason = text.partition(": ")
        check_bust(reason, position)
        wins = position.stop().outcome is not None
        assert told.startswith("Stopping won the game") == (wins and decision.best is Choice.STOP)
        due = [worths[Choice.STOP], worths[Choice.ROLL]]
        assert figures(told) == pytest.approx(due[-len(figures(told)) :], abs=SMALL)
        return
    told, _, reason = text.partition(": ")
    assert figures(told) == pytest.approx(
        [worths[decision.chosen], worths[decision.best]], abs=SMALL
    )
    assert ("and stopping then" in told) == (hint.options[0].then is Choice.STOP)
    if reason:
        chosen, best = decision.chosen, decision.best
        assert isinstance(chosen, Move)
        assert isinstance(best, Move)
        more, less = (bust_chance(position.move(move)) for move in (chosen, best))
        assert less < more
        assert figures(reason) == pytest.approx([percent(more), percent(less)], abs=SMALL)


def check_hint(hint: Hint) -> None:
    """What a hint says of a bust, of what it would take, and of both ends of the turn."""
    lines = list(hint_reasons(ENGLISH, hint))
    *reasons_, ends = lines
    kept, bust = figures(ends)
    assert kept + bust == pytest.approx(100, abs=0.11)
    assert bust == pytest.approx(percent(hint.bust), abs=SMALL)
    if hint.position.phase is not Phase.CHOICE:
        assert reasons_ == []
        return
    due = bust_chance(hint.position)
    check_bust(reasons_[0], hint.position)
    if hint.options[0].action is Choice.STOP:
        assert bust == 0
    else:
        assert bust >= percent(due) - SMALL
    assert len(reasons_) == (2 if due else 1)
    for stake in reasons_[1:]:
        check_stake(stake, hint.position)


def test_every_reason_is_true_of_the_position_beside_it() -> None:
    looked = 0
    for decision in decisions(COUNT):
        hint = decision.position.hint()
        check_sentence(decision, hint)
        check_hint(hint)
        looked += 1
    assert looked == COUNT


def check_drill(drill: Drill) -> None:
    position, lines = drill.position, list(reasons(ENGLISH, drill))
    if lines == ["Stopping wins the game."]:
        assert position.stop().outcome is not None
        return
    for line in lines:
        if "bust in" in line or "no roll can bust" in line.lower() or line.startswith("A runner"):
            check_bust(line, position)
        elif line.startswith("A bust would take back"):
            assert bust_chance(position) > 0
            check_stake(line, position)
        elif line.startswith("The next roll busts"):
            named = [Move.parse(text) for text in re.findall(r"after ([\d+]+)", line)]
            due = [percent(bust_chance(position.move(move))) for move in named]
            assert figures(line) == pytest.approx(due, abs=SMALL)
        else:
            assert line.startswith(("After ", "Rule of 28", "A rulebook says"))
    worst = min(drill.options, key=lambda option: option.worth)
    lost = drill.best.worth - worst.worth
    scale, unit = (1, "turns") if drill.is_solo else (100, "points of win chance")
    told = verdict_text(ENGLISH, drill, worst.answer)
    assert told.endswith(f"{unit}.")
    assert figures(told)[-1:] == [pytest.approx(scale * lost, abs=SMALL)]


def test_every_reason_of_a_drill_is_true_of_its_position() -> None:
    drills = package_drills()
    for drill in drills[:: max(1, len(drills) // COUNT)]:
        check_drill(drill)
