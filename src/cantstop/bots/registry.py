"""The bots by name, as the command line and records write them: ``careful``, ``careful:3``."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from cantstop.bots.bot import Bot
from cantstop.bots.expert import ExpertBot
from cantstop.bots.heuristic import (
    GLENN_ALOI_CONSTANT,
    GLENN_ALOI_LINEAR,
    GLENN_LINEAR,
    RULE_OF_28,
    SIMPLE,
    HeuristicBot,
    Weights,
)
from cantstop.bots.ladder import LADDER, Level
from cantstop.bots.progress import PERCENT, ProgressBot
from cantstop.bots.simple import CountingBot, RandomBot
from cantstop.language import message
from cantstop.rules import InvalidText, check_is_text, choices_for

_MOST_MOVES = 99
_LARGEST_SEED = 10**9
_HIGHEST_THRESHOLD = 999
_MOST_CAUTION = 999


@dataclass(frozen=True)
class BotEntry:
    """A bot that can be asked for: what it is like, and what its number stands for."""

    name: str
    about: str
    """One paragraph for people; an interface translates it."""
    make: Callable[[int | None], Bot]
    """Makes the bot from the number behind the colon, or from None where there is none."""
    least: int = 0
    most: int | None = None
    """The numbers that it takes; None where it takes none."""
    level: int | None = None
    """Its place on the ladder, 1 for the weakest; None for a bot that is not on it."""
    rating: int | None = None
    """How strong it is, as measured; bots that are not on the ladder have none."""
    instant: bool = False
    """Whether it decides in microseconds, so that a server can ask it between two messages. Bots
    that others wrote never count as such, whatever they promise."""


def _counting(name: str, enough: int, about: str) -> BotEntry:
    """A bot that stops after a number of moves: its own, or the one behind the colon."""

    def make(number: int | None) -> Bot:
        return CountingBot(name if number is None else f"{name}:{number}", number or enough)

    return BotEntry(name, about, make, 1, _MOST_MOVES, instant=True)


def _heuristic(
    name: str, numbers: Weights, about: str, highest: int | None = _HIGHEST_THRESHOLD
) -> BotEntry:
    """A bot that stops at a number of points: its own, or the one behind the colon."""

    def make(number: int | None) -> Bot:
        if number is None:
            return HeuristicBot(name, numbers)
        return HeuristicBot(f"{name}:{number}", replace(numbers, threshold=number))

    return BotEntry(name, about, make, 1, highest, instant=True)


def _progress(caution: int | None) -> Bot:
    name = "max-expected-progress"
    if caution is None:
        return ProgressBot(name, PERCENT)
    return ProgressBot(f"{name}:{caution}", caution)


def _level(number: int, level: Level) -> BotEntry:
    return BotEntry(
        level.name, level.about, lambda _: level.bot(), level=number, rating=level.rating
    )


_ENTRIES = (
    *(_level(number, level) for number, level in enumerate(LADDER, start=1)),
    BotEntry(
        "random",
        message(
            "Plays any legal move and stops once in four times, by chance alone. “random:7” "
            "makes the same choices in every game with the same dice."
        ),
        RandomBot,
        0,
        _LARGEST_SEED,
        instant=True,
    ),
    _counting(
        "careful",
        2,
        message(
            "Stops after two moves, or as soon as that wins a column. It likes steps in long "
            "columns, since their numbers come up most. “careful:3” stops after three moves."
        ),
    ),
    _counting(
        "bold",
        5,
        message(
            "Plays like careful, but stops only after five moves, or as soon as that wins a "
            "column. “bold:8” stops after eight moves."
        ),
    ),
    _heuristic(
        "rule-of-28",
        RULE_OF_28,
        message(
            "Counts points for the spaces it has gained this turn, more in short columns, and "
            "some for a bad set of columns. With all runners out it stops at 28. Michael Keller's "
            "rule for players at a table (World Game Review 7, 1986), with the choice of moves "
            "that Glenn and Aloi gave it in 2009. “rule-of-28:24” stops at 24 points."
        ),
    ),
    _heuristic(
        "glenn-aloi-constant",
        GLENN_ALOI_CONSTANT,
        message(
            "Plays like rule-of-28 with other numbers: James Glenn and Christian Aloi let a "
            "genetic algorithm find them (“A generalized heuristic for Can't Stop”, 2009). "
            "“glenn-aloi-constant:25” stops at 25 points instead of 29."
        ),
    ),
    _heuristic(
        "glenn-aloi-linear",
        GLENN_ALOI_LINEAR,
        message(
            "From the same paper as glenn-aloi-constant. When it chooses a move, a space is worth "
            "more the nearer it is to the top. “glenn-aloi-linear:20” stops at 20 points instead "
            "of 24."
        ),
    ),
    _heuristic(
        "glenn-linear",
        GLENN_LINEAR,
        message(
            "Glenn's later numbers for the same kind of player, and the strongest of them: alone "
            "it needs fewer than nine turns on average. “glenn-linear:50” stops at 50 points "
            "instead of 61."
        ),
    ),
    _heuristic(
        "simple",
        SIMPLE,
        message(
            "The best rule we know that needs no counting, from the strategy guide's card. It "
            "moves by a few points, stops at every top, and with all runners out it stops at "
            "once if their columns are bad, else it rolls until a top."
        ),
        highest=None,
    ),
    BotEntry(
        "max-expected-progress",
        message(
            "Goes through all rolls and rolls again if the next one gains something on average: "
            "the best move's share of a column, against the turn's progress that a bust would "
            "take. It plays on any board. “max-expected-progress:120” counts a bust's loss at "
            "120 percent."
        ),
        _progress,
        1,
        _MOST_CAUTION,
    ),
    BotEntry(
        "expert",
        message(
            "A strong player by all rules and on almost any board. It solves each turn "
            "exactly, with all rolls to come, for the best chance to win. What follows the turn "
            "it estimates: how many turns each player would still need alone, and who gets there "
            "first. In a solo game it goes for the fewest turns."
        ),
        lambda _: ExpertBot(),
    ),
)

BOTS = {entry.name: entry for entry in _ENTRIES}
"""All of them: the ladder from its lowest level up, then the others."""


def bot_named(text: str) -> Bot:
    """The bot of that name, with a number if there is one.

    >>> bot_named("careful:3")
    CountingBot(name='careful:3', enough=3)

    Raises:
        InvalidText: If there is no such bot, or it does not take the parameter.
    """
    check_is_text(text, "careful:3")
    name, colon, number = text.strip().lower().partition(":")
    entry = BOTS.get(name)
    if entry is None:
        raise InvalidText(
            "There is no bot “{text}”; {choices}", text=text, choices=choices_for(name, BOTS)
        )
    if not colon:
        return entry.make(None)
    if entry.most is None:
        raise InvalidText("The bot “{name}” takes no number.", name=name)
    plain = number.isascii() and number.isdecimal() and len(number) <= len(str(entry.most))
    if not plain or not entry.least <= int(number) <= entry.most:
        raise InvalidText(
            "“{text}” is not a bot: after “{name}:” comes a whole number from {least} to {most}.",
            text=text,
            name=name,
            least=entry.least,
            most=entry.most,
        )
    return entry.make(int(number))


def is_instant(text: str) -> bool:
    """Whether the bot of that name decides in microseconds.

    >>> is_instant("careful:3"), is_instant("champion")
    (True, False)
    """
    entry = BOTS.get(text.partition(":")[0])
    return entry is not None and entry.instant
