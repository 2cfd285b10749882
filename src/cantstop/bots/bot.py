"""What a bot is: two decisions, each from a position and the moves made in the turn so far."""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import StackSummary, TracebackException
from typing import Protocol, runtime_checkable

from cantstop.extras import MissingExtra
from cantstop.rules import Action, CantStopError, Choice, InvalidRules, Move, Phase, Position, Rules
from cantstop.untrusted import quoted

PACE = 0.8
"""Seconds between two actions of a bot: long enough to follow, short enough not to wait."""


_PACKAGE = Path(__file__).parents[1]
_IMPORTING = Path(importlib.__file__).parent


class BotFailure(CantStopError):
    """A bot that crashes, keeps silent, breaks the protocol or the rules.

    What its code raised is the ``__cause__``.
    """

    details: tuple[str, ...] = ()
    """Lines for whoever wrote the bot: the traceback of its own code, or what a program wrote last
    to its standard error."""

    @staticmethod
    def of(name: str, error: BaseException, position: Position | None = None) -> "BotFailure":
        """The failure of the bot of that name, which raised an error, or was asked in vain."""
        reason = error if isinstance(error, CantStopError) else _one_line(error)
        if position is None:
            failure = BotFailure("The bot “{name}” failed: {reason}", name=name, reason=reason)
        else:
            failure = BotFailure(
                "The bot “{name}” failed in the position “{position}”: {reason}",
                name=name,
                position=position,
                reason=reason,
            )
        if isinstance(error, BotFailure):
            failure.explain(error.details)
        else:
            failure.details = tuple(_own_traceback(error))
        return failure

    @property
    def reason(self) -> str:
        """What the bot did wrong, without its name."""
        return str(self.fields.get("reason", self))

    def explain(self, lines: Sequence[str]) -> None:
        """Show lines of the bot's own below the sentence, wherever Python prints the error."""
        self.details = tuple(lines)
        for line in self.details:
            self.add_note(line)


def _one_line(error: BaseException) -> str:
    return quoted(f"{type(error).__name__}: {' '.join(str(error).split())}")


def _is_ours(file: str) -> bool:
    """Whether a line of code is this package's, or of the import that it asks for."""
    return file.startswith("<frozen importlib") or any(
        Path(file).is_relative_to(folder) for folder in (_PACKAGE, _IMPORTING)
    )


def _own_traceback(error: BaseException) -> list[str]:
    """The traceback of an error from the first line that is not ours; none if all of it is."""
    found = TracebackException.from_exception(error)
    frames = list(found.stack)
    while frames and _is_ours(frames[0].filename):
        del frames[0]
    if not frames:
        return []
    found.stack = StackSummary.from_list(frames)
    return "".join(found.format()).splitlines()


class Decisions(Protocol):
    """All that a user's own bot has to have; ``as_bot`` makes a ``Bot`` of it.

    ``moves`` counts the moves that the turn has had. With the position it is all that a bot is
    given, so that a compiled bot, or one in another process, can be asked the same questions.
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


def decide(bot: Decisions, position: Position, moves: int) -> Action:
    """What a bot does in a position, given the number of moves of its turn so far.

    A ``BotFailure`` if the bot raises anything, which is its cause, or names no legal move.

    >>> from cantstop.bots import bot_named
    >>> decide(bot_named("careful"), Position.parse("v1,players=2 -/- 1 - 2345"), 0)
    Move(7, 7)
    """
    try:
        if position.phase is Phase.MOVE:
            move = Move.read(bot.choose(position, moves))
            position.move(move)
            return move
        return Choice.STOP if position.may_stop and bot.stop(position, moves) else Choice.ROLL
    except (BotFailure, MissingExtra):
        raise
    except (Exception, SystemExit) as error:  # whatever a user's code can raise
        name = getattr(bot, "name", type(bot).__name__)
        raise BotFailure.of(name, error, position) from error


def check_rules(bot: "Bot", rules: Rules) -> None:
    """Raise ``InvalidRules`` if a bot does not play these rules, ``BotFailure`` if it fails."""
    try:
        bot.check(rules)
    except (BotFailure, InvalidRules, MissingExtra):
        raise
    except (Exception, SystemExit) as error:
        raise BotFailure.of(bot.name, error) from error
