"""What each process of a server has in memory, minute by minute, and whether it stays the same.

A server's memory grows while its caches fill; what each of those holds is on its page of metrics.
Once they are full it has to be flat: in the second half of the minutes, and after the last cache
that is full at the end has become so, each process grows by no more than ``FLAT_SHARE``, or its
slope is less than two standard errors from none.
"""

import resource
import sys
from contextlib import suppress
from math import sqrt
from pathlib import Path
from statistics import fmean, linear_regression

from prometheus_client.parser import text_string_to_metric_families

assert sys.platform == "linux", "it looks at /proc"

FLAT_SHARE = 0.03
FULL_SHARE = 0.9
"""A cache is full when the next values may not fit."""
LEAST_POINTS = 4

Points = list[tuple[int, float]]
"""Minutes, and what was measured in them."""


def family(process: int) -> list[int]:
    """A process and all below it."""
    return [process, *(one for child in _children(process) for one in family(child))]


def _children(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


def memory(process: int) -> float:
    """In MB."""
    with suppress(OSError):
        pages = Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1]
        return int(pages) * resource.getpagesize() / 1e6
    return 0.0


def slope(points: Points) -> tuple[float, float]:
    """The slope of a line through points, and its standard error.

    >>> slope([(1, 10.0), (2, 12.0), (3, 14.0)])
    (2.0, 0.0)
    """
    xs, ys = zip(*points, strict=True)
    steepness, start = linear_regression(xs, ys)
    rest = sum((y - start - steepness * x) ** 2 for x, y in points)
    spread = sum((x - fmean(xs)) ** 2 for x in xs)
    return steepness, sqrt(rest / (len(points) - 2) / spread)


def is_flat(points: Points) -> bool:
    """Whether what was measured has not grown.

    >>> is_flat([(minute, 100.0 + minute % 2) for minute in range(30)])
    True
    >>> is_flat([(minute, 100.0 + minute) for minute in range(30)])
    False
    """
    steepness, error = slope(points)
    grown = steepness * (points[-1][0] - points[0][0])
    return grown <= FLAT_SHARE * points[0][1] or steepness <= 2 * error


class MemoryWatch:
    """The memory of a server's processes and what its caches hold, by minute."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._names: dict[int, str] = {}
        self._memory: dict[str, Points] = {}
        self._caches: dict[str, Points] = {}
        self._limits: dict[str, float] = {}
        self._tables: Points = []
        """Tables in memory; those that nobody is at are a cache, too."""

    def look(self, minute: int, metrics: str) -> str:
        """Note what there is now, given the server's page of metrics; returns a line about it."""
        now = {self._name(process): memory(process) for process in family(self._pid)}
        for name, megabytes in now.items():
            self._memory.setdefault(name, []).append((minute, megabytes))
        samples = [
            sample for group in text_string_to_metric_families(metrics) for sample in group.samples
        ]
        for sample in samples:
            if sample.name == "cantstop_cache_limit_bytes":
                self._limits[sample.labels["cache"]] = sample.value / 1e6
            if sample.name == "cantstop_cache_bytes":
                points = self._caches.setdefault(sample.labels["cache"], [])
                points.append((minute, sample.value / 1e6))
        tables = next(s.value for s in samples if s.name == "cantstop_tables_in_memory")
        self._tables.append((minute, tables))
        caches = {name: points[-1][1] for name, points in self._caches.items()}
        return f"MB: {_listed(now)}; caches: {_listed(caches)}; {tables:.0f} tables"

    def _name(self, process: int) -> str:
        """What a process is for; the name stays its own."""
        if process not in self._names:
            kind = "server"
            if process != self._pid:
                below = any(map(_is_spawned, _children(process)))
                kind = "worker" if below else "pool" if _is_spawned(process) else "tracker"
            number = sum(name.startswith(kind) for name in self._names.values())
            self._names[process] = f"{kind} {number + 1}" if kind != "server" else kind
        return self._names[process]

    def summary(self) -> list[str]:
        """When each cache was full, and of each process how it grew afterwards."""
        lines, full = [], []
        for name, points in self._caches.items():
            limit = self._limits[name]
            at = _reached(points, FULL_SHARE * limit)
            full += [at] if at else []
            when = f"full in minute {at}" if at else "not full"
            lines.append(f"{name:>10}: {points[-1][1]:6.1f} of {limit:.1f} MB, {when}")
        most = max(count for _, count in self._tables)
        full.append(_reached(self._tables, FULL_SHARE * most) or 0)
        lines.append(f"    tables: {most:6.0f} at most, almost as many from minute {full[-1]} on")
        last = self._tables[-1][0]
        first = max(last // 2, *full) + 1
        lines.append(f"Memory is judged from minute {first} on.")
        for name, points in self._memory.items():
            judged = [point for point in points if point[0] >= first]
            growth = "too few minutes to judge"
            if len(judged) >= LEAST_POINTS:
                steepness, error = slope(judged)
                verdict = "flat" if is_flat(judged) else "NOT FLAT"
                growth = f"{60 * steepness:+.1f} ± {60 * error:.1f} MB an hour: {verdict}"
            lines.append(
                f"{name:>10}: {points[0][1]:6.1f} MB in minute {points[0][0]}, "
                f"{points[-1][1]:6.1f} in {points[-1][0]}; {growth}"
            )
        return lines


def _reached(points: Points, least: float) -> int | None:
    """The first minute with so much."""
    return next((minute for minute, held in points if held >= least), None)


def _listed(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {megabytes:.1f}" for name, megabytes in figures.items())


def _is_spawned(process: int) -> bool:
    with suppress(OSError):
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False
