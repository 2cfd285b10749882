"""The engine made ready before anybody waits for it: loaded, and compiled on a new installation.

Run as a program this does it in a process of low priority beside an app. What it compiles stays on
disk, where the app then finds it. It ends with the app, however that ends: its input is closed.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from threading import Lock, Thread

from cantstop.bots import bot_named, decide
from cantstop.extras import is_installed
from cantstop.rules import Position

_NICENESS = 19
_MOMENT = 0.5
"""Seconds that a person waits for without wondering."""

_POSITIONS = [
    Position.parse(f"v1,players={players} {'/'.join('-' * players)} 1 - 2345")
    for players in (2, 3, 4, 1)
]
"""Most games are for two: what they need is compiled first."""


def warm_up(tell: Callable[[float], None]) -> None:
    """Ask the strongest bot and the engine once; ``tell`` hears what share is compiled meanwhile.

    Needs the extra “engine”.
    """
    from cantstop.engine import report_compiling

    with report_compiling(tell):
        for position in _POSITIONS:
            decide(bot_named("champion"), position, 0)
            position.hint()


class BackgroundWarmUp:
    """A process that makes the engine ready while an app is used."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-m", __name__)) -> None:
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def start(self) -> None:
        """Start it, where there is an engine."""
        if is_installed("engine"):
            with self._lock:
                self._process = subprocess.Popen(  # noqa: S603 - this very file
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C in a terminal is not for it
                )

    def wait(self, tell: Callable[[], None]) -> None:
        """Wait until the process has done its work, which two would not do faster.

        ``tell`` is called if that takes longer than a moment. If the process fails, whoever waits
        does the work, and hears why.
        """
        process = self._process
        if process is None:
            return
        try:
            process.wait(_MOMENT)
        except subprocess.TimeoutExpired:
            tell()
            process.wait()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.wait()
                assert self._process.stdin is not None
                self._process.stdin.close()
                self._process = None


def _end_with_the_app() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _main() -> None:
    Thread(target=_end_with_the_app, daemon=True).start()
    if sys.platform != "win32":
        os.nice(_NICENESS)
    warm_up(lambda _share: None)


if __name__ == "__main__":
    _main()
