"""Memory limits: a board that is too large to solve is refused before the work starts."""

import os
from pathlib import Path

from cantstop.engine import TooLarge

_GIB = 1 << 30


def check_memory(needed: int, available: int) -> None:
    """Refuse to start what would not fit."""
    if needed > available:
        raise TooLarge(
            "This board is too large: solving it takes about {needed} of memory, and there are "
            "{available}.",
            needed=size_text(needed),
            available=size_text(available),
        )


def check_gpu_memory(needed: int, available: int) -> None:
    """Refuse to start what would not fit on the device."""
    if needed > available:
        raise TooLarge(
            "This board is too large: solving it takes about {needed} of GPU memory, and there are "
            "{available}.",
            needed=size_text(needed),
            available=size_text(available),
        )


def size_text(size: int) -> str:
    """A number of bytes as people say it.

    >>> size_text(29_727_129_600)
    '27.7 GiB'
    >>> size_text(1 << 100)
    '1e+21 GiB'
    """
    if size >= _GIB**2:
        return f"{size / _GIB:.0e} GiB"
    if size >= 1000 * _GIB:
        return f"{size / _GIB:,.0f} GiB"
    return f"{size / _GIB:.1f} GiB" if size >= _GIB // 10 else f"{size / (1 << 20):.1f} MiB"


def available_memory() -> int:
    """How much memory a program can still get here, in bytes."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    found += (
        int(line.split()[1]) * 1024
        for line in _lines("/proc/meminfo")
        if line.startswith("MemAvailable:")
    )
    limit, used = _lines("/sys/fs/cgroup/memory.max"), _lines("/sys/fs/cgroup/memory.current")
    if limit and used and limit[0].isdecimal():
        found.append(int(limit[0]) - int(used[0]))
    return min(found)


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []
