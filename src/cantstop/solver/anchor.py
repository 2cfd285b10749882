"""One anchor solved: its turn leads back to it by a bust, so its value is a fixed point.

With the value of a bust given, the turn can be solved; the value that this gives the anchor is a
convex, piecewise linear function of it. The fixed point is found by secant steps, which are
Newton steps as soon as the same decisions are best at both ends, inside a bracket. With two
players a bust leads to the other seat's turn with the same tokens, and its bust back: the same
with two turns one after the other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.backward import solve_states
from cantstop.engine.compiled import compiled
from cantstop.engine.frame import Boxes, Frame
from cantstop.engine.sets import number_states, start_at_bottom, step_up
from cantstop.solver.numbering import Digits

TOLERANCE = 1e-12
MOST_PASSES = 200


class Side(NamedTuple):
    """Room for the turn of one seat."""

    digit: NDArray[np.int64]
    boxes: Boxes
    stop: NDArray[np.float64]
    again: NDArray[np.float64]
    value: NDArray[np.float64]


@compiled
def new_side(frame: Frame, states: int) -> Side:
    """Room for a turn with at most so many states."""
    columns = frame.children.shape[1]
    return Side(
        np.empty(columns, np.int64),
        Boxes(
            np.empty(columns, np.int64),
            np.empty(len(frame.sizes), np.int64),
            np.empty(frame.members.shape, np.int64),
        ),
        np.empty(states),
        np.empty(states),
        np.empty(states + 1),
    )


@compiled
def prepare(
    frame: Frame,
    digits: Digits,
    flipped: int,
    total: float,
    values: NDArray[np.float64],
    side: Side,
) -> int:
    """Number the states of an anchor's turn and fill in what stops are worth; returns the count.

    ``flipped`` is the anchor's number as the other seat sees it, and ``total`` what an end is
    worth to both seats together: 1, or 0 in a solo game, where the values are turns to come.
    """
    steps, first, stride = side.boxes
    members, sizes, digit, stop = frame.members, frame.sizes, side.digit, side.stop
    landing, shared = digits.landing, digits.shared
    for column in range(len(digit)):
        steps[column] = digits.steps[column, digit[column]]
    count = number_states(members, sizes, frame.wanted, steps, first, stride)
    made = np.empty(members.shape[1], np.int64)
    stop[0] = -np.inf
    for index in range(1, len(sizes)):
        last = sizes[index] - 1
        column = members[index, last]
        rows = start_at_bottom(members, index, last, steps, made)
        state = first[index]
        for _ in range(rows if steps[column] else 0):
            end, legal = flipped, True
            for at in range(last):
                other = members[index, at]
                end += landing[other, digit[other], made[at]]
                legal &= not shared[other, digit[other], made[at]]
            for step in range(1, steps[column] + 1):
                free = legal and not shared[column, digit[column], step]
                worth = total - values[end + landing[column, digit[column], step]]
                stop[state] = worth if free else -np.inf
                state += 1
            step_up(members, index, last, steps, made)
    return count


@compiled
def turn_value(frame: Frame, side: Side, count: int, bust: float) -> float:
    """What the turn is worth if a bust is worth so much."""
    solve_states(frame, side.boxes, side.stop, bust, side.again, side.value[: count + 1])
    value: float = side.value[0]
    return value


@compiled
def _image_of(
    frame: Frame,
    sides: tuple[Side, Side],
    counts: tuple[int, int],
    players: int,
    symmetric: bool,
    value: float,
) -> float:
    """The value that an anchor has if a guess of it is right for what a bust leads back to."""
    if players == 1:
        return 1.0 - turn_value(frame, sides[0], counts[0], -value)
    if symmetric:
        return turn_value(frame, sides[0], counts[0], 1.0 - value)
    return turn_value(
        frame, sides[0], counts[0], 1.0 - turn_value(frame, sides[1], counts[1], 1.0 - value)
    )


@compiled
def fixed_point(
    frame: Frame,
    sides: tuple[Side, Side],
    counts: tuple[int, int],
    players: int,
    symmetric: bool,
    guess: float,
    slope: float,
) -> tuple[float, float, int]:
    """The value of an anchor, the slope of the excess at it, and the passes that it took.

    The excess, image minus value, falls from positive to negative. ``slope`` is a guess as well.
    """
    low, high = (1.0, np.inf) if players == 1 else (0.0, 1.0)
    value = min(max(guess, low), high)
    before, excess_before = value, 0.0
    for passed in range(1, MOST_PASSES):
        excess = _image_of(frame, sides, counts, players, symmetric, value) - value
        if excess > 0.0:
            low = value
        else:
            high = value
        if passed > 1 and abs(value - before) > TOLERANCE:
            slope = (excess - excess_before) / (value - before)
        slope = min(max(slope, -2.0), -1e-6)
        better = value - excess / slope
        if abs(better - value) <= TOLERANCE * max(1.0, value):
            return better, slope, passed
        if not low < better < high:
            better = 0.5 * (low + high) if high < np.inf else value + 1.0
        before, excess_before, value = value, excess, better
    return value, slope, MOST_PASSES
