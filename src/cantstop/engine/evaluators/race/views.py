"""Anchors as each seat sees them: the steps left in every column, and the columns it needs.

Any board is seen as the official one, so that what is known of that helps on all of them. What
counts is how many rolls a column is still away: its steps left over the chance that a roll shows
it. Each column of a board takes the place of an official one, and its steps are stretched so that
a column from bottom to top is as far as there.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.race.network import COLUMNS
from cantstop.jit import compiled, entry, inlined
from cantstop.odds import column_rolls, rolls_of
from cantstop.rules import OFFICIAL, Board

NOWHERE = -1
OPEN = -1

NEVER = 1_000_000
"""The need of a seat that the open columns cannot help any more."""


OFFICIAL_LENGTHS = np.array(OFFICIAL.lengths)
ROLLS_TO_TOP = np.array(
    [OFFICIAL.top(column) * rolls_of() / shown for column, shown in column_rolls().items()]
)
"""About how many rolls each column takes from bottom to top on the official board."""
MEAN_ROLLS = float(ROLLS_TO_TOP.mean())


class Scale(NamedTuple):
    """``place[c]`` is the official column that the board's ``c``-th one stands for, or NOWHERE.

    ``steps[c, left]`` are the official steps that ``left`` steps are like, and ``turns`` is
    how much longer a game is than an official one.
    """

    place: NDArray[np.int64]
    steps: NDArray[np.int8]
    turns: float


@lru_cache(maxsize=64)  # boards are without number, and a server is asked about any
def scale_of(board: Board) -> Scale:
    """How a board compares with the official one."""
    count = len(board.lengths)
    place = np.empty(count, np.int64)
    steps = np.zeros((count, max(board.lengths) + 1), np.int8)
    return Scale(place, steps, fill_scale(np.array(board.lengths), board.sides, place, steps))


@compiled
def _column_falls(sides: int, shown: NDArray[np.int64]) -> None:
    """In how many falls of the dice a split shows each column."""
    square = sides * sides
    for fall in range(square * square):
        one, two = fall % sides, fall // sides % sides
        three, four = fall // square % sides, fall // square // sides
        for column in range(len(shown)):
            if (
                (one + two == column or three + four == column)
                or (one + three == column or two + four == column)
                or (one + four == column or two + three == column)
            ):
                shown[column] += 1


@entry
def fill_scale(
    lengths: NDArray[np.int64], sides: int, place: NDArray[np.int64], steps: NDArray[np.int8]
) -> float:
    """Fill in which columns stand for which, and their steps; returns how much longer games are.

    ``here[column]`` is about how many rolls a column takes from bottom to top.
    """
    count, total, chosen = len(lengths), 0.0, 0
    shown, here = np.zeros(count, np.int64), np.empty(count)
    _column_falls(sides, shown)
    for column in range(count):
        here[column] = lengths[column] * sides * sides * sides * sides / shown[column]
    for column in range(count):
        nearer = 0
        for other in range(count):
            nearer += here[other] < here[column] or (here[other] == here[column] and other < column)
        place[column] = NOWHERE
        if nearer < COLUMNS:
            place[column] = chosen
            chosen += 1
            total += here[column]
    turns = total / chosen / MEAN_ROLLS
    apart = (COLUMNS - 1) / max(chosen - 1, 1)
    for column in range(count):
        if place[column] == NOWHERE:
            continue
        place[column] = int(np.rint(place[column] * apart))
        top = OFFICIAL_LENGTHS[place[column]]
        whole = top * here[column] / (ROLLS_TO_TOP[place[column]] * turns)
        for left in range(lengths[column] + 1):
            like = int(np.ceil(whole * left / lengths[column] - 1e-9))
            steps[column, left] = max(0, min(like, top))
    return turns


@inlined
def column_changed(spaces: NDArray[np.int8], row: int, column: int) -> bool:
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
def update_needs(
    won: NDArray[np.int64], columns: int, to_win: int, needs: NDArray[np.int64]
) -> None:
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
