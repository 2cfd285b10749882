"""Who answers right: the ladder's levels, many people of each, and the classic bots.

A drill's difficulty is a rating. The chance that a player with ability a answers right is taken to
be 1 / (1 + 10 ** ((difficulty - a) / 400)), as between two players; the levels' abilities and all
difficulties are fitted together, to the answers of some people. Others' answers then say how well
that predicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cantstop.bots import LADDER, Level, bot_named, decide

from .games import Candidate, decides

LEVELS = LADDER[:-1]
"""The champion is always right here, by definition."""

PEOPLE = 24
"""The number of players of each level for the fit, and again to measure it."""

CLASSIC = (
    "rule-of-28",
    "glenn-linear",
    "glenn-aloi-linear",
    "max-expected-progress",
    "careful",
    "bold",
)
"""Bots that the fit knows nothing of."""

POINTS = 400 / np.log(10)
PRIOR_SPREAD = 350.0
"""The scatter of difficulties about the people: it keeps those that nobody fails finite."""

Array = NDArray[np.float64]


def right_answers(one: Candidate, moves: int, first_person: int) -> list[int]:
    """How many people of each level answer right."""
    return [
        sum(
            decides(
                replace(level.judgement, person=first_person + 1000 * place + person),
                one.position,
                one.worths,
                one.bust,
                moves,
            )
            == one.best
            for person in range(PEOPLE)
        )
        for place, level in enumerate(LEVELS)
    ]


def classic_answers(one: Candidate, moves: int) -> list[bool]:
    """Which of the classic bots answer right."""
    return [decide(bot_named(name), one.position, moves) == one.best for name in CLASSIC]


def fit(
    right: Array, people: int = PEOPLE, levels: Sequence[Level] = LEVELS
) -> tuple[Array, Array]:
    """Abilities and difficulties for ``right[drill, level]`` right answers of ``people`` people.

    By Newton's method, in turn; abilities have the mean of the levels' ratings.
    """
    mean = float(np.mean([level.rating for level in levels]))
    ability = np.array([float(level.rating) for level in levels])
    hard = np.full(len(right), mean)
    for _ in range(200):
        before = hard.copy()
        chance = predicted(hard, ability)
        spread = (people * chance * (1 - chance)).sum(1) / POINTS**2 + 1 / PRIOR_SPREAD**2
        pull = (people * chance - right).sum(1) / POINTS - (hard - mean) / PRIOR_SPREAD**2
        hard += np.clip(pull / spread, -200, 200)
        chance = predicted(hard, ability)
        spread = (people * chance * (1 - chance)).sum(0) / POINTS**2
        ability += np.clip((right - people * chance).sum(0) / POINTS / spread, -200, 200)
        shift = mean - ability.mean()
        ability, hard = ability + shift, hard + shift
        if np.abs(hard - before).max() < 0.01:
            break
    return ability, hard


def predicted(hard: Array, ability: Array) -> Array:
    """The chance of each level to answer each drill right."""
    return np.asarray(1 / (1 + np.exp((hard[:, None] - ability[None, :]) / POINTS)))
