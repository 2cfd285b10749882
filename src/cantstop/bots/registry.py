"""The bots by name, as the command line and records write them: ``careful``, ``careful:3``."""

from collections.abc import Callable
from dataclasses import dataclass

from cantstop.bots.bot import Bot
from cantstop.bots.simple import CountingBot, RandomBot
from cantstop.language import message
from cantstop.rules import InvalidText

_MOST_MOVES = 99
_LARGEST_SEED = 10**9


@dataclass(frozen=True)
class BotEntry:
    """A bot that can be asked for: what it is like, and what its number stands for."""

    name: str
    about: str
    """One paragraph for people; an interface translates it."""
    make: Callable[[int | None], Bot]
    """Makes the bot from the number behind the colon, or from None where there is none."""
    least: int
    most: int


def _random(seed: int | None) -> Bot:
    return RandomBot(seed)


def _counting(name: str, enough: int) -> Callable[[int | None], Bot]:
    def make(number: int | None) -> Bot:
        return CountingBot(name if number is None else f"{name}:{number}", number or enough)

    return make


_ENTRIES = (
    BotEntry(
        "random",
        message(
            "Plays any legal move and stops once in four times, by chance alone. “random:7” "
            "makes the same choices in every game with the same dice."
        ),
        _random,
        0,
        _LARGEST_SEED,
    ),
    BotEntry(
        "careful",
        message(
            "Stops after two moves, or as soon as that wins a column. It likes steps in long "
            "columns, since their numbers come up most. “careful:3” stops after three moves."
        ),
        _counting("careful", 2),
        1,
        _MOST_MOVES,
    ),
    BotEntry(
        "bold",
        message(
            "Plays like careful, but stops only after five moves, or as soon as that wins a "
            "column. “bold:8” stops after eight moves."
        ),
        _counting("bold", 5),
        1,
        _MOST_MOVES,
    ),
)

BOTS = {entry.name: entry for entry in _ENTRIES}


def bot_named(text: str) -> Bot:
    """The bot of that name, with a number if there is one.

    >>> bot_named("careful:3")
    CountingBot(name='careful:3', enough=3)
    """
    name, colon, number = text.strip().lower().partition(":")
    entry = BOTS.get(name)
    if entry is None:
        raise InvalidText(
            "There is no bot “{text}”; there are: {choices}.", text=text, choices=", ".join(BOTS)
        )
    if not colon:
        return entry.make(None)
    plain = number.isascii() and number.isdecimal() and len(number) <= len(str(entry.most))
    if not plain or not entry.least <= int(number) <= entry.most:
        raise InvalidText(
            "“{text}” is no bot: after “{name}:” comes a whole number from {least} to {most}.",
            text=text,
            name=name,
            least=entry.least,
            most=entry.most,
        )
    return entry.make(int(number))
