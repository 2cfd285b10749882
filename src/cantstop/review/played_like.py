"""What play was worth: the rating that goes with an error per decision.

Bots whose ratings are known have been reviewed by the thousand (``research/reviews``). A curve goes
through them from error per decision to rating; how far they are from it, and how much the error of
so few decisions owes to chance, makes the interval. docs/review.md tells how.
"""

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import sqrt

from cantstop.rules import Rules, Start

FILE = "played_like.json"
NINETY_FIVE = 1.96
"""How many standard errors to each side hold 95 % of a normal distribution."""
LOWEST = 1000.0
"""No bot that was measured is near it: what is below counts as this."""


@dataclass(frozen=True)
class PlayedLike:
    """A rating, and the interval that holds the true one in 95 of 100 cases."""

    rating: float
    low: float
    high: float


@dataclass(frozen=True)
class Curve:
    """From error per decision to rating, as measured.

    The rating is ``top`` for no error at all and falls by ``slope * error ** power``; bots are off
    it by ``spread`` (a standard deviation). The error of one decision of a player who gives away
    ``error`` on average has the standard deviation ``noise * error ** noise_power``.
    """

    top: float
    slope: float
    power: float
    spread: float
    noise: float
    noise_power: float

    def rating(self, error: float) -> float:
        """The rating that goes with an error per decision."""
        return float(max(LOWEST, self.top - self.slope * error**self.power))

    def of(self, error: float, decisions: int) -> PlayedLike:
        """The rating that a total error over a number of decisions was played like."""
        mean = error / decisions
        rating = self.rating(mean)
        below = rating - self.rating(self._bound(mean, decisions, 1))
        above = self.rating(self._bound(mean, decisions, -1)) - rating
        off = NINETY_FIVE * self.spread
        return PlayedLike(
            rating,
            max(LOWEST, rating - sqrt(below**2 + off**2)),
            min(self.top, rating + sqrt(above**2 + off**2)),
        )

    def _bound(self, mean: float, decisions: int, side: int) -> float:
        """The largest (side 1) or smallest true error that such a mean is no surprise for."""
        low, high = (mean, 1.0) if side > 0 else (0.0, mean)
        for _ in range(50):
            middle = (low + high) / 2
            noise = NINETY_FIVE * self.noise * middle**self.noise_power / sqrt(decisions)
            surprised = abs(middle - mean) > noise
            if surprised == (side > 0):
                high = middle
            else:
                low = middle
        return (low + high) / 2


@cache
def curve() -> Curve:
    """The curve that comes with the package; ``python -m research.reviews report`` has made it."""
    stored = json.loads((files("cantstop.review") / FILE).read_text("utf-8"))
    return Curve(**stored["curve"])


def played_like(rules: Rules, error: float, decisions: int) -> PlayedLike | None:
    """What an error in all was played like; None where no bot has been measured.

    Ratings are for two players by the standard rules, whoever starts.

    >>> played_like(Rules(), 0.0, 30).rating
    2000.0
    >>> played_like(Rules(players=3), 0.0, 30) is None
    True
    """
    if not decisions or replace(rules, start=Start.FIRST_SEAT) != Rules():
        return None
    return curve().of(error, decisions)
