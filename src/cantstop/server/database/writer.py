"""Commits what many tables ask for together: one transaction, one wait for the disk."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from cantstop.server.tables.changes import Change

Changes = tuple[Change, ...]
"""What belongs together: all of it is written, or none."""

Outcome = Exception | None

MOST_TOGETHER = 200
GATHERING_SECONDS = 0.01
"""A writer that is busy waits for so long: a few changes in one transaction cost little more."""


class Writer:
    """Collects changes while the database is busy and writes them in one go when it is free."""

    def __init__(self, write: Callable[[Sequence[Changes]], Sequence[Outcome]]) -> None:
        self._write = write
        self._waiting: deque[tuple[Changes, asyncio.Future[None]]] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._wrote = -GATHERING_SECONDS
        # one at a time: what comes in meanwhile is the next transaction
        self._thread = ThreadPoolExecutor(1, "writer")

    async def commit(self, changes: Changes) -> None:
        """Have changes written; returns when they are durable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((changes, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._work())
        await done

    def close(self) -> None:
        """Wait for what is being written."""
        self._thread.shutdown()

    async def _work(self) -> None:
        while self._waiting:
            if asyncio.get_running_loop().time() - self._wrote < GATHERING_SECONDS:
                await asyncio.sleep(GATHERING_SECONDS)
            together = [
                self._waiting.popleft() for _ in range(min(MOST_TOGETHER, len(self._waiting)))
            ]
            outcomes = await self._outcomes([changes for changes, _ in together])
            self._wrote = asyncio.get_running_loop().time()
            for (_, done), outcome in zip(together, outcomes, strict=True):
                if done.cancelled():
                    continue
                if outcome is None:
                    done.set_result(None)
                else:
                    done.set_exception(outcome)
        self._writing = None

    async def _outcomes(self, together: Sequence[Changes]) -> Sequence[Outcome]:
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._write, together)
        except Exception as error:  # nobody who waits may wait for ever
            return [error] * len(together)
