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

MODEL = 2
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
WEIGHTS = (0.77, 0.99)
"""How much of luck is subtracted, at mean ratings of the table; constant below and above."""

UNEQUAL = 0.36
"""How much less of it where two players are not equal: to be multiplied by (2 P - 1)²."""

KNOTS = (1400.0, 1500.0, 1600.0, 1700.0, 1800.0, 1900.0, 2000.0)
ADDS = (0.0725, 0.0592, 0.0433, 0.0239, 0.0137, 0.0055, 0.0015)
"""What a seat of such a rating adds to the variance of scores; constant below and above."""

SEATS = {2: 1.0, 3: 1.0, 4: 0.9}
"""The factor of the variance by the number of players."""

WASTE_RATINGS = (1450.0, 1750.0)
WASTE = (0.1, 0.0)
"""How much a player wastes of a chance that takes them to go on like a champion, at most."""


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
    """How much of the luck to subtract: less where players will waste part of it.

    That is where they are weak, or one of two is much stronger: luck is worked out as if both went
    on alike. Any weight that is fixed before the game leaves the mean of the score as it is, since
    luck has mean zero roll by roll; this one makes its variance small.

    >>> luck_weight([Opinion(1550, 50), Opinion(1550, 50)])
    0.77
    >>> round(luck_weight([Opinion(1500, 50), Opinion(1600, 50)]), 3)
    0.742
    """
    ratings = [one.mean for one in opinions]
    weight = _interpolated(WEIGHT_RATINGS, WEIGHTS, fsum(ratings) / len(ratings))
    if len(ratings) > 2:
        return weight
    first, second = chances(ratings)
    return weight - UNEQUAL * (first - second) * (first - second)


def play_variance(opinions: Sequence[Opinion]) -> float:
    """The variance of one seat's score in Play, as ratings before the game have it.

    >>> round(play_variance([Opinion(2000, 0), Opinion(1900, 0)]), 4)
    0.007
    """
    adds = fsum(_interpolated(KNOTS, ADDS, one.mean) for one in opinions) / len(opinions)
    return SEATS[len(opinions)] * 2.0 * adds


def leaving_waste(opinion: Opinion) -> float:
    """How far the chance of a player who is to decide may be below the review's estimate.

    It goes by the lower end of what is known of a rating: a newcomer may be a weak player.

    >>> round(leaving_waste(Opinion(1700, 40)), 3), leaving_waste(Opinion(1700, 250))
    (0.03, 0.1)
    """
    return _interpolated(WASTE_RATINGS, WASTE, opinion.mean - opinion.sd)


def _interpolated(knots: Sequence[float], values: Sequence[float], x: float) -> float:
    if x <= knots[0]:
        return values[0]
    if x >= knots[-1]:
        return values[-1]
    right = bisect_right(knots, x)
    share = (x - knots[right - 1]) / (knots[right] - knots[right - 1])
    return values[right - 1] + share * (values[right] - values[right - 1])
