"""Checkpoints: the levels solved so far, in a file from which an interrupted solution resumes."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from cantstop.rules import Rules
from cantstop.solver.table import CHECKPOINT, BadTable, Values, read_file, write_file

SECONDS_BETWEEN = 30.0
MIN_SECONDS = 3.0
"""Solutions that take less are quicker solved again than read."""


@dataclass
class Checkpoint:
    """The file that an interrupted solution is resumed from."""

    rules: Rules
    path: Path | None
    _begin: float = field(default_factory=time.monotonic)
    _next: float = SECONDS_BETWEEN

    def load(self, count: int) -> tuple[int, Values | None]:
        """How many levels an interrupted solution has solved, and its values."""
        if self.path is None or not self.path.exists():
            return 0, None
        try:
            header, found = read_file(self.path)
        except BadTable:
            return 0, None  # the solution starts from scratch
        levels = header.get(CHECKPOINT)
        if header["rules"] != str(self.rules) or len(found) != count or type(levels) is not int:
            return 0, None
        return max(0, levels), found

    def save_periodically(self, values: Values, levels: int) -> None:
        """Save, but not so often that it takes much of the time."""
        if time.monotonic() - self._begin > self._next:
            before = time.monotonic()
            self.save(values, levels)
            pause = max(SECONDS_BETWEEN, 20 * (time.monotonic() - before))
            self._next = time.monotonic() - self._begin + pause

    def save(self, values: Values, levels: int) -> None:
        """Save the values of the levels solved so far."""
        if self.path is not None and time.monotonic() - self._begin > MIN_SECONDS:
            write_file(self.path, values, {"rules": str(self.rules), CHECKPOINT: levels})

    def delete(self) -> None:
        """Delete the file: the solution is complete."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
