"""Group commit: the changes of many tables in one transaction, with one wait for the disk."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from cantstop.server.tables.changes import Change

Changes = tuple[Change, ...]
"""What belongs together: all of it is written, or none."""

Written = TypeVar("Written")

Outcome = Exception | None
"""Why changes were not written; None if they were."""

BATCH_SIZE = 200
BATCH_SECONDS = 0.02
"""A busy writer waits this long for a batch to fill: a larger transaction costs little more.
It is busy where changes come together; where one follows the other, a wait would gather nothing."""


@dataclass(slots=True)
class _Queued:
    changes: Changes
    done: asyncio.Future[None]
    """Wakes who waits; another one replaces it where that was cancelled."""
    is_written: bool = False
    outcome: Outcome = None


class Writer:
    """Queues changes while the database is busy, and writes the queue as one batch."""

    def __init__(self, write: Callable[[Sequence[Changes]], Sequence[Outcome]]) -> None:
        self._write = write
        self._queue: deque[_Queued] = deque()
        self._task: asyncio.Task[None] | None = None
        self._ended = False
        """Whether the task was cancelled: nothing more is written."""
        self._last_write = -BATCH_SECONDS
        self._last_size = 0
        # a single thread: what is queued meanwhile is the next transaction
        self._thread = ThreadPoolExecutor(1, "writer")

    async def commit(self, changes: Changes) -> None:
        """Have changes written; returns when they are durable.

        What is queued is written, even if the caller is cancelled meanwhile: it learns first what
        came of it, and is cancelled when it waits for something else.
        """
        queued = _Queued(changes, asyncio.get_running_loop().create_future())
        self._queue.append(queued)
        if self._task is None:
            self._task = asyncio.create_task(self._write_queue())
        try:
            await queued.done
        except asyncio.CancelledError:
            await self._finish(queued)
        if queued.outcome is not None:
            raise queued.outcome

    async def run(self, write: Callable[[], Written]) -> Written:
        """Write something else, between two batches: the database has one writer."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, write)

    async def _finish(self, queued: _Queued) -> None:
        """Wait for the outcome although the task is cancelled, maybe again and again."""
        task = asyncio.current_task()
        assert task is not None
        while not queued.is_written:
            if self._ended:
                raise asyncio.CancelledError
            queued.done = asyncio.get_running_loop().create_future()
            try:
                await queued.done
            except asyncio.CancelledError:
                task.uncancel()
        task.uncancel()
        task.cancel()

    def close(self) -> None:
        """Wait for the batch that is being written."""
        self._thread.shutdown()

    async def _write_queue(self) -> None:
        batch: list[_Queued] = []
        try:
            while self._queue:
                if self._is_busy():
                    await asyncio.sleep(BATCH_SECONDS)
                batch = [self._queue.popleft() for _ in range(min(BATCH_SIZE, len(self._queue)))]
                outcomes = await self._write_batch([queued.changes for queued in batch])
                self._last_write = asyncio.get_running_loop().time()
                self._last_size = len(batch)
                for queued, outcome in zip(batch, outcomes, strict=True):
                    queued.is_written, queued.outcome = True, outcome
                    if not queued.done.done():
                        queued.done.set_result(None)
        except asyncio.CancelledError:
            self._ended = True
            for queued in (*batch, *self._queue):
                queued.done.cancel()
            raise
        finally:
            self._task = None

    def _is_busy(self) -> bool:
        """Whether several changes were written together a moment ago, or wait to be."""
        since = asyncio.get_running_loop().time() - self._last_write
        return since < BATCH_SECONDS and max(len(self._queue), self._last_size) > 1

    async def _write_batch(self, batch: Sequence[Changes]) -> Sequence[Outcome]:
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._write, batch)
        except Exception as error:  # every waiting future has to be resolved
            return [error] * len(batch)
