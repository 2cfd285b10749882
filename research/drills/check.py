"""The drills of a file looked at again: each by the engine, some by games played on from them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from statistics import mean, stdev
from typing import Any

import numpy as np

from cantstop.drills import Drill, answers_in, topic_of
from cantstop.drills.file import TURN_UNITS, WIN_UNITS
from cantstop.engine import Anchors, Turn, best_evaluator, race_model, solve_rest, solve_turn
from cantstop.rules import Action, Choice, Move, Phase, Position

from .games import agrees, margin_at, worths_of

Tell = Callable[[str], None]


def check(drills: tuple[Drill, ...], tell: Tell) -> dict[str, Any]:
    """Every drill: its topic, its answers, what they are worth, the margin, the other evaluator."""
    wrong, smallest, disagreements = [], np.inf, 0
    for number, drill in enumerate(drills, 1):
        position = drill.position
        worths = worths_of(solve_rest(position, best_evaluator(position.rules)), position)
        first, second, *_ = sorted(worths, reverse=True)
        unit = 1 / (TURN_UNITS if drill.is_solo else WIN_UNITS)
        least = margin_at(position)
        if (
            str(position) != drill.text
            or drill.topic is not topic_of(position)
            or len(answers_in(position)) != len(drill.worths)
            or max(abs(a - b) for a, b in zip(worths, drill.worths, strict=True)) > 0.51 * unit
            or first - second < least
            or worths[answers_in(position).index(drill.best.answer)] != first
        ):
            wrong.append(drill.text)
        smallest = min(smallest, (first - second) / least)
        disagreements += not agrees(position, drill.best.answer, race_model())
        if number % 500 == 0:
            tell(f"{number} of {len(drills)}")
    return {
        "drills": len(drills),
        "wrong": wrong,
        "smallest_margin_by_the_least": smallest,
        "race_model_disagrees": disagreements,
    }


def renewed(drill: Drill) -> Drill:
    """The same question with what its answers are worth by the engine as it is."""
    position, answers = drill.position, answers_in(drill.position)
    turn = solve_rest(position, best_evaluator(position.rules))
    stops = turn.stops_after(position) if drill.thens else {}
    return replace(
        drill,
        worths=tuple(worths_of(turn, position)),
        thens=tuple(
            Choice.STOP if stops[answer] else Choice.ROLL
            for answer in answers
            if isinstance(answer, Move) and drill.thens
        ),
    )


def is_clear(drill: Drill) -> bool:
    """Whether the best answer is better than the next by what such a position asks for."""
    return drill.margin >= margin_at(drill.position)


def rollouts(
    drills: tuple[Drill, ...], count: int, games: int, seed: int, tell: Tell
) -> dict[str, Any]:
    """Games played on from the best and the second-best answer of some drills, less their luck.

    A game's result less luck is what the answer is worth, plus what solving each later turn added
    to what had been said of it: no bias, whatever the evaluator's errors are, and little scatter.
    """
    chosen = random.Random(f"rollouts {seed}").sample(drills, count)
    differences, against, sigmas = [], [], []
    for number, drill in enumerate(chosen, 1):
        chance = random.Random(f"rollouts {seed} {drill.id}")
        position = drill.position
        turn = solve_rest(position, best_evaluator(position.rules))
        order = sorted(drill.options, key=lambda option: -option.worth)
        samples = [
            [_less_luck(turn, position, option.answer, chance) for _ in range(games)]
            for option in order[:2]
        ]
        worth = worths_of(turn, position)
        answers = answers_in(position)
        estimated = worth[answers.index(order[0].answer)] - worth[answers.index(order[1].answer)]
        difference = estimated + mean(samples[0]) - mean(samples[1])
        error = sqrt(sum(stdev(sample) ** 2 / games for sample in samples))
        differences.append((estimated, difference, error))
        sigmas.append(difference / error if error else np.inf)
        if difference <= 0:
            against.append((drill.text, estimated, difference, error))
        if number % 10 == 0:
            tell(f"{number} of {count}: {len(against)} against")
    off = [found - said for said, found, _ in differences]
    return {
        "drills": count,
        "games_each": 2 * games,
        "seed": seed,
        "against": against,
        "fewest_standard_errors": min(sigmas),
        "rms_difference": sqrt(mean(one * one for one in off)),
        "rms_standard_error": sqrt(mean(error * error for _, _, error in differences)),
    }


def _less_luck(turn: Turn, position: Position, answer: Action, chance: random.Random) -> float:
    """What a game after an answer adds to the answer's worth, for whoever gave it."""
    seat, evaluator = position.seat, best_evaluator(position.rules)
    if isinstance(answer, Move):
        position = position.move(answer)
    elif answer is Choice.STOP:
        position = position.stop()
    else:
        position = _roll(position, chance)
    if answer is not Choice.STOP:
        position = _rest_of_turn(turn, position, chance)
    total = 0.0
    while position.outcome is None:
        turn = solve_turn(position, evaluator)
        spaces = np.array(position.tokens.spaces, np.int8)[None, :, 2:]
        said = evaluator.evaluate(Anchors(position.rules, position.seat, spaces))[0, seat]
        passed = 1 if position.rules.players == 1 else 0  # alone, a turn costs a turn
        total += turn.worths(position)[seat] - passed - float(said)
        position = _rest_of_turn(turn, position, chance)
    return total


def _rest_of_turn(turn: Turn, position: Position, chance: random.Random) -> Position:
    """The anchor that best play leads to."""
    while position.outcome is None:
        if position.phase is Phase.BUST:
            return position.bust()
        if position.phase is Phase.MOVE:
            position = position.move(turn.best_move(position))
        elif position.may_stop and turn.should_stop(position):
            return position.stop()
        else:
            position = _roll(position, chance)
    return position


def _roll(position: Position, chance: random.Random) -> Position:
    return position.roll([chance.randint(1, 6) for _ in range(4)])
