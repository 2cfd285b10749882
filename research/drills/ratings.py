"""How well difficulties predict who answers right, and where scripted players' ratings settle."""

from __future__ import annotations

import random
from statistics import mean
from typing import Any

import numpy as np

from cantstop.drills import Drill, Progress, Rating, expected_score, next_drill, rated
from cantstop.drills.progress import DRILL_DEVIATION

from .people import CLASSIC, LEVELS, PEOPLE, fit, predicted

BINS = 10
QUANTILES = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)
MEASURED = 200
"""The number of last ratings of a scripted player that are averaged."""


def difficulty(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Fitted to some people's answers, measured on others' and on bots that the fit never saw."""
    right = np.array([one["right"] for one in found], float)
    others = np.array([one["others"] for one in found], float)
    ability, hard = fit(right)
    chance = predicted(hard, ability)
    rates = others.sum(1) / (PEOPLE * len(LEVELS))
    order = np.argsort(chance.mean(1), kind="stable")
    return {
        "drills": len(found),
        "people": PEOPLE,
        "abilities": {
            level.name: round(float(at), 1) for level, at in zip(LEVELS, ability, strict=True)
        },
        "correlation": float(np.corrcoef(chance.mean(1), rates)[0, 1]),
        "correlation_with_first_people": float(np.corrcoef(right.sum(1), rates)[0, 1]),
        "mean_absolute_error": float(np.abs(chance.mean(1) - rates).mean()),
        "quantiles": np.quantile(hard, QUANTILES).round().tolist(),
        "bins": [
            {
                "difficulty": round(float(hard[part].mean())),
                "predicted": float(chance[part].mean()),
                "others": float(rates[part].mean()),
                "classic": float(
                    np.mean([[found[at]["classic"][bot] for bot in CLASSIC] for at in part])
                ),
            }
            for part in np.array_split(order[::-1], BINS)
        ],
    }  # fmt: skip


def settle(drills: tuple[Drill, ...], answers: int, seed: int) -> dict[str, Any]:
    """Scripted players: their rating after a number of answers beside where it should be."""
    return {
        "answers": answers,
        "measured": MEASURED,
        "abilities": {
            str(ability): _by_ability(drills, ability, answers, seed)
            for ability in (1100, 1300, 1500, 1700, 1900)
        },
        "same_chance": {
            str(chance): {
                "should": 1500 + 400 * np.log10(chance / (1 - chance)),
                "settles": _by_chance(chance, answers, seed),
            }
            for chance in (0.25, 0.5, 0.75, 0.9)
        },
    }


def _by_ability(drills: tuple[Drill, ...], ability: float, answers: int, seed: int) -> float:
    """A player who answers drills as a rating of this strength should."""
    chance, progress, ratings = random.Random(f"settle {seed} {ability}"), Progress(), []
    for _ in range(answers):
        drill = next_drill(drills, progress, chance)
        assert drill is not None
        level = expected_score(Rating(ability), Rating(drill.difficulty, 0))
        progress = progress.after(drill, is_right=chance.random() < level)
        ratings.append(progress.rating.rating)
    return mean(ratings[-MEASURED:])


def _by_chance(right: float, answers: int, seed: int) -> float:
    """A player who is right with the same chance in drills that are all equally hard."""
    chance, rating, ratings = random.Random(f"settle {seed} {right}"), Rating(), []
    for _ in range(answers):
        score = float(chance.random() < right)
        rating = rated(rating, [(Rating(1500, DRILL_DEVIATION), score)])
        ratings.append(rating.rating)
    return mean(ratings[-MEASURED:])
