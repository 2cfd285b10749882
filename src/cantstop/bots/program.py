"""A program that is spoken to line by line, and that never outlives the one who started it."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from cantstop.bots.bot import BotFailure

LONGEST_LINE = 4096
MOST_COMMENTS = 1000
MOST_UNREAD = 100
"""Lines that wait to be read; a program that says more has to wait itself."""

GRACE = 1.0
"""Seconds that a program has to leave when it is told to."""


class Program:
    """A running program with a line in and a line out.

    It leads a group of its own, so that whatever it starts itself ends with it. When this object
    is no longer used, or Python ends, so does the program.
    """

    def __init__(self, command: Sequence[str], *, show_errors: bool = False) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  the user named it
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if show_errors else subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailure(
                "{command} cannot be started: {reason}.", command=command[0], reason=error.strerror
            ) from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into = self._process.stdin
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_UNREAD)
        reader = threading.Thread(
            target=_read_lines, args=(self._process.stdout, self._lines), daemon=True
        )
        reader.start()
        self.end = weakref.finalize(self, _end, self._process, self._lines, reader)

    @property
    def number(self) -> int:
        """The process's id."""
        return self._process.pid

    def say(self, line: str) -> None:
        """Write one line."""
        try:
            self._into.write(f"{line}\n".encode())
            self._into.flush()
        except OSError:
            raise self._crashed() from None

    def hear(self, seconds: float) -> str:
        """The next line that is no comment; it has to come in so many seconds."""
        deadline = time.monotonic() + seconds
        for _ in range(MOST_COMMENTS):
            try:
                line = self._line(max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise BotFailure("it did not answer in {seconds} s.", seconds=seconds) from None
            if not line.startswith("#"):
                return line
        raise BotFailure("it commented without end.")

    def _line(self, seconds: float) -> str:
        line = self._lines.get(timeout=seconds)
        if line is None:
            raise self._crashed()
        if len(line) > LONGEST_LINE:
            raise BotFailure("it wrote a line of more than {most} bytes.", most=LONGEST_LINE)
        return line.decode(errors="replace").strip()

    def kill(self) -> None:
        """Do not wait for the program to leave by itself."""
        _kill_group(self._process)

    @property
    def has_more(self) -> bool:
        """Whether there are lines that nobody asked for."""
        return not self._lines.empty()

    def _crashed(self) -> BotFailure:
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return BotFailure("it closed its output.")
        if code < 0:
            return BotFailure("it was ended by signal {signal}.", signal=-code)
        return BotFailure("it ended with exit code {code}.", code=code)


def _read_lines(output: IO[bytes], lines: "queue.Queue[bytes | None]") -> None:
    with output:
        while line := output.readline(LONGEST_LINE + 1):
            lines.put(line)
    lines.put(None)


def _end(
    process: subprocess.Popen[bytes], lines: "queue.Queue[bytes | None]", reader: threading.Thread
) -> None:
    """Close the program's input, which asks it to leave; then make it."""
    assert process.stdin is not None
    with suppress(OSError):  # it may have left with our last line unread
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    _kill_group(process)
    process.wait()
    deadline = time.monotonic() + GRACE
    while reader.is_alive() and time.monotonic() < deadline:
        with suppress(queue.Empty):  # the reader may wait for room for what the program babbled
            lines.get(timeout=GRACE / 100)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError):  # nobody of the group may be left
        os.killpg(process.pid, signal.SIGKILL)
