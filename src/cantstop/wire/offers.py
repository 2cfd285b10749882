"""What can be chosen for a new game, as JSON: editions, bots, reactions, colours, lessons."""

from dataclasses import dataclass

from cantstop.bots import BOTS
from cantstop.bots.registry import BotEntry
from cantstop.language import LANGUAGES, Translator
from cantstop.rules import EDITIONS, Edition, Sharing, Start
from cantstop.table.events import Lesson, Reaction

COLOURS = 4
CUSTOM = "custom"
"""The edition that combines all variants."""

_PLAYERS = (1, 2, 3, 4)
_DEFAULT_WIN = 3
_LONGEST_WIN = 5  # V1


@dataclass(frozen=True, slots=True)
class EditionOffer:
    """A printed rulebook, or ``custom``."""

    name: str
    title: str
    start: Start
    tokens: int | None
    early: bool
    """Whether V2 can be chosen."""
    sharing: tuple[Sharing, ...]
    win: dict[str, tuple[int, ...]]
    """By number of players, how many columns may win."""


@dataclass(frozen=True, slots=True)
class BotOffer:
    """A bot."""

    name: str
    about: str
    level: int | None
    """Its place on the ladder, 1 for the weakest; null for a bot that is not on it."""
    rating: int | None
    """How strong it is, as measured; null for a bot that is not on the ladder."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What a new-game form offers."""

    editions: tuple[EditionOffer, ...]
    bots: tuple[BotOffer, ...]
    reactions: tuple[Reaction, ...]
    colours: int
    lessons: tuple[Lesson, ...]
    languages: dict[str, str]


@dataclass(frozen=True, slots=True)
class Messages:
    """The interface in a language."""

    messages: dict[str, str]
    """English to translated."""


def offers(words: Translator) -> Offers:
    """All options, with descriptions in the reader's language."""
    return Offers(
        (*map(edition_offer, EDITIONS.values()), _custom(words)),
        tuple(bot_offer(bot, words) for bot in BOTS.values()),
        tuple(Reaction),
        COLOURS,
        tuple(Lesson),
        LANGUAGES,
    )


def edition_offer(edition: Edition) -> EditionOffer:
    """An edition with the variants it allows."""
    return EditionOffer(
        edition.name,
        edition.title,
        edition.start,
        edition.tokens,
        edition.early,
        tuple(edition.sharing),
        {str(players): (_DEFAULT_WIN, *edition.longer_games(players)) for players in _PLAYERS},
    )


def bot_offer(bot: BotEntry, words: Translator) -> BotOffer:
    """A bot, described in the reader's language."""
    return BotOffer(bot.name, words.say(bot.about), bot.level, bot.rating)


def _custom(words: Translator) -> EditionOffer:
    return EditionOffer(
        CUSTOM,
        words.say("Custom"),
        Start.FIRST_SEAT,
        None,
        early=True,
        sharing=tuple(Sharing),
        win={str(one): tuple(range(_DEFAULT_WIN, _LONGEST_WIN + 1)) for one in _PLAYERS},
    )
