"""How far a command is: one line on standard error that is written over, if a person looks."""

import sys
from typing import Self

from cantstop.untrusted import quoted


class ProgressLine:
    """A line that each ``show`` replaces; leaving the context clears it."""

    def __init__(self) -> None:
        self._shown = ""

    def show(self, text: str) -> None:
        """Replace what the line says."""
        text = quoted(text)
        if text != self._shown and sys.stderr.isatty():
            sys.stderr.write("\r" + text.ljust(len(self._shown)))
            sys.stderr.flush()
            self._shown = text

    def clear(self) -> None:
        """Leave the line empty."""
        if self._shown:
            sys.stderr.write("\r" + " " * len(self._shown) + "\r")
            sys.stderr.flush()
            self._shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
