"""Everything about a turn that the rules alone settle, as arrays for the compiled recursions."""

from collections import OrderedDict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.turn.rolls import TRIPLE, RollClasses, TripleRolls, roll_classes, triple_rolls
from cantstop.engine.turn.splits import SplitOrder, order_splits
from cantstop.engine.turn.states import ColumnSets, column_sets
from cantstop.rules import Board


class TurnTables(NamedTuple):
    """The sets of columns, the rolls, V2, and what splits do in every set.

    Sets from ``first_triple`` on are solved as triples; with another number of runners than three
    there are none. Only ``wanted`` sets are solved; with a set all larger ones that contain it are
    wanted.
    """

    sets: ColumnSets
    rolls: RollClasses
    split_order: SplitOrder
    triples: TripleRolls
    first_triple: int
    early: bool
    wanted: NDArray[np.bool_]


MOST_BYTES = 32 << 20
"""Of all tables that are kept, if there are several: those of the official board take 0.7 MB."""

_kept: "OrderedDict[tuple[int, int, bool], TurnTables]" = OrderedDict()
"""By what they depend on: sides, runners and V2. Boards that differ in their lengths share them."""


def turn_tables(board: Board, early: bool) -> TurnTables:
    """The tables of every turn on a board; ``early`` is V2."""
    key = board.sides, board.runners, early
    tables = _kept.get(key)
    if tables is None:
        tables = _kept[key] = _tables(*key)
        while len(_kept) > 1 and sum(map(_bytes, _kept.values())) > MOST_BYTES:
            _kept.popitem(last=False)
    elif next(reversed(_kept)) != key:
        _kept.move_to_end(key)
    return tables


def _bytes(value: object) -> int:
    """What the arrays in some tables take."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    return sum(map(_bytes, value)) if isinstance(value, tuple) else 0


def _tables(sides: int, runners: int, early: bool) -> TurnTables:
    rolls, sets = roll_classes(sides), column_sets(2 * sides - 1, runners)
    count = len(sets.sizes)
    first = int(np.searchsorted(sets.sizes, TRIPLE)) if runners == TRIPLE else count
    return TurnTables(
        sets,
        rolls,
        order_splits(sets, rolls.splits),
        triple_rolls(rolls, sets.members[first:].reshape(-1, TRIPLE).copy()),
        first,
        early,
        np.ones(count, np.bool_),
    )
