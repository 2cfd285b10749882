"""What ratings say of a game before it is played: chances, the weight of luck, variances.

``P(i wins) = e^(q r_i) / Σ e^(q r_j)``, where ``q = ln 10 / 400``: 400 points are odds of ten to
one, as on the ladder. Everything here follows from ratings alone, never from the game itself:
``docs/ratings.md`` has the derivation, and ``research/ratings`` has measured the constants.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from cantstop.ratings.arithmetic import exponential

MODEL = 1
"""The version of all constants and formulas of this package; stored with every rating."""

SCALE = 0.005756462732485115
"""q = ln 10 / 400."""

NEW = 1700.0
NEW_SD = 250.0
"""What is known of a player without games: a mean, and a standard deviation."""

SIZES_APART = 60.0
"""How far a player's ratings for two and for more players are apart: a standard deviation."""

MISFIT = 22.0
"""How far pairs are off every scale of one number, in points (root mean square)."""

SURE = 1.959963984540054
"""A normal variable is within this number of standard deviations of its mean in 95 % of cases."""

WEIGHT_RATINGS = (1720.0, 1980.0)
WEIGHTS = (0.72, 0.96)
"""How much of luck is subtracted, at mean ratings of the table; constant below and above."""

KNOTS = (1400.0, 1500.0, 1600.0, 1700.0, 1800.0, 1900.0, 2000.0)
ADDS = (0.081, 0.067, 0.046, 0.026, 0.0125, 0.0078, 0.0018)
"""What a seat of such a rating adds to the variance of scores; constant below and above."""

SEATS = {2: 1.0, 3: 0.92, 4: 0.83}
"""The factor of the variance by the number of players."""


class Kind(StrEnum):
    """What a rating is made of; the two are never blended."""

    RESULTS = "results"
    """Who won."""
    PLAY = "play"
    """The same, less the luck of the dice."""


class Size(StrEnum):
    """For how many players a rating is."""

    TWO = "two"
    MORE = "more"
    """Three or four."""

    @classmethod
    def of(cls, players: int) -> "Size":
        """The size of a table."""
        return cls.TWO if players == 2 else cls.MORE


@dataclass(frozen=True, slots=True)
class Opinion:
    """What is known of one rating: a normal distribution."""

    mean: float
    sd: float
    """0 for an anchor."""


def chances(ratings: Sequence[float]) -> list[float]:
    """Everybody's chance to win.

    >>> [round(chance, 3) for chance in chances([1800, 1400])]
    [0.909, 0.091]
    """
    top = max(ratings)
    powers = [exponential(SCALE * (rating - top)) for rating in ratings]
    total = fsum(powers)
    return [power / total for power in powers]


def luck_weight(opinions: Sequence[Opinion]) -> float:
    """How much of the luck to subtract: less where weak players will waste part of it.

    Any weight that is fixed before the game leaves the mean of the score as it is, since luck has
    mean zero roll by roll; this one makes its variance small.

    >>> luck_weight([Opinion(1500, 50), Opinion(1600, 50)])
    0.72
    """
    mean = fsum(one.mean for one in opinions) / len(opinions)
    return _interpolated(WEIGHT_RATINGS, WEIGHTS, mean)


def play_variance(opinions: Sequence[Opinion]) -> float:
    """The variance of one seat's score in Play, as ratings before the game have it.

    >>> round(play_variance([Opinion(2000, 0), Opinion(1900, 0)]), 4)
    0.0096
    """
    adds = fsum(_interpolated(KNOTS, ADDS, one.mean) for one in opinions) / len(opinions)
    return SEATS[len(opinions)] * 2.0 * adds


def _interpolated(knots: Sequence[float], values: Sequence[float], x: float) -> float:
    if x <= knots[0]:
        return values[0]
    if x >= knots[-1]:
        return values[-1]
    right = bisect_right(knots, x)
    share = (x - knots[right - 1]) / (knots[right] - knots[right - 1])
    return values[right - 1] + share * (values[right] - values[right - 1])
