"""A program at a pseudo-terminal, for tests: a person reads what it shows, and types."""

import os
import pty
import select
import signal
import subprocess
import sys
from typing import Any

assert sys.platform != "win32"  # there are no pseudo-terminals


class Terminal:
    """A program at a pseudo-terminal, 80 characters wide."""

    def __init__(self, home: Any, *arguments: str, command: str = "play") -> None:
        self._ours, theirs = pty.openpty()
        environment = os.environ | {
            "XDG_DATA_HOME": str(home),
            "COLUMNS": "80",
            "TERM": "dumb",
            "LANGUAGE": "en",
        }
        self.program = subprocess.Popen(
            [sys.executable, "-m", "cantstop", command, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
        )
        os.close(theirs)
        self.shown = ""

    def wait_for(self, text: str) -> Any:
        """Read until a text is shown, and forget everything up to there."""
        while text not in self.shown:
            self.shown += os.read(self._ours, 4096).decode()
        before, _, self.shown = self.shown.partition(text)
        return before

    def interrupt(self) -> None:
        """Press Ctrl-C until something is shown: a signal just before the program waits is lost."""
        self.program.send_signal(signal.SIGINT)
        while not select.select([self._ours], [], [], 1)[0]:
            self.program.send_signal(signal.SIGINT)

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self._ours)
