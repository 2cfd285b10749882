"""Presence: who is connected to which table, here and at other workers, and broadcasts to them."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from zlib import crc32

from cantstop.server.cluster.peers import (
    Notice,
    Peers,
    PresenceQuery,
    PresenceReport,
    WorkerStopped,
)
from cantstop.server.runtime.absences import StoredAbsences, seconds_left
from cantstop.server.tables.seating import Absence
from cantstop.table.events import Mode
from cantstop.table.permissions import SeatPresence
from cantstop.table.table import SeatKind, Stage, Table
from cantstop.wire.messages import Pace, encode_message, encoded_event
from cantstop.wire.table import event_with_view, presence_view

WATCHERS_SECONDS = 0.5
WATCHERS_BURST = 20
"""Announce up to N watcher changes at once; batch the rest every M seconds."""


@dataclass(frozen=True)
class Clocks:
    """Three timeouts that run one after the other, all in seconds."""

    heartbeat: float = 9.0
    """A connection without any message for this long is closed."""
    presence: float = 2.0
    """A player still counts as present this long after their last connection: pages reload."""
    absence: float = 15.0
    """How long a player has to be absent before a bot may be asked to play for them."""
    idle: float = 120.0
    """How long a connected player may let a decision wait, at a table without a clock, before a bot
    may be asked to play for them."""


DEFAULT_CLOCKS = Clocks()


@dataclass(eq=False)
class Subscriber:
    """One connection to a table: the seats it holds, and how it is sent a message."""

    seats: frozenset[int]
    send: Callable[[str], None]
    pace: Pace = Pace.NORMAL
    """How fast it wants bots to play."""
    bot_delay: Callable[[], float] = float
    """Counts one more action of a bot that it watches; returns the seconds until it is due."""


@dataclass(frozen=True)
class _AbsenceTimeout:
    """The timeout of one absence; it is over, or a timer runs."""

    left_at: datetime
    timer: asyncio.TimerHandle | None


@dataclass
class _TablePresence:
    """Everybody at one table, as far as this worker knows."""

    table: Table
    subscribers: list[Subscriber] = field(default_factory=list)
    lingering: dict[int, asyncio.TimerHandle] = field(default_factory=dict)
    """Seats without a connection that still count as present, with their timeout."""
    stored: dict[int, Absence] = field(default_factory=dict)
    """Absences that began before this worker looked after the table."""
    absent: dict[int, "_AbsenceTimeout"] = field(default_factory=dict)
    """Absent seats, with the timeout after which a bot may play for them."""
    is_attended: bool = True
    """Whether anybody is connected here or may be back in a moment."""
    elsewhere: dict[str, PresenceReport] = field(default_factory=dict)
    """The last report of each other worker that has connections to the table."""
    telling: asyncio.TimerHandle | None = None
    """Runs until the number of watchers is announced."""
    idle_since: int | None = None
    """The event that a decision began with whose player is idle."""
    _full_at: float = 0.0
    """When the bucket of messages about watchers would be full again."""

    def may_broadcast_watchers(self) -> bool:
        """Take one of the messages that everybody gets at once when a watcher comes or goes."""
        now = asyncio.get_running_loop().time()
        full_at = max(now, self._full_at) + WATCHERS_SECONDS
        if full_at - now > WATCHERS_BURST * WATCHERS_SECONDS:
            return False
        self._full_at = full_at
        return True

    def idle(self) -> frozenset[int]:
        """The seat whose player has let a decision wait for long."""
        seat = self.table.decider
        is_idle = seat is not None and self.idle_since == self.table.deciding_since
        return frozenset({seat}) if seat is not None and is_idle else frozenset()

    def people(self) -> frozenset[int]:
        """The seats that people hold."""
        kinds = (SeatKind.HUMAN, SeatKind.RESERVED)
        return frozenset(
            number for number, seat in enumerate(self.table.seats) if seat.kind in kinds
        )

    def seats_here(self) -> frozenset[int]:
        """The seats whose player is connected to this worker."""
        held = {seat for subscriber in self.subscribers for seat in subscriber.seats}
        return frozenset(held | self.lingering.keys())

    def seats(self) -> frozenset[int]:
        """The seats whose player is connected to any worker."""
        return self.seats_here().union(*(report.seats for report in self.elsewhere.values()))

    def watchers_here(self) -> int:
        """How many connections of this worker hold no seat."""
        return sum(not subscriber.seats for subscriber in self.subscribers)

    def watchers(self) -> int:
        """How many connections of all workers hold no seat."""
        return self.watchers_here() + sum(report.watchers for report in self.elsewhere.values())

    def pace(self) -> Pace:
        """The slowest pace that anybody here has asked for; who only watches cannot hurry bots."""
        if self.elsewhere or not self.subscribers:
            return Pace.NORMAL
        wanted = {each.pace if each.seats else Pace.NORMAL for each in self.subscribers}
        return next(pace for pace in Pace if pace in wanted)

    def send(self, text: str) -> None:
        """Queue a message for every subscriber."""
        for subscriber in self.subscribers:
            subscriber.send(text)


def _rank(worker: str, table_id: str) -> tuple[int, str]:
    return crc32(f"{worker} {table_id}".encode()), worker


def _is_stored_of(table: Table) -> bool:
    """Whether absences at a table are stored: another player may ask for a bot to play."""
    return table.opened.mode is Mode.ONLINE and table.stage is not Stage.OVER


class Presence:
    """All connections of this worker, by table."""

    def __init__(
        self,
        absences: StoredAbsences,
        clocks: Clocks,
        clock: Callable[[], datetime],
        peers: Peers,
        worker: str,
    ) -> None:
        self._absences = absences
        self._clocks = clocks
        self._clock = clock
        self._started = asyncio.get_running_loop().time()
        self._peers = peers
        self._worker = worker
        self._tables: dict[str, _TablePresence] = {}
        self._on_arrival: list[Callable[[Table], None]] = []
        self._on_pace: list[Callable[[str], None]] = []
        self._asked: list[dict[str, set[int]]] = []
        """What other workers are asked: tables, each with the seats that they have reported."""
        self._reported = asyncio.Event()
        self._left: OrderedDict[str, float] = OrderedDict()
        """When the last connection to a table ended, as long as that matters."""

    def subscribe(self, on_arrival: Callable[[Table], None]) -> None:
        """Call this for every connection to a table."""
        self._on_arrival.append(on_arrival)

    def subscribe_pace(self, on_pace: Callable[[str], None]) -> None:
        """Call this with a table where bots are to play at another pace from now on."""
        self._on_pace.append(on_pace)

    def pace_at(self, table_id: str) -> Pace:
        """How fast bots are to play at a table: as the slowest connection to it wants."""
        at = self._tables.get(table_id)
        return Pace.NORMAL if at is None else at.pace()

    def bot_delay(self, table_id: str) -> float:
        """Count a bot's action at a table for whoever is there, a player first; when it is due."""
        at = self._tables.get(table_id)
        if at is None or not at.subscribers:
            return 0.0
        return max(at.subscribers, key=lambda each: bool(each.seats)).bot_delay()

    def set_pace(self, table_id: str, subscriber: Subscriber, pace: Pace) -> None:
        """A connection asks for another pace."""
        before = self.pace_at(table_id)
        subscriber.pace = pace
        if self.pace_at(table_id) is not before:
            for on_pace in self._on_pace:
                on_pace(table_id)

    def is_attended(self, table_id: str) -> bool:
        """Whether anybody is at the table, or has left so lately that they may be back."""
        at = self._tables.get(table_id)
        if at is not None and at.is_attended:
            return True
        self._forget_left()
        return table_id in self._left

    def _forget_left(self) -> None:
        """Forget the tables whose last connection ended too long ago to matter."""
        now = asyncio.get_running_loop().time()
        while self._left and next(iter(self._left.values())) <= now - self._clocks.absence:
            self._left.popitem(last=False)

    def is_first(self, table_id: str) -> bool:
        """Whether of all workers with connections to a table, bots there are this one's to play.

        Workers agree on it while their reports are up to date, and it spreads the tables.
        """
        at = self._tables.get(table_id)
        mine = _rank(self._worker, table_id)
        return at is not None and all(mine < _rank(other, table_id) for other in at.elsewhere)

    def tables(self) -> list[Table]:
        """The tables with a connection to this worker."""
        return [at.table for at in self._tables.values() if at.is_attended]

    def at_table(self, table_id: str) -> SeatPresence:
        """Which seats' players are present, and which may be back in a moment."""
        at = self._tables.get(table_id)
        if at is None:
            return SeatPresence()
        expected = {seat for seat, timeout in at.absent.items() if timeout.timer is not None}
        return SeatPresence(at.seats(), frozenset(expected), at.idle())

    def connections(self) -> int:
        """How many connections there are."""
        return sum(len(at.subscribers) for at in self._tables.values())

    def watchers(self, table_id: str) -> int:
        """How many watch a table."""
        at = self._tables.get(table_id)
        return 0 if at is None else at.watchers()

    def watchers_elsewhere(self, table_id: str) -> int:
        """How many connections of other workers to a table hold no seat."""
        at = self._tables.get(table_id)
        return 0 if at is None else at.watchers() - at.watchers_here()

    async def present_anywhere(
        self, seats: Collection[tuple[str, int]], seconds: float
    ) -> frozenset[tuple[str, int]]:
        """Those of some seats, each with its table, whose players are connected to any worker.

        Other workers are asked about tables where nobody is connected to this one, and have some
        seconds to report: whoever does not is taken to have no connection.
        """
        known = self._tables.keys() if self._peers.is_shared else {table for table, _ in seats}
        elsewhere = {(table, seat) for table, seat in seats if table not in known}
        reported: dict[str, set[int]] = {table: set() for table, _ in elsewhere}
        self._asked.append(reported)
        for table in reported:
            self._peers.send(PresenceQuery(self._worker, table))
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not all(seat in reported[table] for table, seat in elsewhere):
                    self._reported.clear()
                    await self._reported.wait()
        self._asked = [one for one in self._asked if one is not reported]
        return frozenset(
            (table, seat)
            for table, seat in seats
            if seat in self.at_table(table).present or seat in reported.get(table, ())
        )

    # Connecting and disconnecting

    async def connect(self, table: Table, subscriber: Subscriber) -> None:
        """Add a connection and broadcast the new presence."""
        stored = {}
        if table.id not in self._tables and _is_stored_of(table):
            stored = await self._absences.read(table.id)
        at = self._tables.get(table.id)
        if at is None:
            at = self._tables[table.id] = _TablePresence(table, stored=stored)
            self._peers.send(PresenceQuery(self._worker, table.id))
        at.table = table
        at.is_attended = True
        at.subscribers.append(subscriber)
        for seat in subscriber.seats & at.lingering.keys():
            at.lingering.pop(seat).cancel()
        if not self._changed(at, subscriber.seats):
            subscriber.send(self._presence_message(at))
        for on_arrival in self._on_arrival:
            on_arrival(table)

    def disconnect(self, table: Table, subscriber: Subscriber) -> None:
        """Remove a connection; its seats count as present until the presence timeout."""
        at = self._tables[table.id]
        at.subscribers.remove(subscriber)
        left = subscriber.seats - at.seats_here()
        if self._clocks.presence:
            for seat in left:
                at.lingering[seat] = asyncio.get_running_loop().call_later(
                    self._clocks.presence, self._end_lingering, at, seat
                )
        self._changed(at, subscriber.seats)

    def _end_lingering(self, at: _TablePresence, seat: int) -> None:
        del at.lingering[seat]
        self._changed(at, frozenset({seat}))

    def _changed(self, at: _TablePresence, seats: frozenset[int]) -> bool:
        """Announce who is present, because of these seats; False if that happens a little later.

        A crowd of watchers who come and go is announced only now and then: every message goes to
        everybody at the table.
        """
        if not seats and at.subscribers and not at.may_broadcast_watchers():
            if at.telling is None:
                at.telling = asyncio.get_running_loop().call_later(
                    WATCHERS_SECONDS, self._broadcast_watchers, at
                )
            return False
        self._broadcast_watchers(at)
        return True

    def _broadcast_watchers(self, at: _TablePresence) -> None:
        if at.telling is not None:
            at.telling.cancel()
            at.telling = None
        self._report(at)
        self._broadcast_presence(at)

    def _report(self, at: _TablePresence) -> None:
        """Send this worker's connections to the other workers."""
        self._peers.send(
            PresenceReport(self._worker, at.table.id, at.seats_here(), at.watchers_here())
        )

    def _broadcast_presence(self, at: _TablePresence) -> None:
        """Tell everybody at the table who is present; drop a table when nothing is left to do."""
        self._update_absence(at)
        if at.subscribers or at.lingering:
            at.send(self._presence_message(at))
            return
        if at.is_attended:
            at.is_attended = False
            self._forget_left()  # where no bot plays, nobody else asks
            self._left[at.table.id] = asyncio.get_running_loop().time()
            self._left.move_to_end(at.table.id)
        # the timeouts run to their end even if nobody is there: whoever comes next finds it stored
        running = any(timeout.timer is not None for timeout in at.absent.values())
        if not running or not _is_stored_of(at.table):
            self._drop(at)

    def _drop(self, at: _TablePresence) -> None:
        for timeout in at.absent.values():
            if timeout.timer is not None:
                timeout.timer.cancel()
        if at.telling is not None:
            at.telling.cancel()
        del self._tables[at.table.id]

    def _presence_message(self, at: _TablePresence) -> str:
        now = asyncio.get_running_loop().time()
        left = {
            seat: timeout.timer.when() - now
            for seat, timeout in at.absent.items()
            if timeout.timer is not None
        }
        present = presence_view(at.table, self.at_table(at.table.id), at.watchers(), left)
        return encode_message(present)

    def _update_absence(self, at: _TablePresence) -> None:
        """Start the absence timeout of those who left, and cancel it for those who are back."""
        present = at.seats()
        absent = at.people() - present
        for seat in at.absent.keys() - absent:
            timeout = at.absent.pop(seat)
            if timeout.timer is not None:
                timeout.timer.cancel()
            self._record(at, seat, None)
        for seat in at.stored.keys() & present:
            del at.stored[seat]
            self._record(at, seat, None)
        for seat in absent - at.absent.keys():
            self._start_absence(at, seat, at.stored.pop(seat, None))

    def _start_absence(self, at: _TablePresence, seat: int, stored: Absence | None) -> None:
        """Start the absence timeout of a seat, or go on with what is stored of it."""
        loop, now, seconds = asyncio.get_running_loop(), self._clock(), self._clocks.absence
        left_at = now
        if stored is not None:
            seconds = seconds_left(stored, seconds, now, loop.time() - self._started)
            if seconds < self._clocks.absence:
                left_at = stored.left_at
        timer = loop.call_later(seconds, self._end_absence, at, seat) if seconds else None
        at.absent[seat] = _AbsenceTimeout(left_at, timer)
        absence = Absence(left_at, is_over=timer is None)
        if absence != stored:
            self._record(at, seat, absence)

    def _end_absence(self, at: _TablePresence, seat: int) -> None:
        at.absent[seat] = _AbsenceTimeout(at.absent[seat].left_at, None)
        self._record(at, seat, Absence(at.absent[seat].left_at, is_over=True))
        self._broadcast_presence(at)

    def _record(self, at: _TablePresence, seat: int, absence: Absence | None) -> None:
        if _is_stored_of(at.table):
            self._absences.record(at.table.id, seat, absence)

    # Events

    def broadcast(self, versions: tuple[Table, ...]) -> None:
        """Send new events to every connection to their table; each is encoded once."""
        at = self._tables.get(versions[-1].id)
        if at is not None:
            at.table = versions[-1]
            for table in versions:
                at.send(encoded_event(event_with_view(table)))

    def send(self, table_id: str, text: str) -> None:
        """Send a message to every connection to a table."""
        at = self._tables.get(table_id)
        if at is not None:
            at.send(text)

    def is_here(self, table_id: str) -> bool:
        """Whether anybody is connected to a table at this worker."""
        at = self._tables.get(table_id)
        return at is not None and bool(at.subscribers)

    def set_idle(self, table_id: str, since: int) -> None:
        """The player who is to decide since this event is idle: tell everybody at the table."""
        at = self._tables.get(table_id)
        if at is not None and at.table.deciding_since == since:
            at.idle_since = since
            self._broadcast_presence(at)

    # Other workers

    def on_notice(self, notice: Notice) -> None:
        """Another worker reports its connections, asks for ours, or has stopped."""
        match notice:
            case PresenceReport(worker, table_id, seats, watchers):
                at = self._tables.get(table_id)
                for reported in self._asked:
                    if table_id in reported:
                        reported[table_id] |= seats
                        self._reported.set()
                if at is not None:
                    at.elsewhere.pop(worker, None)
                    if seats or watchers:
                        at.elsewhere[worker] = notice
                    self._broadcast_presence(at)
            case PresenceQuery(_, table_id):
                at = self._tables.get(table_id)
                if at is not None and at.is_attended:
                    self._report(at)
            case WorkerStopped(worker):
                self.drop_worker(worker)

    def drop_worker(self, worker: str) -> None:
        """Another worker is dead: forget its connections until their clients reconnect."""
        for at in list(self._tables.values()):
            if at.elsewhere.pop(worker, None) is not None:
                self._broadcast_presence(at)

    def resync(self) -> None:
        """Notices may have been lost: report our connections, and query those of the others."""
        for at in list(self._tables.values()):
            self._peers.send(PresenceQuery(self._worker, at.table.id))
            self._broadcast_watchers(at)
