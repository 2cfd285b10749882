"""Solutions that can be interrupted: the levels solved so far, kept in a file beside the table."""

import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import Rules
from cantstop.solver.table import UNFINISHED, BadTable, read_file, write_file

SECONDS_BETWEEN = 30.0
WORTH_KEEPING = 3.0
"""Solutions that take less are quicker started anew than read."""


@dataclass
class Unfinished:
    """The file of an interrupted solution."""

    rules: Rules
    path: Path | None
    _begin: float = field(default_factory=time.monotonic)
    _next: float = SECONDS_BETWEEN

    def load(self, values: NDArray[np.float64]) -> int:
        """Take over what an interrupted solution has found; returns how many levels that is."""
        if self.path is None or not self.path.exists():
            return 0
        try:
            header, found = read_file(self.path)
        except BadTable:
            return 0  # it was only a help: the solution starts anew
        if header["rules"] != str(self.rules) or len(found) != len(values):
            return 0
        values[:] = found
        return int(header.get(UNFINISHED, 0))

    def save_now_and_then(self, values: NDArray[np.float64], levels: int) -> None:
        """Keep what there is, but not so often that it takes much of the time."""
        if time.monotonic() - self._begin > self._next:
            before = time.monotonic()
            self.save(values, levels)
            pause = max(SECONDS_BETWEEN, 20 * (time.monotonic() - before))
            self._next = time.monotonic() - self._begin + pause

    def save(self, values: NDArray[np.float64], levels: int) -> None:
        """Keep what there is."""
        if self.path is not None and time.monotonic() - self._begin > WORTH_KEEPING:
            write_file(self.path, values, {"rules": str(self.rules), UNFINISHED: levels})

    def forget(self) -> None:
        """The solution is complete."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
