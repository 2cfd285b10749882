"""Several workers on one port: processes that share nothing but the database.

The parent takes no requests. It starts the workers, starts anew those that die, and ends them
all when it is asked to end. A worker whose parent is gone ends by itself.
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
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from cantstop.bots import enrol
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import configuration
from cantstop.server.run import LAST_WORDS, Service, run

_PAUSE = 1.0
"""Seconds before a worker that died at once is started anew."""

_context = get_context("spawn")  # threads and connections do not survive a fork
_log = logging.getLogger(__name__)


class _Worker:
    """A process, and the line by which it says that it is ready and knows that we live."""

    def __init__(self, service: Service, listening: socket.socket) -> None:
        self.line, theirs = _context.Pipe()
        self.started = time.monotonic()
        self.process = _context.Process(target=_work, args=(service, listening, theirs))
        self.process.start()
        theirs.close()

    def wait_until_ready(self) -> bool:
        """Whether it takes requests now, or has died before."""
        try:
            return bool(self.line.recv() == "ready")
        except EOFError:
            return False


def run_workers(
    count: int, service: Service, listening: socket.socket, ready: Callable[[], None]
) -> None:
    """Serve with so many workers until somebody ends it; ``ready`` is called once all are."""
    logging.config.dictConfig(configuration(service.log))
    with _figures_together() if service.show_metrics else nullcontext():
        _run_workers(count, service, listening, ready)


@contextmanager
def _figures_together() -> Iterator[None]:
    """A folder in which workers leave their figures for each other."""
    with tempfile.TemporaryDirectory(prefix="cantstop-") as folder:
        os.environ[metrics.FOLDER] = folder
        yield


def _run_workers(
    count: int, service: Service, listening: socket.socket, ready: Callable[[], None]
) -> None:
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    ending = threading.Event()

    def end(*_: object) -> None:
        ending.set()
        os.write(woken, b"!")

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    workers = [_Worker(service, listening) for _ in range(count)]
    ready_ones = sum(worker.wait_until_ready() for worker in workers)
    if ready_ones == count:
        ready()
    while not ending.is_set():
        wait([wake, *(worker.process.sentinel for worker in workers)])
        for place, worker in enumerate(workers):
            if not ending.is_set() and not worker.process.is_alive():
                _log.error("Worker %s has died: another one starts.", worker.process.pid)
                if time.monotonic() - worker.started < _PAUSE:
                    ending.wait(_PAUSE)
                worker.line.close()
                workers[place] = _Worker(service, listening)
    listening.close()  # nobody is let in who would not be heard
    _end(workers)


def _end(workers: list[_Worker]) -> None:
    """Ask all workers to end, and make those end that do not."""
    for worker in workers:
        worker.process.terminate()
    until = time.monotonic() + 2 * LAST_WORDS
    for worker in workers:
        worker.process.join(max(until - time.monotonic(), 0))
        worker.process.kill()
        worker.process.join()


def _work(service: Service, listening: socket.socket, line: Connection) -> None:
    """One worker, from its start to its end."""
    for bot in service.bots:
        enrol(bot)

    def end_with_parent() -> None:
        try:
            line.recv()
        except (EOFError, OSError):
            os.kill(os.getpid(), signal.SIGTERM)

    def ready() -> None:
        line.send("ready")
        threading.Thread(target=end_with_parent, daemon=True).start()

    run(service, listening, ready)
