"""The rolls of four dice, collapsed to what matters: which splits they allow, and how likely.

With three runners out and none left in hand, even fewer distinct rolls remain: a roll only moves
runners that are there. A step of one runner, two steps of one, or a step each of two are all the
options there are; which of them a roll offers depends on the three columns and on the runners that
are on a top. Rolls that offer the same are taken together.
"""

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import compiled, entry
from cantstop.rules import Split, splits, ways

SPLITS_PER_ROLL = 3

TRIPLE = 3
"""The runners of a board for which triples are solved by a recursion of their own."""
TWICE = TRIPLE
"""The option of two steps of runner k is TWICE + k; one step of it is k."""
EACH = 2 * TRIPLE
"""A step each of runners j < k is EACH + j + k - 1."""
OPTIONS = 3 * TRIPLE
MASKS = 1 << TRIPLE

_MOST_CLASSES = sum(comb(OPTIONS, offered) for offered in range(1, SPLITS_PER_ROLL + 1))
"""A triple tells rolls apart by the options that they offer; a split offers one at most."""


class RollClasses(NamedTuple):
    """Every distinct set of splits as arrays.

    ``splits[s]`` holds the two sums of split ``s`` as places in ``board.columns``, the lower first.
    ``rolls[r]`` are the splits of roll class ``r`` in the order of ``rules.splits``, the last one
    repeated where there are fewer than three; ``chances[r]`` is the probability of that class.
    Their number is even, so that they can be taken two at a time: the last may have no chance.

    >>> classes = roll_classes(6)
    >>> len(classes.rolls), len(classes.splits), round(float(classes.chances.sum()), 12)
    (110, 66, 1.0)
    """

    splits: NDArray[np.uint64]  # unsigned indices are the fast ones
    rolls: NDArray[np.uint64]
    chances: NDArray[np.float64]


class TripleRolls(NamedTuple):
    """The roll classes of every triple of columns and every subset of its runners on a top.

    For triple ``t`` with the topped runners ``mask`` they are ``start[t, mask]`` up to
    ``start[t, mask + 1]``, an even number of them (the last may have no chance at all). A class has
    a chance and three options, the last one repeated where there are fewer. ``bust[t, mask]``
    is the chance of a roll that offers nothing.
    """

    start: NDArray[np.int64]
    chances: NDArray[np.float64]
    options: NDArray[np.uint64]
    bust: NDArray[np.float64]


@cache
def roll_classes(sides: int) -> RollClasses:
    """The roll classes of dice with so many sides."""
    times: dict[tuple[Split, ...], int] = {}
    for dice, count in ways(sides, 4).items():
        times[splits(dice)] = times.get(splits(dice), 0) + count
    found = sorted({split for group in times for split in group})
    number = {split: index for index, split in enumerate(found)}
    rolls = [
        [number[group[min(index, len(group) - 1)]] for index in range(SPLITS_PER_ROLL)]
        for group in times
    ]
    chances = [count / sides**4 for count in times.values()]
    if len(rolls) % 2:
        rolls.append(rolls[-1])
        chances.append(0.0)
    return RollClasses(
        np.array(found, np.uint64) - np.uint64(2),
        np.array(rolls, np.uint64),
        np.array(chances, np.float64),
    )


@cache
def triple_rolls(sides: int, triples: tuple[tuple[int, int, int], ...]) -> TripleRolls:
    """The roll classes of these triples of columns, counted from 0."""
    classes = roll_classes(sides)
    most = len(triples) * MASKS * (min(len(classes.rolls), _MOST_CLASSES) + 1)
    found = TripleRolls(
        np.zeros((len(triples), MASKS + 1), np.int64),
        np.zeros(most),
        np.zeros((most, SPLITS_PER_ROLL), np.uint64),
        np.zeros((len(triples), MASKS)),
    )
    used = _classify(np.array(triples, np.int64).reshape(-1, TRIPLE), classes, found)
    return found._replace(chances=found.chances[:used].copy(), options=found.options[:used].copy())


@compiled
def _options_of_roll(
    columns: NDArray[np.int64], roll: NDArray[np.uint64], splits: NDArray[np.uint64], mask: int
) -> int:
    """The options that a roll gives, as bits."""
    found = 0
    for split in roll:
        option = _option_of_split(columns, int(splits[split, 0]), int(splits[split, 1]), mask)
        if option >= 0:
            found |= 1 << option
    return found


@compiled
def _option_of_split(columns: NDArray[np.int64], low: int, high: int, mask: int) -> int:
    """The option that a split gives, or -1 where it gives none."""
    one = other = -1
    for place in range(TRIPLE):
        if not mask >> place & 1:
            if columns[place] == low:
                one = place
            if columns[place] == high:
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
            for rest in range(place, SPLITS_PER_ROLL):
                into[rest] = option
            place += 1


@entry
def _classify(triples: NDArray[np.int64], classes: RollClasses, found: TripleRolls) -> int:
    """Fill in the roll classes of the triples; returns how many there are."""
    start, chances, options, bust = found
    known = np.zeros(len(chances), np.int64)
    used = 0
    for triple in range(len(triples)):
        for mask in range(MASKS):
            begin = start[triple, mask] = used
            for roll in range(len(classes.rolls)):
                offered = _options_of_roll(
                    triples[triple], classes.rolls[roll], classes.splits, mask
                )
                if offered == 0:
                    bust[triple, mask] += classes.chances[roll]
                    continue
                number = begin
                while number < used and known[number] != offered:
                    number += 1
                if number == used:
                    known[used] = offered
                    _unpack(offered, options[used])
                    used += 1
                chances[number] += classes.chances[roll]
            if (used - begin) % 2:  # the recursion takes two at a time
                for place in range(SPLITS_PER_ROLL):
                    options[used, place] = options[used - 1, place]
                used += 1
        start[triple, MASKS] = used
    return used
