"""Work in a thread that does not keep the program from ending: whoever thinks may think long.

What needs the engine waits until that is ready. On a new installation it is compiled, which an app
has begun by then in the background.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from cantstop.bots.warm_up import BackgroundWarmUp
from cantstop.language import message

Result = TypeVar("Result")

COMPILING = message(
    "The engine is being compiled, once after each installation: this takes half a minute or so."
)

WARM_UP = BackgroundWarmUp()
"""The app's; it is started by whoever shows the app to a person."""


async def in_daemon_thread(work: Callable[[], Result]) -> Result:
    """Run in a thread, and wait for what it returns or raises."""
    done: Future[Result] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)


async def with_engine(work: Callable[[], Result], tell: Callable[[], None]) -> Result:
    """The same for work that needs the engine; ``tell`` is called once if it is compiled first."""
    loop, told = asyncio.get_running_loop(), False

    def tell_once(_share: float = 0) -> None:
        nonlocal told
        if not told:
            told = True
            loop.call_soon_threadsafe(tell)

    def watched() -> Result:
        WARM_UP.wait(tell_once)
        from cantstop.engine import report_compiling  # NumPy and Numba load slowly

        with report_compiling(tell_once):
            return work()

    return await in_daemon_thread(watched)
