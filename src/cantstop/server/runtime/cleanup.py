"""Deletes tables that have been gone for a while."""

import asyncio
import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from cantstop.server.database.storage import Storage, Unavailable

GRACE = timedelta(days=30)
"""How long a table that is gone for players is still there for whoever has a backup to check."""

EVERY_SECONDS = 3600.0
MOST_AT_ONCE = 200
"""Tables in one transaction: others want to write too."""

_log = logging.getLogger(__name__)


class Janitor:
    """Looks now and then for tables that nobody can reach any more.

    One worker would be enough; with several, each deletes what the others have not.
    """

    def __init__(self, storage: Storage, keep: timedelta, clock: Callable[[], datetime]) -> None:
        self._storage = storage
        self._keep = keep
        self._clock = clock

    async def work(self) -> None:
        """Clean up for ever; workers that started together do so at different times."""
        while True:
            await asyncio.sleep(EVERY_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311
            try:
                await self.clean_up()
            except Unavailable:
                _log.warning("Old tables are deleted later: the database does not answer.")

    async def clean_up(self) -> int:
        """Delete what is old enough; returns how many tables that were."""
        before = self._clock() - self._keep - GRACE
        deleted = 0
        while count := await self._storage.delete_untouched(before, MOST_AT_ONCE):
            deleted += count
        if deleted:
            _log.info("%d old tables were deleted.", deleted)
        return deleted
