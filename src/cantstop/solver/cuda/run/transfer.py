"""Copies values between the host, in the order of their numbers, and the blocks of the device."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cantstop.solver.cuda.kernels.structs import CuPy, DeviceArray
from cantstop.solver.cuda.run.blocks import Blocks
from cantstop.solver.table import Values

CHUNK = 1 << 22
"""So few that their places fit beside a table that takes all the memory there is."""


def _places(cupy: CuPy, blocks: Blocks, first: int, last: int) -> DeviceArray:
    """Where the anchors with these numbers lie on the device."""
    numbers = cupy.arange(first, last)
    places = cupy.zeros(last - first, np.int64)
    for column in range(blocks.columns - 1, -1, -1):
        left = numbers % (blocks.lengths[column] + 1)
        numbers //= blocks.lengths[column] + 1
        places += (left >> 1) * (blocks.block_stride[column] << blocks.columns)
        places += (left & 1) << blocks.bits[column]
    return places


def _chunks(blocks: Blocks) -> Iterator[tuple[int, int]]:
    for first in range(0, blocks.boards, CHUNK):
        yield first, min(first + CHUNK, blocks.boards)


def to_host(cupy: CuPy, blocks: Blocks, values: DeviceArray) -> NDArray[np.float32]:
    """All values in the order of the CPU's numbers."""
    found = np.empty(blocks.boards, np.float32)
    for first, last in _chunks(blocks):
        found[first:last] = values[_places(cupy, blocks, first, last)].get()
    return found


def to_device(cupy: CuPy, blocks: Blocks, plain: Values, values: DeviceArray) -> None:
    """Put values in the order of the CPU's numbers where the device has them."""
    for first, last in _chunks(blocks):
        some = cupy.asarray(plain[first:last].astype(np.float32))
        values[_places(cupy, blocks, first, last)] = cupy.nan_to_num(some)
