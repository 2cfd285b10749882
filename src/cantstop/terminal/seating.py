"""Taking seats: a few questions that Enter answers well, and the salts for sealed dice."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from cantstop.bots import BOTS
from cantstop.dice import Seal, SealedDice, check_word, commitment, new_salt, new_secret
from cantstop.language import Translator
from cantstop.rules import CantStopError, InvalidText, Phrase
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.terminal.console import Talk
from cantstop.terminal.seats import BOT_PREFIX, Seat, check_names, seat_named

USUAL_PLAYERS = 2
USUAL_BOT = "careful"

Meant = TypeVar("Meant")


def usual_seats(words: Translator, players: int) -> tuple[Seat, ...]:
    """One person, and bots to play against."""
    return (
        Seat(usual_name(words, 1)),
        *(seat_named(BOT_PREFIX + USUAL_BOT) for _ in range(players - 1)),
    )


def ask_seats(talk: Talk, players: int | None) -> tuple[Seat, ...]:
    """Ask how many play and who they are."""
    words = talk.words
    talk.tell(words.say("A new game. Enter alone takes what stands in brackets."))
    if players is None:
        question = words.say(
            "How many players, 1 to {most}? [{usual}] ", most=MOST_PLAYERS, usual=USUAL_PLAYERS
        )
        players = _ask(talk, question, _players)
    usual = usual_name(words, 1)
    question = words.say("Your name? [{usual}] ", usual=usual)
    seats = [_ask(talk, question, lambda text: seat_named(text or usual))]
    for number in range(2, players + 1):
        question = words.say(
            "Player {number}: a name, or a bot ({bots})? [{usual}] ",
            number=number,
            bots=words.either(BOTS),
            usual=USUAL_BOT,
        )
        seats.append(_ask(talk, question, lambda text: _opponent(text, seats)))
    return tuple(seats)


def usual_name(words: Translator, number: int) -> str:
    """What somebody is called who gives no name."""
    return words.say("Player {number}", number=number)


def _ask(talk: Talk, question: str, meaning: Callable[[str], Meant]) -> Meant:
    """Ask until there is an answer that means something."""
    while True:
        try:
            return meaning(talk.read(question).strip())
        except CantStopError as error:
            talk.tell(talk.words.error(error))


def _players(text: str) -> int:
    if not text:
        return USUAL_PLAYERS
    if text not in map(str, range(1, MOST_PLAYERS + 1)):
        raise InvalidText("Please type a number from 1 to {most}.", most=MOST_PLAYERS)
    return int(text)


def _opponent(text: str, seats: Sequence[Seat]) -> Seat:
    wanted = text or USUAL_BOT
    is_bot = wanted.lower().partition(":")[0] in BOTS
    seat = seat_named(BOT_PREFIX + wanted if is_bot else wanted)
    check_names([*seats, seat])
    return seat


def seat_number(text: str, seats: Sequence[Seat]) -> int:
    """The seat, counted from 0, that a name or a number from 1 stands for."""
    names = [seat.name for seat in seats]
    if text in names:
        return names.index(text)
    if text in map(str, range(1, len(seats) + 1)):
        return int(text) - 1
    raise InvalidText("“{text}” is neither a seat's number nor its name.", text=text)


def seal_dice(talk: Talk, seats: Sequence[Seat], sides: int) -> SealedDice:
    """Dice that can be checked after the game: commit to a secret, then let every seat add salt."""
    words, secret = talk.words, new_secret()
    promise = commitment(secret)
    talk.tell(
        words.say("The dice are sealed. Their commitment is {commitment}.", commitment=promise)
    )
    talk.tell(
        words.say(
            "Every player adds a salt: any word of letters and digits. Enter alone takes a "
            "random one."
        )
    )
    salts = []
    for seat in seats:
        if seat.bot is not None:
            salts.append(new_salt())
        else:
            question = words.say("{name}, your salt: ", name=seat.name)
            salts.append(_ask(talk, question, _salt))
    return sealed_dice(secret, salts, sides)


def sealed_dice(secret: bytes, salts: Sequence[str], sides: int) -> SealedDice:
    """The dice that a secret and the salts of the seats make; random salt where there is none."""
    added = tuple(map(_salt, salts))
    return SealedDice(Seal(f"table-{new_salt()}", commitment(secret), added), secret, sides)


def _salt(text: str) -> str:
    if text:
        check_word(Phrase("salt"), text)
    return text or new_salt()
