"""The parts of a running server, and how they are put together."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from cantstop.server.database import open_database
from cantstop.server.driver import PACE, Driver
from cantstop.server.master import KEEP, Master, now
from cantstop.server.presence import Presence

PATIENCE = 9.0
"""Seconds without a word after which a connection is given up."""


@dataclass(frozen=True)
class Room:
    """What the requests of a running server share."""

    master: Master
    presence: Presence
    patience: float


@asynccontextmanager
async def open_room(
    database: str,
    *,
    pace: float = PACE,
    keep: timedelta = KEEP,
    patience: float = PATIENCE,
    clock: Callable[[], datetime] = now,
) -> AsyncIterator[Room]:
    """A room with its database open and its bots at play."""
    async with open_database(database) as storage:
        presence = Presence()
        master = Master(storage, presence.seats, keep=keep, clock=clock)
        driver = Driver(master, pace)
        master.listen(presence.tell_steps)
        master.listen(driver.look)
        for table_id in await storage.tables_waiting_for_bots():
            driver.take_up(table_id)
        try:
            yield Room(master, presence, patience)
        finally:
            await driver.close()
