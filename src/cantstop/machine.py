"""What this machine has to offer: cores and memory, within the limits of a container."""

import os
import sys
from math import ceil
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def count_cores() -> int:
    """How many cores this process may use: its CPU affinity, and its cgroup's CPU quota."""
    cores = os.cpu_count() or 1
    if sys.platform == "linux":
        cores = len(os.sched_getaffinity(0))
    for line in _lines(_CGROUP / "cpu.max"):
        quota, _, period = line.partition(" ")
        if quota.isdecimal() and period.isdecimal():
            cores = min(cores, ceil(int(quota) / int(period)))
    return max(1, cores)


def available_memory() -> int:
    """How much memory a program can still get here, in bytes."""
    found = [_physical_memory()]
    found += (
        int(line.split()[1]) * 1024
        for line in _lines(Path("/proc/meminfo"))
        if line.startswith("MemAvailable:")
    )
    limit, used = _lines(_CGROUP / "memory.max"), _lines(_CGROUP / "memory.current")
    if limit and used and limit[0].isdecimal():
        found.append(int(limit[0]) - int(used[0]))
    return min(found)


def _physical_memory() -> int:
    if sys.platform != "win32":
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    import ctypes

    # MEMORYSTATUSEX: its own size, the load in percent, then seven sizes, the second one available
    status = (ctypes.c_ulonglong * 8)(64)
    ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status[2])


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
