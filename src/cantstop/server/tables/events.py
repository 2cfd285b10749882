"""Everything that happens at a table, as values that the database and the wire write alike.

A busy server has hundreds of thousands of them in memory: slots save 80 bytes on each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import islice
from typing import Any, overload

from pydantic import TypeAdapter


class Mode(StrEnum):
    """How the people of a table sit: each at their own screen, all at one, or alone."""

    ONLINE = "online"
    HOTSEAT = "hotseat"
    SOLO = "solo"


class Lesson(StrEnum):
    """What a tutorial table teaches."""

    BASICS = "basics"
    NO_REST = "no-rest"
    LEAPFROG = "leapfrog"
    EARLY = "early"


class Reaction(StrEnum):
    """Table talk."""

    CHEER = "cheer"
    APPLAUD = "applaud"
    TEASE = "tease"
    SYMPATHISE = "sympathise"
    GASP = "gasp"
    LAUGH = "laugh"


@dataclass(frozen=True, slots=True)
class Reserved:
    """Somebody who has a seat but has not sat down yet."""

    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class Series:
    """The games before a rematch, all with the same people."""

    previous: str
    """The table of the last one."""
    games: int
    wins: tuple[int, ...]
    """How many of them each seat of this table has won; a shared win counts for all of them."""


@dataclass(frozen=True, slots=True)
class Daily:
    """The day whose dice a table has."""

    day: date
    counts: bool
    """Whether it is the one try of a device; else it is played outside the ranking."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The table was opened: everything that is settled before anybody sits down."""

    mode: Mode
    edition: str
    rules: str
    help: bool
    youngest: int
    lesson: Lesson | None
    commitment: str | None
    """SHA-256 of the dice's secret; prepared and entered dice have none."""
    reserved: tuple[Reserved | None, ...]
    hints: bool = False
    """Whether whoever is to decide may ask for a hint."""
    clock: int | None = None
    """Seconds that a person has for each decision; None where there is no clock."""
    bank: int = 0
    """Seconds that each seat may think longer than that, in the whole game."""
    series: Series | None = None
    """What was played before, at a table for a rematch."""
    entered: bool = False
    """Whether the players throw their own dice, and enter them."""
    daily: Daily | None = None
    """The day of a daily game; its dice come from that day's key."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat was taken."""

    name: str
    colour: int
    bot: str | None
    salt: str | None
    """None where the seat has committed to its salt, and reveals it later."""
    salt_commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """A seat has committed to a salt: its own is lost, or all of them are drawn anew."""

    salt_commitment: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """A seat has revealed the salt that it committed to."""

    salt: str


@dataclass(frozen=True, slots=True)
class Redrawn:
    """This seat does not reveal the salt it committed to: those that did commit to new ones."""

    seats: tuple[int, ...]
    """Which have to."""


@dataclass(frozen=True, slots=True)
class Started:
    """Every seat has a salt: the game begins."""

    salts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice were thrown; ``roll`` counts the throws of the game from 1."""

    dice: tuple[int, ...]
    roll: int
    spent: float = 0.0
    """Seconds of its bank that the seat has thought before it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The roll was used."""

    move: str
    spent: float = 0.0


@dataclass(frozen=True, slots=True)
class Stopped:
    """The turn was ended; ``won`` are the columns that this has won."""

    won: tuple[int, ...]
    spent: float = 0.0


@dataclass(frozen=True, slots=True)
class Busted:
    """The roll was of no use."""


@dataclass(frozen=True, slots=True)
class Reacted:
    """A player reacted: table talk."""

    reaction: Reaction


@dataclass(frozen=True, slots=True)
class Hinted:
    """A seat has had its first hint; what it said is told to nobody else."""


class SubstituteReason(StrEnum):
    """Why a bot plays for a seat where nobody has asked for it."""

    TIME = "time"
    """The time for a decision, and the bank, have run out."""
    RESIGNED = "resigned"
    """The player has resigned, and the others play on."""


@dataclass(frozen=True, slots=True)
class Substituted:
    """A bot plays for the seat's owner, because another seat asked for it, or for a reason."""

    bot: str
    by: int
    """The seat that asked; where none did, the seat itself."""
    salt: str | None = None
    """The salt of the seat from now on, if its owner has not revealed theirs."""
    reason: SubstituteReason | None = None


@dataclass(frozen=True, slots=True)
class Returned:
    """The owner plays again."""


@dataclass(frozen=True, slots=True)
class Resigned:
    """The owner of the seat has resigned."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The seat asks the others to let it take back its last decision."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """Another seat agrees; the last one to agree is followed by the take-back itself."""


@dataclass(frozen=True, slots=True)
class Declined:
    """Another seat does not agree."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The seat has taken back its last decision: the game is as it was before."""

    event: int
    """The number of the event that does not count any more."""


class EndReason(StrEnum):
    """Why a game ended before its end by the rules."""

    TURNS = "turns"
    """It had as many turns as a game may have."""
    CLOSED = "closed"
    """The operator of the server has closed the table."""
    RESIGNED = "resigned"
    """So many have resigned that there is nothing left to play for."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over, and the secret of its dice is out."""

    winners: tuple[int, ...]
    secret: str | None
    reason: EndReason | None = None
    """Why it was ended before its end by the rules."""


@dataclass(frozen=True, slots=True)
class Rematched:
    """The players go on to a rematch, at another table."""

    table: str


TableEvent = (
    Opened
    | Seated
    | Committed
    | Revealed
    | Redrawn
    | Started
    | Rolled
    | Moved
    | Stopped
    | Busted
    | Reacted
    | Hinted
    | Substituted
    | Returned
    | Resigned
    | Asked
    | Agreed
    | Declined
    | TakenBack
    | Finished
    | Rematched
)

_ADAPTERS: dict[str, TypeAdapter[TableEvent]] = {
    kind.__name__.lower(): TypeAdapter(kind) for kind in TableEvent.__args__
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in its place in the table's log."""

    n: int
    at: datetime
    seat: int | None
    event: TableEvent
    action: str | None = None
    """The id of the action that asked for it."""

    @property
    def kind(self) -> str:
        """The kind of event, as the database and the wire name it."""
        return type(self.event).__name__.lower()


class History(Sequence[Entry]):
    """The events of a table up to some number: an immutable sequence that is not copied to grow.

    The versions of a table share one list, and each sees a prefix of it. A tuple would be copied
    with every event, and the garbage collector's young generation would hold the whole game.
    """

    __slots__ = ("_actions", "_entries", "_length")

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._length = len(entries)
        self._actions: dict[str, int] | None = None
        """The events that actions became, by their ids: shared too, and made when it is needed."""

    def after(self, entry: Entry) -> "History":
        """The history with one more event; a fork copies what came before it."""
        is_fork = len(self._entries) > self._length
        entries = self._entries[: self._length] if is_fork else self._entries
        entries.append(entry)
        longer = History(entries)
        if self._actions is not None and not is_fork:
            longer._actions = self._actions
            if entry.action is not None:
                longer._actions[entry.action] = entry.n
        return longer

    @property
    def last(self) -> Entry:
        """The last event."""
        return self._entries[self._length - 1]

    def accepted(self, action: str) -> Entry | None:
        """The event that an action with this id became; no matter how many events there are."""
        if self._actions is None:
            self._actions = {entry.action: entry.n for entry in self if entry.action is not None}
        n = self._actions.get(action)
        return None if n is None or n > self._length else self._entries[n - 1]

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Entry: ...

    @overload
    def __getitem__(self, at: slice) -> list[Entry]: ...

    def __getitem__(self, at: int | slice) -> Entry | list[Entry]:
        if isinstance(at, slice):
            return self._entries[: self._length][at]
        return self._entries[range(self._length)[at]]

    def __iter__(self) -> Iterator[Entry]:
        return islice(self._entries, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


def event_data(event: TableEvent) -> dict[str, Any]:
    """An event's own fields as plain JSON values.

    Fields that came later have a default and are left out where they have it, so that an event is
    written as it always was.
    """
    adapter = _ADAPTERS[type(event).__name__.lower()]
    data: dict[str, Any] = adapter.dump_python(event, mode="json", exclude_defaults=True)
    return data


def event_from(kind: str, data: dict[str, Any]) -> TableEvent:
    """Parse an event from its kind and plain JSON values."""
    return _ADAPTERS[kind].validate_python(data)


def time_text(at: datetime) -> str:
    """A timestamp as the wire writes it: ISO 8601, UTC, milliseconds."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def entry_json(entry: Entry) -> dict[str, Any]:
    """An event as the wire writes it."""
    return {
        "n": entry.n,
        "at": time_text(entry.at),
        "kind": entry.kind,
        "seat": entry.seat,
        "data": event_data(entry.event),
    }
