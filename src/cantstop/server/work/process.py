"""One process of the pool: killed at its deadline, and gone when the server is."""

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from cantstop.processes import exit_with_parent

START_SECONDS = 300.0
"""Time to start and prepare: on a new installation the turn solver is compiled first."""
NICENESS = 19
"""Processes of the pool leave the processor to those that answer people."""
ABANDONED_SECONDS = 1.0
"""How long work may go on that nobody waits for any more: less than a new process takes."""

_LOOK_SECONDS = 0.1
_READY = "ready"

_context = get_context("spawn")  # threads and connections do not survive a fork

PREPARED = 1.0
_report: Callable[[float], None] | None = None
"""In a process of the pool: tells the server how far its preparation is."""


def report_preparation(share: float) -> None:
    """Tell the server what share of a long preparation is done; more than 0, less than 1."""
    if _report is not None:
        _report(share)


Prepare = Sequence[Callable[[], object]]
"""What a process does before its first work: module-level functions, or partials of them."""


@dataclass(frozen=True)
class Unfinished:
    """What a function returns that has worked for long enough: others go first, and then this.

    Its arguments wait in the server's memory meanwhile: bytes cost it nothing to pass on.
    """

    function: Callable[..., object]
    args: tuple[object, ...]


class WorkLost(Exception):
    """The process was killed at its deadline, or died; the message says which."""


class WorkProcess:
    """The server's end of one process. ``call`` blocks: a thread of its own calls it."""

    def __init__(self, prepare: Prepare = ()) -> None:
        self._prepare = tuple(prepare)
        self._process: SpawnProcess | None = None
        self._pipe: Any = None
        """A connection; Windows has one of another class."""
        self._prepared = _context.Value("d", 0.0)
        self._ready = False
        self._closed = False
        self._lock = threading.Lock()
        """Held while the process is replaced or killed."""

    @property
    def pid(self) -> int | None:
        """The id of the running process."""
        return None if self._process is None else self._process.pid

    @property
    def prepared(self) -> float:
        """How far its preparation is: 0 while it starts, ``PREPARED`` once it can work."""
        return float(self._prepared.value)

    def start(self) -> None:
        """Start the process, if it is not running; ``call`` waits until it is prepared."""
        with self._lock:
            if self._closed or (self._process is not None and self._process.is_alive()):
                return
            self._forget()
            self._pipe, theirs = _context.Pipe()
            self._prepared.value = 0.0
            self._process = _context.Process(
                target=_serve,
                args=(theirs, self._prepare, self._prepared),
                name="cantstop work",
                daemon=True,
            )
            self._process.start()
            theirs.close()

    def call(
        self,
        function: Callable[..., object],
        args: tuple[object, ...],
        seconds: float,
        is_abandoned: Callable[[], bool],
    ) -> Any:  # noqa: ANN401
        """Have the process do something, and return the result or raise what it raised."""
        try:
            self.start()
            if not self._ready:
                self._receive(START_SECONDS, lambda: False)
                self._ready = True
            if self._pipe is None:
                raise WorkLost("the pool is closed")
            self._pipe.send((function, args))
            done, answer = self._receive(seconds, is_abandoned)
        except TimeoutError:
            raise self._replace(f"it took more than {seconds:g} s") from None
        except (EOFError, OSError):
            raise self._replace("its process died") from None
        if not done:
            raise answer
        return answer

    def _receive(self, seconds: float, is_abandoned: Callable[[], bool]) -> Any:  # noqa: ANN401
        pipe, until = self._pipe, time.monotonic() + seconds
        if pipe is None:
            raise EOFError
        while not pipe.poll(min(_LOOK_SECONDS, max(0.0, until - time.monotonic()))):
            if is_abandoned():
                until = min(until, time.monotonic() + ABANDONED_SECONDS)
                is_abandoned = _never
            if time.monotonic() >= until:
                raise TimeoutError
        return pickle.loads(pipe.recv_bytes())  # noqa: S301 - from our own process

    def _replace(self, reason: str) -> WorkLost:
        """Kill the process, and start the next one."""
        with self._lock:
            self._forget()
        self.start()
        return WorkLost(reason)

    def _forget(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None
        self._ready = False

    def close(self) -> None:
        """Kill the process at once; whoever waits in ``call`` gets ``WorkLost``."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
                self._process.join()


def _never() -> bool:
    return False


# In the process itself


def _serve(pipe: Connection, prepare: Prepare, prepared: Any) -> None:  # noqa: ANN401
    """The main function of a process; ``prepared`` is a number in shared memory."""
    global _report

    def report(share: float) -> None:
        prepared.value = share

    _report = report
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    exit_with_parent()
    if sys.platform != "win32":
        os.nice(NICENESS)
    for task in prepare:
        task()
    prepared.value = PREPARED
    pipe.send_bytes(pickle.dumps(_READY))
    while True:
        try:
            function, args = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(_answer(function, args))


def _answer(function: Callable[..., object], args: tuple[object, ...]) -> bytes:
    try:
        return pickle.dumps((True, function(*args)))
    except Exception as error:
        try:
            answer = pickle.dumps((False, error))
            pickle.loads(answer)  # noqa: S301 - some errors can be written but not read
        except Exception:
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return answer
