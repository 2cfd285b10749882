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
from cantstop.jit import inlined
from cantstop.odds import column_rolls, rolls_of
from cantstop.rules import OFFICIAL, Board

NOWHERE = -1
OPEN = -1

NEVER = 1_000_000
"""The need of a seat that the open columns cannot help any more."""


class Scale(NamedTuple):
    """``place[c]`` is the official column that the board's ``c``-th one stands for, or NOWHERE.

    ``steps[c, left]`` are the official steps that so many steps left are like, and ``turns`` is
    how much longer a game is than an official one.
    """

    place: NDArray[np.int64]
    steps: NDArray[np.int8]
    turns: float


@lru_cache(maxsize=64)  # boards are without number, and a server is asked about any
def scale_of(board: Board) -> Scale:
    """How a board compares with the official one."""
    there, here = _rolls_to_top(OFFICIAL), _rolls_to_top(board)
    count = len(here)
    nearest = np.sort(np.argsort(here, kind="stable")[:COLUMNS])
    place = np.full(count, NOWHERE, np.int64)
    place[nearest] = np.round(np.linspace(0, COLUMNS - 1, len(nearest))).astype(np.int64)
    turns = float(np.mean(here[nearest]) / np.mean(there))
    steps = np.zeros((count, max(board.lengths) + 1), np.int8)
    for column in nearest:
        length, top = board.lengths[column], OFFICIAL.lengths[place[column]]
        whole = top * here[column] / (there[place[column]] * turns)
        like = np.ceil(whole * np.arange(length + 1) / length - 1e-9)
        steps[column, : length + 1] = np.clip(like, 0, top)
    return Scale(place, steps, turns)


def _rolls_to_top(board: Board) -> NDArray[np.float64]:
    """About how many rolls each column takes from bottom to top."""
    shown = column_rolls(board)
    return np.array([board.top(column) * rolls_of(board) / shown[column] for column in shown])


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
