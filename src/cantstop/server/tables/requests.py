"""What somebody who opens a table, or sits down at one, has to say."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from cantstop.rules import Sharing, Start
from cantstop.server.tables.actions import Salt, SaltCommitment, SeatNumber
from cantstop.server.tables.events import Lesson, Mode

COLOURS = 4

LONGEST_CLOCK = 7 * 86400

Secret = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22,128}$")]
Colour = Annotated[int, Field(strict=True, ge=0, lt=COLOURS)]
Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, Field(strict=True, ge=1, le=99)]


class DiceOrigin(StrEnum):
    """Who throws the dice of a table."""

    SEALED = "sealed"
    """The server, in a way that can be checked afterwards."""
    ENTERED = "entered"
    """The players, who enter what they show."""


class BaseRequest(BaseModel):
    """What all requests have in common."""

    # a misspelt variant would otherwise be played without
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class HumanSeat(BaseRequest):
    """A seat for somebody at the opener's own screen."""

    kind: Literal["human"]
    name: str
    """1 to 24 printable characters."""
    colour: Colour | None = None
    """Left out, or if it is taken, the seat gets a free one."""
    salt: Salt | None = None
    """The older way: what the player adds to the dice, in the open."""
    salt_commitment: SaltCommitment | None = None
    """A commitment to it instead; without either, the seat is reserved for its player's hello."""


class OpenSeat(BaseRequest):
    """A seat for whoever comes."""

    kind: Literal["open"]


class BotSeat(BaseRequest):
    """A seat for a bot."""

    kind: Literal["bot"]
    bot: Annotated[str, StringConstraints(max_length=64)]
    """One of the bots offered, maybe with its number: ``careful:3``."""
    colour: Colour | None = None


SeatRequest = Annotated[HumanSeat | OpenSeat | BotSeat, Field(discriminator="kind")]


class OpenTable(BaseRequest):
    """A new table."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "mode": "online",
                    "seats": [{"kind": "open"}, {"kind": "bot", "bot": "careful"}],
                },
                {
                    "mode": "online",
                    "edition": "asmodee",
                    "win": 4,
                    "sharing": "leapfrog",
                    "seats": [
                        {"kind": "human", "name": "Anne", "colour": 0, "salt": "4f3c9a"},
                        {"kind": "open"},
                        {"kind": "bot", "bot": "careful:3"},
                    ],
                },
            ]
        }
    )

    mode: Mode
    """Online, all at one screen (one secret holds every human seat), or alone."""
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=4)]
    players: Count | None = None
    """How many seats; there for those who like to say it twice."""
    edition: Annotated[str, StringConstraints(max_length=32)] = "classic"
    """One of the editions offered; with ``custom`` all variants combine."""
    win: Count = 3
    """How many columns win (V1)."""
    early: Flag = False
    """Whether runners have to come out early (V2)."""
    sharing: Sharing = Sharing.FREE
    """What a space that is taken means (V3, V4)."""
    start: Start | None = None
    """Who starts a custom game; the editions say it themselves."""
    help: Flag = False
    """Whether everybody sees the chance of a bust."""
    hints: Flag | None = None
    """Whether whoever is to decide may ask for a hint; left out, wherever at most one person plays,
    and where all sit at one screen."""
    dice: DiceOrigin = DiceOrigin.SEALED
    """Who throws them. Where the players do, all of them are people at one screen."""
    youngest: SeatNumber = 0
    """The seat that starts where the youngest does."""
    clock: Annotated[int, Field(strict=True, ge=1, le=LONGEST_CLOCK)] | None = None
    """Seconds that a person has for each decision, at an online table; left out, no clock runs."""
    bank: Annotated[int, Field(strict=True, ge=0, le=LONGEST_CLOCK)] | None = None
    """Seconds that each seat may think longer, in the whole game; left out, as suits the clock."""


class OpenLesson(BaseRequest):
    """A tutorial table."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"lesson": "basics", "name": "Anne", "colour": 0}]}
    )

    lesson: Lesson
    name: str
    colour: Colour | None = None


class TakeSeat(BaseRequest):
    """Somebody sits down at a free seat.

    With a ``secret`` of its own a client can ask again if the answer was lost: who holds a seat by
    it already gets that one.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Bob", "salt": "b81e07"}]})

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
