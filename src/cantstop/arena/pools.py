"""Who plays the shares on this machine: threads for compiled games, processes for Python's."""

import multiprocessing
import signal
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from types import TracebackType
from typing import Protocol, Self

from cantstop.arena.share import Played, Share, compiled_table, play_share
from cantstop.machine import count_cores
from cantstop.rules import InvalidText

MOST_THREADS = 1024


class Pool(Protocol):
    """Takes shares and plays them, several at a time; used as a context."""

    @property
    def size(self) -> int:
        """How many shares are played at a time."""

    def submit(self, share: Share) -> "Future[Played]":
        """Have a share played."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


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

    def submit(self, share: Share) -> "Future[Played]":
        """Have a share played."""
        if self.size == 1 or compiled_table(share.bots) is not None:
            return self._threads.submit(play_share, share)
        if self._processes is None:
            self._processes = ProcessPoolExecutor(
                self.size, multiprocessing.get_context("spawn"), _leave_interrupts_to_the_parent
            )
        return self._processes.submit(play_share, share)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._threads.shutdown(cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal; the parent decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
