"""The ``cantstop`` command in a pipe, for tests: a person waits for what it says before typing."""

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import Queue

from patience import PATIENCE

QUESTIONS = ("to roll:", "Press Enter for", "Your move", "roll or stop")


class Typist:
    """The command in a pipe, with a person who waits for what it says before typing."""

    def __init__(self, home: Path, *arguments: str, command: str = "play") -> None:
        environment = os.environ | {"XDG_DATA_HOME": str(home), "LANGUAGE": "en"}
        self.program = subprocess.Popen(
            [sys.executable, "-m", "cantstop", command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            env=environment,
        )
        self._lines: Queue[str | None] = Queue()
        self.said: list[str] = []
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def _listen(self) -> None:
        assert self.program.stdout is not None
        for line in self.program.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def hear(self, *texts: str, seconds: float = PATIENCE) -> str:
        """Listen until a line with one of some texts is said, and return that line."""
        while True:
            line = self._lines.get(timeout=seconds)
            assert line is not None, f"{texts} was never said:\n" + "\n".join(self.said)
            self.said.append(line)
            if any(text in line for text in texts):
                return line

    def type(self, line: str) -> None:
        assert self.program.stdin is not None
        self.program.stdin.write(f"{line}\n")
        self.program.stdin.flush()

    def leave(self) -> int:
        """Type nothing more; the exit code."""
        assert self.program.stdin is not None
        self.program.stdin.close()
        while (line := self._lines.get(timeout=PATIENCE)) is not None:
            self.said.append(line)
        return self.program.wait(PATIENCE)

    def close(self) -> None:
        """End the program, however far it is."""
        self.program.kill()
        self.program.wait()
        self._listener.join()
        for stream in (self.program.stdin, self.program.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def play_from_here(self) -> None:
        """Answer the question that is open, and play to the end."""
        self.type("")
        self.play()

    def play(self) -> None:
        """Play to the end: the first move always, and stop after it."""
        while True:
            asked = self.hear(
                "to roll:", "Press Enter", "Your move", "roll or stop", "Enter leaves"
            )
            if "Enter leaves" in asked:
                return
            self.type("1" if "Your move" in asked else "s" if "roll or" in asked else "")
