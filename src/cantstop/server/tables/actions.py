"""Actions: what a player can ask a table for, each with an id that makes a retry harmless."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from cantstop.server.tables.events import Reaction

SeatNumber = Annotated[int, Field(strict=True, ge=0, le=3)]
Salt = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
MOST_FACES = 12
"""More than any roll has: the rules refuse a wrong number of dice, in a sentence of their own."""
Face = Annotated[int, Field(strict=True, ge=0, le=99)]
SaltCommitment = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class BaseAction(BaseModel):
    """What all actions have: who asks, under which id."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
    seat: SeatNumber
    n: Annotated[int, Field(strict=True, ge=0)] | None = None
    """The last event that the player saw; an action on an older state is stale."""


class Commit(BaseAction):
    """Commit to another salt, before the game."""

    kind: Literal["commit"] = "commit"
    salt_commitment: SaltCommitment
    instead: SaltCommitment | None = None
    """What the seat has committed to so far: of two devices at one seat, one gives way."""


class Reveal(BaseAction):
    """Reveal the salt that the seat has committed to."""

    kind: Literal["reveal"] = "reveal"
    salt: Salt


class Roll(BaseAction):
    """Throw the dice."""

    kind: Literal["roll"] = "roll"
    dice: Annotated[tuple[Face, ...], Field(max_length=MOST_FACES)] | None = None
    """What they show, at a table whose players throw them: the rules say how many it takes."""


class MakeMove(BaseAction):
    """Use the dice on the table."""

    kind: Literal["move"] = "move"
    move: Annotated[str, StringConstraints(max_length=8)]


class Stop(BaseAction):
    """End the turn."""

    kind: Literal["stop"] = "stop"


class React(BaseAction):
    """Say something about it."""

    kind: Literal["react"] = "react"
    reaction: Reaction


class Substitute(BaseAction):
    """Let a bot play for an absent player."""

    kind: Literal["substitute"] = "substitute"
    absent: SeatNumber = Field(alias="for")


class Fill(BaseAction):
    """Let a bot sit down on a free seat, before the game."""

    kind: Literal["fill"] = "fill"
    free: SeatNumber = Field(alias="for")
    bot: Annotated[str, StringConstraints(max_length=64)]


class Return(BaseAction):
    """Take the seat back from the bot that plays it."""

    kind: Literal["return"] = "return"


class Resign(BaseAction):
    """Give up the game."""

    kind: Literal["resign"] = "resign"


class TakeBack(BaseAction):
    """Take back one's last decision, or ask the others for it."""

    kind: Literal["takeback"] = "takeback"


class Agree(BaseAction):
    """Let another seat take back its last decision."""

    kind: Literal["agree"] = "agree"
    asked: Annotated[int, Field(strict=True, ge=1)]
    """The number of the event that asked for it."""


class Decline(BaseAction):
    """Do not let another seat take back its last decision."""

    kind: Literal["decline"] = "decline"
    asked: Annotated[int, Field(strict=True, ge=1)]
    """The number of the event that asked for it."""


class Rematch(BaseAction):
    """Another game with the same people."""

    kind: Literal["rematch"] = "rematch"


Play = Roll | MakeMove | Stop
AroundAction = (
    Commit | Reveal | React | Substitute | Fill | Return | Resign | TakeBack | Agree | Decline
)
"""What is asked for around the game."""
Action = Play | AroundAction | Rematch
AnyAction = Annotated[Action, Field(discriminator="kind")]
"""The same as a discriminated union, to be parsed from JSON by its kind."""
