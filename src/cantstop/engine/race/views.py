"""Anchors as each seat sees them: the steps left in every column, and the columns it needs."""

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import inlined

OPEN = -1

NEVER = 1_000_000
"""The need of a seat that the open columns cannot help any more."""


@inlined
def is_new(spaces: NDArray[np.int8], row: int, column: int) -> bool:
    """Whether a column differs from that of the anchor before: in few of them it does."""
    new = row == 0
    for seat in range(spaces.shape[1]):
        new |= spaces[row, seat, column] != spaces[row - 1, seat, column]
    return new


@inlined
def owner_of(spaces: NDArray[np.int8], lengths: NDArray[np.int64], row: int, column: int) -> int:
    """The seat that has won a column, or OPEN."""
    owner = OPEN
    for seat in range(spaces.shape[1]):
        if spaces[row, seat, column] == lengths[column]:
            owner = seat
    return owner


@inlined
def steps_left(
    spaces: NDArray[np.int8],
    lengths: NDArray[np.int64],
    row: int,
    seat: int,
    column: int,
    leapfrog: bool,
) -> int:
    """How many steps a seat has to go in an open column; with V4 it jumps over the others."""
    own = spaces[row, seat, column]
    left: int = lengths[column] - own
    if leapfrog:
        for other in range(spaces.shape[1]):
            left -= spaces[row, other, column] > own
    return left


@inlined
def change_owner(owners: NDArray[np.int64], won: NDArray[np.int64], column: int, new: int) -> None:
    """Note who has won a column, in place of who had it."""
    if owners[column] != OPEN:
        won[owners[column]] -= 1
    if new != OPEN:
        won[new] += 1
    owners[column] = new


@inlined
def tell_needs(won: NDArray[np.int64], columns: int, to_win: int, needs: NDArray[np.int64]) -> None:
    """The columns that make each seat the winner: enough, or more than others can get (W5)."""
    still_open = columns - won.sum()
    for seat in range(len(won)):
        rival = OPEN
        for other in range(len(won)):
            if other != seat:
                rival = max(rival, won[other])
        needed = to_win - won[seat]
        if rival != OPEN:
            needed = max(0, min(needed, (rival - won[seat] + still_open) // 2 + 1))
        needs[seat] = NEVER if needed > still_open else needed
