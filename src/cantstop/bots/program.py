"""A child process that is spoken to line by line, and that never outlives its parent."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from cantstop.bots.bot import BotFailure
from cantstop.processes import GUARD

LONGEST_LINE = 4096
MOST_COMMENTS = 1000
MOST_ERROR_LINES = 20
"""Lines of a program's standard error that are kept, the last ones; a long one is cut."""
MOST_UNREAD = 100
"""Lines that are buffered; then the program blocks until they are read."""

EXIT_TIMEOUT = 1.0
"""Seconds that a program has to exit after its input is closed; then it is killed."""


class Program:
    """A running program that reads and writes lines.

    It leads a process group of its own, so that its children are killed with it. It ends when this
    object is garbage-collected, or Python exits; if Python is killed, the guard kills it.
    """

    def __init__(self, command: Sequence[str], *, show_errors: bool = False) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  the user named it
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if show_errors else subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailure(
                "{command} cannot be started: {reason}.", command=command[0], reason=error.strerror
            ) from None
        GUARD.watch(self._process.pid)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into = self._process.stdin
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_UNREAD)
        self._errors: deque[bytes] = deque(maxlen=MOST_ERROR_LINES)
        self._error_reader = threading.Thread(
            target=_keep_last_lines, args=(self._process.stderr, self._errors), daemon=True
        )
        self._error_reader.start()
        reader = threading.Thread(
            target=_read_lines, args=(self._process.stdout, self._lines), daemon=True
        )
        reader.start()
        self.end = weakref.finalize(
            self, _end, self._process, self._lines, reader, self._error_reader
        )

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def write_line(self, line: str) -> None:
        """Write one line."""
        try:
            self._into.write(f"{line}\n".encode())
            self._into.flush()
        except OSError:
            raise self._crashed() from None

    def read_line(self, seconds: float) -> str:
        """The next line that is not a comment; a timeout in seconds is a failure."""
        deadline = time.monotonic() + seconds
        for _ in range(MOST_COMMENTS):
            try:
                line = self._next_line(max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise BotFailure("it did not answer in {seconds} s.", seconds=seconds) from None
            if not line.startswith("#"):
                return line
        raise BotFailure("it wrote endless comments.")

    def _next_line(self, seconds: float) -> str:
        line = self._lines.get(timeout=seconds)
        if line is None:
            raise self._crashed()
        if len(line) > LONGEST_LINE:
            raise BotFailure("it wrote a line of more than {most} bytes.", most=LONGEST_LINE)
        return line.decode(errors="replace").strip()

    def kill(self) -> None:
        """Kill the program and its children at once."""
        _kill_group(self._process)

    def last_errors(self) -> list[str]:
        """What the program, which has ended, wrote last to its standard error."""
        self._error_reader.join(EXIT_TIMEOUT)  # a child that left its group may hold the pipe open
        return [line.decode(errors="replace").rstrip() for line in tuple(self._errors)]

    @property
    def has_unread_lines(self) -> bool:
        """Whether the program has written lines that were not asked for."""
        return not self._lines.empty()

    def _crashed(self) -> BotFailure:
        try:
            code = self._process.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            return BotFailure("it closed its output.")
        if code < 0:
            return BotFailure("it was killed by signal {signal}.", signal=-code)
        return BotFailure("it exited with code {code}.", code=code)


def _read_lines(output: IO[bytes], lines: "queue.Queue[bytes | None]") -> None:
    with output:
        while line := output.readline(LONGEST_LINE + 1):
            lines.put(line)
    lines.put(None)


def _keep_last_lines(output: IO[bytes] | None, lines: "deque[bytes]") -> None:
    """Read what nobody waits for, so that the program never blocks, and keep its end."""
    if output is None:  # it is shown
        return
    with output:
        while line := output.readline(LONGEST_LINE):
            lines.append(line)


def _end(
    process: subprocess.Popen[bytes],
    lines: "queue.Queue[bytes | None]",
    reader: threading.Thread,
    error_reader: threading.Thread,
) -> None:
    """Close the program's input, which asks it to exit; kill it after a timeout."""
    assert process.stdin is not None
    with suppress(OSError):  # it may have left with our last line unread
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(EXIT_TIMEOUT)
    _kill_group(process)
    process.wait()
    GUARD.forget(process.pid)
    deadline = time.monotonic() + EXIT_TIMEOUT
    while reader.is_alive() and time.monotonic() < deadline:
        with suppress(queue.Empty):  # the reader may wait for room for what the program babbled
            lines.get(timeout=EXIT_TIMEOUT / 100)
    error_reader.join(EXIT_TIMEOUT)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError):  # nobody of the group may be left
        os.killpg(process.pid, signal.SIGKILL)
