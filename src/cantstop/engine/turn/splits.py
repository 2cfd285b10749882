"""One roll ahead: the state that each split leads to, from any state of a set of columns.

The splits are sorted by how they meet the set: the inner loops go through them case by case, so
that the processor can foresee what they do.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.turn.states import ColumnSets, StateLayout
from cantstop.jit import compiled, entry, inlined

ABSENT = -1

CONSTANT, SECOND, STRIDES = 0, 1, 2
"""What is stored for each larger set: where its states begin, what a new runner's second step adds,
and from there on what each step of the runners that are there already adds."""

ONCE, TWICE = 0, 1
"""What is stored for each column: the state after one step in it, and after two."""


class SplitCase(IntEnum):
    """Which columns of a split have a runner already, given the set of columns with runners."""

    TWICE = 0  # the split has the same column twice
    BOTH = 1
    ONE = 2
    NONE = 3


class SplitOrder(NamedTuple):
    """The splits sorted by case, for every set.

    ``splits[k, i]`` is the i-th split for set ``k`` with its two columns, the one in the set first;
    those of a case end before ``case_end[k, case]``.
    """

    splits: NDArray[np.uint64]
    case_end: NDArray[np.int64]


class Lookahead(NamedTuple):
    """Working memory: what is known about one set, and about one of its states.

    Of the set: ``place[column]`` is the column's place in it, ``enter[column]`` describes the set
    that has that column besides, ``pair[low, high]`` the one that has two columns besides.

    Of the state: ``made`` are the steps that its runners have made, ``reach`` the states after one
    and after two steps in each column, ``single`` the value of the former. For each split,
    ``worth`` is what it is worth (minus infinity: of no use), ``target`` the state that it leads
    to, ``new`` the runners that it brings onto the board (V2).
    """

    place: NDArray[np.int64]
    enter: NDArray[np.int64]
    pair: NDArray[np.int64]
    made: NDArray[np.int64]
    reach: NDArray[np.int64]
    single: NDArray[np.float64]
    worth: NDArray[np.float64]
    target: NDArray[np.int64]
    new: NDArray[np.int64]


def order_splits(sets: ColumnSets, splits: NDArray[np.uint64]) -> SplitOrder:
    """Sort the splits for every set."""
    count = len(sets.sizes)
    order = SplitOrder(
        np.empty((count, len(splits), 3), np.uint64), np.empty((count, len(SplitCase)), np.int64)
    )
    fill_order(sets.contains, splits, order)
    return order


@entry
def fill_order(contains: NDArray[np.bool_], splits: NDArray[np.uint64], order: SplitOrder) -> None:
    """Fill in the splits of every set, case by case."""
    sorted_splits, case_end = order
    for index in range(len(contains)):
        at = 0
        for case in range(case_end.shape[1]):
            for split in range(len(splits)):
                low, high = int(splits[split, 0]), int(splits[split, 1])
                in_low, in_high = contains[index, low], contains[index, high]
                absent = int(not in_low) + int(not in_high)
                if case == (SplitCase.TWICE if low == high else SplitCase.BOTH + absent):
                    swap = in_high and not in_low
                    sorted_splits[index, at, 0] = split
                    sorted_splits[index, at, 1] = high if swap else low
                    sorted_splits[index, at, 2] = low if swap else high
                    at += 1
            case_end[index, case] = at


@compiled
def new_lookahead(columns: int, runners: int, splits: int) -> Lookahead:
    """Working memory for a board."""
    return Lookahead(
        np.empty(columns, np.int64),
        np.empty((columns, STRIDES + runners), np.int64),
        np.empty((columns, columns, STRIDES + runners), np.int64),
        np.empty(runners, np.int64),
        np.empty((2, columns), np.int64),
        np.empty(columns),
        np.empty(splits),
        np.empty(splits, np.int64),
        np.zeros(splits, np.int64),
    )


@inlined
def select_set(sets: ColumnSets, layout: StateLayout, index: int, ahead: Lookahead) -> None:
    """Prepare to look ahead from the states of a set."""
    members, children, size = sets.members, sets.children, sets.sizes[index]
    steps, first, stride = layout
    place, enter, pair = ahead.place, ahead.enter, ahead.pair
    for column in range(len(steps)):
        place[column] = ABSENT
    for at in range(size):
        place[members[index, at]] = at
    for column in range(len(steps)):
        child = children[index, column]
        if child == ABSENT or steps[column] == 0:
            continue
        rank = 0
        while rank < size and members[index, rank] < column:
            rank += 1
        enter[column, SECOND] = stride[child, rank] if steps[column] > 1 else 0
        _describe_larger_set(members, first, stride, index, size, child, enter[column])
        if size + 2 <= members.shape[1]:
            for other in range(column + 1, len(steps)):
                if place[other] == ABSENT and steps[other]:
                    larger = children[child, other]
                    into = pair[column, other]
                    _describe_larger_set(members, first, stride, index, size, larger, into)


@inlined
def _describe_larger_set(
    members: NDArray[np.int64],
    first: NDArray[np.int64],
    stride: NDArray[np.int64],
    index: int,
    size: int,
    larger: int,
    into: NDArray[np.int64],
) -> None:
    """Where the states of a larger set lie whose new runners have made one step."""
    into[CONSTANT] = first[larger]
    rank = 0
    for at in range(size):
        while members[larger, rank] != members[index, at]:
            rank += 1
        into[STRIDES + at] = stride[larger, rank]
        into[CONSTANT] -= stride[larger, rank]


@inlined
def expand_rolls(
    order: SplitOrder,
    layout: StateLayout,
    index: int,
    size: int,
    here: int,
    value: NDArray[np.float64],
    ahead: Lookahead,
    record_targets: bool,
) -> None:
    """Find what each split is worth in the state ``here``, whose runners have ``made`` steps.

    Where the player has to pick one of two columns (T5) it is the better one.
    """
    splits, case_end = order.splits, order.case_end
    steps, stride = layout.steps, layout.stride
    place, enter, pair, made, reach = ahead.place, ahead.enter, ahead.pair, ahead.made, ahead.reach
    single = ahead.single
    free, nowhere = len(made) - size, len(value) - 1
    _step_in_each_column(layout, index, size, here, nowhere, ahead)
    for column in range(len(steps)):
        single[column] = value[reach[ONCE, column]]
    for at in range(case_end[index, SplitCase.TWICE]):
        split, column = splits[index, at, 0], splits[index, at, 1]
        _play_both(split, reach[TWICE, column], value, ahead, record_targets)
    for at in range(case_end[index, SplitCase.TWICE], case_end[index, SplitCase.ONE]):
        split, one, other = splits[index, at, 0], splits[index, at, 1], splits[index, at, 2]
        if reach[ONCE, one] == nowhere or reach[ONCE, other] == nowhere:
            _play_better(split, one, other, ahead, record_targets)
        elif at < case_end[index, SplitCase.BOTH]:
            state = reach[ONCE, one] + stride[index, place[other]]
            _play_both(split, state, value, ahead, record_targets)
        else:
            state = reach[ONCE, other] + enter[other, STRIDES + place[one]]
            _play_both(split, state, value, ahead, record_targets)
    for at in range(case_end[index, SplitCase.ONE], case_end[index, SplitCase.NONE]):
        split, one, other = splits[index, at, 0], splits[index, at, 1], splits[index, at, 2]
        if free < 2 or steps[one] == 0 or steps[other] == 0:
            _play_better(split, one, other, ahead, record_targets)
        else:
            state = pair[one, other, CONSTANT]
            for there in range(size):
                state += made[there] * pair[one, other, STRIDES + there]
            _play_both(split, state, value, ahead, record_targets)


@inlined
def _play_both(
    split: np.uint64,
    state: int,
    value: NDArray[np.float64],
    ahead: Lookahead,
    record_targets: bool,
) -> None:
    """A split leads to one state."""
    ahead.worth[split] = value[state]
    if record_targets:
        ahead.target[split] = state


@inlined
def _play_better(
    split: np.uint64, one: np.uint64, other: np.uint64, ahead: Lookahead, record_targets: bool
) -> None:
    """Only one of a split's columns can be played: the better one."""
    better, worse = ahead.single[one], ahead.single[other]
    ahead.worth[split] = better if better > worse else worse
    if record_targets:
        ahead.target[split] = ahead.reach[ONCE, other if worse > better else one]


@inlined
def _step_in_each_column(
    layout: StateLayout, index: int, size: int, here: int, nowhere: int, ahead: Lookahead
) -> None:
    """Find the states after one and after two steps in each column (T2, T3, T6)."""
    steps, stride = layout.steps, layout.stride
    place, enter, made, reach = ahead.place, ahead.enter, ahead.made, ahead.reach
    for column in range(len(steps)):
        at = place[column]
        once = twice = nowhere
        if at != ABSENT:
            left = steps[column] - made[at]
            if left > 0:
                once = twice = here + stride[index, at]
                if left > 1:
                    twice += stride[index, at]
        elif size < len(made) and steps[column]:
            once = enter[column, CONSTANT]
            for there in range(size):
                once += made[there] * enter[column, STRIDES + there]
            twice = once + enter[column, SECOND]
        reach[ONCE, column], reach[TWICE, column] = once, twice


@inlined
def count_new_runners(
    splits: NDArray[np.uint64], free: int, nowhere: int, ahead: Lookahead
) -> None:
    """Count the new runners that each split brings onto the board (V2)."""
    place, reach, new = ahead.place, ahead.reach, ahead.new
    for split in range(len(splits)):
        low, high = splits[split, 0], splits[split, 1]
        brings_low = place[low] == ABSENT and reach[ONCE, low] != nowhere
        brings_high = low != high and place[high] == ABSENT and reach[ONCE, high] != nowhere
        new[split] = min(int(brings_low) + int(brings_high), free)


@inlined
def best_split(
    rolls: NDArray[np.uint64],
    roll: int,
    worth: NDArray[np.float64],
    new: NDArray[np.int64],
    early: bool,
) -> np.uint64:
    """The best split of a roll, the first of equals; with V2, of those that bring the most."""
    best: np.uint64 = rolls[roll, 0]
    for at in range(1, rolls.shape[1]):
        split = rolls[roll, at]
        if early and new[split] != new[best]:
            if new[split] > new[best]:
                best = split
        elif worth[split] > worth[best]:
            best = split
    return best
