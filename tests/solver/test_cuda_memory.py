"""The GPU's memory over several solutions, counted without a GPU.

``Device`` has NumPy's arrays in the place of CuPy's, and CuPy's rule for memory: what an array
leaves stays with the pool until ``free_all_blocks``.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from weakref import finalize

import numpy as np
import pytest

from cantstop.engine import TooLarge
from cantstop.rules import Board, Rules
from cantstop.solver.cuda.kernels.structs import AGAIN
from cantstop.solver.cuda.run.blocks import LANES, Blocks
from cantstop.solver.cuda.run.table import (
    MAX_AGAIN,
    MAX_WARPS,
    MIN_RECORDS,
    SLOTS,
    SPARE,
    DeviceTable,
)

BOARD = Rules(1, board=Board((2, 4, 6, 4, 2)))
MEMORY = SLOTS * MAX_WARPS * LANES * 80 + 2 * MAX_AGAIN * AGAIN.itemsize + SPARE + 2 * MIN_RECORDS
"""Enough for one table at work, not for two."""


class Device:
    """What ``DeviceTable`` needs of CuPy, with as many bytes as given."""

    def __init__(self, total: int) -> None:
        self.used = self.pooled = 0
        runtime = SimpleNamespace(
            memGetInfo=lambda: (total - self.used - self.pooled, total),
            deviceSynchronize=lambda: None,
        )
        self.cuda = SimpleNamespace(runtime=runtime, Stream=SimpleNamespace)

    def _counted(self, made: np.ndarray) -> np.ndarray:
        self.used += made.nbytes
        finalize(made, self._keep, made.nbytes)
        return made

    def _keep(self, size: int) -> None:
        self.used, self.pooled = self.used - size, self.pooled + size

    def empty(self, shape: Any, dtype: Any) -> np.ndarray:
        return self._counted(np.empty(shape, dtype))

    def zeros(self, shape: Any, dtype: Any) -> np.ndarray:
        return self._counted(np.zeros(shape, dtype))

    def asarray(self, data: Any) -> np.ndarray:
        return self._counted(np.array(data))

    def get_default_memory_pool(self) -> Any:
        return SimpleNamespace(free_all_blocks=lambda: setattr(self, "pooled", 0))


def test_a_table_at_work_leaves_no_room_for_another() -> None:
    device = Device(MEMORY)
    table = DeviceTable(device, {}, Blocks(BOARD))
    with pytest.raises(TooLarge, match="GPU memory"):
        DeviceTable(device, {}, Blocks(BOARD))
    assert table.value(BOARD.board.lengths) == 0


def test_a_solved_table_keeps_its_values_and_leaves_the_rest() -> None:
    device = Device(MEMORY)
    table = DeviceTable(device, {}, Blocks(BOARD))
    table.release()
    other = DeviceTable(device, {}, Blocks(BOARD))
    assert len(table.values) == len(other.values) == Blocks(BOARD).places
    table.close()
    other.close()
    assert device.used + device.pooled < 1 << 20


def test_a_table_that_nobody_holds_any_more_leaves_everything() -> None:
    device = Device(MEMORY)
    for _ in range(3):
        DeviceTable(device, {}, Blocks(BOARD))
        assert device.pooled > MIN_RECORDS
