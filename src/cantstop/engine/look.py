"""One roll ahead: the state that each split leads to, from any state of a set of columns.

The functions of the inner loop take plain arrays: named tuples are slow to hand around there.
"""

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import compiled, inlined
from cantstop.engine.frame import Boxes, Frame

ABSENT = -1

CONSTANT, SECOND, STRIDES = 0, 1, 2
"""What is kept for each larger set: where its states begin, what a new runner's second step adds,
and from there on what each step of the runners that are there already adds."""

ALONE, TWICE = 0, 1
"""What is kept for each column: the state after one step in it, and after two."""


@compiled
def turn_to(
    frame: Frame,
    boxes: Boxes,
    index: int,
    place: NDArray[np.int64],
    enter: NDArray[np.int64],
    pair: NDArray[np.int64],
) -> None:
    """Prepare to look ahead from the states of a set.

    ``place[column]`` becomes the column's place in the set, ``enter[column]`` describes the set
    that has that column besides, ``pair[low, high]`` the one that has two columns besides.
    """
    members, children, steps = frame.members, frame.children, boxes.steps
    place[:] = ABSENT
    for at in range(frame.sizes[index]):
        place[members[index, at]] = at
    for column in range(len(steps)):
        child = children[index, column]
        if child == ABSENT or steps[column] == 0:
            continue
        _describe(frame, boxes, index, child, enter[column])
        enter[column, SECOND] = 0
        if steps[column] > 1:
            enter[column, SECOND] = boxes.stride[child, _rank(members[child], column)]
        for other in range(column + 1, len(steps)):
            grandchild = children[child, other]
            if grandchild != ABSENT and place[other] == ABSENT and steps[other]:
                _describe(frame, boxes, index, grandchild, pair[column, other])


@compiled
def _describe(frame: Frame, boxes: Boxes, index: int, larger: int, into: NDArray[np.int64]) -> None:
    into[CONSTANT] = boxes.first[larger]
    for at in range(frame.sizes[index]):
        rank = _rank(frame.members[larger], frame.members[index, at])
        into[STRIDES + at] = boxes.stride[larger, rank]
        into[CONSTANT] -= into[STRIDES + at]


@compiled
def _rank(members: NDArray[np.int64], column: int) -> int:
    rank = 0
    while members[rank] != column:
        rank += 1
    return rank


@inlined
def look(
    splits: NDArray[np.uint64],
    steps: NDArray[np.int64],
    stride: NDArray[np.int64],
    place: NDArray[np.int64],
    enter: NDArray[np.int64],
    pair: NDArray[np.int64],
    made: NDArray[np.int64],
    size: int,
    here: int,
    value: NDArray[np.float64],
    reach: NDArray[np.int64],
    target: NDArray[np.int64],
) -> None:
    """Find the state that each split leads to from a state whose runners have ``made`` steps.

    Splits that are of no use lead to the entry behind the last state, which is worth minus
    infinity. Where the player has to pick one of two columns (T5) it is the better one.
    """
    free, nowhere = len(made) - size, len(value) - 1
    _step(steps, stride, place, enter, made, size, here, nowhere, reach)
    for split in range(len(splits)):
        low, high = splits[split, 0], splits[split, 1]
        one, other = reach[ALONE, low], reach[ALONE, high]
        if low == high:
            target[split] = reach[TWICE, low]
        elif (
            one == nowhere
            or other == nowhere
            or (free == 1 and place[low] == ABSENT and place[high] == ABSENT)
        ):
            target[split] = other if value[other] > value[one] else one
        elif place[low] != ABSENT and place[high] != ABSENT:
            target[split] = one + stride[place[high]]
        elif place[high] != ABSENT:
            target[split] = one + enter[low, STRIDES + place[high]]
        elif place[low] != ABSENT:
            target[split] = other + enter[high, STRIDES + place[low]]
        else:
            target[split] = _entered(pair[low, high], made, size)


@inlined
def _step(
    steps: NDArray[np.int64],
    stride: NDArray[np.int64],
    place: NDArray[np.int64],
    enter: NDArray[np.int64],
    made: NDArray[np.int64],
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
                alone = twice = here + stride[at]
                if left > 1:
                    twice += stride[at]
        elif size < len(made) and steps[column]:
            alone = _entered(enter[column], made, size)
            twice = alone + enter[column, SECOND]
        reach[ALONE, column], reach[TWICE, column] = alone, twice


@inlined
def _entered(larger: NDArray[np.int64], made: NDArray[np.int64], size: int) -> int:
    state: int = larger[CONSTANT]
    for at in range(size):
        state += made[at] * larger[STRIDES + at]
    return state


@compiled
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
    roll: NDArray[np.uint64],
    worth: NDArray[np.float64],
    new: NDArray[np.int64],
    early: bool,
) -> np.uint64:
    """The best split of a roll, the first of equals; with V2, of those that bring the most."""
    best: np.uint64 = roll[0]
    for at in range(1, len(roll)):
        split = roll[at]
        if early and new[split] != new[best]:
            if new[split] > new[best]:
                best = split
        elif worth[split] > worth[best]:
            best = split
    return best
