"""Several workers on one port: processes that share nothing but the database.

The supervisor serves no requests. It starts the workers, restarts those that die, and shuts them
all down when it is interrupted. A worker whose supervisor is gone exits by itself.
"""

import logging
import logging.config
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from cantstop.bots import register_bot
from cantstop.server.app import ServerOptions
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import logging_config
from cantstop.server.run import SHUTDOWN_SECONDS, run

_RESTART_DELAY = 1.0
"""Seconds before a worker that died right after its start is restarted."""

_context = get_context("spawn")  # threads and connections do not survive a fork
_log = logging.getLogger(__name__)


class _Worker:
    """A process, and the pipe over which it says that it is ready and notices our death."""

    def __init__(self, options: ServerOptions, listening: socket.socket) -> None:
        self.pipe, theirs = _context.Pipe()
        self.started = time.monotonic()
        self.process = _context.Process(target=_work, args=(options, listening, theirs))
        self.process.start()
        theirs.close()

    def wait_until_ready(self) -> bool:
        """Whether it accepts requests now; False if it has died."""
        try:
            return bool(self.pipe.recv() == "ready")
        except EOFError:
            return False


def run_workers(
    count: int, options: ServerOptions, listening: socket.socket, ready: Callable[[], None]
) -> None:
    """Serve with several workers until interrupted; ``ready`` is called once all are ready."""
    options = replace(options, limits=options.limits.shared_by(count))
    logging.config.dictConfig(logging_config(options.log))
    with _shared_metrics() if options.show_metrics else nullcontext():
        _run_workers(count, options, listening, ready)


@contextmanager
def _shared_metrics() -> Iterator[None]:
    """A folder in which the workers share their metrics."""
    with tempfile.TemporaryDirectory(prefix="cantstop-") as folder:
        os.environ[metrics.MULTIPROCESS_FOLDER] = folder
        yield


def _run_workers(
    count: int, options: ServerOptions, listening: socket.socket, ready: Callable[[], None]
) -> None:
    # ``wait`` needs something to wake it: a socket pair works on every platform
    wake, waker = socket.socketpair()
    waker.settimeout(0)
    ending = threading.Event()

    def end(*_: object) -> None:
        ending.set()
        waker.send(b"!")

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    workers = [_Worker(options, listening) for _ in range(count)]
    started = sum(worker.wait_until_ready() for worker in workers)
    if started == count:
        ready()
    while not ending.is_set():
        wait([wake, *(worker.process.sentinel for worker in workers)])
        for place, worker in enumerate(workers):
            if not ending.is_set() and not worker.process.is_alive():
                _log.error("Worker %s died and is being restarted.", worker.process.pid)
                if time.monotonic() - worker.started < _RESTART_DELAY:
                    ending.wait(_RESTART_DELAY)
                worker.pipe.close()
                workers[place] = _Worker(options, listening)
    listening.close()  # accept no connection that no worker would serve
    _shut_down(workers)
    wake.close()
    waker.close()


def _shut_down(workers: list[_Worker]) -> None:
    """Graceful shutdown of all workers; those that take too long are killed."""
    for worker in workers:
        worker.process.terminate()
    until = time.monotonic() + 2 * SHUTDOWN_SECONDS
    for worker in workers:
        worker.process.join(max(until - time.monotonic(), 0))
        worker.process.kill()
        worker.process.join()


def _work(options: ServerOptions, listening: socket.socket, pipe: Connection) -> None:
    """The main function of a worker process."""
    for bot in options.bots:
        register_bot(bot)

    def exit_with_supervisor() -> None:
        try:
            pipe.recv()
        except (EOFError, OSError):
            os.kill(os.getpid(), signal.SIGTERM)

    def ready() -> None:
        pipe.send("ready")
        threading.Thread(target=exit_with_supervisor, daemon=True).start()

    run(options, listening, ready)
