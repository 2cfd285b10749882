"""What a shell offers when somebody presses Tab: the values of options, besides their names."""

from cantstop.bots import BOTS
from cantstop.language import LANGUAGES
from cantstop.rules import EDITIONS
from cantstop.terminal import Variant

_BOT_SEAT = "bot:"

Offer = list[tuple[str, str]]
"""Values, each with a word about it."""


def complete_language(incomplete: str) -> Offer:
    """The languages, by their codes."""
    return _starting(incomplete, list(LANGUAGES.items()))


def complete_edition(incomplete: str) -> Offer:
    """The printed editions."""
    return _starting(incomplete, [(name, edition.title) for name, edition in EDITIONS.items()])


def complete_variant(incomplete: str) -> Offer:
    """The optional rules."""
    return _starting(incomplete, [(variant.value, variant.name) for variant in Variant])


def complete_bot(incomplete: str) -> Offer:
    """The bots that have names."""
    return _starting(incomplete, _bots())


def complete_seat(incomplete: str) -> Offer:
    """The bots as seats; a person's name is theirs to choose."""
    return _starting(incomplete, [(_BOT_SEAT + name, about) for name, about in _bots()])


def _bots() -> Offer:
    return [
        (name, "" if entry.level is None else f"{entry.level}/{entry.rating}")
        for name, entry in BOTS.items()
    ]


def _starting(incomplete: str, values: Offer) -> Offer:
    return [(value, about) for value, about in values if value.startswith(incomplete.lower())]
