"""Where a turn goes under best play: the chance to stop in each state, and to bust."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import SOURCES, cached, inlined
from cantstop.engine.frame import Boxes, Frame
from cantstop.engine.look import STRIDES, best_split, count_new, look, turn_to
from cantstop.engine.sets import start_at_bottom, step_up


@inlined
def _share_out(
    rolls: NDArray[np.uint64],
    chances: NDArray[np.float64],
    early: bool,
    target: NDArray[np.int64],
    worth: NDArray[np.float64],
    new: NDArray[np.int64],
    here: int,
    chance: NDArray[np.float64],
) -> float:
    """Hand the chance to be in a state on to where its rolls lead; returns what is a bust."""
    bust = 0.0
    for roll in range(len(rolls)):
        split = best_split(rolls, roll, worth, new, early)
        share = chance[here] * chances[roll]
        if worth[split] == -np.inf:
            bust += share
        else:
            chance[target[split]] += share
    return bust


def _entry(sources: str) -> Callable[..., float]:
    @cached
    def spread(
        frame: Frame,
        boxes: Boxes,
        stops: NDArray[np.bool_],
        value: NDArray[np.float64],
        chance: NDArray[np.float64],
    ) -> float:
        """Play on from where ``chance`` says the turn stands; returns the chance of a bust.

        Afterwards ``chance[state]`` is the chance to stop there for the states in ``stops``, and
        the chance to come by for the others. ``value`` is what ``solve`` has found.
        """
        sources  # noqa: B018  what the cache looks at
        steps, first, stride = boxes
        splits, rolls, chances, members, sizes, children, early = frame[:7]
        meetings, until, wanted = frame.meetings, frame.until, frame.wanted
        columns, runners = len(steps), members.shape[1]
        place = np.empty(columns, np.int64)
        enter = np.empty((columns, STRIDES + runners), np.int64)
        pair = np.empty((columns, columns, STRIDES + runners), np.int64)
        made = np.empty(runners, np.int64)
        reach = np.empty((2, columns), np.int64)
        single = np.empty(columns)
        target = np.empty(len(splits), np.int64)
        worth = np.empty(len(splits))
        new = np.zeros(len(splits), np.int64)
        bust = 0.0
        for index in range(len(sizes)):
            if not wanted[index]:
                continue
            size = sizes[index]
            states = start_at_bottom(members, index, size, steps, made)
            if states:
                turn_to(members, children, steps, first, stride, index, size, place, enter, pair)
            for here in range(first[index], first[index] + states):
                if chance[here] > 0.0 and not stops[here]:
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
                        aim=True,
                    )
                    if early:
                        count_new(splits, place, runners - size, len(value) - 1, reach, new)
                    bust += _share_out(rolls, chances, early, target, worth, new, here, chance)
                step_up(members, index, size, steps, made)
        return bust

    return spread


spread = _entry(SOURCES)
