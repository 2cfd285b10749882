"""The other workers on the same database, and the notices they exchange.

A notice may be lost: what it tells is in the database, and a worker that finds something missing
reads it there.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from secrets import token_hex
from typing import Protocol

from cantstop.server.tables.changes import Change
from cantstop.table.events import Entry, Seated
from cantstop.wire.events import decode_rows, encode_row

CHANNEL = "cantstop"

MAX_NOTICE_BYTES = 7900
"""A little less than what PostgreSQL takes."""


@dataclass(frozen=True)
class Committed:
    """A table has an event of this number now."""

    worker: str
    table_id: str
    n: int

    def __str__(self) -> str:
        return f"committed {self.worker} {self.table_id} {self.n}"


@dataclass(frozen=True)
class EventsCommitted:
    """These events were committed, each at the table of that id: nobody has to read them."""

    worker: str
    events: tuple[tuple[str, Entry], ...]

    def __str__(self) -> str:
        return _events_text(self.worker, [encode_row(*event) for event in self.events])


def _events_text(worker: str, rows: Iterable[bytes]) -> str:
    return f"events {worker} [{b','.join(rows).decode()}]"


def commit_notices(worker: str, changes: Iterable[Change]) -> Iterator[str]:
    """What a worker tells the others of a batch that it commits, in as few notices as there can be.

    Where a seat was taken they have to read who holds it, which no notice tells.
    """
    events: list[bytes] = []
    size = 0
    for change in changes:
        new = [encode_row(change.table.id, entry) for entry in change.entries]
        length = sum(map(len, new)) + len(new)
        seated = any(isinstance(entry.event, Seated) for entry in change.entries)
        if seated or length > MAX_NOTICE_BYTES - 100:
            yield str(Committed(worker, change.table.id, change.table.n))
            continue
        if size + length > MAX_NOTICE_BYTES - 100:
            yield _events_text(worker, events)
            events, size = [], 0
        events += new
        size += length
    if events:
        yield _events_text(worker, events)


@dataclass(frozen=True)
class PresenceReport:
    """Who is connected to a table through this worker."""

    worker: str
    table_id: str
    seats: frozenset[int]
    watchers: int

    def __str__(self) -> str:
        seats = ",".join(map(str, sorted(self.seats))) or "-"
        return f"there {self.worker} {self.table_id} {seats} {self.watchers}"


@dataclass(frozen=True)
class PresenceQuery:
    """This worker has its first connection to a table and asks the others for their reports."""

    worker: str
    table_id: str

    def __str__(self) -> str:
        return f"who {self.worker} {self.table_id}"


@dataclass(frozen=True)
class TurnMoved:
    """The turn at a slow table ends at another time: its player has other hours now."""

    worker: str
    table_id: str

    def __str__(self) -> str:
        return f"moved {self.worker} {self.table_id}"


@dataclass(frozen=True)
class Heartbeat:
    """This worker is running."""

    worker: str

    def __str__(self) -> str:
        return f"alive {self.worker}"


@dataclass(frozen=True)
class WorkerStopped:
    """This worker shuts down: its connections are gone."""

    worker: str

    def __str__(self) -> str:
        return f"gone {self.worker}"


Notice = (
    Committed
    | EventsCommitted
    | PresenceReport
    | PresenceQuery
    | TurnMoved
    | Heartbeat
    | WorkerStopped
)


def read_notice(text: str) -> Notice | None:
    """Parse a notice; None for one of a later version that this one does not know.

    >>> read_notice("committed w1 k7Qm 15")
    Committed(worker='w1', table_id='k7Qm', n=15)
    """
    try:
        if text.startswith("events "):
            _, worker, events = text.split(" ", 2)
            return EventsCommitted(worker, tuple(decode_rows(events)))
        match text.split(" "):
            case ["committed", worker, table_id, n]:
                return Committed(worker, table_id, int(n))
            case ["there", worker, table_id, seats, watchers]:
                held = () if seats == "-" else map(int, seats.split(","))
                return PresenceReport(worker, table_id, frozenset(held), int(watchers))
            case ["who", worker, table_id]:
                return PresenceQuery(worker, table_id)
            case ["moved", worker, table_id]:
                return TurnMoved(worker, table_id)
            case ["alive", worker]:
                return Heartbeat(worker)
            case ["gone", worker]:
                return WorkerStopped(worker)
    except (ValueError, TypeError, KeyError):
        pass
    return None


OnNotice = Callable[[Notice], None]
OnReconnect = Callable[[], None]
"""Called after a connection was lost: notices may be missing."""


def new_worker_id() -> str:
    """A random, unique id for a worker."""
    return token_hex(6)


class Peers(Protocol):
    """How a worker talks to the other workers."""

    @property
    def is_shared(self) -> bool:
        """Whether other workers may change the same tables."""

    def subscribe(self, on_notice: OnNotice, on_reconnect: OnReconnect) -> None:
        """Call these for every notice of another worker, and after every lost connection."""

    def send(self, notice: Notice) -> None:
        """Queue a notice to all other workers."""


class SingleWorker:
    """There are no other workers: the database belongs to this one."""

    is_shared = False

    def subscribe(self, on_notice: OnNotice, on_reconnect: OnReconnect) -> None:
        """There are no notices."""

    def send(self, notice: Notice) -> None:
        """Nobody receives it."""
