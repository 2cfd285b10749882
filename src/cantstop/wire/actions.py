"""Actions: what a player can ask a table for, each with an id that makes a retry harmless."""

import secrets
from typing import Annotated

from msgspec import Meta, field

from cantstop.table.events import MOST_BUST_PERCENT, Reaction
from cantstop.wire.types import ActionId, EventNumber, Request, Salt, SaltCommitment, SeatNumber

MOST_FACES = 12
"""More than any roll has: the rules refuse a wrong number of dice, in a sentence of their own."""
Face = Annotated[int, Meta(ge=0, le=99)]


class BaseAction(Request, frozen=True, kw_only=True, tag_field="kind"):
    """What all actions have: who asks, under which id."""

    id: ActionId
    seat: SeatNumber
    n: Annotated[int, Meta(ge=0)] | None = None
    """The last event that the player saw; an action on an older state is stale."""

    @property
    def kind(self) -> str:
        """What is asked for, as the wire names it."""
        return str(self.__struct_config__.tag)


class Commit(BaseAction, frozen=True, kw_only=True, tag="commit"):
    """Commit to another salt, before the game."""

    salt_commitment: SaltCommitment
    instead: SaltCommitment | None = None
    """What the seat has committed to so far: of two devices at one seat, one gives way."""


class Reveal(BaseAction, frozen=True, kw_only=True, tag="reveal"):
    """Reveal the salt that the seat has committed to."""

    salt: Salt


class LoseSalt(BaseAction, frozen=True, kw_only=True, tag="lose-salt"):
    """Play without the salt that the seat has committed to, since it is lost."""


class Roll(BaseAction, frozen=True, kw_only=True, tag="roll"):
    """Throw the dice."""

    dice: Annotated[tuple[Face, ...], Meta(max_length=MOST_FACES)] | None = None
    """What they show, at a table whose players throw them: the rules say how many it takes."""


class MakeMove(BaseAction, frozen=True, kw_only=True, tag="move"):
    """Use the dice on the table."""

    move: Annotated[str, Meta(max_length=8)]


class Stop(BaseAction, frozen=True, kw_only=True, tag="stop"):
    """End the turn."""


class GiveOrder(BaseAction, frozen=True, kw_only=True, tag="order"):
    """Give a standing order, in place of the one before it; it says at least one thing."""

    runners: bool = False
    """Roll until three runners are out, and play a move where a roll allows only one."""
    column: bool = False
    """Stop once that wins a column."""
    bust: Annotated[int, Meta(ge=1, le=MOST_BUST_PERCENT)] | None = None
    """Stop once the next roll busts with more than this chance, in per cent."""


class Revoke(BaseAction, frozen=True, kw_only=True, tag="revoke"):
    """Revoke one's standing order."""


class React(BaseAction, frozen=True, kw_only=True, tag="react"):
    """Say something about it."""

    reaction: Reaction


class Substitute(BaseAction, frozen=True, kw_only=True, tag="substitute"):
    """Let a bot play for an absent player."""

    absent: SeatNumber = field(name="for")


class Fill(BaseAction, frozen=True, kw_only=True, tag="fill"):
    """Let a bot sit down on a free seat, before the game."""

    free: SeatNumber = field(name="for")
    bot: Annotated[str, Meta(max_length=64)]


class Return(BaseAction, frozen=True, kw_only=True, tag="return"):
    """Take the seat back from the bot that plays it."""


class Resign(BaseAction, frozen=True, kw_only=True, tag="resign"):
    """Give up the game."""


class Drop(BaseAction, frozen=True, kw_only=True, tag="drop"):
    """Give up the seat of a player who lets turns pass, at a slow table."""

    absent: SeatNumber = field(name="for")


class TakeBack(BaseAction, frozen=True, kw_only=True, tag="takeback"):
    """Take back one's last decision, or ask the others for it."""


class Agree(BaseAction, frozen=True, kw_only=True, tag="agree"):
    """Let another seat take back its last decision."""

    asked: EventNumber
    """The number of the event that asked for it."""


class Decline(BaseAction, frozen=True, kw_only=True, tag="decline"):
    """Do not let another seat take back its last decision."""

    asked: EventNumber
    """The number of the event that asked for it."""


class Rematch(BaseAction, frozen=True, kw_only=True, tag="rematch"):
    """Another game with the same people."""


def new_action_id() -> str:
    """An id that nobody else chooses."""
    return secrets.token_hex(12)


Play = Roll | MakeMove | Stop
Deciding = Play | GiveOrder
"""What may take a decision of the game: an order acts at once, where it can."""
AroundAction = (
    Commit
    | Reveal
    | Revoke
    | LoseSalt
    | React
    | Substitute
    | Fill
    | Return
    | Resign
    | Drop
    | TakeBack
    | Agree
    | Decline
)
"""What is asked for around the game."""
TableAction = Deciding | AroundAction | Rematch
