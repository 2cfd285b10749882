"""Work in threads that do not keep the program from ending: others may take long to answer."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


async def in_daemon_thread(work: Callable[[], Result]) -> Result:
    """Run in a thread, and wait for what it returns or raises.

    Whoever is cancelled waits no longer; the thread goes on, since nothing can stop it.
    """
    done: Future[Result] = Future()

    def run() -> None:
        done.set_running_or_notify_cancel()
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)


class BoundedThreads:
    """Runs work in at most a given number of such threads.

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
