"""One roll ahead: the state that each split leads to, from any state of a set of columns.

The inner loops take plain arrays and no views of them: counting references would cost more than
the work, and much more still where threads share the arrays.
"""

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import inlined
from cantstop.engine.kinds import Meeting

ABSENT = -1

CONSTANT, SECOND, STRIDES = 0, 1, 2
"""What is kept for each larger set: where its states begin, what a new runner's second step adds,
and from there on what each step of the runners that are there already adds."""

ALONE, TWICE = 0, 1
"""What is kept for each column: the state after one step in it, and after two."""


@inlined
def turn_to(
    members: NDArray[np.int64],
    children: NDArray[np.int64],
    steps: NDArray[np.int64],
    first: NDArray[np.int64],
    stride: NDArray[np.int64],
    index: int,
    size: int,
    place: NDArray[np.int64],
    enter: NDArray[np.int64],
    pair: NDArray[np.int64],
) -> None:
    """Prepare to look ahead from the states of a set.

    ``place[column]`` becomes the column's place in the set, ``enter[column]`` describes the set
    that has that column besides, ``pair[low, high]`` the one that has two columns besides.
    """
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
        _describe(members, first, stride, index, size, child, enter[column])
        if size + 2 <= members.shape[1]:
            for other in range(column + 1, len(steps)):
                if place[other] == ABSENT and steps[other]:
                    larger = children[child, other]
                    _describe(members, first, stride, index, size, larger, pair[column, other])


@inlined
def _describe(
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
def look(
    meetings: NDArray[np.uint64],
    until: NDArray[np.int64],
    steps: NDArray[np.int64],
    stride: NDArray[np.int64],
    place: NDArray[np.int64],
    enter: NDArray[np.int64],
    pair: NDArray[np.int64],
    made: NDArray[np.int64],
    index: int,
    size: int,
    here: int,
    value: NDArray[np.float64],
    reach: NDArray[np.int64],
    single: NDArray[np.float64],
    worth: NDArray[np.float64],
    target: NDArray[np.int64],
    aim: bool,
) -> None:
    """Find what each split is worth in a state whose runners have ``made`` steps.

    Splits that are of no use are worth minus infinity. Where the player has to pick one of two
    columns (T5) it is the better one. With ``aim`` the state that a split leads to is kept too.
    """
    free, nowhere = len(made) - size, len(value) - 1
    _step(steps, stride, place, enter, made, index, size, here, nowhere, reach)
    for column in range(len(steps)):
        single[column] = value[reach[ALONE, column]]
    for at in range(until[index, Meeting.TWICE]):
        split, column = meetings[index, at, 0], meetings[index, at, 1]
        _go(split, reach[TWICE, column], value, worth, target, aim)
    for at in range(until[index, Meeting.TWICE], until[index, Meeting.ONE]):
        split, one, other = meetings[index, at, 0], meetings[index, at, 1], meetings[index, at, 2]
        if reach[ALONE, one] == nowhere or reach[ALONE, other] == nowhere:
            _pick(split, one, other, reach, single, worth, target, aim)
        elif at < until[index, Meeting.BOTH]:
            state = reach[ALONE, one] + stride[index, place[other]]
            _go(split, state, value, worth, target, aim)
        else:
            state = reach[ALONE, other] + enter[other, STRIDES + place[one]]
            _go(split, state, value, worth, target, aim)
    for at in range(until[index, Meeting.ONE], until[index, Meeting.NONE]):
        split, one, other = meetings[index, at, 0], meetings[index, at, 1], meetings[index, at, 2]
        if free < 2 or steps[one] == 0 or steps[other] == 0:
            _pick(split, one, other, reach, single, worth, target, aim)
        else:
            state = pair[one, other, CONSTANT]
            for there in range(size):
                state += made[there] * pair[one, other, STRIDES + there]
            _go(split, state, value, worth, target, aim)


@inlined
def _go(
    split: np.uint64,
    state: int,
    value: NDArray[np.float64],
    worth: NDArray[np.float64],
    target: NDArray[np.int64],
    aim: bool,
) -> None:
    """A split leads to a state."""
    worth[split] = value[state]
    if aim:
        target[split] = state


@inlined
def _pick(
    split: np.uint64,
    one: np.uint64,
    other: np.uint64,
    reach: NDArray[np.int64],
    single: NDArray[np.float64],
    worth: NDArray[np.float64],
    target: NDArray[np.int64],
    aim: bool,
) -> None:
    """Only one of a split's columns can be played: the better one."""
    better, worse = single[one], single[other]
    worth[split] = better if better > worse else worse
    if aim:
        target[split] = reach[ALONE, other if worse > better else one]


@inlined
def _step(
    steps: NDArray[np.int64],
    stride: NDArray[np.int64],
    place: NDArray[np.int64],
    enter: NDArray[np.int64],
    made: NDArray[np.int64],
    index: int,
    size: int,
    here: int,
    nowhere: int,
    reach: NDArray[np.int64],
) -> None:
    """Find the states after one and after two steps in each column (T2, T3, T6)."""
    for column in range(len(steps)):
        at = place[column]
        alone = twice = nowhere
        if at != ABSENT:
            left = steps[column] - made[at]
            if left > 0:
                alone = twice = here + stride[index, at]
                if left > 1:
                    twice += stride[index, at]
        elif size < len(made) and steps[column]:
            alone = enter[column, CONSTANT]
            for there in range(size):
                alone += made[there] * enter[column, STRIDES + there]
            twice = alone + enter[column, SECOND]
        reach[ALONE, column], reach[TWICE, column] = alone, twice


@inlined
def count_new(
    splits: NDArray[np.uint64],
    place: NDArray[np.int64],
    free: int,
    nowhere: int,
    reach: NDArray[np.int64],
    new: NDArray[np.int64],
) -> None:
    """Count the new runners that each split brings onto the board (V2)."""
    for split in range(len(splits)):
        low, high = splits[split, 0], splits[split, 1]
        brings_low = place[low] == ABSENT and reach[ALONE, low] != nowhere
        brings_high = low != high and place[high] == ABSENT and reach[ALONE, high] != nowhere
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
