"""What the workers over one database tell each other: a few words a notice.

They are hints, never the truth: whoever hears that a table went on reads the events themselves.
"""

from dataclasses import dataclass

CHANNEL = "cantstop"


@dataclass(frozen=True)
class Committed:
    """A table has an event of this number now."""

    worker: str
    table_id: str
    n: int

    def __str__(self) -> str:
        return f"committed {self.worker} {self.table_id} {self.n}"


@dataclass(frozen=True)
class There:
    """Who is connected to a table through this worker."""

    worker: str
    table_id: str
    seats: frozenset[int]
    watchers: int

    def __str__(self) -> str:
        seats = ",".join(map(str, sorted(self.seats))) or "-"
        return f"there {self.worker} {self.table_id} {seats} {self.watchers}"


@dataclass(frozen=True)
class WhoIsThere:
    """This worker has its first guest at a table and wants to know who is there elsewhere."""

    worker: str
    table_id: str

    def __str__(self) -> str:
        return f"who {self.worker} {self.table_id}"


@dataclass(frozen=True)
class Alive:
    """This worker runs."""

    worker: str

    def __str__(self) -> str:
        return f"alive {self.worker}"


@dataclass(frozen=True)
class Gone:
    """This worker has ended, and its guests are gone."""

    worker: str

    def __str__(self) -> str:
        return f"gone {self.worker}"


Notice = Committed | There | WhoIsThere | Alive | Gone


def read_notice(text: str) -> Notice | None:
    """The notice in a text, or None where a later program says what this one does not know.

    >>> read_notice("committed w1 k7Qm 15")
    Committed(worker='w1', table_id='k7Qm', n=15)
    """
    try:
        match text.split(" "):
            case ["committed", worker, table_id, n]:
                return Committed(worker, table_id, int(n))
            case ["there", worker, table_id, seats, watchers]:
                held = () if seats == "-" else map(int, seats.split(","))
                return There(worker, table_id, frozenset(held), int(watchers))
            case ["who", worker, table_id]:
                return WhoIsThere(worker, table_id)
            case ["alive", worker]:
                return Alive(worker)
            case ["gone", worker]:
                return Gone(worker)
    except ValueError:
        pass
    return None
