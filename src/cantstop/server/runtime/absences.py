"""Stored absences: since when players are away, for other workers and the next start.

A worker runs timers of its own. It stores when each of them began, and that it has ended: whoever
connects at another worker finds the same timeout there. The clocks of two machines, or of one
machine before and after it was set, need not agree: a stored time can only shorten a timeout, and
only a stored end ends one at once.
"""

import asyncio
from contextlib import suppress
from datetime import datetime

from cantstop.server.database.storage import Storage, Unavailable
from cantstop.server.tables.seating import Absence

WRITE_SECONDS = 0.25
"""Absences are gathered this long and written together: most pages that close are opened again."""


def seconds_left(absence: Absence, timeout: float, now: datetime, uptime: float) -> float:
    """How much of the absence timeout is left, at a worker that has not run its timer so far.

    Before a worker's start there may have been no server to come back to, so that time does not
    count. A time in the future, or so long ago that the end should be stored, counts for nothing: a
    clock was set, or whoever ran the timer has died.
    """
    if absence.is_over:
        return 0.0
    away = min((now - absence.left_at).total_seconds(), uptime)
    return timeout - away if 0 <= away < timeout else timeout


class StoredAbsences:
    """Reads absences, and writes them in batches, apart from the changes of tables."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._pending: dict[tuple[str, int], Absence | None] = {}
        self._in_flight: dict[tuple[str, int], Absence | None] = {}
        self._writing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def read(self, table_id: str) -> dict[int, Absence]:
        """The absences at a table, by seat, also those that are still to be written."""
        unwritten = {
            seat: absence
            for (its_id, seat), absence in (self._in_flight | self._pending).items()
            if its_id == table_id
        }
        found = {**await self._storage.absences(table_id), **unwritten}
        return {seat: absence for seat, absence in found.items() if absence is not None}

    def record(self, table_id: str, seat: int, absence: Absence | None) -> None:
        """Have it written soon that the player of a seat is absent or, with None, is not."""
        self._pending[table_id, seat] = absence
        if self._writing is None and not self._closing.is_set():
            self._writing = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Write what is pending, unless the database is unavailable."""
        self._closing.set()
        if self._writing is not None:
            await self._writing

    async def _write(self) -> None:
        try:
            while self._pending:
                with suppress(TimeoutError):
                    async with asyncio.timeout(WRITE_SECONDS):
                        await self._closing.wait()
                self._in_flight, self._pending = self._pending, {}
                try:
                    await self._storage.record_absences(self._in_flight)
                except Unavailable:
                    self._pending = self._in_flight | self._pending
                    if self._closing.is_set():
                        break
                finally:
                    self._in_flight = {}
        finally:
            self._writing = None
