"""Everything about a turn that the rules alone settle, as arrays for the compiled recursions."""

from collections.abc import Iterable, Sequence
from functools import cache
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

    def restricted_to(self, roots: Iterable[Sequence[int]]) -> "TurnTables":
        """The same for those sets alone that contain all columns of one of these."""
        wanted = np.zeros_like(self.wanted)
        for columns in roots:
            wanted |= self.sets.contains[:, columns].all(axis=1)
        return self._replace(wanted=wanted)


def turn_tables(board: Board, early: bool) -> TurnTables:
    """The tables of every turn on a board; ``early`` is V2."""
    return _tables(board.sides, board.runners, early)


@cache  # by what they depend on: boards that differ in their lengths are without number
def _tables(sides: int, runners: int, early: bool) -> TurnTables:
    rolls, sets = roll_classes(sides), column_sets(2 * sides - 1, runners)
    count = len(sets.sizes)
    first = int(np.searchsorted(sets.sizes, TRIPLE)) if runners == TRIPLE else count
    return TurnTables(
        sets,
        rolls,
        order_splits(sets, rolls.splits),
        triple_rolls(sides, tuple(map(tuple, sets.members[first:].tolist()))),
        first,
        early,
        np.ones(count, np.bool_),
    )
