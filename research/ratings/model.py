"""The constants of ``cantstop.ratings.model``, fitted to games of two players."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    adds: tuple[float, ...]


def hats(knots: Sequence[float], at: float) -> list[float]:
    """How much each knot counts at a rating between two of them; constant beyond the last ones."""
    unit = np.eye(len(knots))
    return [float(np.interp(at, knots, row)) for row in unit]


def fitted(games: Sequence[Reviewed]) -> Constants:
    """The weight of luck by least squares; then what every rating adds to the variance.

    The squares of what is left are fitted with weights, since their own spread grows with them; a
    stronger player never adds more than a weaker one.
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
    middle = np.array([hats(model.WEIGHT_RATINGS, (a + b) / 2) for a, b in ratings])
    weights = np.linalg.lstsq(middle * luck[:, None], away, rcond=None)[0]
    squares = (away - (middle @ weights) * luck) ** 2
    both = np.array([np.add(hats(model.KNOTS, a), hats(model.KNOTS, b)) for a, b in ratings])
    adds = np.full(len(model.KNOTS), squares.mean() / 2)
    for _ in range(_ROUNDS):
        sure = 1.0 / (both @ adds)
        adds = np.linalg.lstsq(both * sure[:, None], squares * sure, rcond=None)[0]
        adds = np.maximum(np.minimum.accumulate(adds), _LEAST)
    return Constants(len(games), tuple(weights.round(3).tolist()), tuple(adds.round(4).tolist()))
