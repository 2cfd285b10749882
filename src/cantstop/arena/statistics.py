"""Error bars and ratings.

Error bars come from blocks of games with the same dice, and from Wilson's interval for shares.
Ratings are on Elo's scale, from who won in which match (Bradley and Terry, 1952): a bot of strength
s wins with probability s / (sum of the strengths in the match), which for two is Elo's formula. The
strengths that make the results likeliest are found by the iteration of Hunter ("MM algorithms for
generalized Bradley-Terry models", 2004).
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    """The standard error of a mean over games, from sums over blocks of equal size.

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


MIDDLE = 1500.0
SCALE = 400 / np.log(10)
HEAD_START = 0.5
"""Wins that every bot is credited with in every match, so that none is infinitely strong."""

ROUNDS = 10_000
CLOSE_ENOUGH = 1e-12


class MatchWins(NamedTuple):
    """The bots of one match and how many games each has won."""

    bots: tuple[int, ...]
    wins: tuple[float, ...]


class Rating(NamedTuple):
    """A bot's rating, and its standard error."""

    value: float
    error: float


def ratings(count: int, matches: Sequence[MatchWins]) -> list[Rating]:
    """The ratings of the bots; the field's mean is 1500."""
    credited = [MatchWins(bots, tuple(win + HEAD_START for win in wins)) for bots, wins in matches]
    strengths = _strengths(count, credited)
    logs = np.log(strengths)
    errors = np.sqrt(np.diag(_covariance(strengths, credited)))
    return [
        Rating(float(MIDDLE + SCALE * (log - logs.mean())), float(SCALE * error))
        for log, error in zip(logs, errors, strict=True)
    ]


def _strengths(count: int, matches: Sequence[MatchWins]) -> NDArray[np.float64]:
    strengths = np.ones(count)
    wins = np.zeros(count)
    for match in matches:
        wins[list(match.bots)] += match.wins
    for _ in range(ROUNDS):
        due = np.zeros(count)
        for match in matches:
            seats = list(match.bots)
            due[seats] += sum(match.wins) / strengths[seats].sum()
        better = wins / due
        better /= np.exp(np.log(better).mean())
        if np.allclose(better, strengths, rtol=CLOSE_ENOUGH, atol=0):
            break
        strengths = better
    return strengths


def _covariance(
    strengths: NDArray[np.float64], matches: Sequence[MatchWins]
) -> NDArray[np.float64]:
    """How uncertain the logarithms are: the inverse of what the games tell about them."""
    information = np.zeros((len(strengths), len(strengths)))
    for match in matches:
        seats = list(match.bots)
        chances = strengths[seats] / strengths[seats].sum()
        information[np.ix_(seats, seats)] += sum(match.wins) * (
            np.diag(chances) - np.outer(chances, chances)
        )
    # only differences count, so the mean, about which the games say nothing, is left out
    covariance: NDArray[np.float64] = np.linalg.pinv(information).astype(np.float64)
    return covariance
