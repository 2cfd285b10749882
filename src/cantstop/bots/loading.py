"""Bots that a user brings along: ``module:Class`` and ``program:command``.

Naming one runs its code, so only those may call this who could run it anyway: the command line,
and never a server for its visitors, or a reader for what a record says.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, runtime_checkable

from cantstop.bots.bot import Bot, BotFailure, Decisions
from cantstop.bots.external import ANSWER_SECONDS, PREFIX, ExternalBot
from cantstop.bots.registry import BOTS, BotEntry, bot_named
from cantstop.language import message
from cantstop.rules import InvalidText, Move, Position, Rules, WrongType, check_is_text

AnyBot = Decisions | type[Decisions] | str
"""A bot as a caller may give it: a name, an object with the two decisions, or its class."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")
_PLACE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


@runtime_checkable
class ChecksRules(Protocol):
    """A bot that says which rules it plays."""

    def check(self, rules: Rules) -> None:
        """Raise ``InvalidRules`` if the bot does not play these rules."""


@dataclass(frozen=True)
class LoadedBot(Bot):
    """A bot under the name it was called by."""

    name: str
    player: Decisions

    def check(self, rules: Rules) -> None:
        """Let the bot refuse rules, if it has an opinion."""
        if isinstance(self.player, ChecksRules):
            self.player.check(rules)

    def close(self) -> None:
        """End what the bot runs, if it is one of ours under another name."""
        if isinstance(self.player, Bot):
            self.player.close()

    def choose(self, position: Position, moves: int) -> Move:
        """What the bot chooses."""
        return self.player.choose(position, moves)

    def stop(self, position: Position, moves: int) -> bool:
        """What the bot decides."""
        return self.player.stop(position, moves)


def as_bot(player: Decisions, name: str | None = None) -> Bot:
    """A bot that decides like ``player``, which need not have a name or an opinion on rules."""
    if isinstance(player, Bot) and name is None:
        return player
    return LoadedBot(name or type(player).__name__, player)


def read_bot(bot: AnyBot) -> Bot:
    """The bot that a caller gives in any form: a name, an object, or a class to make one of.

    >>> read_bot("careful:3").name
    'careful:3'

    Raises:
        WrongType: If it is not a bot.
    """
    if isinstance(bot, str):
        return any_bot(bot)
    player = bot() if isinstance(bot, type) else bot
    for decision in ("choose", "stop"):
        if not callable(getattr(player, decision, None)):
            raise WrongType(
                "{bot} is not a bot: it has no method “{method}”.",
                bot=repr(player),
                method=decision,
            )
    return as_bot(player)


def check_bots(bots: object) -> None:
    """Raise ``WrongType`` unless these are a list of bots, ``InvalidText`` if there is none."""
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise WrongType(
            "{bots} is not a list of bots, such as [“careful”, “bold”].", bots=repr(bots)
        )
    if not bots:
        raise InvalidText("No bots are named: who is to play?")


def any_bot(text: str, timeout: float = ANSWER_SECONDS, *, show_errors: bool = False) -> Bot:
    """The bot of that name: one of ours, ``module:Class``, or ``program:command``.

    ``timeout`` is how many seconds a program has for an answer; ``show_errors`` lets it write to
    our standard error.
    """
    check_is_text(text, "careful:3")
    if text.startswith(PREFIX):
        return ExternalBot.named(text, timeout, show_errors=show_errors)
    if _PLACE.fullmatch(text) and text.partition(":")[0].lower() not in BOTS:
        return as_bot(_load(text), text)
    return bot_named(text)


def register_bot(text: str) -> None:
    """Give a bot a name of its own, so that every seat can be given to it: ``NAME=BOT``.

    Whoever starts a program decides which bots there are; those who play only name them.

    Raises:
        InvalidText: If the text does not name a bot that can be loaded.
    """
    name, equals, called = text.partition("=")
    if not equals or not _NAME.fullmatch(name) or name in BOTS:
        raise InvalidText(
            "“{text}” does not name a bot: give a new name of small letters, “=”, and the bot.",
            text=text,
        )
    player = as_bot(any_bot(called), name)

    def make(_number: int | None) -> Bot:
        return player  # one for all seats: bots are asked about positions, and keep nothing

    BOTS[name] = BotEntry(name, message("Added by whoever started this program."), make)


def _load(text: str) -> Decisions:
    place, _, name = text.partition(":")
    with _working_folder_first():
        try:
            found = getattr(import_module(place), name)
            bot = found() if isinstance(found, type) else found
        except (Exception, SystemExit) as error:
            failure = BotFailure.of(text, error)
            if failure.details:  # its own code was run
                raise failure from error
            raise InvalidText(
                "“{text}” cannot be loaded: {reason}", text=text, reason=failure.reason
            ) from error
    for decision in ("choose", "stop"):
        if not callable(getattr(bot, decision, None)):
            raise InvalidText(
                "“{text}” is not a bot: it has no method “{method}”.", text=text, method=decision
            )
    return bot  # type: ignore[no-any-return]


@contextmanager
def _working_folder_first() -> Iterator[None]:
    """Find modules where the user stands, as ``python -m`` does."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)
