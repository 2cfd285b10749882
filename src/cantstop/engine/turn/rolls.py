"""The rolls of four dice, collapsed to what matters: which splits they allow, and how likely.

With three runners out and none left in hand, even fewer distinct rolls remain: a roll only moves
runners that are there. A step of one runner, two steps of one, or a step each of two are all the
options there are; which of them a roll offers depends on the three columns and on the runners that
are on a top. Rolls that offer the same are taken together.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import compiled, entry
from cantstop.kernel.layout import RollsRecord
from cantstop.kernel.records import Records, rolls_of

SPLITS_PER_ROLL = 3
ABSENT = -1

TRIPLE = 3
"""The runners of a board for which triples are solved by a recursion of their own."""
TWICE = TRIPLE
"""The option of two steps of runner k is TWICE + k; one step of it is k."""
EACH = 2 * TRIPLE
"""A step each of runners j < k is EACH + j + k - 1."""
OPTIONS = 3 * TRIPLE
MASKS = 1 << TRIPLE

MOST_CLASSES = sum(comb(OPTIONS, offered) for offered in range(1, SPLITS_PER_ROLL + 1))
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


def roll_classes(sides: int) -> RollClasses:
    """The roll classes of dice, by their number of sides."""
    rolls, columns = rolls_of(sides), 2 * sides - 1
    most = int(rolls["count"][0]) + 1
    found = RollClasses(
        np.empty((columns * (columns + 1) // 2, 2), np.uint64),
        np.empty((most, SPLITS_PER_ROLL), np.uint64),
        np.zeros(most),
    )
    used = _fill_classes_at(rolls, columns, found)
    return RollClasses(found.splits, found.rolls[:used].copy(), found.chances[:used].copy())


@compiled
def fill_classes(rolls: RollsRecord, columns: int, found: RollClasses) -> int:
    """Fill in the splits and the classes of rolls; returns how many classes there are."""
    splits, classes, chances = found
    number = 0
    for low in range(columns):
        for high in range(low, columns):
            splits[number, 0] = low
            splits[number, 1] = high
            number += 1
    latest = np.full(number, ABSENT, np.int64)  # the last class that begins with a split
    earlier = np.empty(len(classes), np.int64)  # the one before
    used = 0
    for roll in range(rolls.count):
        for place in range(SPLITS_PER_ROLL):
            at = min(place, rolls.split_count[roll] - 1)
            low, high = rolls.splits[roll, at, 0] - 2, rolls.splits[roll, at, 1] - 2
            classes[used, place] = low * columns - low * (low - 1) // 2 + high - low
        first = classes[used, 0]
        same = latest[first]
        while same != ABSENT and not (
            classes[same, 1] == classes[used, 1] and classes[same, 2] == classes[used, 2]
        ):
            same = earlier[same]
        if same == ABSENT:
            earlier[used] = latest[first]
            latest[first] = same = used
            chances[same] = 0.0
            used += 1
        chances[same] += rolls.ways[roll]
    for roll in range(used):
        chances[roll] /= rolls.falls
    if used % 2:
        for place in range(SPLITS_PER_ROLL):
            classes[used, place] = classes[used - 1, place]
        chances[used] = 0.0
        used += 1
    return used


@entry
def _fill_classes_at(rolls: Records, columns: int, found: RollClasses) -> int:
    return fill_classes(rolls[0], columns, found)


def triple_rolls(classes: RollClasses, triples: NDArray[np.int64]) -> TripleRolls:
    """The roll classes of these triples of columns, counted from 0."""
    most = len(triples) * MASKS * (min(len(classes.rolls), MOST_CLASSES) + 1)
    found = TripleRolls(
        np.zeros((len(triples), MASKS + 1), np.int64),
        np.zeros(most),
        np.zeros((most, SPLITS_PER_ROLL), np.uint64),
        np.zeros((len(triples), MASKS)),
    )
    used = classify(triples, classes, found)
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
def classify(triples: NDArray[np.int64], classes: RollClasses, found: TripleRolls) -> int:
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
