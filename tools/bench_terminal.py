"""How quick the terminal app is: from a key to the screen, from the command to the first one."""

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

assert sys.platform != "win32"  # there are no pseudo-terminals

ROUNDS = 15
STARTS = 5
SIZES = ((80, 24), (120, 40))
KEYS = (("1", "or stop?"), ("u", "pick a move"))
"""A move and its undo, over and over: the whole screen changes with each."""


@dataclass
class Terminal:
    """The real command at a pseudo-terminal."""

    stream: int
    program: subprocess.Popen[bytes]

    def wait_for(self, text: str) -> float:
        """Read until a text is shown, and return when that was."""
        shown = b""
        while text.encode() not in shown:
            shown += os.read(self.stream, 65536)
        return time.perf_counter()

    def settle(self) -> None:
        """Read until nothing more comes."""
        while select.select([self.stream], [], [], 0.1)[0]:
            os.read(self.stream, 65536)

    def press(self, key: str) -> None:
        """Press a key."""
        os.write(self.stream, key.encode())

    @property
    def busy(self) -> float:
        """Seconds of a core's time that the program has used."""
        with open(f"/proc/{self.program.pid}/schedstat", encoding="ascii") as stats:  # noqa: PTH123
            return int(stats.read().split()[0]) / 1e9


@contextmanager
def play(size: tuple[int, int]) -> Iterator[Terminal]:
    """The command, begun in a terminal of that size."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_DATA_HOME": folder, "TERM": "xterm-256color"}
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        program = subprocess.Popen(
            [sys.executable, "-m", "cantstop", "play", "--seat", "Anne", "--seat", "Bob",
             "--seed", "7", "--lang", "en"],
            stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
        )  # fmt: skip
        os.close(theirs)
        try:
            yield Terminal(ours, program)
        finally:
            program.kill()
            program.wait()
            os.close(ours)


def answers(size: tuple[int, int]) -> tuple[list[float], list[float]]:
    """Milliseconds from each key to its answer: by the clock, and of a core's time."""
    clock, busy = [], []
    with play(size) as terminal:
        terminal.wait_for("roll the dice")
        terminal.press("r")
        terminal.wait_for("pick a move")
        for _ in range(ROUNDS):
            for key, answer in KEYS:
                terminal.settle()
                used, begin = terminal.busy, time.perf_counter()
                terminal.press(key)
                clock.append((terminal.wait_for(answer) - begin) * 1e3)
                busy.append((terminal.busy - used) * 1e3)
    return clock, busy


def starts() -> tuple[list[float], list[float]]:
    """Seconds from the command to its first screen: by the clock, and of a core's time."""
    clock, busy = [], []
    for _ in range(STARTS):
        begin = time.perf_counter()
        with play(SIZES[0]) as terminal:
            clock.append(terminal.wait_for("roll the dice") - begin)
            busy.append(terminal.busy)
    return clock, busy


def line(what: str, unit: str, figures: tuple[list[float], list[float]]) -> str:
    """Best and median, by the clock and of a core's time."""
    clock, busy = figures
    return (
        f"terminal app, {what}: by the clock {min(clock):.3g} {unit} best, "
        f"{statistics.median(clock):.3g} {unit} median; of a core's time {min(busy):.3g} {unit} "
        f"best, {statistics.median(busy):.3g} {unit} median"
    )


def main() -> None:
    """Measure, and print; other work on the machine disturbs the clock more than the core."""
    for size in SIZES:
        print(line(f"key to screen at {size[0]}×{size[1]} (aim: 50 ms)", "ms", answers(size)))
    print(line("command to first screen (aim: 1 s)", "s", starts()))


if __name__ == "__main__":
    main()
