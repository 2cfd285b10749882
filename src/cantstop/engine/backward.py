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
    columns, runners = len(boxes.steps), frame.members.shape[1]
    place = np.empty(columns, np.int64)
    enter = np.empty((columns, STRIDES + runners), np.int64)
    pair = np.empty((columns, columns, STRIDES + runners), np.int64)
    made = np.empty(runners, np.int64)
    reach = np.empty((2, columns), np.int64)
    target = np.empty(len(frame.splits), np.int64)
    worth = np.empty(len(frame.splits))
    new = np.empty(len(frame.splits), np.int64)
    options = np.empty(OPTIONS)
    value[-1] = -np.inf
    for index in range(len(frame.sizes) - 1, -1, -1):
        members = frame.members[index, : frame.sizes[index]]
        states = start_at_top(boxes.steps, members, made)
        if states == 0:
            continue
        last = boxes.first[index] + states - 1
        if index >= frame.first_triple:
            triple = index - frame.first_triple
            _solve_triple(
                frame.kinds_start[triple],
                frame.kinds_chances,
                frame.kinds_options,
                frame.kinds_useless[triple],
                boxes.steps[members[0]],
                boxes.steps[members[1]],
                boxes.steps[members[2]],
                last,
                stop,
                bust,
                again,
                value,
                options,
            )
            continue
        turn_to(frame, boxes, index, place, enter, pair)
        _solve_set(
            frame.splits,
            frame.rolls,
            frame.chances,
            frame.early,
            boxes.steps,
            boxes.stride[index],
            members,
            place,
            enter,
            pair,
            last,
            states,
            stop,
            bust,
            again,
            value,
            made,
            reach,
            target,
            worth,
            new,
        )


@compiled
def _solve_set(
    splits: NDArray[np.uint64],
    rolls: NDArray[np.uint64],
    chances: NDArray[np.float64],
    early: bool,
    steps: NDArray[np.int64],
    stride: NDArray[np.int64],
    members: NDArray[np.int64],
    place: NDArray[np.int64],
    enter: NDArray[np.int64],
    pair: NDArray[np.int64],
    last: int,
    states: int,
    stop: NDArray[np.float64],
    bust: float,
    again: NDArray[np.float64],
    value: NDArray[np.float64],
    made: NDArray[np.int64],
    reach: NDArray[np.int64],
    target: NDArray[np.int64],
    worth: NDArray[np.float64],
    new: NDArray[np.int64],
) -> None:
    """Any set of columns, with or without runners in hand."""
    size = len(members)
    for here in range(last, last - states, -1):
        look(splits, steps, stride, place, enter, pair, made, size, here, value, reach, target)
        for split in range(len(splits)):
            worth[split] = value[target[split]]
        if early:
            count_new(splits, place, len(made) - size, len(value) - 1, reach, new)
            again[here] = _mean_early(rolls, chances, worth, new, bust)
        else:
            again[here] = _mean(rolls, chances, worth, bust)
        value[here] = max(again[here], stop[here])
        step_down(steps, members, made)


@inlined
def _mean(
    rolls: NDArray[np.uint64],
    chances: NDArray[np.float64],
    worth: NDArray[np.float64],
    bust: float,
) -> float:
    """What a roll is worth on average."""
    total = 0.0
    for roll in range(len(rolls)):
        best, second, third = worth[rolls[roll, 0]], worth[rolls[roll, 1]], worth[rolls[roll, 2]]
        best = best if best > second else second  # much faster than max()
        best = best if best > third else third
        total += chances[roll] * (best if best > -np.inf else bust)
    return total


@compiled
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
        best = worth[best_split(rolls[roll], worth, new, early=True)]
        total += chances[roll] * (best if best > -np.inf else bust)
    return total


@compiled
def _solve_triple(
    start: NDArray[np.int64],
    chances: NDArray[np.float64],
    kinds: NDArray[np.uint64],
    useless: NDArray[np.float64],
    steps0: int,
    steps1: int,
    steps2: int,
    last: int,
    stop: NDArray[np.float64],
    bust: float,
    again: NDArray[np.float64],
    value: NDArray[np.float64],
    options: NDArray[np.float64],
) -> None:
    """Three runners and none in hand: a 3-D recursion over what each has left to its top."""
    here = last
    for left0 in range(steps0):
        up0 = steps1 * steps2 if left0 else 0
        for left1 in range(steps1):
            up1 = steps2 if left1 else 0
            for left2 in range(steps2):
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
                total = useless[mask] * bust
                for kind in range(start[mask], start[mask + 1]):
                    best = options[kinds[kind, 0]]
                    second = options[kinds[kind, 1]]
                    third = options[kinds[kind, 2]]
                    best = best if best > second else second  # much faster than max()
                    best = best if best > third else third
                    total += chances[kind] * best
                again[here] = total
                value[here] = max(total, stop[here])
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
