"""Checks of a finished table on the device, by the letter of the rules."""

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.room import state_count
from cantstop.solver.cuda.records import CuPy, DeviceArray, lists_type
from cantstop.solver.cuda.solve import CudaTable
from cantstop.solver.cuda.tables import turn_lists

BLOCKS = 1056
THREADS = 128


class Lists:
    """The lists that turns by the letter of the rules go through, on the device."""

    def __init__(self, cupy: CuPy, table: CudaTable) -> None:
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


def check_table(cupy: CuPy, table: CudaTable, steps: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How far the table is off at these anchors, given by their steps left."""
    lists, board = Lists(cupy, table), table.blocks.rules.board
    each = state_count(np.array(board.lengths), board.runners)
    room = cupy.empty(BLOCKS * each, np.float64)
    anchors = cupy.asarray(np.ascontiguousarray(steps, np.uint8))
    errors = cupy.zeros(len(steps), np.float64)
    table.kernels["check"](
        (BLOCKS,),
        (THREADS,),
        (lists.record, anchors, np.int64(len(steps)), room, np.int64(each), errors),
    )
    return np.asarray(errors.get())
