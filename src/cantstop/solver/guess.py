"""A first guess at an anchor's value from its neighbours that are solved already.

The neighbours are the anchors with some of the tokens one step further. If the mixed difference
over a group of columns is neglected, the anchor's value follows from the neighbours'; the guess
is the mean of that over all groups of a size, which gives each neighbour a weight that depends
only on how many tokens differ.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import compiled
from cantstop.solver.numbering import Digits

GROUP = 6
MOST_COLUMNS = 11
"""Further columns are left as they are: the number of neighbours doubles with each."""


def neighbour_weights() -> NDArray[np.float64]:
    """``weights[m, k]``: the weight of neighbours with ``k`` of ``m`` tokens one step further."""
    weights = np.zeros((MOST_COLUMNS + 1, MOST_COLUMNS + 1))
    for movable in range(1, MOST_COLUMNS + 1):
        group = min(GROUP, movable)
        for moved in range(1, group + 1):
            share = comb(movable - moved, group - moved) / comb(movable, group)
            weights[movable, moved] = share if moved % 2 else -share
    return weights


@compiled
def guess_value(
    digits: Digits,
    digit: NDArray[np.int64],
    number: int,
    weights: NDArray[np.float64],
    values: NDArray[np.float64],
    unknown: float,
) -> float:
    """The guess, or ``unknown`` where there is no neighbour to go by."""
    nudges = np.empty(MOST_COLUMNS, np.int64)
    movable = 0
    for column in range(len(digit)):
        nudge = digits.nudge[column, digit[column]]
        if nudge and movable < MOST_COLUMNS:
            nudges[movable] = nudge
            movable += 1
    if movable == 0:
        return unknown
    shift = np.zeros(1 << movable, np.int64)
    moved = np.zeros(1 << movable, np.int64)
    total = 0.0
    for place in range(movable):
        for group in range(1 << place, 2 << place):
            rest = group - (1 << place)
            shift[group] = shift[rest] + nudges[place]
            moved[group] = moved[rest] + 1
            weight = weights[movable, moved[group]]
            if weight:
                total += weight * values[number + shift[group]]
    return total
