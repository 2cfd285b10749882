"""Who is connected to which table, and how they are told."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from cantstop.server.steps import Step
from cantstop.server.tables import Table
from cantstop.server.views import presence_json, step_json

MOST_WAITING = 512
"""Messages that may pile up for one listener before it counts as too slow: a game has fewer."""


def frame(kind: str, data: Mapping[str, Any]) -> str:
    """A message as it goes over the wire."""
    return json.dumps({"t": kind, "d": data}, separators=(",", ":"))


class Guest:
    """Somebody who is connected to a table: the seats they hold, and what they are to be told."""

    def __init__(self, seats: frozenset[int]) -> None:
        self.seats = seats
        self.too_slow = asyncio.Event()
        self._waiting: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)

    def tell(self, text: str) -> None:
        """Have a message sent, without waiting for it."""
        try:
            self._waiting.put_nowait(text)
        except asyncio.QueueFull:
            self.too_slow.set()

    async def next_message(self) -> str:
        """The next message to be sent."""
        return await self._waiting.get()


class Presence:
    """Everybody who is connected, by table."""

    def __init__(self) -> None:
        self._guests: defaultdict[str, list[Guest]] = defaultdict(list)

    def seats(self, table_id: str) -> frozenset[int]:
        """The seats whose player is there."""
        guests = self._guests.get(table_id, ())
        return frozenset(seat for guest in guests for seat in guest.seats)

    def watchers(self, table_id: str) -> int:
        """How many are there without a seat."""
        return sum(not guest.seats for guest in self._guests.get(table_id, ()))

    def enter(self, table: Table, guest: Guest) -> None:
        """Somebody has come; everybody there is told."""
        self._guests[table.id].append(guest)
        self._tell_presence(table)

    def leave(self, table: Table, guest: Guest) -> None:
        """Somebody has gone; everybody there is told."""
        self._guests[table.id].remove(guest)
        if self._guests[table.id]:
            self._tell_presence(table)
        else:
            del self._guests[table.id]

    def _tell_presence(self, table: Table) -> None:
        there = presence_json(table, self.seats(table.id), self.watchers(table.id))
        self._tell(table.id, frame("presence", there))

    def tell_steps(self, steps: tuple[Step, ...]) -> None:
        """Everybody at a table is told what has happened there."""
        if steps[0].table.id in self._guests:
            for step in steps:
                self._tell(step.table.id, frame("event", step_json(step)))

    def _tell(self, table_id: str, text: str) -> None:
        for guest in self._guests[table_id]:
            guest.tell(text)
