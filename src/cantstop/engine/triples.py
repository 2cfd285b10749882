"""Rolls as three runners see them when none is left in hand: few distinct ones remain.

With all three runners out, a roll only moves runners that are there. A step of one runner, two
steps of one, or a step each of two are all the options there are; which of them a roll offers
depends on the triple and on the runners that are on a top. Rolls that offer the same are one kind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import SOURCES, cached, compiled
from cantstop.engine.rolls import SPLITS_A_ROLL, rolls_of

RUNNERS = 3
TWICE = RUNNERS
"""The option of two steps of runner k is TWICE + k; one step of it is k."""
EACH = 2 * RUNNERS
"""A step each of runners j < k is EACH + j + k - 1."""
OPTIONS = 3 * RUNNERS
MASKS = 1 << RUNNERS


@dataclass(frozen=True)
class Triples:
    """The kinds of rolls for every triple and every subset of its runners on a top.

    For triple ``t`` with the topped runners ``mask`` they are ``start[t, mask]`` up to
    ``start[t, mask + 1]``, an even number of them (the last may have no chance at all). A kind has
    a chance and three options, the last one repeated where there are fewer. ``useless[t, mask]``
    is the chance of a roll that offers nothing.
    """

    start: NDArray[np.int64]
    chances: NDArray[np.float64]
    options: NDArray[np.uint64]
    useless: NDArray[np.float64]


@cache
def triples_of(sides: int, members: tuple[tuple[int, int, int], ...]) -> Triples:
    """The kinds of rolls for these triples of columns, counted from 0."""
    rolls = rolls_of(sides)
    room = len(members) * MASKS * (len(rolls.sets) + 1)
    start = np.zeros((len(members), MASKS + 1), np.int64)
    useless = np.zeros((len(members), MASKS))
    chances = np.zeros(room)
    options = np.zeros((room, SPLITS_A_ROLL), np.uint64)
    used = _classify(
        np.array(members, np.int64).reshape(-1, RUNNERS),
        rolls.splits,
        rolls.sets,
        rolls.chances,
        start,
        chances,
        options,
        useless,
    )
    return Triples(start, chances[:used].copy(), options[:used].copy(), useless)


@compiled
def _offered(
    members: NDArray[np.int64], roll: NDArray[np.uint64], splits: NDArray[np.uint64], mask: int
) -> int:
    """The options that a roll gives, as bits."""
    found = 0
    for split in roll:
        option = _option(members, int(splits[split, 0]), int(splits[split, 1]), mask)
        if option >= 0:
            found |= 1 << option
    return found


@compiled
def _option(members: NDArray[np.int64], low: int, high: int, mask: int) -> int:
    """The option that a split gives, or -1 where it gives none."""
    one = other = -1
    for place in range(RUNNERS):
        if not mask >> place & 1:
            if members[place] == low:
                one = place
            if members[place] == high:
                other = place
    if low == high:
        return one if one < 0 else TWICE + one
    if one < 0 or other < 0:
        return max(one, other)
    return EACH + one + other - 1


@compiled
def _unpack(offered: int, into: NDArray[np.uint64]) -> None:
    place = 0
    for option in range(OPTIONS):
        if offered >> option & 1:
            into[place:] = option
            place += 1


def _entry(sources: str) -> Callable[..., int]:
    @cached
    def classify(
        triples: NDArray[np.int64],
        splits: NDArray[np.uint64],
        rolls: NDArray[np.uint64],
        likely: NDArray[np.float64],
        start: NDArray[np.int64],
        chances: NDArray[np.float64],
        options: NDArray[np.uint64],
        useless: NDArray[np.float64],
    ) -> int:
        """Fill in the kinds of rolls; returns how many there are."""
        sources  # noqa: B018  what the cache looks at
        seen = np.zeros(len(chances), np.int64)
        used = 0
        for triple in range(len(triples)):
            for mask in range(MASKS):
                begin = start[triple, mask] = used
                for roll in range(len(rolls)):
                    offered = _offered(triples[triple], rolls[roll], splits, mask)
                    if offered == 0:
                        useless[triple, mask] += likely[roll]
                        continue
                    kind = begin
                    while kind < used and seen[kind] != offered:
                        kind += 1
                    if kind == used:
                        seen[used] = offered
                        _unpack(offered, options[used])
                        used += 1
                    chances[kind] += likely[roll]
                if (used - begin) % 2:  # the recursion takes two at a time
                    options[used] = options[used - 1]
                    used += 1
            start[triple, MASKS] = used
        return used

    return classify


_classify = _entry(SOURCES)
