"""How much room a turn takes, so that boards beyond reason are refused before the work starts."""

from math import comb

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import Board, CantStopError

MOST_STATES = 50_000_000
MOST_SETS = 1_000_000


class TooLarge(CantStopError):
    """A board on which the exact work would not fit into memory or time."""


def state_count(steps: NDArray[np.int64], runners: int) -> int:
    """How many states a turn has: the ways to put at most so many runners on the columns.

    >>> state_count(np.array([3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]), 3)
    70224
    """
    ways = [1] + [0] * runners
    for column in steps.tolist():
        for out in range(runners, 0, -1):
            ways[out] += ways[out - 1] * column
    return sum(ways)


def check_room(board: Board, steps: NDArray[np.int64]) -> None:
    """Refuse a turn that has too many states or sets of columns."""
    states = state_count(steps, board.runners)
    sets = sum(comb(len(board.columns), out) for out in range(board.runners + 1))
    if states > MOST_STATES or sets > MOST_SETS:
        raise TooLarge(
            "A turn on this board has {states} states in {sets} sets of columns; "
            "at most {most_states} in {most_sets} can be solved.",
            states=states,
            sets=sets,
            most_states=MOST_STATES,
            most_sets=MOST_SETS,
        )
