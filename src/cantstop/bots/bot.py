"""What a bot is: two decisions, each from a position and the moves made in the turn so far."""

from collections.abc import Callable
from enum import Enum
from typing import Protocol, runtime_checkable

from cantstop.rules import CantStopError, Move, Phase, Position, Rules

PACE = 0.8
"""Seconds between two actions of a bot: long enough to follow, short enough not to wait."""


class BotFailure(CantStopError):
    """A bot that crashes, keeps silent, breaks the protocol or the rules: it loses its game."""


class Decisions(Protocol):
    """All that somebody's own bot has to have; ``as_bot`` makes a ``Bot`` of it.

    ``moves`` counts the moves that the turn has had. With the position it is all that a bot is
    told, so that a compiled bot, or one in another process, can be asked the same questions.
    """

    def choose(self, position: Position, moves: int) -> Move:
        """The move to make: one of ``position.legal_moves``, of which there is at least one."""

    def stop(self, position: Position, moves: int) -> bool:
        """Whether to stop rather than roll again; asked only where stopping is legal."""


@runtime_checkable
class Bot(Decisions, Protocol):
    """A player that a program is; whoever inherits from it has answers to all but the decisions."""

    name: str
    """The name with its parameter: ``bot_named`` makes the same bot of it again."""

    def check(self, rules: Rules) -> None:  # noqa: ARG002
        """Raise ``InvalidRules`` if the bot does not play these rules."""
        return

    def close(self) -> None:
        """The bot is no longer needed: one in another program ends it."""
        return

    def drawing_from(self, streams: "RandomStreams") -> Decisions:  # noqa: ARG002
        """The same bot, with its random numbers from elsewhere; most bots draw none."""
        return self


RandomStreams = Callable[[int], Callable[[int], int]]
"""The stream of a bot's number; a stream called with n gives a number from 0 to n - 1."""


class Choice(Enum):
    """What there is to do without dice on the table."""

    ROLL = "roll"
    STOP = "stop"


def decide(bot: Decisions, position: Position, moves: int) -> Move | Choice:
    """What a bot does in a position after so many moves of its turn.

    A move that is not legal is refused as the rules refuse it.

    >>> from cantstop.bots import bot_named
    >>> decide(bot_named("careful"), Position.parse("v1,players=2 -/- 1 - 2345"), 0)
    Move(7, 7)
    """
    if position.phase is Phase.MOVE:
        move = Move.read(bot.choose(position, moves))
        position.move(move)
        return move
    return Choice.STOP if position.may_stop and bot.stop(position, moves) else Choice.ROLL
