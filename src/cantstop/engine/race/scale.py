"""Any board seen as the official one, so that what is known of that helps on all of them.

What counts is how many rolls a column is still away: its steps left over the chance that a roll
shows it. Each column of a board takes the place of an official one, and its steps are stretched
so that a column from bottom to top is as far as there.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.race.network import COLUMNS
from cantstop.odds import column_rolls, rolls_of
from cantstop.rules import OFFICIAL, Board

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Scale:
    """``place[c]`` is the official column that the board's ``c``-th one stands for, or NOWHERE.

    ``steps[c, left]`` are the official steps that so many steps left are like, and ``turns`` is
    how much longer a game is than an official one.
    """

    place: NDArray[np.int64]
    steps: NDArray[np.int8]
    turns: float


@cache
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
