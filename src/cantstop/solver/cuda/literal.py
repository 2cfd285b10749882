"""Checks of a finished table on the device, and games played with it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.room import state_count
from cantstop.solver.cuda.records import CuPy, lists_type
from cantstop.solver.cuda.solve import CudaTable
from cantstop.solver.cuda.tables import turn_lists

BLOCKS = 1056
THREADS = 128
MOST_TURNS = 255


@dataclass(frozen=True, eq=False)
class Games:
    """Games with the table's decisions: how many had so many turns, and all turns, rolls, busts."""

    by_turns: NDArray[np.int64]
    turns: int
    rolls: int
    busts: int

    @property
    def mean(self) -> float:
        """Turns a game."""
        return float(self.by_turns @ np.arange(len(self.by_turns)) / self.by_turns.sum())

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        numbers, games = np.arange(len(self.by_turns)), int(self.by_turns.sum())
        variance = float(self.by_turns @ (numbers - self.mean) ** 2) / games
        return float(np.sqrt(variance / games))


class Literal:
    """Turns by the letter of the rules, with the values of a table on the device."""

    def __init__(self, cupy: CuPy, table: CudaTable) -> None:
        self._cupy, self._table = cupy, table
        board, blocks = table.blocks.rules.board, table.blocks
        self._arrays = {
            name: cupy.asarray(np.ascontiguousarray(numbers))
            for name, numbers in turn_lists(board)._asdict().items()
        }
        self._lists = np.zeros(1, lists_type(blocks.columns))
        self._lists["values"] = table.values.data.ptr
        self._lists["stride"] = np.array(blocks.block_stride, np.int64) << blocks.columns
        self._lists["to_win"] = blocks.rules.columns_to_win
        self._lists["splits"] = len(self._arrays["split"])
        self._lists["rolls"] = len(self._arrays["roll"])
        for name, numbers in self._arrays.items():
            self._lists[name] = numbers.data.ptr
        self._each = state_count(np.array(board.lengths), board.runners)
        self._room = cupy.empty(BLOCKS * self._each, np.float64)

    def check(self, steps: NDArray[np.uint8]) -> NDArray[np.float64]:
        """How far the table is off at these anchors, given by their steps left."""
        anchors = self._cupy.asarray(np.ascontiguousarray(steps, np.uint8))
        errors = self._cupy.zeros(len(steps), np.float64)
        self._table.kernels["check"](
            (BLOCKS,),
            (THREADS,),
            (self._lists, anchors, np.int64(len(steps)), self._room, np.int64(self._each), errors),
        )
        return np.asarray(errors.get())

    def play(self, games: int, seed: int) -> Games:
        """Play games from the start to the end."""
        cupy, board = self._cupy, self._table.blocks.rules.board
        by_turns = cupy.zeros(MOST_TURNS + 1, np.uint32)
        counts = cupy.zeros(3, np.uint64)
        start = cupy.asarray(np.array(board.lengths, np.uint8))
        self._table.kernels["play"](
            (BLOCKS,),
            (THREADS,),
            (
                self._lists,
                start,
                np.int32(board.sides),
                np.int64(games),
                np.uint64(seed),
                self._room,
                np.int64(self._each),
                by_turns,
                np.int32(MOST_TURNS),
                counts,
            ),
        )
        turns, rolls, busts = counts.get().tolist()
        return Games(by_turns.get().astype(np.int64), turns, rolls, busts)
