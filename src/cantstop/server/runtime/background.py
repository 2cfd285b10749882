"""Tasks in the background of a worker, which are cancelled when it closes."""

import asyncio
from collections.abc import Coroutine
from random import SystemRandom

_CHANCE = SystemRandom()
"""Not the global one, whose state belongs to the program that this server may be a part of."""


async def pause_about(seconds: float) -> None:
    """Sleep for half the time to one and a half, so that several workers take turns."""
    await asyncio.sleep(seconds * _CHANCE.uniform(0.5, 1.5))


class BackgroundTasks:
    """Tasks that nobody waits for; each is referred to until it ends, as asyncio does not."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> None:
        """Run something in a task of its own."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def cancel(self) -> None:
        """Cancel all of them, and wait until they have ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
