"""Where a turn goes under best play: the chance to stop in each state, and to bust."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import SOURCES, cached, compiled
from cantstop.engine.frame import Boxes, Frame
from cantstop.engine.look import STRIDES, best_split, count_new, look, turn_to
from cantstop.engine.sets import start_at_bottom, step_up


@compiled
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
        split = best_split(rolls[roll], worth, new, early)
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
        columns, runners = len(boxes.steps), frame.members.shape[1]
        place = np.empty(columns, np.int64)
        enter = np.empty((columns, STRIDES + runners), np.int64)
        pair = np.empty((columns, columns, STRIDES + runners), np.int64)
        made = np.empty(runners, np.int64)
        reach = np.empty((2, columns), np.int64)
        target = np.empty(len(frame.splits), np.int64)
        worth = np.empty(len(frame.splits))
        new = np.zeros(len(frame.splits), np.int64)
        bust = 0.0
        for index in range(len(frame.sizes)):
            members = frame.members[index, : frame.sizes[index]]
            states = start_at_bottom(boxes.steps, members, made)
            if states:
                turn_to(frame, boxes, index, place, enter, pair)
            for here in range(boxes.first[index], boxes.first[index] + states):
                if chance[here] > 0.0 and not stops[here]:
                    look(
                        frame.splits,
                        boxes.steps,
                        boxes.stride[index],
                        place,
                        enter,
                        pair,
                        made,
                        len(members),
                        here,
                        value,
                        reach,
                        target,
                    )
                    for split in range(len(target)):
                        worth[split] = value[target[split]]
                    if frame.early:
                        free = runners - len(members)
                        count_new(frame.splits, place, free, len(value) - 1, reach, new)
                    bust += _share_out(
                        frame.rolls, frame.chances, frame.early, target, worth, new, here, chance
                    )
                step_up(boxes.steps, members, made)
        return bust

    return spread


spread = _entry(SOURCES)
