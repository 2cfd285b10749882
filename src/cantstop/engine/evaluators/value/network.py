"""The value network: what it sees, how it is laid out, and what it says, in plain NumPy.

For every column and every other seat one vector stands for the *pair* of spaces left to the seat
to move and to that seat; with three or four seats another one for that seat's place in the order;
one for the columns that both still need, and one for V2. Their sum goes through two layers:

    sum    of the vectors, ``units`` numbers; the same for the board seen in a mirror
    first  what is positive of the sum plus what is positive of the mirror's sum, ``MOST`` at most
    deep   what is positive of 32 weighted sums of that
    out    for two seats the logit of the one to move; else a logit for every seat, from that one on

So a board and its mirror image (column c for 14 - c) are worth the same whatever the weights are,
and in the ends of a turn the sum is that of the anchor plus one difference for every runner.
``sums.py`` works it out that way.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.value.packed import GRAIN, NEEDS, VECTORS
from cantstop.rules import OFFICIAL

LENGTHS = np.array(OFFICIAL.lengths)
COLUMNS = len(LENGTHS)
SEAT = COLUMNS + 1
"""Numbers for every seat of a plain anchor: the spaces left in each column, the columns needed."""

PAIR_FIRST = np.cumsum([0, *(LENGTHS + 1) ** 2])
OTHER_FIRST = np.cumsum([0, *(LENGTHS + 1)])
SUM_LIMIT = 64
MOST = SUM_LIMIT - GRAIN
"""What is positive of a sum and of the mirror's is less than the limit; larger values
count as the limit."""

CHUNK = 32
"""Units that the module adds up in whole numbers; it continues in floating point."""

LARGEST_WEIGHT = 2.0**15 - 1
LARGEST_SUM = 2.0**31 - 2.0**20
"""The rest is for what rounding adds."""

FINEST = 2.0**-24

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Weights:
    """One network. ``others`` is empty for two players."""

    pairs: Floats
    """[PAIR_ROWS, units], row PAIR_FIRST[c] + own * (length + 1) + other"""
    others: Floats
    """[seats - 1, OTHER_ROWS, units], row OTHER_FIRST[c] + other"""
    needs: Floats
    """[seats - 1, NEEDS * NEEDS, units], row (own need - 1) * NEEDS + other's - 1"""
    early: Floats
    """[units]"""
    hidden: Floats
    """[DEEP, units]"""
    hidden_bias: Floats
    """[DEEP]"""
    out: Floats
    """[1 or seats, DEEP]"""
    out_bias: Floats
    """[1 or seats]"""

    @property
    def units(self) -> int:
        """How many numbers each vector has."""
        return len(self.early)

    @property
    def players(self) -> int:
        """For how many seats it is."""
        return len(self.needs) + 1

    def rounded(self) -> "Weights":
        """The same with the vectors rounded to the grain, as a file keeps them, and ``hidden``."""
        vectors = {name: np.round(getattr(self, name) / GRAIN) * GRAIN for name in VECTORS}
        hidden = self.hidden.copy()
        round_hidden(hidden, np.empty(len(hidden)))
        found = {name: array.astype(np.float32) for name, array in vectors.items()}
        return replace(self, hidden=hidden, **found)


def round_hidden(hidden: Floats, grain: NDArray[np.float64]) -> None:
    """Round the weights of every deep unit to whole multiples of a power of two, its ``grain``.

    It is the finest with which weights have 16 bits, and what a chunk of units adds up to has 32,
    counted in grains of weights and vectors: the engine's module works in whole numbers.
    """
    units = hidden.shape[1]
    for to in range(len(hidden)):
        largest = most = 0.0
        for begin in range(0, units, CHUNK):
            above = below = 0.0
            for unit in range(begin, min(begin + CHUNK, units)):
                weight = float(hidden[to, unit])
                above += max(weight, 0.0)
                below += max(-weight, 0.0)
                largest = max(largest, abs(weight))
            most = max(most, max(above, below))
        grain[to] = 1.0
        while grain[to] > FINEST and (
            largest < LARGEST_WEIGHT * grain[to] / 2
            and most * SUM_LIMIT < LARGEST_SUM * GRAIN * grain[to] / 2
        ):
            grain[to] /= 2
        for unit in range(units):
            whole = np.rint(hidden[to, unit] / grain[to])
            whole = max(min(whole, LARGEST_WEIGHT), -LARGEST_WEIGHT)
            hidden[to, unit] = whole * grain[to]


def _mirror(first: Rows, sizes: Rows) -> Rows:
    return np.concatenate([np.arange(sizes[c]) + first[COLUMNS - 1 - c] for c in range(COLUMNS)])


PAIR_MIRROR = _mirror(PAIR_FIRST, (LENGTHS + 1) ** 2)
OTHER_MIRROR = _mirror(OTHER_FIRST, LENGTHS + 1)


def with_mirror(weights: Weights) -> dict[str, Floats]:
    """The vectors twice as wide: the mirror's numbers after the others."""
    return {
        "pairs": np.concatenate([weights.pairs, weights.pairs[PAIR_MIRROR]], 1),
        "others": np.concatenate([weights.others, weights.others[:, OTHER_MIRROR]], 2),
        "needs": np.concatenate([weights.needs, weights.needs], 2),
        "early": np.concatenate([weights.early, weights.early]),
    }


def evaluate(weights: Weights, anchors: NDArray[np.int8], early: bool) -> NDArray[np.float64]:
    """Every seat's chance, from the seat to move on: the plain reference for all other code.

    A plain anchor is a row of small integers, seats counted from the one whose turn it is: for
    every seat the spaces left to each column's top, 0 where it is closed, then the columns needed.
    """
    players, vectors = weights.players, with_mirror(weights)
    seats = anchors[:, : players * SEAT].reshape(-1, players, SEAT).astype(np.int64)
    total = np.zeros((len(anchors), 2 * weights.units), np.float32)
    if early:
        total += vectors["early"]
    for other in range(1, players):
        own, left = seats[:, 0, :COLUMNS], seats[:, other, :COLUMNS]
        for column in range(COLUMNS):
            across = LENGTHS[column] + 1
            pair = PAIR_FIRST[column] + own[:, column] * across + left[:, column]
            total += vectors["pairs"][pair]
            if players > 2:
                total += vectors["others"][other - 1, OTHER_FIRST[column] + left[:, column]]
        needs = (seats[:, 0, COLUMNS] - 1) * NEEDS + seats[:, other, COLUMNS] - 1
        total += vectors["needs"][other - 1, needs]
    first = np.maximum(total, 0).reshape(len(anchors), 2, weights.units).sum(1)
    first = np.minimum(first, np.float32(MOST))
    deep = np.maximum(first @ weights.hidden.T + weights.hidden_bias, 0)
    logits = (deep @ weights.out.T + weights.out_bias).astype(np.float64)
    if players == 2:
        mover = 1 / (1 + np.exp(-logits))
        return np.concatenate([mover, 1 - mover], 1)
    shares = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(shares / shares.sum(1, keepdims=True))
