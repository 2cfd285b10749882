"""Everything that happens at a table, as values; ``cantstop.wire`` writes and reads them as JSON.

A busy server has hundreds of thousands of them in memory: slots save 80 bytes on each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from itertools import islice
from typing import overload

from cantstop.rules import Event


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
    """A player who has a seat but has not sat down yet."""

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


MOST_BUST_PERCENT = 99
"""Above a chance of 100 % nothing busts: such an order would never act."""


class OrderPart(StrEnum):
    """One of the sentences that a standing order is made of."""

    RUNNERS = "runners"
    """Roll until three runners are out."""
    COLUMN = "column"
    """Stop once that wins a column."""
    BUST = "bust"
    """Stop once the next roll busts with more than a chance."""


@dataclass(frozen=True, slots=True)
class Order:
    """A standing order: what the server decides for a seat between stopping and rolling.

    Raises:
        ValueError: If it says nothing, or its chance is not 1 to 99 per cent.
    """

    runners: bool = False
    """Whether it rolls until three runners are out, and plays a move where a roll allows one."""
    column: bool = False
    """Whether it stops once that wins a column."""
    bust: int | None = None
    """It stops once the next roll busts with more than this chance, in per cent; null for never."""

    def __post_init__(self) -> None:
        if not self.parts:
            raise ValueError("a standing order says at least one thing")
        if self.bust is not None and not 1 <= self.bust <= MOST_BUST_PERCENT:
            raise ValueError(f"a chance to bust is 1 to {MOST_BUST_PERCENT} per cent")

    @property
    def parts(self) -> tuple[OrderPart, ...]:
        """What it says."""
        said = {
            OrderPart.RUNNERS: self.runners,
            OrderPart.COLUMN: self.column,
            OrderPart.BUST: self.bust is not None,
        }
        return tuple(part for part, is_said in said.items() if is_said)


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
    """SHA-256 of the dice's secret; dice that are prepared, entered or a device's own have none."""
    reserved: tuple[Reserved | None, ...]
    """For each seat the name and colour of whoever it is for, or null."""
    hints: bool = False
    """Whether whoever is to decide may ask for a hint."""
    clock: int | None = None
    """Seconds that a person has for each decision."""
    bank: int = 0
    """Seconds that each seat may think longer than that, in the whole game."""
    series: Series | None = None
    """What was played before, at a table for a rematch."""
    entered: bool = False
    """Whether the players throw their own dice, and enter them."""
    daily: Daily | None = None
    """The day of a daily game; its dice come from that day's key."""
    rated: bool = False
    """Whether the game counts for the ratings of the players."""
    days: int | None = None
    """Days that a person has for each turn, at a slow table; there ``bank`` is beyond that."""
    gradual: bool = False
    """Whether the game begins before the salts are revealed: each counts from a turn of its seat on
    (scheme 3 of docs/dice.md)."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat was taken."""

    name: str
    colour: int
    bot: str | None
    """Null for a person."""
    salt: str | None
    """Null where the seat has committed to its salt, and reveals it later."""
    salt_commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """A seat has committed to a salt: its own is lost, or all of them are drawn again."""

    salt_commitment: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """A seat has revealed the salt that it committed to."""

    salt: str
    turn: int | None = None
    """At a slow table: the turn of the dice from which it counts."""


@dataclass(frozen=True, slots=True)
class SaltLost:
    """The salt of the seat is lost: it plays without one, and nothing protects it."""


@dataclass(frozen=True, slots=True)
class Redrawn:
    """This seat does not reveal the salt it committed to: those that did commit to new ones."""

    seats: tuple[int, ...]
    """The seats that have to commit again."""


@dataclass(frozen=True, slots=True)
class Started:
    """Every seat has a salt, or at a slow table a commitment to one: the game begins."""

    salts: tuple[str | None, ...]
    """Those that are known."""


@dataclass(frozen=True, slots=True)
class Played:
    """The seat in turn has played: an event of the rules, and what it led to."""

    event: Event
    spent: float = 0.0
    """Seconds of its bank that the seat has thought before it."""
    roll: int = 0
    """Of a roll: its number among the throws of the game, from 1."""
    won: tuple[int, ...] = ()
    """Of a stop: the columns that it has won."""
    ordered: bool = False
    """Whether the seat's standing order has decided it."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """The seat has given a standing order, in place of the one before it."""

    order: Order


@dataclass(frozen=True, slots=True)
class Revoked:
    """The standing order of the seat is over: its player has revoked it, or it came to its end."""


@dataclass(frozen=True, slots=True)
class Reacted:
    """A player reacted: table talk."""

    reaction: Reaction


@dataclass(frozen=True, slots=True)
class Hinted:
    """A seat has had its first hint; nobody else sees what it said."""


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
    """Why, where nobody asked."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The owner plays again."""


@dataclass(frozen=True, slots=True)
class Resigned:
    """The owner of the seat has resigned, or has missed turns and another seat gave it up."""

    by: int | None = None
    """The seat that gave it up, for missed turns."""


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
    """Too few are left after resignations to play for anything."""
    MISSED = "missed"
    """At a slow table: everybody who was left has missed two turns in a row."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over, and the secret of its dice is out."""

    winners: tuple[int, ...]
    secret: str | None
    """That of sealed dice, null with all others."""
    reason: EndReason | None = None
    """Why it was ended before its end by the rules."""


@dataclass(frozen=True, slots=True)
class Rematched:
    """The players go on to a rematch, at another table."""

    table: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """An event of a newer server, whose kind has no meaning here."""

    kind: str


TableEvent = (
    Opened
    | Seated
    | Committed
    | Revealed
    | SaltLost
    | Redrawn
    | Started
    | Played
    | Ordered
    | Revoked
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
    | Unknown
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in its place in the table's log."""

    n: int
    at: datetime
    seat: int | None
    event: TableEvent
    action: str | None = None
    """The id of the action that asked for it."""
    encoded: bytes | None = field(default=None, init=False, repr=False, compare=False)
    """Its JSON, while it is on its way: see ``cantstop.wire.events``."""

    @property
    def kind(self) -> str:
        """The kind of event, as the database and the wire name it."""
        match self.event:
            case Played(event):
                return type(event).__name__.lower()
            case Unknown(kind):
                return kind
            case event:
                return type(event).__name__.lower()


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
