"""The GPU, if there is one, and the kernels on it."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from cantstop.rules import CantStopError
from cantstop.solver.cuda.kernels import kernels_of, parts
from cantstop.solver.cuda.records import CuPy, DeviceKernel

OPTIONS = ("-std=c++17", "-default-device")
PARTS = 32
"""Parts compile side by side; a part should not take long."""

OTHERS = (("set_up", "improve"), ("check",), ("play",))
"""The kernels of the last parts."""


class NoDevice(CantStopError):
    """There is no GPU to work on."""


def find_device() -> CuPy:
    """CuPy, with a GPU behind it."""
    try:
        cupy = import_module("cupy")
    except ImportError:
        raise NoDevice(
            "CUDA needs CuPy, which comes with the extra “gpu”: install cantstop[gpu]."
        ) from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoDevice("There is no GPU that CUDA can use: {reason}", reason=str(error)) from None
    if count == 0:
        raise NoDevice("There is no GPU that CUDA can use.")
    return cupy


def load_kernels(cupy: CuPy, sides: int) -> dict[str, DeviceKernel]:
    """Compile all kernels for dice with so many sides; CuPy keeps them for the next time."""
    sources = parts(sides, PARTS)
    names = [[kernel.name for kernel in kernels_of(sides)[part::PARTS]] for part in range(PARTS)]
    wanted = [*(group for group in names if group), *map(list, OTHERS)]

    def build(source: str) -> CuPy:
        module = cupy.RawModule(code=source, options=OPTIONS)
        module.compile()
        return module

    with ThreadPoolExecutor() as pool:
        modules = list(pool.map(build, sources))
    return {
        name: module.get_function(name)
        for module, group in zip(modules, wanted, strict=True)
        for name in group
    }
