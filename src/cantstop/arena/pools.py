"""Who plays the batches: threads and processes of this machine, or the workers of a Ray cluster."""

import logging
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, redirect_stdout
from multiprocessing.synchronize import Event as ProcessEvent
from pathlib import Path
from threading import Event
from typing import Any, Protocol, Self, cast
from urllib.parse import urlsplit

from cantstop.arena.batch import Batch, PlayedBatch, play_batch
from cantstop.arena.reference import never
from cantstop.extras import require
from cantstop.machine import count_cores
from cantstop.processes import exit_with_parent
from cantstop.rules import InvalidText

MOST_THREADS = 1024


class Pool(Protocol):
    """Takes batches and plays them, several at a time; used as a context."""

    @property
    def size(self) -> int:
        """How many batches are played at a time."""

    def submit(self, batch: Batch) -> "Future[PlayedBatch]":
        """Have a batch played."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None: ...


class LocalPool:
    """This machine. Compiled games run in threads, side by side; others need processes for that."""

    def __init__(self, threads: int | None = None) -> None:
        if threads is not None and not 1 <= threads <= MOST_THREADS:
            raise InvalidText(
                "{threads} threads cannot be used: 1 to {most} are possible.",
                threads=threads,
                most=MOST_THREADS,
            )
        self.size = threads or count_cores()
        self._threads = ThreadPoolExecutor(self.size)
        self._processes: ProcessPoolExecutor | None = None
        self._cancelled = Event()
        self._processes_cancelled: ProcessEvent | None = None
        self._submitted: set[Future[PlayedBatch]] = set()

    def submit(self, batch: Batch) -> "Future[PlayedBatch]":
        """Have a batch played."""
        future = self._submit(batch)
        self._submitted.add(future)
        future.add_done_callback(self._submitted.discard)
        return future

    def _submit(self, batch: Batch) -> "Future[PlayedBatch]":
        if self.size == 1 or batch.own or batch.compiled is not None:
            return self._threads.submit(play_batch, batch, self._cancelled.is_set)
        if self._processes is None:
            spawn = multiprocessing.get_context("spawn")
            self._processes_cancelled = spawn.Event()
            self._processes = ProcessPoolExecutor(
                self.size, spawn, _start_process, (self._processes_cancelled,)
            )
        return self._processes.submit(_play_in_process, batch)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._cancelled.set()
        if self._processes_cancelled is not None:
            self._processes_cancelled.set()
        # who was interrupted does not wait for what is being compiled
        wait = not self._submitted if kind is None else issubclass(kind, Exception)
        self._threads.shutdown(wait, cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(wait, cancel_futures=True)


_is_cancelled: Callable[[], bool] = never
"""In a process of a pool: whether its games are still wanted."""


def _start_process(cancelled: ProcessEvent) -> None:
    """Ctrl-C reaches every process of a terminal; the parent decides what it means."""
    global _is_cancelled
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exit_with_parent()
    _is_cancelled = cancelled.is_set


def _play_in_process(batch: Batch) -> PlayedBatch:
    return play_batch(batch, _is_cancelled)


RUNNING = "auto"
"""The address of whichever cluster runs on this machine."""

CONNECT_TIMEOUT = 5.0


class RayPool:
    """The workers of a cluster, one batch for each core."""

    def __init__(self, address: str = RUNNING) -> None:
        # nothing is to be sent anywhere but to the cluster
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        require("ray")
        import ray as installed

        ray: Any = installed
        _check_reachable(address)
        try:
            ray.init(
                address, logging_level=logging.ERROR, log_to_driver=False, ignore_reinit_error=True
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise _no_cluster(address, str(error).partition("\n")[0]) from None
        self._ray = ray
        self._quiet = ExitStack()
        self.size = max(1, int(ray.cluster_resources().get("CPU", 1)))
        # a lost worker is not the batch's fault: there is no limit to how often it is tried
        self._play: Any = ray.remote(max_retries=-1, num_cpus=1)(_play_remotely)

    def submit(self, batch: Batch) -> "Future[PlayedBatch]":
        """Have a batch played somewhere."""
        if batch.own:
            raise InvalidText(
                "A bot object plays in its own process only: give a cluster module:Class."
            )
        return cast("Future[PlayedBatch]", self._play.remote(batch, str(Path.cwd())).future())

    def __enter__(self) -> Self:
        # Ray reports lost workers on standard output, which belongs to the results
        self._quiet.enter_context(redirect_stdout(sys.stderr))
        return self

    def __exit__(self, *_: object) -> None:
        with self._quiet:
            self._ray.shutdown()


def _play_remotely(batch: Batch, folder: str) -> PlayedBatch:
    """Play a batch on a worker; the user's own bots are found where the user stands, if there."""
    if folder not in sys.path:
        sys.path.append(folder)
    return play_batch(batch)


def _check_reachable(address: str) -> None:
    """Refuse an address where nothing listens: Ray itself would retry for minutes."""
    if address == RUNNING:
        return
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise InvalidText(
            "“{address}” is not the address of a Ray cluster: such an address looks like "
            "“{example}”.",
            address=address,
            example="10.0.0.1:6379",
        )
    try:
        socket.create_connection((host, port), CONNECT_TIMEOUT).close()
    except OSError as error:
        raise _no_cluster(address, error.strerror or str(error)) from None


def _no_cluster(address: str, reason: str) -> InvalidText:
    return InvalidText(
        "No Ray cluster answers at “{address}” ({reason}); “ray start --head” starts one.",
        address=address,
        reason=reason,
    )
