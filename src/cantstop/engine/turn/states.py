"""The states of a turn: the sets of columns that runners can be in, and how states are numbered.

A state is a set of columns together with the steps that each runner in it has made. The states of
a set form a box; boxes lie one after the other, smaller sets first, and inside a box the last
column counts fastest. So a move always leads to a higher number.
"""

from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import entry, inlined
from cantstop.rules import Board, CantStopError

NO_SET = -1
MAX_BYTES = 2 << 30
"""Memory that solving one turn may take."""

_STATE_BYTES, _SPACE_BYTES, _SPLIT_BYTES = 150, 14, 90
"""What a state takes at most, and besides for each column; and what a split takes for each set."""


class TooLarge(CantStopError):
    """A board on which the exact work would not fit into memory or time."""


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


@cache
def column_sets(columns: int, runners: int) -> ColumnSets:
    """The sets for a board with so many columns and so many runners a turn."""
    found = [group for size in range(runners + 1) for group in combinations(range(columns), size)]
    number = {group: index for index, group in enumerate(found)}
    members = np.full((len(found), runners), NO_SET, np.int64)
    children = np.full((len(found), columns), NO_SET, np.int64)
    contains = np.zeros((len(found), columns), np.bool_)
    for index, group in enumerate(found):
        members[index, : len(group)] = group
        contains[index, list(group)] = True
        for column in set(range(columns)).difference(group):
            children[index, column] = number.get(tuple(sorted((*group, column))), NO_SET)
    sizes = np.array([len(group) for group in found], np.int64)
    return ColumnSets(members, sizes, children, contains)


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


def count_states(steps: NDArray[np.int64], runners: int) -> int:
    """How many states a turn has: the ways to put at most so many runners on the columns.

    >>> count_states(np.array([3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]), 3)
    70224
    """
    ways = [1] + [0] * runners
    for column in steps.tolist():
        for out in range(runners, 0, -1):
            ways[out] += ways[out - 1] * column
    return sum(ways)


def check_turn_size(
    board: Board, steps: NDArray[np.int64] | None = None, most: int = MAX_BYTES
) -> None:
    """Refuse a turn that takes more than so many bytes of memory, before any work starts.

    Without the steps that the columns have left, it is a turn on the empty board.
    """
    columns = len(board.columns)
    states = count_states(np.array(board.lengths) if steps is None else steps, board.runners)
    sets = sum(comb(columns, out) for out in range(board.runners + 1))
    splits = columns * (columns + 1) // 2
    needed = states * (_STATE_BYTES + _SPACE_BYTES * columns) + sets * splits * _SPLIT_BYTES
    if needed > most:
        raise TooLarge(
            "A turn on this board is too large to be solved: it has {states} states in {sets} sets "
            "of columns.",
            states=states,
            sets=sets,
        )
