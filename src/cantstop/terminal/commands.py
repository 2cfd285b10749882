"""What a player can type: numbers, moves, and commands in English and in their language."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from cantstop.language import Translator, message
from cantstop.rules import Dice, InvalidText, Move, parse_dice
from cantstop.table.events import Order


class Command(Enum):
    """A command by its English word. Where first letters are the same, the earlier one wins."""

    ROLL = message("roll")
    STOP = message("stop")
    UNDO = message("undo")
    BOARD = message("board")
    ODDS = message("odds")
    RULES = message("rules")
    SAVE = message("save")
    HELP = message("help")
    HINT = message("hint")
    RESIGN = message("resign")
    QUIT = message("quit")
    REACT = message("react")
    REMATCH = message("rematch")
    RETURN = message("return")
    REVIEW = message("review")
    AGREE = message("agree")
    DECLINE = message("decline")
    LINK = message("link")
    DROP = message("drop")
    ORDER = message("order")
    REVOKE = message("revoke")


REACTIONS = {
    "cheer": message("cheer"),
    "applaud": message("applaud"),
    "tease": message("tease"),
    "sympathise": message("sympathise"),
    "gasp": message("gasp"),
    "laugh": message("laugh"),
}
"""What can be said to the others at a table on a server, and the word for it."""

ONLINE = (
    Command.REACT,
    Command.REMATCH,
    Command.RETURN,
    Command.AGREE,
    Command.DECLINE,
    Command.LINK,
    Command.DROP,
    Command.ORDER,
    Command.REVOKE,
)
"""What there is only at a table on a server."""


HELP = {
    Command.ROLL: message("throw the dice"),
    Command.STOP: message("end the turn and keep its progress"),
    Command.UNDO: message("take the last move or stop back, until the dice are thrown again"),
    Command.BOARD: message("show where everybody stands"),
    Command.ODDS: message("tell how likely a bust is on the next roll"),
    Command.RULES: message("sum up the rules of this game"),
    Command.SAVE: message("save the game; “{save} FILE” names the file"),
    Command.HELP: message("show this list"),
    Command.HINT: message("tell what every option is worth, and why"),
    Command.RESIGN: message("give up the game; if others play on, a bot plays for you"),
    Command.QUIT: message("leave; the game is saved"),
    Command.REACT: message("say something to the others: “{react} {reactions}”"),
    Command.REMATCH: message("play again, once the game is over"),
    Command.RETURN: message("take over again from the bot that plays for you"),
    Command.REVIEW: message("look at the game again, once it is over"),
    Command.AGREE: message("let another player take back their last decision"),
    Command.DECLINE: message("do not let another player take back their last decision"),
    Command.LINK: message("show the link to this table"),
    Command.DROP: message("give up the seat of a player who has missed two turns in a row"),
    Command.ORDER: message(
        "give a standing order: “{order} {runners} {column} 30” rolls until three runners are out, "
        "stops when a column is won, and above a bust chance of 30 % where there are hints or that "
        "chance is shown"
    ),
    Command.REVOKE: message("revoke your standing order"),
}


UNDO_ENTERED = message("take the last dice, move or stop back, as far as you like")
"""What undoing does where the players throw the dice."""

_WITH_ARGUMENT = (Command.SAVE, Command.REACT, Command.ORDER)

ORDER_RUNNERS, ORDER_COLUMN = message("runners"), message("column")
"""The words of a standing order; the chance to bust is a number of per cent."""


@dataclass(frozen=True)
class CommandAnswer:
    """A command, and what was typed after it."""

    command: Command
    argument: str = ""


@dataclass(frozen=True)
class MoveNumber:
    """A number from the list of moves."""

    number: int


@dataclass(frozen=True)
class Enter:
    """Nothing but the Enter key."""


Answer = CommandAnswer | MoveNumber | Move | Enter


def parse_thrown(text: str) -> Dice | None:
    """The dice that a player has thrown and typed: ``2455``, ``2 4 5 5``; None for other answers.

    >>> parse_thrown("2455") == parse_thrown("2 4 5 5") == parse_thrown("2, 4, 5, 5")
    True
    """
    typed = text.strip()
    if not typed[:1].isdecimal():
        return None
    return parse_dice("-".join(re.split(r"[\s,;-]+", typed)))


def parse_answer(translator: Translator, text: str) -> Answer:
    """Parse what was typed; what cannot be parsed is an ``InvalidText``."""
    word, _, argument = text.strip().partition(" ")
    if not word:
        return Enter()
    if not argument and word.isascii() and word.isdecimal() and len(word) <= 3:
        return MoveNumber(int(word))
    command = _command(translator, word)
    if command is not None and (not argument or command in _WITH_ARGUMENT):
        return CommandAnswer(command, argument.strip())
    try:
        return Move.parse(text.replace(" ", ""))
    except InvalidText:
        raise InvalidText(
            "“{text}” means nothing here; “{help}” lists what can be typed.",
            text=_printable(text.strip()),
            help=translator.say(Command.HELP.value),
        ) from None


def parse_reaction(translator: Translator, text: str) -> str:
    """The reaction that a word, or its beginning, stands for."""
    said = {word: reaction for reaction, word in REACTIONS.items()}
    word = _word(translator, text, said) if text.strip() else None
    if word is None:
        raise InvalidText(
            "Say how: {reactions}.",
            reactions=", ".join(map(translator.say, REACTIONS.values())),
        )
    return said[word]


def parse_order(translator: Translator, text: str) -> Order:
    """The standing order that words and a number of per cent stand for."""
    runners, column, bust = False, False, None
    for typed in text.split():
        number = typed.removesuffix("%")
        if number.isascii() and number.isdecimal() and len(number) <= 3:
            bust = int(number)
        elif (word := _word(translator, typed, (ORDER_RUNNERS, ORDER_COLUMN))) is not None:
            runners, column = runners or word == ORDER_RUNNERS, column or word == ORDER_COLUMN
        else:
            bust = -1
    try:
        return Order(runners, column, bust)
    except ValueError:
        raise InvalidText(
            "Say what: “{order} {runners}”, “{order} {column}”, “{order} 30”, or all at once.",
            order=translator.say(Command.ORDER.value),
            runners=translator.say(ORDER_RUNNERS),
            column=translator.say(ORDER_COLUMN),
        ) from None


def order_text(words: Translator, order: Order) -> str:
    """What a standing order says."""
    said = []
    if order.runners:
        said.append(words.say("roll until three runners are out"))
    if order.column:
        said.append(words.say("stop when a column is won"))
    if order.bust is not None:
        chance = words.percent(Fraction(order.bust, 100))
        said.append(words.say("stop above a bust chance of {percent}", percent=chance))
    return "; ".join(said)


def _command(translator: Translator, typed: str) -> Command | None:
    word = _word(translator, typed, [command.value for command in Command])
    return None if word is None else Command(word)


def _word(translator: Translator, text: str, known: Iterable[str]) -> str | None:
    """The English word of what is, or begins with, what was typed.

    Whole words come first, and the person's own language before English.
    """
    typed = _normalized(text.strip())
    languages = (
        {_normalized(translator.say(word)): word for word in known},
        {word: word for word in known},
    )
    for words in languages:
        if typed in words:
            return words[typed]
    for words in languages:
        for whole, word in words.items():
            if whole.startswith(typed):
                return word
    return None


def _normalized(word: str) -> str:
    """The word in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def _printable(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def help_lines(
    words: Translator,
    *,
    sealed: bool = False,
    entered: bool = False,
    without: Collection[Command] = ONLINE,
) -> Iterator[str]:
    """Everything that can be typed, and what it does."""
    yield words.say("You can type this; the first letters are enough:")
    names = {command: words.say(command.value) for command in Command if command not in without}
    width = max(map(len, names.values())) + 2
    fields = {
        "save": words.say(Command.SAVE.value),
        "react": words.say(Command.REACT.value),
        "order": words.say(Command.ORDER.value),
        "runners": words.say(ORDER_RUNNERS),
        "column": words.say(ORDER_COLUMN),
        "reactions": "|".join(map(words.say, REACTIONS.values())),
    }
    if entered:
        yield f"  {'2455':<{width}}{words.say('the dice that you threw; “2 4 5 5” works as well')}"
    for command, name in names.items():
        if entered and command is Command.ROLL:
            continue
        about = UNDO_ENTERED if entered and command is Command.UNDO else HELP[command]
        yield f"  {name:<{width}}{words.say(about, **fields)}"
    numbers = "1, 2…"
    yield f"  {numbers:<{width}}{words.say('the move with that number; “6+8” works as well')}"
    if sealed:
        yield words.say(
            "A save holds the secret of the sealed dice, so that the game can go on from it: "
            "whoever reads it there could work out the rolls to come."
        )
