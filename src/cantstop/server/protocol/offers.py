"""The options of a new-game form: editions, bots, reactions, colours, lessons, languages."""

from typing import Any

from cantstop.bots import BOTS
from cantstop.language import LANGUAGES, Translator
from cantstop.rules import EDITIONS, Edition, Sharing, Start
from cantstop.server.tables.events import Lesson, Reaction
from cantstop.server.tables.opening import CUSTOM
from cantstop.server.tables.requests import COLOURS

_PLAYERS = (1, 2, 3, 4)
_DEFAULT_WIN = 3
_LONGEST_WIN = 5  # V1


def offers(words: Translator) -> dict[str, Any]:
    """All options, with descriptions in the reader's language."""
    return {
        "editions": [*map(_edition, EDITIONS.values()), _custom(words)],
        "bots": [
            {
                "name": bot.name,
                "about": words.say(bot.about),
                "level": bot.level,
                "rating": bot.rating,
            }
            for bot in BOTS.values()
        ],
        "reactions": list(Reaction),
        "colours": COLOURS,
        "lessons": list(Lesson),
        "languages": LANGUAGES,
    }


def _edition(edition: Edition) -> dict[str, Any]:
    return {
        "name": edition.name,
        "title": edition.title,
        "start": edition.start.value,
        "tokens": edition.tokens,
        "early": edition.early,
        "sharing": [sharing.value for sharing in edition.sharing],
        "win": {
            str(players): [_DEFAULT_WIN, *edition.longer_games(players)] for players in _PLAYERS
        },
    }


def _custom(words: Translator) -> dict[str, Any]:
    return {
        "name": CUSTOM,
        "title": words.say("Custom"),
        "start": Start.FIRST_SEAT.value,
        "tokens": None,
        "early": True,
        "sharing": [sharing.value for sharing in Sharing],
        "win": {str(players): list(range(_DEFAULT_WIN, _LONGEST_WIN + 1)) for players in _PLAYERS},
    }
