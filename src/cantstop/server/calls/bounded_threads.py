"""Threads for what others may make wait: a name that does not resolve, a mail server that hangs."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from cantstop.threads import in_daemon_thread

Result = TypeVar("Result")


class BoundedThreads:
    """Runs work in at most a given number of threads, none of which keeps the program from ending.

    Whoever gives up waiting leaves the thread behind, and it counts until it has ended.
    """

    def __init__(self, most: int) -> None:
        self._free = asyncio.Semaphore(most)

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run in a thread, once one is free, and wait for what it returns or raises."""
        await self._free.acquire()
        task = asyncio.ensure_future(in_daemon_thread(work))
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: "asyncio.Future[Result]") -> None:
        self._free.release()
        if not task.cancelled():
            task.exception()  # whoever has given up does not ask
