"""Group commit: the changes of many tables in one transaction, with one wait for the disk."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from cantstop.server.tables.changes import Change

Changes = tuple[Change, ...]
"""What belongs together: all of it is written, or none."""

Outcome = Exception | None
"""Why changes were not written; None if they were."""

BATCH_SIZE = 200
BATCH_SECONDS = 0.01
"""A busy writer waits this long for a batch to fill: a larger transaction costs little more."""


class Writer:
    """Queues changes while the database is busy, and writes the queue as one batch."""

    def __init__(self, write: Callable[[Sequence[Changes]], Sequence[Outcome]]) -> None:
        self._write = write
        self._queue: deque[tuple[Changes, asyncio.Future[None]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._last_write = -BATCH_SECONDS
        # a single thread: what is queued meanwhile is the next transaction
        self._thread = ThreadPoolExecutor(1, "writer")

    async def commit(self, changes: Changes) -> None:
        """Have changes written; returns when they are durable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((changes, done))
        if self._task is None:
            self._task = asyncio.create_task(self._write_queue())
        await done

    def close(self) -> None:
        """Wait for the batch that is being written."""
        self._thread.shutdown()

    async def _write_queue(self) -> None:
        while self._queue:
            if asyncio.get_running_loop().time() - self._last_write < BATCH_SECONDS:
                await asyncio.sleep(BATCH_SECONDS)
            batch = [self._queue.popleft() for _ in range(min(BATCH_SIZE, len(self._queue)))]
            outcomes = await self._write_batch([changes for changes, _ in batch])
            self._last_write = asyncio.get_running_loop().time()
            for (_, done), outcome in zip(batch, outcomes, strict=True):
                if done.cancelled():
                    continue
                if outcome is None:
                    done.set_result(None)
                else:
                    done.set_exception(outcome)
        self._task = None

    async def _write_batch(self, batch: Sequence[Changes]) -> Sequence[Outcome]:
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._write, batch)
        except Exception as error:  # every waiting future has to be resolved
            return [error] * len(batch)
