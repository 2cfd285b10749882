"""Requests: open a table, take a seat, play the daily game, practise with drills."""

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, UnsetType

from cantstop.drills import Topic
from cantstop.rules import Sharing, Start
from cantstop.table.events import Lesson, Mode
from cantstop.wire.offers import COLOURS
from cantstop.wire.types import DrillId, Request, Salt, SaltCommitment, SeatNumber, Secret

LONGEST_CLOCK = 7 * 86400
LONGEST_BANK = 21 * 86400

Colour = Annotated[int, Meta(ge=0, lt=COLOURS)]
Count = Annotated[int, Meta(ge=1, le=99)]


class DiceOrigin(StrEnum):
    """Who throws the dice of a table."""

    SEALED = "sealed"
    """The server, in a way that can be checked afterwards."""
    ENTERED = "entered"
    """The players, who enter what they show."""


class HumanSeat(Request, frozen=True, tag_field="kind", tag="human"):
    """A seat for a player at the opener's own screen."""

    name: str
    """1 to 24 printable characters."""
    colour: Colour | None = None
    """Left out, or if it is taken, the seat gets a free one."""
    salt: Salt | None = None
    """The older way: what the player adds to the dice, in the open."""
    salt_commitment: SaltCommitment | None = None
    """A commitment to it instead; without either, the seat is reserved for its player's hello."""


class OpenSeat(Request, frozen=True, tag_field="kind", tag="open"):
    """A seat for whoever comes."""


class BotSeat(Request, frozen=True, tag_field="kind", tag="bot"):
    """A seat for a bot."""

    bot: Annotated[str, Meta(max_length=64)]
    """One of the bots offered, maybe with its number: ``careful:3``."""
    colour: Colour | None = None


SeatRequest = HumanSeat | OpenSeat | BotSeat


class OpenTable(Request, frozen=True):
    """A new table."""

    mode: Mode
    """Online, all at one screen (one secret holds every human seat), or alone."""
    seats: Annotated[tuple[SeatRequest, ...], Meta(min_length=1, max_length=4)]
    players: Count | None = None
    """How many seats; there for those who like to say it twice."""
    edition: Annotated[str, Meta(max_length=32)] = "classic"
    """One of the editions offered; with ``custom`` all variants combine."""
    win: Count = 3
    """How many columns win (V1)."""
    early: bool = False
    """Whether runners have to come out early (V2)."""
    sharing: Sharing = Sharing.FREE
    """What a space that is taken means (V3, V4)."""
    start: Start | None = None
    """Who starts a custom game; the editions say it themselves."""
    help: bool = False
    """Whether everybody sees the chance of a bust."""
    hints: bool | None = None
    """Whether whoever is to decide may ask for a hint; left out, wherever at most one person plays,
    and where all sit at one screen."""
    dice: DiceOrigin = DiceOrigin.SEALED
    """Who throws them. Where the players do, all of them are people at one screen."""
    youngest: SeatNumber = 0
    """The seat that starts where the youngest does."""
    clock: Annotated[int, Meta(ge=1, le=LONGEST_CLOCK)] | None = None
    """Seconds that a person has for each decision, at an online table; left out, no clock runs."""
    bank: Annotated[int, Meta(ge=0, le=LONGEST_BANK)] | None = None
    """Seconds that each seat may think longer, in the whole game; left out, as suits the clock, or
    the days for a turn."""
    rated: bool = False
    """Whether the game counts for the ratings of its players: online, with sealed dice, without
    hints, and everybody who sits down has a profile."""
    listed: bool = False
    """Whether the table is in the lobby of the server, for everybody; else it takes its link."""
    days: Literal[1, 2, 3, 7] | None = None
    """Days that a person has for each turn, at an online table, instead of a clock."""


class OpenLesson(Request, frozen=True):
    """A tutorial table."""

    lesson: Lesson
    name: str
    colour: Colour | None = None


class TakeSeat(Request, frozen=True):
    """A player sits down at a free seat.

    With a ``secret`` of its own a client can ask again if the answer was lost: who holds a seat by
    it already gets that one.
    """

    name: str
    """1 to 24 printable characters."""
    colour: Colour | None = None
    """Left out, or if it is taken, the seat gets a free one."""
    salt: Salt | None = None
    """The older way: what this player adds to the dice, in the open."""
    salt_commitment: SaltCommitment | None = None
    """A commitment to it instead; left out like the salt, the server makes a salt."""
    secret: Secret | None = None
    """What is to hold the seat: at least 128 random bits; left out, the server makes one."""


class PlayDaily(Request, frozen=True):
    """A player plays the daily game."""

    name: str
    """1 to 24 printable characters; it stands in the table of the day's results."""
    colour: Colour | None = None
    device: Secret | None = None
    """What the device is known by: at least 128 random bits; left out, the server makes it."""
    day: str | None = None
    """A day of the archive, to play outside the ranking; left out, today."""


class NextDrill(Request, frozen=True):
    """What a player wants to practise, and their progress."""

    progress: Raw | UnsetType = UNSET
    """A ``DrillProgress``, which is checked in sentences of its own; left out by beginners."""
    topic: Topic | None = None
    """Left out, everything but variants."""
    players: Annotated[int, Meta(ge=1, le=4)] | None = None
    """Only games for this number of players; left out, any."""


class AnswerDrill(Request, frozen=True, kw_only=True):
    """An answer to a drill."""

    drill: DrillId
    answer: Annotated[str, Meta(max_length=5)]
    """One of the drill's ``answers``."""
    progress: Raw | UnsetType = UNSET
    """As it was before; left out by beginners."""
