"""What somebody who opens a table, or sits down at one, has to say."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from cantstop.rules import Sharing, Start
from cantstop.server.actions import SeatNumber
from cantstop.server.events import Lesson, Mode

COLOURS = 4

Salt = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Colour = Annotated[int, Field(strict=True, ge=0, lt=COLOURS)]
Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, Field(strict=True, ge=1, le=99)]


class _Request(BaseModel):
    # a misspelt variant would otherwise be played without
    model_config = ConfigDict(extra="forbid", frozen=True)


class HumanSeat(_Request):
    """A seat for somebody at the opener's own screen."""

    kind: Literal["human"]
    name: str
    colour: Colour | None = None
    salt: Salt | None = None
    """Without one the seat is reserved until its player says hello."""


class OpenSeat(_Request):
    """A seat for whoever comes."""

    kind: Literal["open"]


class BotSeat(_Request):
    """A seat for a bot."""

    kind: Literal["bot"]
    bot: Annotated[str, StringConstraints(max_length=64)]
    colour: Colour | None = None


SeatRequest = Annotated[HumanSeat | OpenSeat | BotSeat, Field(discriminator="kind")]


class OpenTable(_Request):
    """A new table."""

    mode: Mode
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=4)]
    players: Count | None = None
    """How many seats; there for those who like to say it twice."""
    edition: Annotated[str, StringConstraints(max_length=32)] = "classic"
    win: Count = 3
    early: Flag = False
    sharing: Sharing = Sharing.FREE
    start: Start | None = None
    """Who starts a custom game; the editions say it themselves."""
    help: Flag = False
    youngest: SeatNumber = 0


class OpenLesson(_Request):
    """A tutorial table."""

    lesson: Lesson
    name: str
    colour: Colour | None = None


class TakeSeat(_Request):
    """Somebody sits down at a free seat."""

    name: str
    colour: Colour | None = None
    salt: Salt | None = None
