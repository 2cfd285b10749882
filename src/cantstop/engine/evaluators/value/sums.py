"""The value network over many anchors at once, in compiled code.

Of each anchor only the columns that differ from those of the anchor before are read, and their
vectors replaced in the sum; in the ends of a turn that is one column, seldom two or three. Sums go
through the layers a block at a time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.race.views import OPEN, change_owner, owner_of
from cantstop.engine.evaluators.value.network import (
    COLUMNS,
    LENGTHS,
    MOST,
    PAIR_FIRST,
    SQUARE_GRAIN,
    SQUARE_SHIFT,
    Floats,
    Shorts,
    Weights,
)
from cantstop.engine.evaluators.value.packed import DEEP, GRAIN, NEEDS, PAIR_ROWS, couples
from cantstop.jit import compiled, entry, fast_inlined, inlined

BLOCK = 128
"""Sums that go through the layers at a time: the processor works on neighbours at once."""

PADDING = 16
"""Numbers between the rows of a block: whole powers of two apart they would share cache lines."""

AT_ONCE = 4
"""Units of both layers that are taken at a time."""

COUPLE_ROWS = PAIR_ROWS + NEEDS * NEEDS
"""The vectors for every two seats: their pairs, then their needs."""

HALF = 1 << (SQUARE_SHIFT - 1)


class Layers(NamedTuple):
    """A network as the compiled code reads it.

    ``vectors`` has ``COUPLE_ROWS`` for every two seats, counted in grains, with the mirror's
    numbers behind the others; with V2 sums begin at ``early``.
    """

    vectors: Shorts
    early: Shorts
    hidden: Floats
    hidden_bias: Floats
    out: Floats
    out_bias: Floats


def layers_of(weights: Weights) -> Layers:
    """Lay out a network."""
    width = 2 * weights.units
    layers = Layers(
        np.empty((len(couples(weights.players)) * COUPLE_ROWS, width), np.int16),
        np.empty(width, np.int16),
        weights.hidden,
        weights.hidden_bias,
        weights.out,
        weights.out_bias,
    )
    pairs, needs, early = (
        np.rint(array / GRAIN).astype(np.int16)
        for array in (weights.pairs, weights.needs, weights.early)
    )
    fill_vectors(pairs, needs, early, layers)
    return layers


@entry
def fill_vectors(pairs: Shorts, needs: Shorts, early: Shorts, layers: Layers) -> None:
    """Fill in the vectors of every two seats, with the mirror's numbers behind the others."""
    units, vectors = len(early), layers.vectors
    for unit in range(units):
        layers.early[unit] = layers.early[units + unit] = early[unit]
    for couple in range(len(needs)):
        first = couple * COUPLE_ROWS
        for column in range(COLUMNS):
            mirror, across = COLUMNS - 1 - column, LENGTHS[column] + 1
            for pair in range(across * across):
                row = first + PAIR_FIRST[column] + pair
                for unit in range(units):
                    vectors[row, unit] = pairs[couple, PAIR_FIRST[column] + pair, unit]
                    vectors[row, units + unit] = pairs[couple, PAIR_FIRST[mirror] + pair, unit]
        for need in range(NEEDS * NEEDS):
            row = first + PAIR_ROWS + need
            for unit in range(units):
                vectors[row, unit] = vectors[row, units + unit] = needs[couple, need, unit]


@inlined
def row_of_pair(couple: int, column: int, left: int, other: int) -> int:
    """The vector of what two seats have left of a column; that of a closed one is for 0 and 0."""
    return couple * COUPLE_ROWS + PAIR_FIRST[column] + left * (LENGTHS[column] + 1) + other


@inlined
def row_of_needs(couple: int, need: int, other: int) -> int:
    """The vector of the columns that two seats need."""
    return couple * COUPLE_ROWS + PAIR_ROWS + (need - 1) * NEEDS + other - 1


class Features(NamedTuple):
    """What is known of one anchor: ``entries[couple, column]`` add up to ``total``, in grains.

    Seats are counted from the one to move; the last column stands for the needs.
    """

    owners: NDArray[np.int64]
    won: NDArray[np.int64]
    entries: NDArray[np.int64]
    total: NDArray[np.int32]


@inlined
def _set_entry(vectors: Shorts, features: Features, couple: int, place: int, entry: int) -> None:
    was, total = features.entries[couple, place], features.total
    if entry != was:
        for at in range(len(total)):
            total[at] += vectors[entry, at] - vectors[was, at]
        features.entries[couple, place] = entry


@inlined
def _closed_board(layers: Layers, seats: int, early: bool) -> Features:
    """A board with all columns closed, and everybody in need of one more."""
    features = Features(
        np.full(COLUMNS, OPEN, np.int64),
        np.zeros(seats, np.int64),
        np.empty((seats * (seats - 1) // 2, COLUMNS + 1), np.int64),
        np.zeros(len(layers.early), np.int32),
    )
    if early:
        for at in range(len(layers.early)):
            features.total[at] = layers.early[at]
    for couple in range(len(features.entries)):
        for place in range(COLUMNS + 1):
            entry = row_of_needs(couple, 1, 1)
            if place < COLUMNS:
                entry = row_of_pair(couple, place, 0, 0)
            features.entries[couple, place] = entry
            for at in range(len(features.total)):
                features.total[at] += layers.vectors[entry, at]
    return features


@inlined
def _set_needs(vectors: Shorts, features: Features, to_win: int, first: int) -> None:
    """Enter the columns that everybody needs."""
    seats, couple = len(features.won), 0
    for one in range(seats):
        need = to_win - features.won[(first + one) % seats]
        for other in range(one + 1, seats):
            others = to_win - features.won[(first + other) % seats]
            _set_entry(vectors, features, couple, COLUMNS, row_of_needs(couple, need, others))
            couple += 1


@inlined
def _set_column(
    spaces: NDArray[np.int8],
    row: int,
    column: int,
    first: int,
    vectors: Shorts,
    features: Features,
) -> None:
    """Enter what everybody has left of a column."""
    seats, length, couple = len(features.won), LENGTHS[column], 0
    is_open = features.owners[column] == OPEN
    for one in range(seats):
        left = length - spaces[row, (first + one) % seats, column] if is_open else 0
        for other in range(one + 1, seats):
            others = length - spaces[row, (first + other) % seats, column] if is_open else 0
            entry = row_of_pair(couple, column, left, others)
            _set_entry(vectors, features, couple, column, entry)
            couple += 1


@compiled
def sum_of_anchor(
    layers: Layers, tokens: NDArray[np.int8], first: int, to_win: int, early: bool
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The sum for one anchor by its tokens, and the columns that each seat has won."""
    features = _closed_board(layers, len(tokens), early)
    spaces = np.expand_dims(tokens, 0)
    for column in range(COLUMNS):
        owner = owner_of(spaces, LENGTHS, 0, column)
        change_owner(features.owners, features.won, column, owner)
        _set_column(spaces, 0, column, first, layers.vectors, features)
    _set_needs(layers.vectors, features, to_win, first)
    return features.total, features.won


@inlined
def square_of(total: int) -> int:
    """The square of a sum, in multiples of ``SQUARE_GRAIN``."""
    limited = min(max(total, 0), MOST)
    return (limited * limited + HALF) >> SQUARE_SHIFT


@inlined
def _add_to_block(total: NDArray[np.int32], sums: Floats, place: int) -> None:
    """Put the squares of a sum, and of the mirror's, into a block."""
    units = len(sums)
    for unit in range(units):
        squares = square_of(total[unit]) + square_of(total[units + unit])
        sums[unit, place] = np.float32(squares) * np.float32(SQUARE_GRAIN)


@inlined
def _four_weights(hidden: Floats, to: int, unit: int) -> tuple[float, float, float, float]:
    row = hidden[to]
    return row[unit], row[unit + 1], row[unit + 2], row[unit + 3]


@fast_inlined
def _add_units(sums: Floats, unit: int, hidden: Floats, to: int, deep: Floats) -> None:
    """Add four units of a block to four of the next layer: as much as the registers hold."""
    a0, a1, a2, a3 = _four_weights(hidden, to, unit)
    b0, b1, b2, b3 = _four_weights(hidden, to + 1, unit)
    c0, c1, c2, c3 = _four_weights(hidden, to + 2, unit)
    d0, d1, d2, d3 = _four_weights(hidden, to + 3, unit)
    for place in range(BLOCK):
        one, two = sums[unit, place], sums[unit + 1, place]
        three, four = sums[unit + 2, place], sums[unit + 3, place]
        deep[0, place] += a0 * one + a1 * two + a2 * three + a3 * four
        deep[1, place] += b0 * one + b1 * two + b2 * three + b3 * four
        deep[2, place] += c0 * one + c1 * two + c2 * three + c3 * four
        deep[3, place] += d0 * one + d1 * two + d2 * three + d3 * four


@fast_inlined
def run_layers(layers: Layers, sums: Floats, deep: Floats, logits: Floats) -> None:
    """Run a block of sums through the layers."""
    hidden, hidden_bias = layers.hidden, layers.hidden_bias
    out, out_bias = layers.out, layers.out_bias
    for output in range(len(logits)):
        logits[output] = out_bias[output]
    for to in range(0, DEEP, AT_ONCE):
        for at in range(AT_ONCE):
            deep[at] = hidden_bias[to + at]
        for unit in range(0, len(sums), AT_ONCE):
            _add_units(sums, unit, hidden, to, deep)
        for output in range(len(logits)):
            for at in range(AT_ONCE):
                weight = out[output, to + at]
                for place in range(BLOCK):
                    number = deep[at, place]
                    logits[output, place] += weight * (number if number > 0 else np.float32(0))


@inlined
def write_worth(
    logits: Floats, count: int, rows: NDArray[np.int64], first: int, worth: NDArray[np.float64]
) -> None:
    """Everybody's chance by the logits of a block; ``rows`` says which anchors are in it."""
    seats = worth.shape[1]
    for place in range(count):
        at = rows[place]
        if seats == 2:
            mover = 1 / (1 + np.exp(-np.float64(logits[0, place])))
            worth[at, first], worth[at, 1 - first] = mover, 1 - mover
            continue
        highest = logits[0, place]
        for seat in range(1, seats):
            highest = max(highest, logits[seat, place])
        total = 0.0
        for seat in range(seats):
            part = np.exp(np.float64(logits[seat, place] - highest))
            worth[at, (first + seat) % seats] = part
            total += part
        for seat in range(seats):
            worth[at, seat] /= total


@entry
def fill_worth(
    spaces: NDArray[np.int8],
    first: int,
    to_win: int,
    early: bool,
    layers: Layers,
    worth: NDArray[np.float64],
) -> None:
    """What every anchor is worth to every seat; ``first`` is to move."""
    anchors, seats, _ = spaces.shape
    vectors = layers.vectors
    features = _closed_board(layers, seats, early)
    sums = np.zeros((layers.hidden.shape[1], BLOCK + PADDING), np.float32)
    deep = np.empty((AT_ONCE, BLOCK), np.float32)
    logits = np.empty((len(layers.out), BLOCK), np.float32)
    rows = np.empty(BLOCK, np.int64)
    count = 0
    for row in range(anchors):
        before = max(row - 1, 0)
        owners_changed = row == 0
        for seat in range(seats):
            for column in range(COLUMNS):
                if row > 0 and spaces[row, seat, column] == spaces[before, seat, column]:
                    continue
                owner = owner_of(spaces, LENGTHS, row, column)
                if owner != features.owners[column]:
                    change_owner(features.owners, features.won, column, owner)
                    owners_changed = True
                _set_column(spaces, row, column, first, vectors, features)
        if owners_changed:
            _set_needs(vectors, features, to_win, first)
        _add_to_block(features.total, sums, count)
        rows[count] = row
        count += 1
        if count == BLOCK or row == anchors - 1:
            run_layers(layers, sums, deep, logits)
            write_worth(logits, count, rows, first, worth)
            count = 0
