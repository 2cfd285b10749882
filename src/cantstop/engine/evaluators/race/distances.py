"""How many turns every seat is away from winning alone, for many anchors at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.anchors import Anchors
from cantstop.engine.evaluators.race.chances import RESOLUTION, fill_survival
from cantstop.engine.evaluators.race.network import (
    BLOCK,
    COLUMNS,
    FIRST,
    MAX_NEEDED,
    PLACES,
    Network,
    add_to_block,
    replace_entry,
    run_layers,
    softplus,
)
from cantstop.engine.evaluators.race.views import (
    NOWHERE,
    OPEN,
    Scale,
    change_owner,
    column_changed,
    owner_of,
    scale_of,
    steps_left,
    update_needs,
)
from cantstop.jit import entry, inlined
from cantstop.rules import Sharing

MAX_DISTANCE = 40.0
"""The largest distance in turns; a seat that cannot win any more has it."""

UNCHANGED = -1.0
"""Stands for the distance of a seat that sees the same as in the anchor before."""


def extended_scatter(scatter: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scatter up to the largest distance."""
    farthest = int(MAX_DISTANCE)
    survival = np.empty((farthest * RESOLUTION + 2, farthest + scatter.shape[1]))
    fill_survival(scatter, survival)
    return survival


def seat_distances(anchors: Anchors, network: Network) -> NDArray[np.float64]:
    """Every seat's distance, as seats by anchors: 0 where it has won, else at least 1."""
    rules, scale = anchors.rules, scale_of(anchors.rules.board)
    found = np.empty((rules.players, len(anchors)))
    fill_distances(
        anchors.spaces,
        np.array(rules.board.lengths),
        rules.columns_to_win,
        rules.sharing is Sharing.LEAPFROG,
        scale,
        network,
        found,
    )
    return found


class Features(NamedTuple):
    """What all seats see in one anchor, and the sums that the network makes of it.

    ``entries[seat, place]`` are the vectors that add up to ``total[seat]``; ``changed`` tells for
    which seats they differ from those of the anchor before.
    """

    owners: NDArray[np.int64]
    won: NDArray[np.int64]
    needs: NDArray[np.int64]
    entries: NDArray[np.int64]
    total: NDArray[np.float32]
    changed: NDArray[np.bool_]


class Block(NamedTuple):
    """Sums that run through the layers together, and where their distances belong.

    ``stretch`` is how much longer the turns after this one are than the network says; 0 where
    the seat has won already.
    """

    sums: NDArray[np.float32]
    seats: NDArray[np.int64]
    rows: NDArray[np.int64]
    stretch: NDArray[np.float64]
    layer: NDArray[np.float32]
    result: NDArray[np.float32]


@inlined
def _set_entry(
    vectors: NDArray[np.float32], features: Features, seat: int, place: int, entry: int
) -> None:
    """Put an entry into the features of a seat."""
    was = features.entries[seat, place]
    if entry != was:
        replace_entry(vectors, features.total, seat, was, entry)
        features.entries[seat, place] = entry
        features.changed[seat] = True


@inlined
def _empty_features(
    vectors: NDArray[np.float32], seats: int, columns: int, to_win: int
) -> Features:
    """An empty board without any column."""
    features = Features(
        np.full(columns, OPEN, np.int64),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
        np.empty((seats, PLACES), np.int64),
        np.zeros((seats, vectors.shape[1]), np.float32),
        np.ones(seats, np.bool_),
    )
    for seat in range(seats):
        for place in range(PLACES):
            features.entries[seat, place] = FIRST[place]
            for at in range(vectors.shape[1]):
                features.total[seat, at] += vectors[FIRST[place], at]
    _set_needs(vectors, features, columns, to_win)
    return features


@inlined
def _set_needs(vectors: NDArray[np.float32], features: Features, columns: int, to_win: int) -> None:
    update_needs(features.won, columns, to_win, features.needs)
    for seat in range(len(features.won)):
        entry = FIRST[COLUMNS] + min(features.needs[seat], MAX_NEEDED)
        _set_entry(vectors, features, seat, COLUMNS, entry)


@inlined
def _set_column(
    spaces: NDArray[np.int8],
    lengths: NDArray[np.int64],
    row: int,
    column: int,
    leapfrog: bool,
    place: int,
    like: NDArray[np.int8],
    vectors: NDArray[np.float32],
    features: Features,
) -> None:
    """Enter what all seats have left of a column."""
    for seat in range(spaces.shape[1]):
        left = 0
        if features.owners[column] == OPEN:
            left = steps_left(spaces, lengths, row, seat, column, leapfrog)
        _set_entry(vectors, features, seat, place, FIRST[place] + like[column, left])


@inlined
def _run_block(network: Network, block: Block, count: int, found: NDArray[np.float64]) -> None:
    """Run a block through the network, and put the distances where they belong."""
    run_layers(network, block.sums, block.layer, block.result)
    for at in range(count):
        distance = 0.0
        if block.stretch[at] > 0.0:
            distance = 1.0 + softplus(np.float64(block.result[at])) * block.stretch[at]
        found[block.seats[at], block.rows[at]] = min(distance, MAX_DISTANCE)


@inlined
def _add_changed(
    features: Features,
    row: int,
    longer: float,
    block: Block,
    count: int,
    found: NDArray[np.float64],
) -> int:
    """Add the seats whose features has changed to a block; returns how many it has now."""
    for seat in range(len(features.won)):
        found[seat, row] = UNCHANGED
        if features.changed[seat]:
            features.changed[seat] = False
            add_to_block(features.total, seat, block.sums, count)
            block.seats[count], block.rows[count] = seat, row
            block.stretch[count] = longer * max(features.needs[seat] / MAX_NEEDED, 1.0)
            if features.needs[seat] == 0:
                block.stretch[count] = 0.0
            count += 1
    return count


@inlined
def _fill_unchanged(found: NDArray[np.float64]) -> None:
    """Fill in the distances that are like those before."""
    for seat in range(len(found)):
        for row in range(1, found.shape[1]):
            if found[seat, row] == UNCHANGED:
                found[seat, row] = found[seat, row - 1]


@entry
def fill_distances(
    spaces: NDArray[np.int8],
    lengths: NDArray[np.int64],
    to_win: int,
    leapfrog: bool,
    scale: Scale,
    network: Network,
    found: NDArray[np.float64],
) -> None:
    """Go through the anchors; of each only the differences from the one before are read.

    Run tools/bench_engine.py after a change here: how well Numba drops reference counts in these
    loops depends on trifles (a variable renamed has made them twice as slow).
    """
    anchors, seats, columns = spaces.shape
    vectors = network.vectors
    places, like, longer = scale
    features = _empty_features(vectors, seats, columns, to_win)
    block = Block(
        np.zeros((vectors.shape[1], BLOCK), np.float32),
        np.empty(BLOCK, np.int64),
        np.empty(BLOCK, np.int64),
        np.empty(BLOCK),
        np.empty(BLOCK, np.float32),
        np.empty(BLOCK, np.float32),
    )
    count = 0
    for row in range(anchors):
        for column in range(columns):
            if not column_changed(spaces, row, column):
                continue
            owner = owner_of(spaces, lengths, row, column)
            if owner != features.owners[column]:
                change_owner(features.owners, features.won, column, owner)
                _set_needs(vectors, features, columns, to_win)
            place = places[column]
            if place != NOWHERE:
                _set_column(spaces, lengths, row, column, leapfrog, place, like, vectors, features)
        count = _add_changed(features, row, longer, block, count, found)
        if count > BLOCK - seats or row == anchors - 1:
            _run_block(network, block, count, found)
            count = 0
    _fill_unchanged(found)
