"""How many turns every seat is away from winning alone, for many anchors at once."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.anchors import Anchors
from cantstop.engine.compiled import cached, inlined
from cantstop.engine.race.compiled import SOURCES
from cantstop.engine.race.network import (
    BLOCK,
    COLUMNS,
    FIRST,
    MOST_NEEDED,
    PLACES,
    Network,
    change_entry,
    go_through,
    put_into_block,
    turns_after_this,
)
from cantstop.engine.race.scale import NOWHERE, scale_of
from cantstop.engine.race.views import (
    OPEN,
    change_owner,
    is_new,
    owner_of,
    steps_left,
    tell_needs,
)
from cantstop.rules import Sharing

FARTHEST = 40.0
"""No seat is further away than so many turns; one that cannot win any more is so far away."""

LIKE_BEFORE = -1.0
"""Stands for the distance of a seat that sees the same as in the anchor before."""


def distances_of(anchors: Anchors, network: Network) -> NDArray[np.float64]:
    """Every seat's distance, as seats by anchors: 0 where it has won, else at least 1."""
    rules, scale = anchors.rules, scale_of(anchors.rules.board)
    found = np.empty((rules.players, len(anchors)))
    _tell_distances(
        anchors.spaces,
        np.array(rules.board.lengths),
        rules.columns_to_win,
        rules.sharing is Sharing.LEAPFROG,
        scale.place,
        scale.steps,
        scale.turns,
        network,
        found,
    )
    return found


class Seen(NamedTuple):
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
    """Sums that go through the layers together, and where their distances belong.

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
def _enter(vectors: NDArray[np.float32], seen: Seen, seat: int, place: int, entry: int) -> None:
    """Put an entry into the view of a seat."""
    was = seen.entries[seat, place]
    if entry != was:
        change_entry(vectors, seen.total, seat, was, entry)
        seen.entries[seat, place] = entry
        seen.changed[seat] = True


@inlined
def _nothing_seen(vectors: NDArray[np.float32], seats: int, columns: int, to_win: int) -> Seen:
    """An empty board without any column."""
    seen = Seen(
        np.full(columns, OPEN, np.int64),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
        np.empty((seats, PLACES), np.int64),
        np.zeros((seats, vectors.shape[1]), np.float32),
        np.ones(seats, np.bool_),
    )
    for seat in range(seats):
        for place in range(PLACES):
            seen.entries[seat, place] = FIRST[place]
            for at in range(vectors.shape[1]):
                seen.total[seat, at] += vectors[FIRST[place], at]
    _see_needs(vectors, seen, columns, to_win)
    return seen


@inlined
def _see_needs(vectors: NDArray[np.float32], seen: Seen, columns: int, to_win: int) -> None:
    tell_needs(seen.won, columns, to_win, seen.needs)
    for seat in range(len(seen.won)):
        entry = FIRST[COLUMNS] + min(seen.needs[seat], MOST_NEEDED)
        _enter(vectors, seen, seat, COLUMNS, entry)


@inlined
def _see_column(
    spaces: NDArray[np.int8],
    lengths: NDArray[np.int64],
    row: int,
    column: int,
    leapfrog: bool,
    place: int,
    like: NDArray[np.int8],
    vectors: NDArray[np.float32],
    seen: Seen,
) -> None:
    """Note what all seats have left of a column."""
    for seat in range(spaces.shape[1]):
        left = 0
        if seen.owners[column] == OPEN:
            left = steps_left(spaces, lengths, row, seat, column, leapfrog)
        _enter(vectors, seen, seat, place, FIRST[place] + like[column, left])


@inlined
def _finish(network: Network, block: Block, count: int, found: NDArray[np.float64]) -> None:
    """Put a block through the network and the distances where they belong."""
    go_through(
        block.sums,
        network.hidden,
        network.hidden_bias,
        network.out,
        network.out_bias,
        block.layer,
        block.result,
    )
    for at in range(count):
        distance = 0.0
        if block.stretch[at] > 0.0:
            distance = 1.0 + turns_after_this(np.float64(block.result[at])) * block.stretch[at]
        found[block.seats[at], block.rows[at]] = min(distance, FARTHEST)


@inlined
def _take(
    seen: Seen, row: int, longer: float, block: Block, count: int, found: NDArray[np.float64]
) -> int:
    """Put the seats whose view has changed into a block; returns how many it has now."""
    for seat in range(len(seen.won)):
        found[seat, row] = LIKE_BEFORE
        if seen.changed[seat]:
            seen.changed[seat] = False
            put_into_block(seen.total, seat, block.sums, count)
            block.seats[count], block.rows[count] = seat, row
            block.stretch[count] = longer * max(seen.needs[seat] / MOST_NEEDED, 1.0)
            if seen.needs[seat] == 0:
                block.stretch[count] = 0.0
            count += 1
    return count


@inlined
def _repeat(found: NDArray[np.float64]) -> None:
    """Fill in the distances that are like those before."""
    for seat in range(len(found)):
        for row in range(1, found.shape[1]):
            if found[seat, row] == LIKE_BEFORE:
                found[seat, row] = found[seat, row - 1]


def _entry(sources: str) -> Callable[..., None]:
    @cached
    def tell_distances(
        spaces: NDArray[np.int8],
        lengths: NDArray[np.int64],
        to_win: int,
        leapfrog: bool,
        places: NDArray[np.int64],
        like: NDArray[np.int8],
        longer: float,
        network: Network,
        found: NDArray[np.float64],
    ) -> None:
        """Go through the anchors; of each only what differs from the one before is looked at."""
        sources  # noqa: B018  what the cache looks at
        anchors, seats, columns = spaces.shape
        vectors = network.vectors
        seen = _nothing_seen(vectors, seats, columns, to_win)
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
                if not is_new(spaces, row, column):
                    continue
                owner = owner_of(spaces, lengths, row, column)
                if owner != seen.owners[column]:
                    change_owner(seen.owners, seen.won, column, owner)
                    _see_needs(vectors, seen, columns, to_win)
                place = places[column]
                if place != NOWHERE:
                    _see_column(spaces, lengths, row, column, leapfrog, place, like, vectors, seen)
            count = _take(seen, row, longer, block, count, found)
            if count > BLOCK - seats or row == anchors - 1:
                _finish(network, block, count, found)
                count = 0
        _repeat(found)

    return tell_distances


_tell_distances = _entry(SOURCES)
