"""The recursion that solves a turn: the value of every state, from the last one back."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import SOURCES, cached, compiled, inlined
from cantstop.engine.frame import Boxes, Frame
from cantstop.engine.look import STRIDES, best_split, count_new, look, turn_to
from cantstop.engine.sets import start_at_top, step_down
from cantstop.engine.triples import EACH, OPTIONS, TWICE


@compiled
def solve_states(
    frame: Frame,
    boxes: Boxes,
    stop: NDArray[np.float64],
    bust: float,
    again: NDArray[np.float64],
    value: NDArray[np.float64],
) -> None:
    """Fill in what rolling again is worth in every state, and the better of that and stopping.

    ``stop`` is minus infinity where stopping is illegal. ``value`` has one entry more than there
    are states.
    """
    steps, first, stride = boxes
    splits, rolls, chances, members, sizes, children, early = frame[:7]
    meetings, until, first_triple = frame[7:10]
    kinds_start, kinds_chances, kinds_options, kinds_useless = frame[10:14]
    wanted = frame.wanted
    columns, runners = len(steps), members.shape[1]
    place = np.empty(columns, np.int64)
    enter = np.empty((columns, STRIDES + runners), np.int64)
    pair = np.empty((columns, columns, STRIDES + runners), np.int64)
    made = np.empty(runners, np.int64)
    reach = np.empty((2, columns), np.int64)
    single = np.empty(columns)
    target = np.empty(len(splits), np.int64)
    worth = np.empty(len(splits))
    new = np.empty(len(splits), np.int64)
    options = np.empty(OPTIONS)
    value[-1] = -np.inf
    for index in range(len(sizes) - 1, -1, -1):
        size = sizes[index]
        states = start_at_top(members, index, size, steps, made)
        if states == 0 or not wanted[index]:
            continue
        last = first[index] + states - 1
        if index >= first_triple:
            _solve_triple(
                kinds_start,
                kinds_chances,
                kinds_options,
                kinds_useless,
                index - first_triple,
                made,
                last,
                stop,
                bust,
                again,
                value,
                options,
            )
            continue
        turn_to(members, children, steps, first, stride, index, size, place, enter, pair)
        for here in range(last, last - states, -1):
            look(
                meetings,
                until,
                steps,
                stride,
                place,
                enter,
                pair,
                made,
                index,
                size,
                here,
                value,
                reach,
                single,
                worth,
                target,
                aim=False,
            )
            if early:
                count_new(splits, place, runners - size, len(value) - 1, reach, new)
                again[here] = _mean_early(rolls, chances, worth, new, bust)
            else:
                again[here] = _mean(rolls, chances, worth, bust)
            value[here] = max(again[here], stop[here])
            step_down(members, index, size, steps, made)


@inlined
def _mean(
    rolls: NDArray[np.uint64],
    chances: NDArray[np.float64],
    worth: NDArray[np.float64],
    bust: float,
) -> float:
    """What a roll is worth on average."""
    even = odd = 0.0  # two sums at a time: each addition waits for the one before
    for roll in range(0, len(rolls), 2):
        best = _best_of_three(rolls, roll, worth)
        even += chances[roll] * (best if best > -np.inf else bust)
        best = _best_of_three(rolls, roll + 1, worth)
        odd += chances[roll + 1] * (best if best > -np.inf else bust)
    return even + odd


@inlined
def _best_of_three(options: NDArray[np.uint64], row: int, worth: NDArray[np.float64]) -> float:
    """The highest worth of a row's three options; much faster than max()."""
    best: float = worth[options[row, 0]]
    second, third = worth[options[row, 1]], worth[options[row, 2]]
    best = best if best > second else second
    return best if best > third else third


@inlined
def _mean_early(
    rolls: NDArray[np.uint64],
    chances: NDArray[np.float64],
    worth: NDArray[np.float64],
    new: NDArray[np.int64],
    bust: float,
) -> float:
    """What a roll is worth on average where the runners have to come out early (V2)."""
    total = 0.0
    for roll in range(len(rolls)):
        best = worth[best_split(rolls, roll, worth, new, early=True)]
        total += chances[roll] * (best if best > -np.inf else bust)
    return total


@inlined
def _solve_triple(
    start: NDArray[np.int64],
    chances: NDArray[np.float64],
    kinds: NDArray[np.uint64],
    useless: NDArray[np.float64],
    triple: int,
    steps: NDArray[np.int64],
    last: int,
    stop: NDArray[np.float64],
    bust: float,
    again: NDArray[np.float64],
    value: NDArray[np.float64],
    options: NDArray[np.float64],
) -> None:
    """Three runners and none in hand: a 3-D recursion over what each has left to its top."""
    here = last
    for left0 in range(steps[0]):
        up0 = steps[1] * steps[2] if left0 else 0
        for left1 in range(steps[1]):
            up1 = steps[2] if left1 else 0
            for left2 in range(steps[2]):
                up2 = 1 if left2 else 0
                mask = (left0 == 0) + 2 * (left1 == 0) + 4 * (left2 == 0)
                options[0] = value[here + up0]
                options[1] = value[here + up1]
                options[2] = value[here + up2]
                options[TWICE] = value[here + 2 * up0] if left0 > 1 else options[0]
                options[TWICE + 1] = value[here + 2 * up1] if left1 > 1 else options[1]
                options[TWICE + 2] = value[here + 2 * up2] if left2 > 1 else options[2]
                options[EACH] = value[here + up0 + up1]
                options[EACH + 1] = value[here + up0 + up2]
                options[EACH + 2] = value[here + up1 + up2]
                even, odd = useless[triple, mask] * bust, 0.0
                for kind in range(start[triple, mask], start[triple, mask + 1], 2):
                    even += chances[kind] * _best_of_three(kinds, kind, options)
                    odd += chances[kind + 1] * _best_of_three(kinds, kind + 1, options)
                again[here] = even + odd
                value[here] = max(again[here], stop[here])
                here -= 1


def _entry(sources: str) -> Callable[..., None]:
    @cached
    def solve(
        frame: Frame,
        boxes: Boxes,
        stop: NDArray[np.float64],
        bust: float,
        again: NDArray[np.float64],
        value: NDArray[np.float64],
    ) -> None:
        """``solve_states`` for Python."""
        sources  # noqa: B018  what the cache looks at
        solve_states(frame, boxes, stop, bust, again, value)

    return solve


solve = _entry(SOURCES)
