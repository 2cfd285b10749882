"""How many warps a block has, so that as many as possible work on a multiprocessor."""

from dataclasses import dataclass

from cantstop.solver.cuda.records import CuPy, DeviceKernel

WARPS = (4, 2, 1)
LINE = 128
SHARED = 227 * 1024
RESERVED = 1024
REGISTERS = 65536
MOST_BLOCKS, MOST_WARPS = 32, 64
"""What a multiprocessor of compute capability 9.0 has; others have no more than that to lose."""


@dataclass(frozen=True)
class Shape:
    """Warps of a block, and the lines of shared memory that each of them gets."""

    warps: int
    lines: int


def best_shape(cupy: CuPy, kernel: DeviceKernel, lines: int) -> Shape:
    """The shape of a kernel's blocks that keeps the most warps on a multiprocessor."""
    limit = int(cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"])
    registers = max(kernel.num_regs, 1)
    found = Shape(1, lines), 0
    for warps in WARPS:
        needed = warps * lines * LINE
        if needed > limit:
            continue
        blocks = min(
            MOST_BLOCKS,
            MOST_WARPS // warps,
            REGISTERS // (registers * 32 * warps),
            SHARED // (needed + RESERVED),
        )
        if blocks * warps > found[1]:
            found = Shape(warps, lines), blocks * warps
    if lines:
        kernel.max_dynamic_shared_size_bytes = limit
    return found[0]
