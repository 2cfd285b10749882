"""The GPU, if there is one, the kernels on it, and how many warps their blocks have."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module

from cantstop.extras import require
from cantstop.rules import CantStopError
from cantstop.solver.cuda.kernels.source import kernels_of, parts
from cantstop.solver.cuda.kernels.structs import CuPy, DeviceKernel

OPTIONS = ("-std=c++17", "-default-device")
PARTS = 32
"""Parts compile side by side; a part should not take long."""

DRIVER = ["set_up", "improve"]
"""The kernels of the last part."""

WARPS = (4, 2, 1)
LINE = 128
SHARED = 227 * 1024
RESERVED = 1024
REGISTERS = 65536
MAX_BLOCKS, MAX_WARPS = 32, 64
"""What a multiprocessor of compute capability 9.0 has; others have no more than that to lose."""


class NoDevice(CantStopError):
    """There is no GPU to work on."""


def find_device() -> CuPy:
    """CuPy, with a GPU behind it."""
    require("gpu")
    cupy = import_module("cupy")
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoDevice("There is no GPU that CUDA can use: {reason}", reason=str(error)) from None
    if count == 0:
        raise NoDevice("There is no GPU that CUDA can use.")
    return cupy


def load_kernels(cupy: CuPy, sides: int) -> dict[str, DeviceKernel]:
    """Compile all kernels for dice with ``sides`` sides; CuPy caches them on disk."""
    names = [[kernel.name for kernel in kernels_of(sides)[part::PARTS]] for part in range(PARTS)]
    wanted = [*(group for group in names if group), DRIVER]
    return compile_kernels(cupy, list(zip(parts(sides, PARTS), wanted, strict=True)))


def compile_kernels(cupy: CuPy, sources: list[tuple[str, list[str]]]) -> dict[str, DeviceKernel]:
    """Compile sources side by side; each comes with the names of its kernels."""

    def build(source: str) -> CuPy:
        module = cupy.RawModule(code=source, options=OPTIONS)
        module.compile()
        return module

    with ThreadPoolExecutor() as pool:
        modules = list(pool.map(build, (source for source, _ in sources)))
    return {
        name: module.get_function(name)
        for module, (_, names) in zip(modules, sources, strict=True)
        for name in names
    }


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
            MAX_BLOCKS,
            MAX_WARPS // warps,
            REGISTERS // (registers * 32 * warps),
            SHARED // (needed + RESERVED),
        )
        if blocks * warps > found[1]:
            found = Shape(warps, lines), blocks * warps
    if lines:
        kernel.max_dynamic_shared_size_bytes = limit
    return found[0]
