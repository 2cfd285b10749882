"""Locks by share: whoever asks for much waits behind themselves; and a thread behind such a one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import inf
from typing import TypeVar
from weakref import WeakValueDictionary

from cantstop.server.work.fair_queue import FairQueue, Priority

Result = TypeVar("Result")


class Turns:
    """One holder at a time; of those who wait, one of each share in turn.

    So whoever asks for much waits behind themselves. The connections of an address are bounded, and
    each waits for one thing at a time: nobody is refused here.
    """

    def __init__(self) -> None:
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(inf, inf)
        self._is_held = False

    @asynccontextmanager
    async def turn(self, share: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it."""
        if self._is_held:
            mine = asyncio.get_running_loop().create_future()
            self._queue.put(mine, share, Priority.PERSON)
            try:
                await mine
            except asyncio.CancelledError:
                if not self._queue.remove(mine, share, Priority.PERSON) and not mine.cancelled():
                    self._pass_on()  # it had just become theirs
                raise
        self._is_held = True
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        following = self._queue.pop()
        while following is not None and following.cancelled():
            following = self._queue.pop()
        self._is_held = following is not None
        if following is not None:
            following.set_result(None)


class ShareLocks:
    """A lock for each share: what one of them asks for is done one after the other."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, share: str) -> asyncio.Lock:
        """The lock of a share; it is forgotten when no task has it."""
        lock = self._locks.get(share)
        if lock is None:
            lock = self._locks[share] = asyncio.Lock()
        return lock


class FairThread:
    """Does in a thread what would hold the event loop up, one thing at a time.

    Several threads that compute would each take the interpreter's lock from the loop, and what they
    compute with would be in memory at the same time.
    """

    def __init__(self) -> None:
        self._turns = Turns()

    async def run(self, share: str, function: Callable[[], Result]) -> Result:
        """What a function returns; who leaves before its end takes nobody's turn."""
        async with self._turns.turn(share):
            running = asyncio.ensure_future(asyncio.to_thread(function))
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                await asyncio.wait([running])  # a thread cannot be stopped
                raise
