"""What runs the kernels: the device, its memory, and the levels of a board one after the other."""

from cantstop.solver.cuda.run.blocks import LANES, Blocks
from cantstop.solver.cuda.run.device import NoDevice, compile_kernels, find_device, load_kernels
from cantstop.solver.cuda.run.table import SLOTS, DeviceTable

__all__ = [
    "LANES",
    "SLOTS",
    "Blocks",
    "DeviceTable",
    "NoDevice",
    "compile_kernels",
    "find_device",
    "load_kernels",
]
