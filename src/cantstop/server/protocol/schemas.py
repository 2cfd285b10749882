"""The shapes of the server's answers, for its description at ``/api/openapi.json``.

Nothing is checked against them while the server runs; the tests do that with real answers.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from cantstop.server.tables import events
from cantstop.server.tables.table import SeatKind, Stage

Code = Literal[
    "malformed",
    "name",
    "wrong-secret",
    "not-your-seat",
    "table-unknown",
    "not-found",
    "method",
    "table-full",
    "not-your-turn",
    "stale",
    "not-now",
    "table-expired",
    "too-large",
    "illegal",
    "too-many",
    "unavailable",
    "internal",
]

SeatNumber = Annotated[int, Field(ge=0, le=3)]
Columns = Annotated[list[int], Field(description="One number for each column, from column 2 on.")]


class _Shape(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


# What goes wrong


class Problem(_Shape):
    """Why something was not done."""

    code: Code
    """For programs: it never changes."""
    message: str
    """For people: one sentence in the language that was asked for."""


class ErrorAnswer(_Shape):
    """What every refusal looks like; nothing has changed."""

    error: Problem


# A table


class MoveOffer(_Shape):
    """A legal move."""

    move: str
    """What an action names: ``6+8``, ``7+7`` or ``2``."""
    runners: Columns
    """The runners as they would be after it."""


class RollOffView(_Shape):
    """The throws for the start."""

    contenders: list[SeatNumber]
    sums: list[int]


class OutcomeView(_Shape):
    """How the game ended."""

    winners: list[SeatNumber]
    ending: Literal["columns", "none-open"]


class View(_Shape):
    """The board and what may be done on it."""

    position: str
    """The position as one line of text: docs/notation.md."""
    turn: int
    seat: SeatNumber
    """Whose turn it is."""
    phase: Literal["start", "roll", "move", "choice", "bust", "over"]
    rolls: int
    """How many rolls the game has had."""
    lengths: Columns
    tokens: list[Columns]
    """For each seat, the space of its token in each column; 0 where it has none."""
    runners: Columns
    """The space of the runner in each column; 0 where there is none."""
    owners: list[SeatNumber | None]
    """Who has won each column."""
    won: list[int]
    """How many columns each seat has won."""
    dice: list[int] | None
    """The dice on the table, as they fell."""
    splits: list[tuple[int, int]]
    moves: list[MoveOffer]
    may_stop: bool
    stop_reason: Literal["first-move", "dice", "shared"] | None
    """Why stopping is not possible."""
    shared: list[int]
    """The columns that forbid stopping (V3)."""
    bust_chance: tuple[int, int] | None
    """So many of so many rolls are of no use; only where the table has help."""
    roll_off: RollOffView | None
    outcome: OutcomeView | None


class SeatView(_Shape):
    """A place at the table."""

    kind: SeatKind
    name: str | None
    colour: Annotated[int, Field(ge=0, le=3)] | None
    bot: str | None
    present: bool
    substitute: str | None
    """The bot that plays for the absent owner."""


# What happens there


class _Event(_Shape):
    n: Annotated[int, Field(ge=1)]
    """Numbered from 1 without gaps."""
    at: datetime
    view: View | SkipJsonSchema[None] = None
    """The table right after it; left out in a log."""


class OpenedEvent(_Event):
    """The table was opened."""

    kind: Literal["opened"]
    seat: None
    data: events.Opened


class SeatedEvent(_Event):
    """A seat was taken."""

    kind: Literal["seated"]
    seat: SeatNumber
    data: events.Seated


class StartedEvent(_Event):
    """The game begins."""

    kind: Literal["started"]
    seat: None
    data: events.Started


class RolledEvent(_Event):
    """Dice were thrown."""

    kind: Literal["rolled"]
    seat: SeatNumber
    data: events.Rolled


class MovedEvent(_Event):
    """The dice were used."""

    kind: Literal["moved"]
    seat: SeatNumber
    data: events.Moved


class StoppedEvent(_Event):
    """The turn was ended."""

    kind: Literal["stopped"]
    seat: SeatNumber
    data: events.Stopped


class BustedEvent(_Event):
    """The dice were of no use."""

    kind: Literal["busted"]
    seat: SeatNumber
    data: events.Busted


class ReactedEvent(_Event):
    """Somebody said something about it."""

    kind: Literal["reacted"]
    seat: SeatNumber
    data: events.Reacted


class SubstitutedEvent(_Event):
    """A bot plays for somebody who is absent."""

    kind: Literal["substituted"]
    seat: SeatNumber
    data: events.Substituted


class ReturnedEvent(_Event):
    """The owner of a seat plays again."""

    kind: Literal["returned"]
    seat: SeatNumber
    data: events.Returned


class FinishedEvent(_Event):
    """The game is over."""

    kind: Literal["finished"]
    seat: None
    data: events.Finished


class RematchedEvent(_Event):
    """The people went on to another table."""

    kind: Literal["rematched"]
    seat: SeatNumber
    data: events.Rematched


TableEvent = Annotated[
    OpenedEvent
    | SeatedEvent
    | StartedEvent
    | RolledEvent
    | MovedEvent
    | StoppedEvent
    | BustedEvent
    | ReactedEvent
    | SubstitutedEvent
    | ReturnedEvent
    | FinishedEvent
    | RematchedEvent,
    Field(discriminator="kind"),
]


class EventsAnswer(_Shape):
    """What happened after a number, each event with its view."""

    events: list[TableEvent]


class State(_Shape):
    """The whole truth about a table, up to event ``n``."""

    id: str
    n: Annotated[int, Field(ge=1)]
    """The number of the last event."""
    mode: events.Mode
    edition: str
    lesson: events.Lesson | None
    rules: str
    """The rules as text: docs/notation.md."""
    par: float | None
    """How many turns best play of a solo game needs on average, where that is known."""
    help: bool
    youngest: SeatNumber
    you: list[SeatNumber]
    """The seats that the secret of the request holds."""
    seats: list[SeatView]
    stage: Stage
    commitment: str | None
    """What the secret of the dice is bound to: docs/dice.md."""
    secret: str | None
    """The secret of the dice, once the game is over."""
    salts: list[str | None]
    dice: Literal["sealed", "prepared"]
    next: str | None
    """The table of the rematch, once there is one."""
    view: View
    log: list[TableEvent]
    """All events so far, without views."""


class OpenedAnswer(_Shape):
    """A new table."""

    id: str
    secret: str | None
    """Holds ``seats``; ``null`` if none of them is for the opener."""
    seats: list[SeatNumber]
    state: State


class SeatAnswer(_Shape):
    """A seat that was taken."""

    seat: SeatNumber
    secret: str
    """Holds the seat: keep it."""


# What there is to choose from


class EditionOffer(_Shape):
    """A printed rulebook, or ``custom``."""

    name: str
    title: str
    start: Literal["first-seat", "roll-off", "youngest"]
    tokens: int | None
    early: bool
    """Whether V2 can be chosen."""
    sharing: list[Literal["free", "no-rest", "leapfrog"]]
    win: dict[Literal["1", "2", "3", "4"], list[int]]
    """By number of players, how many columns may win."""


class BotOffer(_Shape):
    """A bot."""

    name: str
    about: str


class Offers(_Shape):
    """What a new-game form offers."""

    editions: list[EditionOffer]
    bots: list[BotOffer]
    reactions: list[events.Reaction]
    colours: int
    lessons: list[events.Lesson]
    languages: dict[str, str]


class Messages(_Shape):
    """The interface in a language."""

    messages: dict[str, str]
    """English to translated."""
