"""Error bars: from blocks of games with the same dice, and Wilson's interval for shares."""

from math import sqrt
from typing import NamedTuple

NINETY_FIVE = 1.959964
"""How many standard errors to each side hold 95 % of a normal distribution."""


class Estimate(NamedTuple):
    """A mean with its standard error; None where there are too few games to tell."""

    mean: float
    error: float | None


class Interval(NamedTuple):
    """Where a share lies, with 95 % confidence."""

    low: float
    high: float


def block_error(blocks: int, total: int, squares: int, games: int) -> float | None:
    """The standard error of a mean over games, from sums over blocks of so many games each.

    Games of a block share their dice and so depend on each other; blocks do not.
    """
    if blocks < 2:
        return None
    # in whole numbers, as squares of large sums would eat a float's digits
    spread = blocks * squares - total * total
    variance = spread / (blocks * (blocks - 1))
    return sqrt(variance / blocks) / games


def share_interval(share: float, error: float | None, games: int) -> Interval:
    """Wilson's interval, for as many independent games as would have the same error.

    Unlike mean and error alone it never leaves 0 to 1, and says something at both ends.
    """
    independent = games if not error else share * (1 - share) / error**2
    if not independent:
        independent = games
    z = NINETY_FIVE**2 / independent
    middle = (share + z / 2) / (1 + z)
    half = sqrt(z * share * (1 - share) + z * z / 4) / (1 + z)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))
