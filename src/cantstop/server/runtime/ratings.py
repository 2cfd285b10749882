"""Ratings that are published: worked out again some time after games that count.

A process of its own does it, which leaves the processor to those that answer people, and may take
only a small part of it: the larger a club, the longer until the next time.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from time import monotonic

from cantstop.processes import exit_with_parent
from cantstop.server.database.ratings import has_rated_games, recompute
from cantstop.server.database.sql import Database
from cantstop.server.work.process import NICENESS

SETTLE_SECONDS = 60.0
"""From a game to its ratings: games that end meanwhile are taken in, too."""
LEAST_SECONDS = 300.0
"""From one time to the next."""
SHARE = 0.05
"""The part of the time that is spent on it at most: what took a minute is done every 20 minutes."""

_log = logging.getLogger(__name__)
_context = get_context("spawn")  # threads and connections do not survive a fork


def _recompute(url: str) -> None:
    """What the process does."""
    exit_with_parent()
    if sys.platform != "win32":
        os.nice(NICENESS)
    recompute(url)


class RatingsPublisher:
    """Works ratings out in the background; with several workers each one does, one at a time."""

    def __init__(self, url: str, storage: Database, on_published: Callable[[], None]) -> None:
        self._url = url
        self._storage = storage
        self._on_published = on_published
        self._task: asyncio.Task[None] | None = None
        self._is_due = False
        self._not_before = 0.0
        self._process: BaseProcess | None = None
        self._closed = False

    async def start(self) -> None:
        """Take in what ended before the last stop, and a new model; not where no game counts."""
        if await self._storage.read(has_rated_games):
            self.publish_soon()

    def publish_soon(self) -> None:
        """A game that counts was looked at."""
        self._is_due = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._publish_all())

    async def close(self) -> None:
        """Stop; the next start begins again."""
        if self._task is not None:
            self._task.cancel()
            self._closed = True
            if (process := self._process) is not None:
                with suppress(ValueError):  # it has just ended
                    process.terminate()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _publish_all(self) -> None:
        while self._is_due:
            await asyncio.sleep(max(SETTLE_SECONDS, self._not_before - monotonic()))
            self._is_due = False
            started = monotonic()
            await self.publish()
            now = monotonic()
            self._not_before = now + max(LEAST_SECONDS, (now - started) / SHARE)

    async def publish(self) -> None:
        """Work all ratings out now."""
        try:
            code = await asyncio.to_thread(self._run)
        except OSError:
            _log.exception("The ratings were not worked out.")
            return
        if code == 0:
            self._on_published()
        else:
            _log.error("The ratings were not worked out: the process ended with code %s.", code)

    def _run(self) -> int | None:
        """Start the process and wait for it: it ends with the thread that has started it."""
        process = _context.Process(target=_recompute, args=(self._url,), name="ratings")
        process.daemon = True
        process.start()
        self._process = process
        if self._closed:  # while it was started
            process.terminate()
        process.join()
        code = process.exitcode
        self._process = None
        process.close()
        return code
