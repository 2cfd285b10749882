"""Every set of columns that the runners of a turn can be in, and how its states are numbered.

A state of the turn is a set of columns together with the steps that each runner in it has made.
The states of a set form a box; boxes lie one after the other, smaller sets first, and inside a
box the last column counts fastest. So a move always leads to a higher number.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import inlined

NO_SET = -1


@dataclass(frozen=True)
class Sets:
    """The sets of at most ``runners`` columns, smaller ones first.

    ``members[k]`` are the columns of set ``k`` in ascending order, ``sizes[k]`` of them.
    ``children[k, c]`` is the set that column ``c`` makes of it, or ``NO_SET``.
    """

    runners: int
    members: NDArray[np.int64]
    sizes: NDArray[np.int64]
    children: NDArray[np.int64]

    def index(self, columns: tuple[int, ...]) -> int:
        """The number of a set of columns."""
        found = 0
        for column in columns:
            found = int(self.children[found, column])
        return found


@cache
def sets_of(columns: int, runners: int) -> Sets:
    """The sets for a board with so many columns and so many runners a turn."""
    found = [group for size in range(runners + 1) for group in combinations(range(columns), size)]
    place = {group: index for index, group in enumerate(found)}
    members = np.full((len(found), runners), NO_SET, np.int64)
    children = np.full((len(found), columns), NO_SET, np.int64)
    for index, group in enumerate(found):
        members[index, : len(group)] = group
        for column in set(range(columns)).difference(group):
            children[index, column] = place.get(tuple(sorted((*group, column))), NO_SET)
    return Sets(runners, members, np.array([len(group) for group in found], np.int64), children)


@inlined
def number_states(
    members: NDArray[np.int64],
    sizes: NDArray[np.int64],
    wanted: NDArray[np.bool_],
    steps: NDArray[np.int64],
    first: NDArray[np.int64],
    stride: NDArray[np.int64],
) -> int:
    """Fill in where each box begins and how far apart its steps lie; returns how many states.

    State number = first[set] + sum of (steps made - 1) * stride[set, place in the set]. A set with
    a won column has an empty box, and so has one that is not wanted; but no runner out at all is
    always state 0.
    """
    total = 0
    for index in range(sizes.size):
        first[index] = total
        size = 1
        for place in range(sizes[index] - 1, -1, -1):
            stride[index, place] = size
            size *= steps[members[index, place]]
        if wanted[index] or index == 0:
            total += size
    return total


@inlined
def start_at_bottom(
    members: NDArray[np.int64],
    index: int,
    size: int,
    steps: NDArray[np.int64],
    made: NDArray[np.int64],
) -> int:
    """Put the runners of a set on their first step; returns how many states the set has."""
    states = 1
    for at in range(size):
        made[at] = 1
        states *= steps[members[index, at]]
    return states


@inlined
def start_at_top(
    members: NDArray[np.int64],
    index: int,
    size: int,
    steps: NDArray[np.int64],
    made: NDArray[np.int64],
) -> int:
    """Put the runners of a set on the top; returns how many states the set has."""
    states = 1
    for at in range(size):
        made[at] = steps[members[index, at]]
        states *= made[at]
    return states


@inlined
def step_up(
    members: NDArray[np.int64],
    index: int,
    size: int,
    steps: NDArray[np.int64],
    made: NDArray[np.int64],
) -> None:
    """Go on to the state with the next number."""
    for at in range(size - 1, -1, -1):
        made[at] += 1
        if made[at] <= steps[members[index, at]]:
            break
        made[at] = 1


@inlined
def step_down(
    members: NDArray[np.int64],
    index: int,
    size: int,
    steps: NDArray[np.int64],
    made: NDArray[np.int64],
) -> None:
    """Go back to the state with the number before."""
    for at in range(size - 1, -1, -1):
        made[at] -= 1
        if made[at]:
            break
        made[at] = steps[members[index, at]]
