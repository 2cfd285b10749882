"""How a split meets a set of columns: which of its two columns have a runner there already.

The recursions go through the splits kind by kind, so that the processor can foresee what they do.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.sets import Sets


class Meeting(IntEnum):
    """What a split and a set have in common."""

    TWICE = 0  # the same column twice
    BOTH = 1  # both columns are in the set
    ONE = 2  # one of them is
    NONE = 3


class Meetings(NamedTuple):
    """The splits sorted by kind, for every set.

    ``order[k, i]`` is the i-th split for set ``k`` with its two columns, the one in the set first;
    those of a kind end before ``until[k, kind]``.
    """

    order: NDArray[np.uint64]
    until: NDArray[np.int64]


def inside_of(sets: Sets) -> NDArray[np.bool_]:
    """Which columns every set has."""
    inside = np.zeros(sets.children.shape, np.bool_)
    for index, members in enumerate(sets.members):
        inside[index, members[: sets.sizes[index]]] = True
    return inside


def meetings_of(sets: Sets, splits: NDArray[np.uint64]) -> Meetings:
    """Sort the splits for every set."""
    inside = inside_of(sets)
    low, high = splits[:, 0].astype(np.int64), splits[:, 1].astype(np.int64)
    in_low, in_high = inside[:, low], inside[:, high]
    kind = np.where(low == high, Meeting.TWICE, Meeting.NONE - in_low.astype(np.int64) - in_high)
    place = np.argsort(kind, axis=1, kind="stable")
    swap = np.take_along_axis(in_high & ~in_low, place, axis=1)
    first, second = np.where(swap, high[place], low[place]), np.where(swap, low[place], high[place])
    until = np.stack([(kind <= meeting).sum(axis=1) for meeting in Meeting], axis=1)
    return Meetings(np.stack([place, first, second], axis=2).astype(np.uint64), until)
