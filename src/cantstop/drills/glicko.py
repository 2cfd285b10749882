"""Glicko-2: a rating, how sure it is, and how steady its owner.

Mark E. Glickman, "Example of the Glicko-2 system" (2013); the steps are numbered as there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE = 173.7178
"""Rating points in one unit of Glicko-2's own scale: 400 / ln 10."""

AVERAGE = 1500.0
"""The rating that is zero on that scale."""

SYSTEM_CONSTANT = 0.5
"""How quickly volatility may change: the paper's tau, which it wants between 0.3 and 1.2."""

_CLOSE_ENOUGH = 1e-6


@dataclass(frozen=True)
class Rating:
    """A player's strength: with 95 % probability within two deviations of the rating."""

    rating: float = AVERAGE
    deviation: float = 350.0
    volatility: float = 0.06


def expected_score(player: Rating, opponent: Rating) -> float:
    """The chance to win against an opponent whose rating is about as sure as it says.

    >>> round(expected_score(Rating(1900, 30), Rating(1500, 0)), 3)
    0.909
    """
    return 1 / (1 + exp(-_weight(opponent) * (player.rating - opponent.rating) / SCALE))


def rated(player: Rating, results: Iterable[tuple[Rating, float]]) -> Rating:
    """The rating after games of one period: each an opponent and a score from 0 to 1.

    >>> after = rated(Rating(1500, 200), [(Rating(1400, 30), 1), (Rating(1550, 100), 0)])
    >>> round(after.rating), round(after.deviation)
    (1492, 158)
    """
    precision = gain = 0.0  # steps 3 and 4: the results' precision is 1 / v
    for opponent, score in results:
        weight, expected = _weight(opponent), expected_score(player, opponent)
        precision += weight**2 * expected * (1 - expected)
        gain += weight * (score - expected)
    deviation = player.deviation / SCALE
    if not precision:  # no games: only the deviation grows
        wider = SCALE * sqrt(deviation**2 + player.volatility**2)
        return Rating(player.rating, wider, player.volatility)
    volatility = _volatility(player.volatility, deviation, 1 / precision, gain / precision)
    before = deviation**2 + volatility**2  # step 6
    after = 1 / (1 / before + precision)  # step 7
    return Rating(player.rating + SCALE * after * gain, SCALE * sqrt(after), volatility)


def _weight(opponent: Rating) -> float:
    """How much a result says: less, the less sure the opponent's rating is (the paper's g)."""
    return 1 / sqrt(1 + 3 * (opponent.deviation / SCALE / pi) ** 2)


def _volatility(volatility: float, deviation: float, variance: float, improvement: float) -> float:
    """Step 5: the volatility that explains the results best, by the Illinois algorithm."""
    start = log(volatility**2)

    def slope(x: float) -> float:
        spread = deviation**2 + variance + exp(x)
        return (
            exp(x) * (improvement**2 - spread) / (2 * spread**2) - (x - start) / SYSTEM_CONSTANT**2
        )

    low = start
    surprise = improvement**2 - deviation**2 - variance
    if surprise > 0:
        high = log(surprise)
    else:
        steps = 1
        while slope(start - steps * SYSTEM_CONSTANT) < 0:
            steps += 1
        high = start - steps * SYSTEM_CONSTANT
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _CLOSE_ENOUGH:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = slope(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return exp(low / 2)
