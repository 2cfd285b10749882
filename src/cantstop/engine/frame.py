"""Everything about a turn that the rules alone settle, as arrays for the compiled recursions."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import SOURCES, cached
from cantstop.engine.kinds import inside_of, meetings_of
from cantstop.engine.rolls import rolls_of
from cantstop.engine.sets import number_states, sets_of
from cantstop.engine.triples import RUNNERS, triples_of
from cantstop.rules import Board


class Frame(NamedTuple):
    """The roll classes, the sets of columns, V2, how they meet, and the triples' kinds of rolls.

    Sets from ``first_triple`` on are solved as triples; with another number of runners than three
    there are none. ``inside[k, c]`` tells whether set ``k`` has column ``c``. Only ``wanted`` sets
    are solved; with a set all larger ones that hold it are wanted.
    """

    splits: NDArray[np.uint64]
    rolls: NDArray[np.uint64]
    chances: NDArray[np.float64]
    members: NDArray[np.int64]
    sizes: NDArray[np.int64]
    children: NDArray[np.int64]
    early: bool
    meetings: NDArray[np.uint64]
    until: NDArray[np.int64]
    first_triple: int
    kinds_start: NDArray[np.int64]
    kinds_chances: NDArray[np.float64]
    kinds_options: NDArray[np.uint64]
    kinds_useless: NDArray[np.float64]
    inside: NDArray[np.bool_]
    wanted: NDArray[np.bool_]

    def beyond(self, roots: Iterable[Sequence[int]]) -> "Frame":
        """The same for those sets alone that hold all columns of one of these."""
        wanted = np.zeros_like(self.wanted)
        for columns in roots:
            wanted |= self.inside[:, columns].all(axis=1)
        return self._replace(wanted=wanted)


class Boxes(NamedTuple):
    """How many steps each column has in one turn, and how that numbers the states."""

    steps: NDArray[np.int64]
    first: NDArray[np.int64]
    stride: NDArray[np.int64]


@cache
def frame_of(board: Board, early: bool) -> Frame:
    """The frame of every turn on a board."""
    rolls = rolls_of(board.sides)
    sets = sets_of(len(board.columns), board.runners)
    count = len(sets.sizes)
    first = int(np.searchsorted(sets.sizes, RUNNERS)) if board.runners == RUNNERS else count
    triples = triples_of(board.sides, tuple(map(tuple, sets.members[first:].tolist())))
    return Frame(
        rolls.splits,
        rolls.sets,
        rolls.chances,
        sets.members,
        sets.sizes,
        sets.children,
        early,
        *meetings_of(sets, rolls.splits),
        first,
        triples.start,
        triples.chances,
        triples.options,
        triples.useless,
        inside_of(sets),
        np.ones(count, np.bool_),
    )


def boxes_of(frame: Frame, steps: NDArray[np.int64]) -> tuple[Boxes, int]:
    """The boxes for these steps, and how many states they hold."""
    boxes = Boxes(steps, np.empty(len(frame.sizes), np.int64), np.empty_like(frame.members))
    return boxes, _number(frame.members, frame.sizes, frame.wanted, *boxes)


def _entry(sources: str) -> Callable[..., int]:
    @cached
    def number(
        members: NDArray[np.int64],
        sizes: NDArray[np.int64],
        wanted: NDArray[np.bool_],
        steps: NDArray[np.int64],
        first: NDArray[np.int64],
        stride: NDArray[np.int64],
    ) -> int:
        sources  # noqa: B018  what the cache looks at
        return number_states(members, sizes, wanted, steps, first, stride)

    return number


_number = _entry(SOURCES)
