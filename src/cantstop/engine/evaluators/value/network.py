"""The value network: what it sees, how it is laid out, and what it says, in plain NumPy.

For every two seats and every column one vector stands for the *pair* of spaces left to them, and
one for the columns that both still need; one more stands for V2. Their sum goes through two layers:

    sum    of the vectors, ``units`` numbers; the same for the board seen in a mirror
    first  the square of the sum plus that of the mirror's sum; what is negative counts as 0, what
           is more than ``MOST`` as that
    deep   what is positive of 32 weighted sums of that
    out    for two seats the logit of the one to move; else a logit for every seat, from that one on

So a board and its mirror image (column c for 14 - c) are worth the same whatever the weights are,
and in the ends of a turn the sum is that of the anchor plus one difference for every runner.
``sums.py`` works it out that way, in whole numbers: sums are multiples of ``GRAIN``, squares are
rounded to multiples of ``SQUARE_GRAIN``.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.value.packed import GRAIN, NEEDS, VECTORS, couples
from cantstop.rules import OFFICIAL

LENGTHS = np.array(OFFICIAL.lengths)
COLUMNS = len(LENGTHS)
SEAT = COLUMNS + 1
"""Numbers for every seat of a plain anchor: the spaces left in each column, the columns needed."""

PAIR_FIRST = np.cumsum([0, *(LENGTHS + 1) ** 2])

SUM_LIMIT = 8
MOST = int(SUM_LIMIT / GRAIN) - 1
"""Sums that are larger count as this; counted in grains, as all sums are in compiled code."""

SQUARE_SHIFT = 11
SQUARE_GRAIN = GRAIN**2 * 2**SQUARE_SHIFT
"""A square is rounded to multiples of this: those of a sum and its mirror's have 16 bits."""

SQUARE_LIMIT = 2 * SUM_LIMIT**2

MOST_CHANGE = 24
"""What two of a turn's runners, and columns that it wins, may change of a sum: the module adds it
up in 16 bits, which hold four times ``SUM_LIMIT``."""

CHUNK = 32
"""Units that the module adds up in whole numbers; it continues in floating point."""

LARGEST_WEIGHT = 2.0**15 - 1
LARGEST_SUM = 2.0**31 - 2.0**20
"""The rest is for what rounding adds."""

FINEST = 2.0**-24

Floats = NDArray[np.float32]
Shorts = NDArray[np.int16]
Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Weights:
    """One network; ``couples`` has the order of every two seats."""

    pairs: Floats
    """[couples, PAIR_ROWS, units], row PAIR_FIRST[c] + one's * (length + 1) + other's"""
    needs: Floats
    """[couples, NEEDS * NEEDS, units], row (one's need - 1) * NEEDS + other's - 1"""
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
        return max(2, len(self.out))

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
    counted in grains of weights and squares: the engine's module works in whole numbers.
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
            and most * SQUARE_LIMIT < LARGEST_SUM * SQUARE_GRAIN * grain[to] / 2
        ):
            grain[to] /= 2
        for unit in range(units):
            whole = np.rint(hidden[to, unit] / grain[to])
            whole = max(min(whole, LARGEST_WEIGHT), -LARGEST_WEIGHT)
            hidden[to, unit] = whole * grain[to]


def _mirror(first: Rows, sizes: Rows) -> Rows:
    return np.concatenate([np.arange(sizes[c]) + first[COLUMNS - 1 - c] for c in range(COLUMNS)])


PAIR_MIRROR = _mirror(PAIR_FIRST, (LENGTHS + 1) ** 2)


def with_mirror(weights: Weights) -> dict[str, Floats]:
    """The vectors twice as wide: the mirror's numbers after the others."""
    return {
        "pairs": np.concatenate([weights.pairs, weights.pairs[:, PAIR_MIRROR]], 2),
        "needs": np.concatenate([weights.needs, weights.needs], 2),
        "early": np.concatenate([weights.early, weights.early]),
    }


def evaluate(
    weights: Weights, anchors: NDArray[np.int8], early: bool, *, rounded: bool = True
) -> NDArray[np.float64]:
    """Every seat's chance, from the seat to move on: the plain reference for all other code.

    A plain anchor is a row of small integers, seats counted from the one whose turn it is: for
    every seat the spaces left to each column's top, 0 where it is closed, then the columns needed.
    Squares are ``rounded`` as the engine rounds them, or left as they are.
    """
    players, vectors = weights.players, with_mirror(weights)
    seats = anchors[:, : players * SEAT].reshape(-1, players, SEAT).astype(np.int64)
    total = np.zeros((len(anchors), 2 * weights.units))
    if early:
        total += vectors["early"]
    for couple, (one, other) in enumerate(couples(players)):
        left, other_left = seats[:, one, :COLUMNS], seats[:, other, :COLUMNS]
        for column in range(COLUMNS):
            across = LENGTHS[column] + 1
            pair = PAIR_FIRST[column] + left[:, column] * across + other_left[:, column]
            total += vectors["pairs"][couple, pair]
        needs = (seats[:, one, COLUMNS] - 1) * NEEDS + seats[:, other, COLUMNS] - 1
        total += vectors["needs"][couple, needs]
    squares = np.clip(total, 0, MOST * GRAIN) ** 2
    if rounded:
        squares = np.floor(squares / SQUARE_GRAIN + 0.5) * SQUARE_GRAIN
    first = squares.reshape(len(anchors), 2, weights.units).sum(1)
    deep = np.maximum(first @ weights.hidden.T + weights.hidden_bias, 0)
    logits = deep @ weights.out.T + weights.out_bias
    if players == 2:
        mover = 1 / (1 + np.exp(-logits))
        return np.concatenate([mover, 1 - mover], 1)
    shares = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(shares / shares.sum(1, keepdims=True))


def largest_change(weights: Weights) -> float:
    """The most that two runners and columns won may change of a sum, whoever stands where."""
    players, units = weights.players, weights.units
    mover = players - 1  # the last in the order that begins with the next seat
    changes = []
    for column, length in enumerate(LENGTHS):
        first, across = PAIR_FIRST[column], length + 1
        squares = weights.pairs[:, first : first + across**2].reshape(-1, across, across, units)
        sums, changing = _sums_of_couples(players, squares[:, 1:, 1:])
        closed = squares[:, 0, 0].sum(0) - sums
        changes.append(
            np.maximum(
                np.ptp(changing, axis=mover).reshape(-1, units).max(0),
                np.abs(closed).reshape(-1, units).max(0),
            )
        )
    _, changing = _sums_of_couples(players, weights.needs.reshape(-1, NEEDS, NEEDS, units))
    needs = np.ptp(changing, axis=mover).reshape(-1, units).max(0)
    return float((np.sort(changes, axis=0)[-2:].sum(0) + needs).max())


def _sums_of_couples(players: int, squares: Floats) -> tuple[Floats, Floats]:
    """What couples add up to, with an axis for each seat; all of them, and those of the mover."""
    size, units = squares.shape[1], squares.shape[3]
    everybody = np.zeros((size,) * players + (units,), np.float32)
    changing = everybody.copy()
    for (one, other), square in zip(couples(players), squares, strict=True):
        shape = [size if seat in (one, other) else 1 for seat in range(players)]
        everybody += square.reshape(*shape, units)
        if other == players - 1:
            changing += square.reshape(*shape, units)
    return everybody, changing
