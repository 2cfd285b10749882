"""A new game as the options of the command ask for it; what they leave open is asked or default."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TypeVar

from cantstop.bots import BOTS, LADDER
from cantstop.dice import (
    EnteredDice,
    Seal,
    SealedDice,
    SecureDice,
    SeededDice,
    check_word,
    commitment,
    new_salt,
    new_secret,
)
from cantstop.extras import is_installed
from cantstop.language import Translator
from cantstop.rules import CantStopError, InvalidText, Phrase
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.terminal.console import Console
from cantstop.terminal.ladder import Ladder, journey_lines
from cantstop.terminal.local_game import (
    BOT_PREFIX,
    LocalDice,
    LocalGame,
    LocalSeat,
    check_names,
)
from cantstop.terminal.options import RulesOptions

DEFAULT_PLAYERS = 2
DEFAULT_BOT = "careful"
"""Whom one plays against where nothing else is said."""

Value = TypeVar("Value")


class DiceKind(StrEnum):
    """Dice that nobody can foresee, that everybody can check after the game, or real ones."""

    SECURE = "secure"
    SEALED = "sealed"
    ENTERED = "entered"


@dataclass(frozen=True)
class NewGameOptions:
    """What the options of the command say about a new game."""

    rules: RulesOptions
    seats: tuple[LocalSeat, ...] = ()
    players: int | None = None
    youngest: str | None = None
    dice: DiceKind | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.seed is not None and self.dice is not None:
            raise InvalidText("Dice come from --seed or from --dice, not from both.")


def set_up_game(
    console: Console, options: NewGameOptions, ladder: Ladder | None = None, *, ask: bool
) -> LocalGame:
    """A new game; ``ask`` is whether to ask who plays, at a terminal.

    Whoever is asked sees the way up the ladder, and is offered who is next on it.
    """
    seats = _seats(console, options, ladder or Ladder(), ask=ask)
    rules = options.rules.rules(len(seats))
    first = 0 if options.youngest is None else seat_number(options.youngest, seats)
    dice = _dice(console, options, seats, rules.board.sides)
    return LocalGame.new(rules, seats, dice, options.rules.edition, first)


# Seats


def _seats(
    console: Console, options: NewGameOptions, ladder: Ladder, *, ask: bool
) -> tuple[LocalSeat, ...]:
    players = player_count(options.rules.players, options.players, len(options.seats) or None)
    if options.seats:
        check_names(options.seats)
        return options.seats
    if players is not None:
        options.rules.rules(players)  # wrong rules are an error before any question
    people = options.dice is DiceKind.ENTERED
    if ask and sys.stdin is not None and sys.stdin.isatty():
        return ask_seats(console, players, ladder, people=people)
    if people:
        return default_people(console.words, players or DEFAULT_PLAYERS)
    return default_seats(console.words, DEFAULT_PLAYERS if players is None else players)


def player_count(*given: int | None) -> int | None:
    """How many play, where anything says it; two numbers contradict each other."""
    counts = sorted({players for players in given if players is not None})
    if len(counts) > 1:
        raise InvalidText(
            "How many play? The options say both {one} and {other}.", one=counts[0], other=counts[1]
        )
    return counts[0] if counts else None


def default_seats(words: Translator, players: int) -> tuple[LocalSeat, ...]:
    """One person, and bots to play against."""
    bot = LocalSeat.parse(BOT_PREFIX + DEFAULT_BOT)
    return (LocalSeat(default_name(words, 1)), *(bot for _ in range(players - 1)))


def next_opponent(ladder: Ladder) -> str:
    """Whom to offer: who is next on the ladder, where there is the engine that animals think with.

    Whoever has beaten all of them meets the last one again.
    """
    return (ladder.next or LADDER[-1].name) if is_installed("engine") else DEFAULT_BOT


def ladder_seats(
    words: Translator, ladder: Ladder, seats: Sequence[LocalSeat]
) -> tuple[LocalSeat, ...]:
    """A person, who may have said their name, and who is next on the ladder."""
    person, *others = seats or (LocalSeat(default_name(words, 1)),)
    if others or person.bot is not None:
        raise InvalidText("--ladder chooses the opponent: --seat can only say your own name.")
    return person, LocalSeat.parse(BOT_PREFIX + next_opponent(ladder))


def default_people(words: Translator, players: int) -> tuple[LocalSeat, ...]:
    """Nobody but people, who give no names."""
    return tuple(LocalSeat(default_name(words, number)) for number in range(1, players + 1))


def default_name(words: Translator, number: int) -> str:
    """What a player is called who gives no name."""
    return words.say("Player {number}", number=number)


def ask_seats(
    console: Console, players: int | None, ladder: Ladder | None = None, *, people: bool = False
) -> tuple[LocalSeat, ...]:
    """Ask how many play and who they are; ``people`` where no bot can play."""
    ladder = ladder or Ladder()
    words = console.words
    console.print(words.say("A new game. Just press Enter for what is in brackets."))
    if players is None:
        question = words.say(
            "How many players, 1 to {most}? [{usual}] ", most=MOST_PLAYERS, usual=DEFAULT_PLAYERS
        )
        players = _ask(console, question, _parse_players)
    usual = default_name(words, 1)
    question = words.say("Your name? [{usual}] ", usual=usual)
    seats = [_ask(console, question, lambda text: LocalSeat.parse(text or usual))]
    if people:
        for seat in default_people(words, players)[1:]:
            question = words.say("Name of {player}? [{player}] ", player=seat.name)
            seats.append(_ask(console, question, partial(_parse_person, seats, seat.name)))
        return tuple(seats)
    if players > 1:
        _print_bots(console, ladder)
    bot = next_opponent(ladder)
    for number in range(2, players + 1):
        question = words.say(
            "Player {number}: a name, or a bot? [{usual}] ", number=number, usual=bot
        )
        seats.append(_ask(console, question, lambda text: _parse_opponent(text or bot, seats)))
    return tuple(seats)


def _print_bots(console: Console, ladder: Ladder) -> None:
    """Whom one can play against: the way up the ladder, then the names of all others."""
    for line in journey_lines(console.words, ladder):
        console.print(line)
    names = [bot.name for bot in BOTS.values()]
    console.print(console.words.say("The bots, as one types them: {bots}.", bots=", ".join(names)))


def _ask(console: Console, question: str, parse: Callable[[str], Value]) -> Value:
    """Ask until the answer can be parsed."""
    while True:
        try:
            return parse(console.read(question).strip())
        except CantStopError as error:
            console.print(console.words.error(error))


def _parse_players(text: str) -> int:
    if not text:
        return DEFAULT_PLAYERS
    if text not in map(str, range(1, MOST_PLAYERS + 1)):
        raise InvalidText("Please type a number from 1 to {most}.", most=MOST_PLAYERS)
    return int(text)


def _parse_opponent(text: str, seats: Sequence[LocalSeat]) -> LocalSeat:
    is_bot = text.lower().partition(":")[0] in BOTS
    seat = LocalSeat.parse(BOT_PREFIX + text if is_bot else text)
    check_names([*seats, seat])
    return seat


def _parse_person(seats: Sequence[LocalSeat], usual: str, text: str) -> LocalSeat:
    seat = LocalSeat.parse(text or usual)
    check_names([*seats, seat])
    return seat


def seat_number(text: str, seats: Sequence[LocalSeat]) -> int:
    """The seat, counted from 0, that a name or a number from 1 stands for."""
    names = [seat.name for seat in seats]
    if text in names:
        return names.index(text)
    if text in map(str, range(1, len(seats) + 1)):
        return int(text) - 1
    raise InvalidText("“{text}” is neither a seat's number nor its name.", text=text)


# Dice


def _dice(
    console: Console, options: NewGameOptions, seats: Sequence[LocalSeat], sides: int
) -> LocalDice:
    if options.seed is not None:
        return SeededDice(options.seed, sides)
    if options.dice is DiceKind.SEALED:
        return ask_sealed_dice(console, seats, sides)
    return EnteredDice(sides) if options.dice is DiceKind.ENTERED else SecureDice(sides)


def ask_sealed_dice(console: Console, seats: Sequence[LocalSeat], sides: int) -> SealedDice:
    """Sealed dice: print the commitment to their secret, then ask every person for a salt."""
    words, secret = console.words, new_secret()
    console.print(
        words.say(
            "The dice are sealed. Their commitment is {commitment}.", commitment=commitment(secret)
        )
    )
    console.print(
        words.say(
            "Every player adds a salt: any word of letters and digits. Just press Enter for a "
            "random one."
        )
    )
    salts = []
    for seat in seats:
        if seat.bot is not None:
            salts.append(new_salt())
        else:
            question = words.say("{name}, your salt: ", name=seat.name)
            salts.append(_ask(console, question, _parse_salt))
    return sealed_dice(secret, salts, sides)


def sealed_dice(secret: bytes, salts: Sequence[str], sides: int) -> SealedDice:
    """The dice of a secret and the salts of the seats; an empty salt becomes a random one."""
    added = tuple(map(_parse_salt, salts))
    return SealedDice(Seal(f"table-{new_salt()}", commitment(secret), added), secret, sides)


def _parse_salt(text: str) -> str:
    if text:
        check_word(Phrase("salt"), text)
    return text or new_salt()
