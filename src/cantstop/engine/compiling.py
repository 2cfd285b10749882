"""The first use after an installation: what is compiled then, and how far that is."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cantstop.jit import watch_compiling

_SECONDS = {
    "_classify": 1.0,
    "_number_states": 0.3,
    "solve_turn_states": 4.5,
    "follow_best_play": 1.7,
    "fill_network_ends": 11.5,
    "stop_everywhere": 0.7,
    "fill_distances": 5.0,
}
"""What compiling each entry takes, to weigh one against another: the clock of one machine."""
_ALONE = ("fill_network_ends",)
_TOGETHER = ("stop_everywhere", "fill_distances")
_LOOK_SECONDS = 0.5
_ALMOST = 0.95
"""An entry that takes longer than it should is never said to be done."""


class _Progress:
    """How much is compiled, counting what is being compiled by the time that has passed."""

    def __init__(self, total: float) -> None:
        self._total = total
        self._done = 0.0
        self._cost = 0.0
        self._since = 0.0
        self.is_compiling = False

    def begin(self, name: str) -> None:
        self._cost, self._since = _SECONDS.get(name, 0.0), time.monotonic()
        self.is_compiling = True

    def end(self) -> None:
        self._done += self._cost
        self.is_compiling = False

    @property
    def share(self) -> float:
        passed = min(time.monotonic() - self._since, _ALMOST * self._cost)
        running = passed if self.is_compiling else 0.0
        return min(_ALMOST, (self._done + running) / self._total)


@contextmanager
def report_compiling(report: Callable[[float], None], players: int | None = None) -> Iterator[None]:
    """Report the share of the engine that is compiled, twice a second, while it is.

    Nothing is reported where all of it is on disk already. ``players`` says for which games it is
    needed; left out, for all.
    """
    spared = () if players is None else _ALONE if players == 1 else _TOGETHER
    progress = _Progress(sum(cost for name, cost in _SECONDS.items() if name not in spared))
    over = threading.Event()

    def look() -> None:
        while not over.wait(_LOOK_SECONDS):
            if progress.is_compiling:
                report(progress.share)

    looking = threading.Thread(target=look, daemon=True)
    with watch_compiling(progress.begin, progress.end):
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()
