"""The constants of ``cantstop.ratings.model``, fitted to games of two players."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from cantstop.ratings import model
from research.ratings.games import Reviewed
from research.ratings.truth import RATINGS, SHARES

_ROUNDS = 30
_LEAST = 0.001
"""No variance is nothing."""


@dataclass(frozen=True)
class Constants:
    """What the model takes from games."""

    games: int
    weights: tuple[float, ...]
    unequal: float
    adds: tuple[float, ...]
    squares: dict[str, float]
    """The mean square of scores in the model's own standard deviations; by level as well."""


def hats(knots: Sequence[float], at: float) -> list[float]:
    """How much each knot counts at a rating between two of them; constant beyond the last ones."""
    unit = np.eye(len(knots))
    return [float(np.interp(at, knots, row)) for row in unit]


def fitted(games: Sequence[Reviewed]) -> Constants:
    """The weight of luck, and what every rating adds to the variance: each by least squares.

    They take turns: scores count by the variance that is known, and the squares of what is left by
    its square, since their own spread grows with them. A stronger player never adds more than a
    weaker one.
    """
    pairs = [game.levels for game in games]
    ratings = [[RATINGS[level] for level in levels] for levels in pairs]
    luck = np.array([game.luck[0] for game in games])
    away = np.array(
        [
            game.results[0] - SHARES[a, b] - (game.starts[0] - 0.5)
            for game, (a, b) in zip(games, pairs, strict=True)
        ]
    )
    unequal = np.array([(2 * model.chances(one)[0] - 1) ** 2 for one in ratings])
    middle = np.array([hats(model.WEIGHT_RATINGS, (a + b) / 2) for a, b in ratings])
    parts = np.column_stack([middle, -unequal]) * luck[:, None]
    both = np.array([np.add(hats(model.KNOTS, a), hats(model.KNOTS, b)) for a, b in ratings])
    adds = np.full(len(model.KNOTS), np.var(away) / 2)
    weights = np.zeros(parts.shape[1])
    for _ in range(_ROUNDS):
        sure = 1.0 / (both @ adds)
        root = np.sqrt(sure)
        weights = np.linalg.lstsq(parts * root[:, None], away * root, rcond=None)[0]
        squares = (away - parts @ weights) ** 2
        adds = np.linalg.lstsq(both * sure[:, None], squares * sure, rcond=None)[0]
        adds = np.maximum(np.minimum.accumulate(adds), _LEAST)
    *ends, less = weights.round(3).tolist()
    return Constants(len(games), tuple(ends), less, tuple(adds.round(4).tolist()), _squares(games))


def _squares(games: Sequence[Reviewed]) -> dict[str, float]:
    """How the model as it is expects these games."""
    found: dict[str, list[float]] = defaultdict(list)
    for game in games:
        a, b = game.levels
        opinions = [model.Opinion(RATINGS[level], 0.0) for level in game.levels]
        score = game.results[0] - model.luck_weight(opinions) * game.luck[0]
        away = score - (game.starts[0] - 0.5) - SHARES[a, b]
        for name in {"all", str(a), str(b)}:
            found[name].append(away * away / model.play_variance(opinions))
    return {name: round(fmean(one), 2) for name, one in sorted(found.items())}
