"""Lookup tables that the kernels read: chances of useless rolls, weights of neighbours."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cantstop.solver.cuda.kernels.means import rolls_of
from cantstop.solver.fixed_point import neighbour_weights as weights_of_neighbours


def neighbour_weights(columns: int) -> NDArray[np.float32]:
    """The weight of a neighbour by movable and moved tokens, as the kernels have it."""
    return weights_of_neighbours()[: columns + 1, : columns + 1].astype(np.float32, order="C")


def closed_sets(columns: int, to_win: int) -> list[tuple[int, ...]]:
    """The sets of columns that can be won before the game is over, by their numbers."""
    return [
        group
        for size in range(min(to_win, columns + 1))
        for group in combinations(range(columns), size)
    ]


def useless_chances(sides: int, to_win: int) -> NDArray[np.float32]:
    """The chance of a roll of no use, by closed set and by the runners on a top (at most two)."""
    columns = 2 * sides - 1
    rolls = rolls_of(sides)
    shown = np.array([sum(1 << c for c in {c for s in group for c in s}) for group, _ in rolls])
    times = np.array([count for _, count in rolls])
    closed = np.array([sum(1 << c for c in group) for group in closed_sets(columns, to_win)])
    topped = np.array(
        [
            sum(1 << c for c in group)
            for size in range(3)
            for group in combinations(range(columns), size)
        ]
    )
    dead = closed[:, None] | topped[None, :]
    chances = np.empty(dead.shape, np.float32)
    for row, sets in enumerate(dead):
        chances[row] = ((shown[None, :] & ~sets[:, None]) == 0) @ times / sides**4
    return chances
