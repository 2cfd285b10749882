"""The rolls of four dice, collapsed to what matters: which splits they allow, and how likely."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import Split, splits, ways

SPLITS_A_ROLL = 3


@dataclass(frozen=True)
class Rolls:
    """Every distinct set of splits as arrays.

    ``splits[s]`` holds the two sums of split ``s`` as places in ``board.columns``, the lower first.
    ``sets[r]`` are the splits of roll class ``r`` in the order of ``rules.splits``, the last one
    repeated where there are fewer than three; ``chances[r]`` is the probability of that class.
    Their number is even, so that they can be taken two at a time: the last may have no chance.

    >>> rolls = rolls_of(6)
    >>> len(rolls.sets), len(rolls.splits), round(float(rolls.chances.sum()), 12)
    (110, 66, 1.0)
    """

    splits: NDArray[np.uint64]  # unsigned indices are the fast ones
    sets: NDArray[np.uint64]
    chances: NDArray[np.float64]


@cache
def rolls_of(sides: int) -> Rolls:
    """The roll classes of dice with so many sides."""
    times: dict[tuple[Split, ...], int] = {}
    for dice, count in ways(sides, 4).items():
        times[splits(dice)] = times.get(splits(dice), 0) + count
    found = sorted({split for group in times for split in group})
    place = {split: index for index, split in enumerate(found)}
    sets = [
        [place[group[min(index, len(group) - 1)]] for index in range(SPLITS_A_ROLL)]
        for group in times
    ]
    chances = [count / sides**4 for count in times.values()]
    if len(sets) % 2:
        sets.append(sets[-1])
        chances.append(0.0)
    return Rolls(
        np.array(found, np.uint64) - np.uint64(2),
        np.array(sets, np.uint64),
        np.array(chances, np.float64),
    )
