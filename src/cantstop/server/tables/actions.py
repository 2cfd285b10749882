"""What a player can ask a table for."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from cantstop.server.tables.events import Reaction

SeatNumber = Annotated[int, Field(strict=True, ge=0, le=3)]


class Asked(BaseModel):
    """An action of any kind: who asks for it, and under which id."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
    seat: SeatNumber
    n: Annotated[int, Field(strict=True, ge=0)] | None = None
    """The last event that the player saw; left out, the player does not mind."""


class Roll(Asked):
    """Throw the dice."""

    kind: Literal["roll"] = "roll"


class MakeMove(Asked):
    """Use the dice on the table."""

    kind: Literal["move"] = "move"
    move: Annotated[str, StringConstraints(max_length=8)]


class Stop(Asked):
    """End the turn."""

    kind: Literal["stop"] = "stop"


class React(Asked):
    """Say something about it."""

    kind: Literal["react"] = "react"
    reaction: Reaction


class Substitute(Asked):
    """Let a bot play for somebody who is not there."""

    kind: Literal["substitute"] = "substitute"
    absent: SeatNumber = Field(alias="for")


class Return(Asked):
    """Play oneself again."""

    kind: Literal["return"] = "return"


class Rematch(Asked):
    """Another game with the same people."""

    kind: Literal["rematch"] = "rematch"


Play = Roll | MakeMove | Stop
Action = Roll | MakeMove | Stop | React | Substitute | Return | Rematch
KindOfAction = Annotated[Action, Field(discriminator="kind")]
"""The same, to be read from JSON by its kind."""
