"""Checks of a finished table on the device, by the letter of the rules."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.size import count_states
from cantstop.engine.turn import turn_tables
from cantstop.rules import Board
from cantstop.solver.cuda.kernels.source import head, turn
from cantstop.solver.cuda.kernels.structs import (
    CuPy,
    DeviceArray,
    DeviceKernel,
    check_sizes,
    struct,
)
from cantstop.solver.cuda.run.device import compile_kernels
from cantstop.solver.cuda.run.table import DeviceTable

BLOCKS = 1056
THREADS = 128


class TurnLists(NamedTuple):
    """What the reference turn reads, as ``reference.cuh`` has it."""

    split: NDArray[np.uint8]
    roll: NDArray[np.int16]
    chance: NDArray[np.float64]
    kind_start: NDArray[np.int32]
    kind_chance: NDArray[np.float64]
    kind: NDArray[np.uint8]


def turn_lists(board: Board) -> TurnLists:
    """The splits, rolls and kinds of rolls of a board, as the CPU's turn solver has them."""
    tables = turn_tables(board, early=False)
    return TurnLists(
        tables.rolls.splits.astype(np.uint8),
        tables.rolls.rolls.astype(np.int16),
        tables.rolls.chances,
        tables.triples.start.astype(np.int32),
        tables.triples.chances,
        tables.triples.options.astype(np.uint8),
    )


GAMES = struct(
    "game active place stream turns drift over scratch rolls busts",
    ("lanes", "i8"),
    ("sides", "i4"),
)
"""``Games``: what playing a turn of many games needs."""


def lists_type(columns: int) -> np.dtype:
    """``Lists``: what the reference turn reads."""
    return np.dtype(
        [
            ("values", "u8"),
            ("stride", "i8", (columns,)),
            ("to_win", "i4"),
            ("splits", "i4"),
            ("rolls", "i4"),
            ("split", "u8"),
            ("roll", "u8"),
            ("chance", "u8"),
            ("kind_start", "u8"),
            ("kind_chance", "u8"),
            ("kind", "u8"),
        ],
        align=True,
    )


def source_file(name: str) -> str:
    """The text of a source in this folder."""
    return (Path(__file__).parent / name).read_text("utf-8")


def load_tool_kernels(cupy: CuPy, sides: int) -> dict[str, DeviceKernel]:
    """Compile the kernels that check a table and play with it."""
    lists = check_sizes({"Lists": lists_type(2 * sides - 1)})
    reference = source_file("reference.cuh")
    check = head(sides) + reference + source_file("reference.cu") + lists
    play = (
        head(sides)
        + turn(sides)
        + reference
        + source_file("games.cuh")
        + source_file("games.cu")
        + lists
        + check_sizes({"Games": GAMES})
    )
    return compile_kernels(cupy, [(check, ["check"]), (play, ["play"])])


class Lists:
    """The lists that turns by the letter of the rules go through, on the device."""

    def __init__(self, cupy: CuPy, table: DeviceTable) -> None:
        blocks = table.blocks
        self._arrays: dict[str, DeviceArray] = {
            name: cupy.asarray(np.ascontiguousarray(numbers))
            for name, numbers in turn_lists(blocks.rules.board)._asdict().items()
        }
        self.record = np.zeros(1, lists_type(blocks.columns))
        self.record["values"] = table.values.data.ptr
        self.record["stride"] = np.array(blocks.block_stride, np.int64) << blocks.columns
        self.record["to_win"] = blocks.rules.columns_to_win
        self.record["splits"] = len(self._arrays["split"])
        self.record["rolls"] = len(self._arrays["roll"])
        for name, numbers in self._arrays.items():
            self.record[name] = numbers.data.ptr


def check_table(
    cupy: CuPy, table: DeviceTable, kernel: DeviceKernel, steps: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """How far the table is off at these anchors, given by their steps left."""
    lists, board = Lists(cupy, table), table.blocks.rules.board
    each = count_states(np.array(board.lengths), board.runners)
    scratch = cupy.empty(BLOCKS * each, np.float64)
    anchors = cupy.asarray(np.ascontiguousarray(steps, np.uint8))
    errors = cupy.zeros(len(steps), np.float64)
    kernel(
        (BLOCKS,),
        (THREADS,),
        (lists.record, anchors, np.int64(len(steps)), scratch, np.int64(each), errors),
    )
    return np.asarray(errors.get())
