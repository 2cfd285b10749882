"""The states of a turn: the sets of columns that runners can be in, and how states are numbered.

A state is a set of columns together with the steps that each runner in it has made. The states of
a set form a box; boxes lie one after the other, smaller sets first, and inside a box the last
column counts fastest. So a move always leads to a higher number.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import entry, inlined

NO_SET = -1


class ColumnSets(NamedTuple):
    """The sets of columns that runners can be in, smaller ones first.

    ``members[k]`` are the columns of set ``k`` in ascending order, ``sizes[k]`` of them.
    ``children[k, c]`` is the set that column ``c`` makes of it, or ``NO_SET``;
    ``contains[k, c]`` tells whether it has that column already.
    """

    members: NDArray[np.int64]
    sizes: NDArray[np.int64]
    children: NDArray[np.int64]
    contains: NDArray[np.bool_]


class StateLayout(NamedTuple):
    """How many steps each column has in one turn, and how that numbers the states.

    State number = first[set] + sum of (steps made - 1) * stride[set, place in the set]. A set with
    a won column has no states, and neither has one that is not wanted; but no runner out at all is
    always state 0.
    """

    steps: NDArray[np.int64]
    first: NDArray[np.int64]
    stride: NDArray[np.int64]


def column_sets(columns: int, runners: int) -> ColumnSets:
    """The sets of columns, by the number of a board's columns and of a turn's runners."""
    count = sum(comb(columns, size) for size in range(runners + 1))
    sets = ColumnSets(
        np.empty((count, runners), np.int64),
        np.empty(count, np.int64),
        np.empty((count, columns), np.int64),
        np.empty((count, columns), np.bool_),
    )
    fill_sets(sets)
    return sets


@inlined
def _extend_sets(
    sets: ColumnSets, parents: NDArray[np.int64], size: int, begin: int, end: int
) -> int:
    """Add a higher column to each set of a size; returns how many sets there are then."""
    members, sizes, children, contains = sets
    made = end
    for index in range(begin, end):
        for column in range(members[index, size - 1] + 1 if size else 0, contains.shape[1]):
            for at in range(size):
                members[made, at] = members[index, at]
                contains[made, members[index, at]] = True
            members[made, size] = column
            contains[made, column] = True
            sizes[made] = size + 1
            parents[made] = index
            children[index, column] = made
            made += 1
    return made


@entry
def fill_sets(sets: ColumnSets) -> None:
    """Number the sets: those of one size in the order of their columns."""
    members, sizes, children, contains = sets
    parents = np.zeros(len(sizes), np.int64)
    for index in range(len(sizes)):
        members[index] = NO_SET
        children[index] = NO_SET
        contains[index] = False
    sizes[0] = 0
    begin, end = 0, 1
    for size in range(members.shape[1]):
        made = _extend_sets(sets, parents, size, begin, end)
        for index in range(begin if size else end, end):
            last = members[index, size - 1]
            for column in range(last):  # one below the last: by way of the others
                if not contains[index, column]:
                    other = children[parents[index], column]
                    children[index, column] = children[other, last]
        begin, end = end, made


def state_layout(
    sets: ColumnSets, wanted: NDArray[np.bool_], steps: NDArray[np.int64]
) -> tuple[StateLayout, int]:
    """Number the states of a turn in which the columns have these steps; also returns their count.

    Only the wanted sets have states.
    """
    layout = StateLayout(steps, np.empty(len(sets.sizes), np.int64), np.empty_like(sets.members))
    return layout, _number_states(sets, wanted, layout)


@inlined
def number_states(sets: ColumnSets, wanted: NDArray[np.bool_], layout: StateLayout) -> int:
    """Fill in the first state and the strides of every set; returns how many states there are."""
    members, sizes = sets.members, sets.sizes
    steps, first, stride = layout
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


@entry
def _number_states(sets: ColumnSets, wanted: NDArray[np.bool_], layout: StateLayout) -> int:
    return number_states(sets, wanted, layout)


@inlined
def place_at_bottom(
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
def place_at_top(
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
def next_state(
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
def previous_state(
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
