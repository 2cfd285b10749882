"""Who is connected to which table, here and at other workers, and how they are told."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from cantstop.server.cluster.notices import Gone, Notice, There, WhoIsThere
from cantstop.server.cluster.peers import Alone, Neighbours
from cantstop.server.protocol.messages import ServerMessage, encode_message
from cantstop.server.protocol.views import presence_json, step_json
from cantstop.server.tables.attendance import Attendance, Clocks
from cantstop.server.tables.steps import Step
from cantstop.server.tables.table import SeatKind, Table

MOST_WAITING = 512
"""Messages that may pile up for one listener before it counts as too slow: a game has fewer."""


class Guest:
    """Somebody who is connected to a table: the seats they hold, and what they are to be told."""

    def __init__(self, seats: frozenset[int], too_slow: Callable[[], None]) -> None:
        self.seats = seats
        self._too_slow = too_slow
        self._waiting: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)

    def tell(self, text: str) -> None:
        """Have a message sent, without waiting for it."""
        try:
            self._waiting.put_nowait(text)
        except asyncio.QueueFull:
            self._too_slow()

    async def next_message(self) -> str:
        """The next message to be sent."""
        return await self._waiting.get()


@dataclass
class _Company:
    """Everybody at one table, as far as this worker knows."""

    table: Table
    guests: list[Guest] = field(default_factory=list)
    lingering: dict[int, asyncio.TimerHandle] = field(default_factory=dict)
    """Seats without a connection that still count as there."""
    away: dict[int, asyncio.TimerHandle | None] = field(default_factory=dict)
    """Seats that nobody is at, with what runs until a bot may play for them."""
    elsewhere: dict[str, There] = field(default_factory=dict)

    def seats_here(self) -> frozenset[int]:
        """The seats whose player is there through this worker."""
        held = {seat for guest in self.guests for seat in guest.seats}
        return frozenset(held | self.lingering.keys())

    def seats(self) -> frozenset[int]:
        """The seats whose player is there."""
        return self.seats_here().union(*(there.seats for there in self.elsewhere.values()))

    def watchers_here(self) -> int:
        """How many are there without a seat, through this worker."""
        return sum(not guest.seats for guest in self.guests)

    def watchers(self) -> int:
        """How many are there without a seat."""
        return self.watchers_here() + sum(there.watchers for there in self.elsewhere.values())

    def tell(self, text: str) -> None:
        """Everybody here is told."""
        for guest in self.guests:
            guest.tell(text)


class Presence:
    """Everybody who is connected, by table."""

    def __init__(
        self,
        clocks: Clocks | None = None,
        neighbours: Neighbours | None = None,
        worker: str = "",
    ) -> None:
        self._clocks = clocks or Clocks()
        self._neighbours = neighbours or Alone()
        self._worker = worker
        self._companies: dict[str, _Company] = {}

    def attendance(self, table_id: str) -> Attendance:
        """Who is there, and who may be back in a moment."""
        company = self._companies.get(table_id)
        if company is None:
            return Attendance()
        waited_for = {seat for seat, timer in company.away.items() if timer is not None}
        return Attendance(company.seats(), frozenset(waited_for))

    def sockets(self) -> int:
        """How many connections there are."""
        return sum(len(company.guests) for company in self._companies.values())

    # Coming and going

    def enter(self, table: Table, guest: Guest) -> None:
        """Somebody has come; everybody there is told."""
        company = self._companies.get(table.id)
        if company is None:
            company = self._companies[table.id] = _Company(table)
            self._neighbours.tell(WhoIsThere(self._worker, table.id))
        company.guests.append(guest)
        for seat in guest.seats & company.lingering.keys():
            company.lingering.pop(seat).cancel()
        self._changed(company)

    def leave(self, table: Table, guest: Guest) -> None:
        """Somebody has gone; everybody there is told once they have not come back for a moment."""
        company = self._companies[table.id]
        company.guests.remove(guest)
        gone = guest.seats - company.seats_here()
        if self._clocks.presence:
            for seat in gone:
                company.lingering[seat] = asyncio.get_running_loop().call_later(
                    self._clocks.presence, self._end_lingering, company, seat
                )
        self._changed(company)

    def _end_lingering(self, company: _Company, seat: int) -> None:
        del company.lingering[seat]
        self._changed(company)

    def _changed(self, company: _Company) -> None:
        self._tell_others(company)
        self._show(company)

    def _tell_others(self, company: _Company) -> None:
        here = There(self._worker, company.table.id, company.seats_here(), company.watchers_here())
        self._neighbours.tell(here)

    def _show(self, company: _Company) -> None:
        """Tell who is there; a table with nobody is forgotten."""
        if not company.guests and not company.lingering:
            for timer in company.away.values():
                if timer is not None:
                    timer.cancel()
            del self._companies[company.table.id]
            return
        self._watch_absence(company)
        there = presence_json(company.table, self.attendance(company.table.id), company.watchers())
        company.tell(encode_message(ServerMessage.PRESENCE, there))

    def _watch_absence(self, company: _Company) -> None:
        """Start the clocks of those who are gone, and stop those of who is back."""
        people = {
            number
            for number, seat in enumerate(company.table.seats)
            if seat.kind in (SeatKind.HUMAN, SeatKind.RESERVED)
        }
        gone = people - company.seats()
        for seat in company.away.keys() - gone:
            timer = company.away.pop(seat)
            if timer is not None:
                timer.cancel()
        for seat in gone - company.away.keys():
            company.away[seat] = (
                asyncio.get_running_loop().call_later(
                    self._clocks.absence, self._end_absence, company, seat
                )
                if self._clocks.absence
                else None
            )

    def _end_absence(self, company: _Company, seat: int) -> None:
        company.away[seat] = None
        self._show(company)

    # Telling

    def tell_steps(self, steps: tuple[Step, ...]) -> None:
        """Everybody at a table is told what has happened there."""
        company = self._companies.get(steps[0].table.id)
        if company is not None:
            company.table = steps[-1].table
            for step in steps:
                company.tell(encode_message(ServerMessage.EVENT, step_json(step)))

    # Other workers

    def hear(self, notice: Notice) -> None:
        """Another worker tells of its guests, or asks for ours."""
        match notice:
            case There(worker, table_id, seats, watchers):
                company = self._companies.get(table_id)
                if company is not None:
                    company.elsewhere.pop(worker, None)
                    if seats or watchers:
                        company.elsewhere[worker] = notice
                    self._show(company)
            case WhoIsThere(_, table_id):
                company = self._companies.get(table_id)
                if company is not None:
                    self._tell_others(company)
            case Gone(worker):
                self.forget(worker)

    def forget(self, worker: str) -> None:
        """Another worker has ended: its guests are gone until they come back."""
        for company in list(self._companies.values()):
            if company.elsewhere.pop(worker, None) is not None:
                self._show(company)

    def ask_again(self) -> None:
        """Notices may have been lost: say who is here, and ask who is elsewhere."""
        for company in self._companies.values():
            self._neighbours.tell(WhoIsThere(self._worker, company.table.id))
            self._changed(company)
