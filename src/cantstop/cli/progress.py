"""How far a command is: one line on standard error that is written over, if a person looks."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from cantstop.language import Translator
from cantstop.terminal import compiling_text
from cantstop.untrusted import quoted


@contextmanager
def show_compiling(words: Translator, players: int | None = None) -> Iterator[None]:
    """Show the progress of compiling the engine, where that is still to be done."""
    from cantstop.engine import report_compiling

    with ProgressLine() as line:

        def report(share: float) -> None:
            line.show(compiling_text(words, share))

        with report_compiling(report, players):
            yield


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()
