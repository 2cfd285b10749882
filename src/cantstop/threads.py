"""Work in a thread that does not keep the program from ending: others may take long to answer."""

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
