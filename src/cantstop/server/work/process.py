"""One process of the pool: killed at its deadline, and gone when the server is."""

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from cantstop.processes import exit_with_parent
from cantstop.rules import CantStopError
from cantstop.server.work.refusals import WorkFailed, WorkRefused, error_data, error_from

START_SECONDS = 300.0
"""Time to start and prepare, on a machine that is busy with other things."""
NICENESS = 19
"""Processes of the pool leave the processor to those that answer people."""
ABANDONED_SECONDS = 5.0
"""How long work may go on that nobody waits for any more. What can pause does so at once, and no
other work of ours takes as long; a new process would take longer to load the engine."""

SILENT_SECONDS = 10.0
"""A process that shows no sign of life for so long hangs, and is replaced. A thread of it shows one
all the time, however long its work takes and however little of the processor it gets."""

_BEAT_SECONDS = 0.25
_LOOK_SECONDS = 0.1
_READY = "ready"

_context = get_context("spawn")  # threads and connections do not survive a fork

_pause_asked: Any = None
"""In a process of the pool: a number in shared memory, other than 0 once it is to pause."""


def should_pause() -> bool:
    """Whether a function that can go on later is to return ``Unfinished`` now."""
    return _pause_asked is None or bool(_pause_asked.value)


IsAbandoned = Callable[[], bool]
"""Whether nobody waits for some work any more."""

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
    """The process was killed at its deadline, hung, or died; the message says which."""


class ProcessDied(WorkLost):
    """The process died or hung, maybe before this work: it may be tried again."""


class WorkProcess:
    """The server's end of one process. ``call`` blocks: a thread of its own calls it."""

    def __init__(self, prepare: Prepare = ()) -> None:
        self._prepare = tuple(prepare)
        self._process: SpawnProcess | None = None
        self._pipe: Any = None
        """A connection; Windows has one of another class."""
        self._prepared = _context.Value("b", 0, lock=False)
        self._pause_asked = _context.Value("b", 0, lock=False)
        self._alive_at = _context.Value("d", 0, lock=False)
        """When it was last known to live, by the clock that all processes share."""
        self._cpu_used = _context.Value("d", 0, lock=False)
        """The CPU seconds that it has used by then."""
        self._ready = False
        self._closed = False
        self._lock = threading.Lock()
        """Held while the process is replaced or killed."""

    @property
    def pid(self) -> int | None:
        """The id of the running process."""
        return None if self._process is None else self._process.pid

    @property
    def is_warm(self) -> bool:
        """Whether it runs and can work at once."""
        return self._is_prepared and not self.is_hanging

    @property
    def is_hanging(self) -> bool:
        """Whether it runs, and has shown no sign of life for too long."""
        silent = time.monotonic() - self._alive_at.value
        return self._is_prepared and silent > SILENT_SECONDS

    @property
    def _is_prepared(self) -> bool:
        process = self._process
        return process is not None and process.is_alive() and bool(self._prepared.value)

    def ask_to_pause(self, *, pause: bool = True) -> None:
        """Have its work return ``Unfinished`` soon, if it can; or take that back."""
        self._pause_asked.value = pause

    def start(self) -> None:
        """Start the process, if it is not running; ``call`` waits until it is prepared."""
        with self._lock:
            if self._closed or (self._process is not None and self._process.is_alive()):
                return
            self._forget()
            self._pipe, theirs = _context.Pipe()
            self._prepared.value = 0
            self._process = _context.Process(
                target=_serve,
                args=(
                    theirs,
                    self._prepare,
                    self._prepared,
                    self._pause_asked,
                    (self._alive_at, self._cpu_used),
                    NICENESS,
                ),
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
        cpu_seconds: float,
        is_abandoned: IsAbandoned,
    ) -> Any:  # noqa: ANN401
        """Have the process do something, and return the result or raise what it raised."""
        try:
            self.start()
            if not self._ready:
                self._receive(START_SECONDS, inf, _never)
                self._ready = True
            if self._pipe is None:
                raise WorkLost("the pool is closed")
            self._pipe.send((function, args))
            kind, *answer = self._receive(seconds, cpu_seconds, is_abandoned)
        except _Hanging:
            raise self._replace(
                f"it showed no sign of life for {SILENT_SECONDS:g} s", ProcessDied
            ) from None
        except TimeoutError as error:
            raise self._replace(str(error)) from None
        except (EOFError, OSError):
            raise self._replace("its process died", ProcessDied) from None
        match kind:
            case "refused":
                text, data = answer
                raise WorkRefused(text, error_from(data))
            case "failed":
                raise WorkFailed(*answer)
        (result,) = answer
        return result

    def _receive(self, seconds: float, cpu: float, is_abandoned: IsAbandoned) -> Any:  # noqa: ANN401
        pipe, until = self._pipe, time.monotonic() + seconds
        most_cpu = self._cpu_used.value + cpu
        if pipe is None:
            raise EOFError
        while not pipe.poll(min(_LOOK_SECONDS, max(0.0, until - time.monotonic()))):
            if is_abandoned():
                until = min(until, time.monotonic() + ABANDONED_SECONDS)
                is_abandoned = _never
            if self.is_hanging:
                raise _Hanging
            if self._cpu_used.value > most_cpu:
                raise TimeoutError(f"it used more than {cpu:g} s of CPU time")
            if time.monotonic() >= until:
                raise TimeoutError(f"it took more than {seconds:g} s")
        return pickle.loads(pipe.recv_bytes())  # noqa: S301 - from our own process

    def _replace(self, reason: str, kind: type[WorkLost] = WorkLost) -> WorkLost:
        """Kill the process, and start the next one."""
        with self._lock:
            self._forget()
        self.start()
        return kind(reason)

    def replace_if_hanging(self) -> None:
        """Kill a process that hangs without work, and start the next one."""
        if self.is_hanging:
            self._replace("")

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


class _Hanging(Exception):
    """The process shows no sign of life."""


def _never() -> bool:
    return False


# In the process itself


def _serve(
    pipe: Connection,
    prepare: Prepare,
    prepared: Any,  # noqa: ANN401
    pause_asked: Any,  # noqa: ANN401
    signs_of_life: Any,  # noqa: ANN401
    niceness: int,
) -> None:
    """The main function of a process; three of its arguments are numbers in shared memory."""
    global _pause_asked
    _pause_asked = pause_asked
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    exit_with_parent()
    if sys.platform != "win32":
        os.nice(niceness)
    for task in prepare:
        task()
    _show_life(*signs_of_life)
    threading.Thread(target=_stay_alive, args=signs_of_life, name="life", daemon=True).start()
    prepared.value = 1
    _answer_all(pipe)


def _answer_all(pipe: Connection) -> None:
    """Work until the server is gone; one that was killed may have left something unread."""
    with suppress(EOFError, ConnectionError):
        pipe.send_bytes(pickle.dumps(_READY))
        while True:
            function, args = pipe.recv()
            pipe.send_bytes(_answer(function, args))


def _show_life(alive_at: Any, cpu_used: Any) -> None:  # noqa: ANN401
    alive_at.value, cpu_used.value = time.monotonic(), time.process_time()


def _stay_alive(alive_at: Any, cpu_used: Any) -> None:  # noqa: ANN401
    while True:
        time.sleep(_BEAT_SECONDS)
        _show_life(alive_at, cpu_used)


def _answer(function: Callable[..., object], args: tuple[object, ...]) -> bytes:
    """What to tell the server: a result, or an error as plain data."""
    try:
        return pickle.dumps(("done", function(*args)))
    except CantStopError as error:
        return pickle.dumps(("refused", _text(error), error_data(error)))
    except Exception as error:
        return pickle.dumps(("failed", _text(error)))


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
