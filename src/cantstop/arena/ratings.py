"""Ratings of a field on Elo's scale, from who won at which table (Bradley and Terry, 1952).

A bot of strength s wins at a table with probability s / (sum of the table's strengths), which for
two is Elo's formula. The strengths that make the results likeliest are found by the iteration of
Hunter ("MM algorithms for generalized Bradley-Terry models", 2004).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MIDDLE = 1500.0
SCALE = 400 / np.log(10)
HEAD_START = 0.5
"""Wins that every bot is credited with at every table, so that none is infinitely strong."""

ROUNDS = 10_000
CLOSE_ENOUGH = 1e-12


class TableWins(NamedTuple):
    """The bots of one table and how many games each has won."""

    bots: tuple[int, ...]
    wins: tuple[float, ...]


class Rating(NamedTuple):
    """A bot's rating, and its standard error."""

    value: float
    error: float


def ratings(count: int, tables: Sequence[TableWins]) -> list[Rating]:
    """The ratings of so many bots; the field's mean is 1500."""
    credited = [TableWins(bots, tuple(win + HEAD_START for win in wins)) for bots, wins in tables]
    strengths = _strengths(count, credited)
    logs = np.log(strengths)
    errors = np.sqrt(np.diag(_covariance(strengths, credited)))
    return [
        Rating(float(MIDDLE + SCALE * (log - logs.mean())), float(SCALE * error))
        for log, error in zip(logs, errors, strict=True)
    ]


def _strengths(count: int, tables: Sequence[TableWins]) -> NDArray[np.float64]:
    strengths = np.ones(count)
    wins = np.zeros(count)
    for table in tables:
        wins[list(table.bots)] += table.wins
    for _ in range(ROUNDS):
        due = np.zeros(count)
        for table in tables:
            seats = list(table.bots)
            due[seats] += sum(table.wins) / strengths[seats].sum()
        better = wins / due
        better /= np.exp(np.log(better).mean())
        if np.allclose(better, strengths, rtol=CLOSE_ENOUGH, atol=0):
            break
        strengths = better
    return strengths


def _covariance(strengths: NDArray[np.float64], tables: Sequence[TableWins]) -> NDArray[np.float64]:
    """How uncertain the logarithms are: the inverse of what the games tell about them."""
    told = np.zeros((len(strengths), len(strengths)))
    for table in tables:
        seats = list(table.bots)
        chances = strengths[seats] / strengths[seats].sum()
        told[np.ix_(seats, seats)] += sum(table.wins) * (
            np.diag(chances) - np.outer(chances, chances)
        )
    # only differences count, so the mean, about which the games say nothing, is left out
    covariance: NDArray[np.float64] = np.linalg.pinv(told).astype(np.float64)
    return covariance
