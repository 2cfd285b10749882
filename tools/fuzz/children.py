"""Reads inputs in child processes with limits: what crashes, hangs or grows is found and named."""

import contextlib
import json
import mmap
import os
import resource
import selectors
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import IO

from fuzz.readers import READ, READERS, REFUSED, Reader

MAX_SECONDS = 5.0
"""Processor time for one input."""
MAX_GROWTH = 512 << 20
"""Memory that one input may take."""
_HANGS_AFTER, _WAITS_AFTER = 120.0, 900.0
"""Seconds of processor time, and of a busy machine's, without a step: then a child is ended."""
_CHUNK = 500
_NUMBER = struct.Struct("q")


@dataclass
class Figures:
    """What came of the inputs of one reader."""

    answers: dict[str, int] = field(default_factory=lambda: {READ: 0, REFUSED: 0})
    seconds: float = 0.0
    slowest: tuple[float, int] = (0.0, -1)
    largest: tuple[int, int] = (0, -1)
    failures: list[tuple[int, str]] = field(default_factory=list)

    def add(self, other: "Figures") -> None:
        """Add counts that were made elsewhere."""
        for answer, times in other.answers.items():
            self.answers[answer] += times
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.largest = max(self.largest, other.largest)
        self.failures += other.failures

    def to_json(self) -> str:
        """One line for the parent process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> "Figures":
        """The figures of such a line."""
        found = json.loads(line)
        return cls(
            found["answers"],
            found["seconds"],
            tuple(found["slowest"]),
            tuple(found["largest"]),
            [tuple(failure) for failure in found["failures"]],
        )

    @property
    def inputs(self) -> int:
        """How many inputs were read."""
        return sum(self.answers.values()) + len(self.failures)


def input_of(reader: Reader, seed: int, number: int) -> bytes:
    """The same number gives the same input."""
    return reader.make(Random(f"{seed}/{reader.name}/{number}"))


class _TooSlow(BaseException):
    """An input takes more than its time."""


def read_inputs(
    reader: Reader, seed: int, numbers: range, folder: Path, step: mmap.mmap | bytearray
) -> Figures:
    """Read inputs one after the other; ``step`` always has the number of the one in hand."""
    found = Figures()
    for number in numbers:
        _NUMBER.pack_into(step, 0, number)
        data = input_of(reader, seed, number)
        before, begun = _peak_memory(), time.process_time()
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
        try:
            reader.read(data, folder)
            answer = READ
        except reader.refuses:
            answer = REFUSED
        except (Exception, _TooSlow) as error:  # exactly what is looked for
            answer = ""
            where = traceback.extract_tb(error.__traceback__)[-1]
            found.failures.append(
                (
                    number,
                    f"{type(error).__name__}: {str(error)[:300]} ({where.name}:{where.lineno})",
                )
            )
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        took, grown = time.process_time() - begun, _peak_memory() - before
        if answer:
            found.answers[answer] += 1
        found.seconds += took
        found.slowest = max(found.slowest, (took, number))
        found.largest = max(found.largest, (grown, number))
    return found


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def child(seed: int, place: str) -> None:
    """What a child process does: chunks from standard input, figures to standard output."""

    def end(_: int, __: FrameType | None) -> None:
        raise _TooSlow

    signal.signal(signal.SIGPROF, end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a reader prints is not an answer
    with Path(place).open("r+b") as file, tempfile.TemporaryDirectory() as folder:
        step = mmap.mmap(file.fileno(), _NUMBER.size)
        for line in sys.stdin:
            name, first, last = json.loads(line)
            reader = next(reader for reader in READERS if reader.name == name)
            for number in range(3):  # what is loaded or compiled once belongs to no input
                with contextlib.suppress(*reader.refuses):
                    reader.read(input_of(reader, -1, number), Path(folder))
            used = (
                int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * mmap.PAGESIZE
            )
            resource.setrlimit(resource.RLIMIT_AS, (used + MAX_GROWTH, resource.RLIM_INFINITY))
            found = read_inputs(reader, seed, range(first, last), Path(folder), step)
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            print(found.to_json(), file=answers, flush=True)


class _Child:
    """A child process, and the chunk that it has in hand."""

    def __init__(self, seed: int) -> None:
        self._place = tempfile.NamedTemporaryFile()  # noqa: SIM115 - it lives as long as the child
        self._place.write(_NUMBER.pack(-1))
        self._place.flush()
        self._step = mmap.mmap(self._place.fileno(), _NUMBER.size)
        self._process = subprocess.Popen(
            [sys.executable, _SCRIPT, "--child", self._place.name, "--seed", str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.chunk: tuple[str, int, int] | None = None
        self._seen, self._since = -1, self._times()

    @property
    def answers(self) -> IO[str]:
        """Where its figures come from."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def number(self) -> int:
        """The input that it has in hand."""
        return int(_NUMBER.unpack_from(self._step)[0])

    def give(self, chunk: tuple[str, int, int]) -> None:
        """Hand it a chunk of inputs."""
        self.chunk = chunk
        _NUMBER.pack_into(self._step, 0, chunk[1])
        self._since = self._times()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(chunk) + "\n")
        self._process.stdin.flush()

    def hangs(self) -> bool:
        """Whether it works or waits for long without coming on."""
        worked, waited = self._times()
        if self.number != self._seen:
            self._seen, self._since = self.number, (worked, waited)
        return worked - self._since[0] > _HANGS_AFTER or waited - self._since[1] > _WAITS_AFTER

    def _times(self) -> tuple[float, float]:
        """The processor time that it has had, and the time now."""
        try:
            stat = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8")
            worked = sum(map(int, stat.rpartition(")")[2].split()[11:13]))
        except OSError:  # it has ended
            worked = 0
        return worked / os.sysconf("SC_CLK_TCK"), time.monotonic()

    def end(self) -> int:
        """End it, if it has not ended by itself; returns how it ended."""
        if self._process.poll() is None:
            self._process.kill()
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        self._step.close()
        self._place.close()
        return code


_SCRIPT = str(Path(__file__).parent.parent / "fuzz_readers.py")


def fuzz_readers(seed: int, inputs: dict[str, int], children: int) -> Iterator[tuple[str, Figures]]:
    """Read a number of inputs of each reader in child processes; yields figures as they come."""
    chunks = [
        (name, first, min(first + _CHUNK, count))
        for name, count in inputs.items()
        for first in range(0, count, _CHUNK)
    ]
    chunks.reverse()
    selector = selectors.DefaultSelector()
    running: dict[int, _Child] = {}

    def start(chunk: tuple[str, int, int]) -> None:
        one = _Child(seed)
        one.give(chunk)
        running[one.answers.fileno()] = one
        selector.register(one.answers, selectors.EVENT_READ)

    try:
        for _ in range(min(children, len(chunks))):
            start(chunks.pop())
        while running:
            ready = [int(key.fd) for key, _ in selector.select(1.0)]
            ready += [fd for fd, one in running.items() if fd not in ready and one.hangs()]
            for fd in ready:
                one = running[fd]
                assert one.chunk is not None
                name, first, last = one.chunk
                line = "" if one.hangs() else one.answers.readline()
                if line:
                    yield name, Figures.from_json(line)
                    if chunks:
                        one.give(chunks.pop())
                        continue
                    selector.unregister(one.answers)
                    del running[fd]
                    one.end()
                    continue
                number, hangs = max(first, one.number), one.hangs()
                selector.unregister(one.answers)
                del running[fd]
                code = one.end()
                what = "it hangs" if hangs else f"the process ended with {code}"
                yield name, Figures(failures=[(number, what)])
                # what was read before is not counted yet: it is read again
                rest = [(name, first, number), (name, number + 1, last)]
                chunks += [piece for piece in rest if piece[1] < piece[2]]
                if chunks:
                    start(chunks.pop())
    finally:
        for one in running.values():
            one.end()
