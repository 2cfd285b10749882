"""Schemas of responses and socket messages: for OpenAPI, and for checks of clients.

Error codes and events are not repeated here: they come from ``server.errors`` and
``tables.events``. Responses are not validated at run time; the tests do that with real ones.
"""

from datetime import datetime
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    create_model,
    with_config,
)
from pydantic.json_schema import SkipJsonSchema

from cantstop.drills import Topic
from cantstop.server.errors import ErrorCode
from cantstop.server.protocol.messages import ClientMessage, ServerMessage
from cantstop.server.tables import events
from cantstop.server.tables.table import SeatKind, Stage


def _known_code(text: str) -> str:
    return ErrorCode(text)  # type: ignore[call-arg] # an enum's members by value


Code = Annotated[
    str,
    AfterValidator(_known_code),  # a class of its own has no signature from Python 3.12 on
    Field(json_schema_extra={"enum": [code.value for code in ErrorCode]}),
]
SeatNumber = Annotated[int, Field(ge=0, le=3)]
DrillId = Annotated[str, Field(pattern="^[0-9a-f]{10}$")]
Columns = Annotated[list[int], Field(description="One number for each column, from column 2 on.")]


class _Schema(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


# Errors


class Problem(_Schema):
    """Why something was not done."""

    code: Code
    """For programs: it never changes."""
    message: str
    """For people: one sentence in the language that was asked for."""


class ErrorAnswer(_Schema):
    """The response to every refused request; nothing has changed."""

    error: Problem


# A table


class MoveOffer(_Schema):
    """A legal move."""

    move: str
    """What an action names: ``6+8``, ``7+7`` or ``2``."""
    runners: Columns
    """The runners as they would be after it."""


class RollOffView(_Schema):
    """The throws for the start."""

    contenders: list[SeatNumber]
    sums: list[int]


class OutcomeView(_Schema):
    """How the game ended."""

    winners: list[SeatNumber]
    ending: Literal["columns", "none-open"]


class View(_Schema):
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
    """How many of all rolls bust, and the number of all rolls; only where the table has help."""
    roll_off: RollOffView | None
    outcome: OutcomeView | None


class SeatView(_Schema):
    """A place at the table."""

    kind: SeatKind
    name: str | None
    colour: Annotated[int, Field(ge=0, le=3)] | None
    bot: str | None
    present: bool
    substitute: str | None
    """The bot that plays for the absent owner."""
    resigned: bool | SkipJsonSchema[None] = None
    """True for a seat whose player has resigned; else left out."""


class ClockView(_Schema):
    """The clock of a table that has one."""

    seconds: int
    """For each decision."""
    seat: SeatNumber | None
    """Whose time runs."""
    left: float | None
    """Seconds that are left for the decision, the bank included; ``null`` in a state."""
    banks: list[float]
    """Seconds that each seat may still think longer than ``seconds``."""


# Events


class _Event(_Schema):
    n: Annotated[int, Field(ge=1)]
    """Numbered from 1 without gaps."""
    at: datetime
    view: View | SkipJsonSchema[None] = None
    """The table right after it; left out in a log."""


class _MadeEvent(_Event, use_attribute_docstrings=False):
    """What is made at run time has no source: Pydantic would look for it in all modules."""


_WITHOUT_SEAT = (events.Opened, events.Started, events.Finished)


def _event_schema(event: type[events.TableEvent]) -> type[_Event]:
    """The schema of one kind of event, around the data that ``tables.events`` defines."""
    fields: dict[str, Any] = {
        "kind": (Literal[event.__name__.lower()], ...),
        "seat": (None if event in _WITHOUT_SEAT else SeatNumber, ...),
        "data": (with_config(ConfigDict(use_attribute_docstrings=True))(event), ...),
    }
    name = f"{event.__name__}Event"
    return create_model(name, __base__=_MadeEvent, __doc__=event.__doc__, **fields)


if TYPE_CHECKING:
    TableEvent = _Event
else:  # a union of models made at run time is not a type that mypy can read
    TableEvent = Annotated[
        reduce(or_, map(_event_schema, get_args(events.TableEvent))), Field(discriminator="kind")
    ]


class EventsAnswer(_Schema):
    """What happened after a number, each event with its view."""

    events: list[TableEvent]
    next: int | None = None
    """The number to read on after, if ``limit`` has left events out."""


class DailyView(_Schema):
    """The day whose dice a table has."""

    day: str
    counts: bool
    """Whether it is the one try of a device."""
    reveals_at: datetime
    """When the key of the day's dice is revealed."""


class State(_Schema):
    """The complete state of a table, up to event ``n``."""

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
    hints: bool
    """Whether whoever is to decide may ask for a hint."""
    youngest: SeatNumber
    you: list[SeatNumber]
    """The seats that the secret of the request holds."""
    seats: list[SeatView]
    stage: Stage
    commitment: str | None
    """The commitment to the secret of the dice: docs/dice.md."""
    secret: str | None
    """The secret of the dice, once the game is over."""
    salts: list[str | None]
    dice: Literal["sealed", "prepared", "entered"]
    next: str | None
    """The table of the rematch, once there is one."""
    clock: ClockView | SkipJsonSchema[None] = None
    """Left out where no clock runs."""
    series: events.Series | SkipJsonSchema[None] = None
    """At a rematch: the table before it, and how many of the games so far each seat has won."""
    daily: DailyView | SkipJsonSchema[None] = None
    """At a daily game; else left out."""
    view: View
    log: list[TableEvent]
    """All events so far, without views."""


class OpenedAnswer(_Schema):
    """A new table."""

    id: str
    secret: str | None
    """Holds ``seats``; ``null`` if none of them is for the opener."""
    seats: list[SeatNumber]
    state: State


class SeatAnswer(_Schema):
    """A seat that was taken."""

    seat: SeatNumber
    secret: str
    """Holds the seat: keep it."""


# The daily game


class DailySealView(_Schema):
    """What the dice of a day are bound to, before anybody knows them."""

    day: str
    commitment: str
    """SHA-256 of the day's key: docs/daily.md."""


class DailyTry(_Schema):
    """The one try of a device on a day."""

    name: str
    mine: bool
    """Whether it is that of the device that asks."""
    finished_at: datetime | None
    """``null`` where it is not over, or was not over in time."""
    turns: int | None
    signs: str | None
    """How each turn ended: ``s`` stopped, ``c`` a column won, ``b`` bust."""
    luck: float | None
    """Turns saved by luck; ``null`` until the server has found it out."""
    skill: float | None
    """The same by skill."""
    table: str | None
    """The table it was played at; others are told once the day's key is revealed."""


class DailyAnswer(DailySealView):
    """A day of the daily game."""

    now: datetime
    """The server's clock, which decides."""
    begins: datetime
    ends: datetime
    counts_until: datetime
    """When a game of the day has to be over to count."""
    reveals_at: datetime
    key: str | None
    """The key of the day's dice, once it is revealed."""
    par: float
    count: int
    """How many results there are."""
    results: list[DailyTry]
    """The best of them, the best first."""
    mine: DailyTry | None
    unfinished: bool
    """Whether ``mine`` goes on and may still count: neither over, given up, nor too late."""
    place: int | None
    """That of ``mine``, from 1; the same for all who needed as many turns."""
    best: str | None
    """How best play ends each turn with these dice, as ``signs``: once the own try is over, or the
    key is revealed."""
    next: DailySealView | SkipJsonSchema[None] = None
    """The day after, where today is asked for."""


class ArchivedDay(DailySealView):
    """A past day."""

    results: int


class DailyArchive(_Schema):
    """The past days that can be played again, the last one first."""

    days: list[ArchivedDay]


class DailySeatAnswer(OpenedAnswer):
    """A seat at a daily game."""

    device: str
    """What the device is known by: keep it."""
    day: str
    counts: bool
    """Whether it is the one try of the device; else it is played outside the ranking."""


# Options of a new game


class EditionOffer(_Schema):
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


class BotOffer(_Schema):
    """A bot."""

    name: str
    about: str
    level: int | None
    """Its place on the ladder, 1 for the weakest; null for a bot that is not on it."""
    rating: int | None
    """How strong it is, as measured; null for a bot that is not on the ladder."""


class Offers(_Schema):
    """What a new-game form offers."""

    editions: list[EditionOffer]
    bots: list[BotOffer]
    reactions: list[events.Reaction]
    colours: int
    lessons: list[events.Lesson]
    languages: dict[str, str]


class Messages(_Schema):
    """The interface in a language."""

    messages: dict[str, str]
    """English to translated."""


# Analyses, hints and reviews


class EstimateErrorView(_Schema):
    """How far such estimates are from the truth, as measured."""

    rms: float
    p99: float


Press = Literal["roll", "stop"]


class OptionView(_Schema):
    """Something that can be done."""

    action: str
    """A move such as ``6+8``, ``stop`` or ``roll``."""
    win: float
    """What it is worth to the seat that decides."""
    then: Press | None
    """After a move, what to do next."""


class RollView(_Schema):
    """What one roll would bring."""

    dice: list[int]
    """Sorted: their order changes nothing."""
    ways: int
    """How many of all rolls show these dice."""
    bust: bool
    win: float
    best: str | None
    """The best move; ``null`` where it is a bust."""
    then: Press | None


class _Insight(_Schema):
    position: str
    """The position as text: docs/notation.md."""
    rules: str
    solo: bool
    """Whether worths are win chances, or minus the expected number of turns."""
    seat: SeatNumber
    phase: Literal["start", "roll", "move", "choice", "bust", "over"]
    win: list[float]
    """What the position is worth to every seat under best play."""
    bust: float
    """The chance that this turn ends in a bust under best play."""
    next_bust: float | None
    """The chance that the next roll is a bust; ``null`` where none is possible now."""
    error: EstimateErrorView | None
    """``null`` where it was not measured."""
    at_stake: dict[str, int]
    """Steps gained in this turn so far, by column."""
    options: list[OptionView]
    """The best first."""


class HintAnswer(_Insight):
    """What the seat that is to decide can do."""

    n: Annotated[int, Field(ge=1)]
    """The table's last event when it was looked at."""


class AnalysisAnswer(_Insight):
    """A position looked at."""

    rolls: list[RollView] | None
    """All rolls that differ in more than their order, where a roll is possible."""


class EngineAnswer(_Schema):
    """Whether hints, reviews and strong bots are ready."""

    compiling: Annotated[float, Field(gt=0, lt=1)] | None
    """The share that is compiled, once after each installation; null when all of it is."""


GradeName = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]


class ChoiceView(OptionView):
    """Something that could be done, and what it was worth to whoever had to decide."""

    grade: GradeName
    """What it would have been called."""


class DecisionView(_Schema):
    """A decision of the game, which became its event ``n``."""

    n: int
    turn: int
    seat: SeatNumber
    position: str
    chosen: str
    best: str
    error: float
    """What was given away."""
    grade: GradeName
    options: list[ChoiceView]
    """The best first."""
    why: str | None
    """One sentence in the reader's language, where it is an error."""


class RollLuckView(_Schema):
    """A roll of the game, which is its event ``n``."""

    n: int
    turn: int
    seat: SeatNumber
    dice: list[int]
    bust: bool
    luck: float
    """What it changed for whoever rolled."""
    changes: list[float]
    """What it changed for each seat."""


class DriftView(_Schema):
    """What the estimate itself changed at the end of a turn."""

    n: int
    changes: list[float]


class MomentView(_Schema):
    """The game after its event ``n``; 0 is before all events."""

    n: int
    turn: int
    position: str
    win: list[float]
    event: int | SkipJsonSchema[None] = None
    """The number of the table's event; left out where the game was no table's."""


class SeatReviewView(_Schema):
    """A whole game of one seat: result = start + luck + skill + drift."""

    seat: SeatNumber
    name: str
    start: float
    result: float
    luck: float
    skill: float
    drift: float
    error: float
    """What its own decisions gave away."""
    accuracy: float | None
    """The share, in percent, that was kept of what its decisions could have given away."""
    decisions: int
    error_per_decision: float
    stop_or_roll_error: float
    which_move_error: float
    grades: dict[GradeName, int]


class PlayedLikeView(_Schema):
    """A rating, and the interval that holds the true one in 95 of 100 cases."""

    rating: float
    low: float
    high: float


class ReviewAnswer(_Schema):
    """A game looked at again."""

    rules: str
    names: list[str]
    winners: list[SeatNumber] | None
    seats: list[SeatReviewView]
    decisions: list[DecisionView]
    rolls: list[RollLuckView]
    drifts: list[DriftView]
    moments: list[MomentView]
    turning_points: list[int]
    """The events that changed most, by their ``n``, the largest first."""
    played_like: list[PlayedLikeView | None]
    """For each seat, what such play is worth; ``null`` where no bot has been measured."""


# Drills


class DrillProgress(_Schema):
    """How far somebody has come with drills: the object of the file that it is taken along in."""

    format: Literal["cantstop drill progress"]
    version: Literal[1]
    rating: float
    deviation: float
    volatility: float
    answered: int
    right: int
    streak: int
    """Right answers in a row, up to now."""
    best_streak: int
    seen: list[DrillId]
    """The drills that were answered, the one that was seen longest ago first."""


class NextDrillAnswer(_Schema):
    """A position with one good answer."""

    id: str
    topic: Topic
    difficulty: int
    """A rating: who has it is right half of the time."""
    position: str
    """The position as text: docs/notation.md."""
    solo: bool
    """Whether worths will be win chances, or minus the expected number of turns."""
    answers: list[str]
    """What can be answered: moves such as ``6+8``, or ``stop`` and ``roll``."""


class VerdictAnswer(_Schema):
    """What an answer was worth, and why; sentences are in the reader's language."""

    right: bool
    verdict: str
    """One sentence."""
    options: list[OptionView]
    """The best first."""
    reasons: list[str]
    """Sentences: the chance of a bust, what is at stake, what rules of thumb would say."""
    progress: DrillProgress
    """With this answer: to be kept."""


# Socket messages


class Presence(_Schema):
    """Who is connected."""

    seats: list[bool]
    """For each seat, whether its player is there."""
    expected: list[SeatNumber]
    """Absent seats that a bot may not play for yet."""
    watchers: int
    bot_in: dict[Literal["0", "1", "2", "3"], float] | SkipJsonSchema[None] = None
    """Seconds until a bot may play for each of them; left out where there is none."""
    idle: list[SeatNumber] | SkipJsonSchema[None] = None
    """Seats whose decision waits for so long that a bot may be asked; left out for none."""


class Ack(_Schema):
    """An action was accepted."""

    id: str
    n: int
    """The number of its event."""


class Refusal(_Schema):
    """A message was refused; nothing has changed."""

    id: str | None
    """The action's id; ``null`` if the message had none."""
    error: Problem


class Pong(_Schema):
    """The answer to a ping."""


_SERVER_MESSAGES: dict[ServerMessage, Any] = {
    ServerMessage.STATE: State,
    ServerMessage.EVENT: TableEvent,
    ServerMessage.PRESENCE: Presence,
    ServerMessage.CLOCK: ClockView,
    ServerMessage.ACK: Ack,
    ServerMessage.REFUSED: Refusal,
    ServerMessage.PONG: Pong,
}


def message_schemas() -> dict[str, Any]:
    """JSON Schemas of every socket message, for checks of clients.

    ``server`` has the schema of each kind's ``d``; ``client`` that of the whole message, by ``t``;
    ``$defs`` what they refer to: ``State``, ``View``, each event (``RolledEvent``) and action
    (``MakeMove``) among others.

    >>> sorted(message_schemas()["client"])
    ['act', 'hello', 'pace', 'ping']
    """
    adapters: dict[tuple[str, str], TypeAdapter[Any]] = {}
    for kind, data in _SERVER_MESSAGES.items():
        adapters["server", kind.value] = TypeAdapter(data)
    for message in get_args(ClientMessage):
        t = get_args(message.model_fields["t"].annotation)[0]
        adapters["client", t] = TypeAdapter(message)
    found, shared = TypeAdapter.json_schemas(
        [(key, "validation", adapter) for key, adapter in adapters.items()],
        ref_template="#/$defs/{model}",
    )
    schemas: dict[str, Any] = {"server": {}, "client": {}, "$defs": shared["$defs"]}
    for ((side, t), _mode), schema in found.items():
        schemas[side][t] = schema
    return schemas
