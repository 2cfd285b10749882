"""What can go wrong, as values: one clear sentence each, ready to be translated."""

from collections.abc import Collection
from difflib import get_close_matches
from operator import index
from typing import SupportsIndex

from cantstop.untrusted import quoted

_LONG_NUMBER = 10**18


class Phrase(str):
    """Words in a field of an error that are translated as its template is."""

    __slots__ = ()


class CantStopError(ValueError):
    """Something the caller can put right; its message is one sentence for a person.

    >>> from cantstop import Game
    >>> try:
    ...     Game().stop()
    ... except CantStopError as error:
    ...     print(error)
    A turn cannot be stopped before its first move.

    The template and its fields are kept apart so that an interface can print the sentence in
    the player's language. What is quoted may come from anybody: it is cut, and cannot steer the
    terminal that shows it.
    """

    def __init__(self, template: str, **fields: object) -> None:
        self.template = template
        self.fields = {name: _quotable(value) for name, value in fields.items()}
        super().__init__(template.format(**self.fields) if fields else template)


def _quotable(value: object) -> object:
    if isinstance(value, Phrase | CantStopError) or (
        isinstance(value, int) and abs(value) < _LONG_NUMBER
    ):
        return value
    return quoted(str(value))


class WrongType(CantStopError, TypeError):
    """An argument of a kind that cannot be used there; a ``TypeError`` too.

    >>> from cantstop import Game
    >>> Game(start="v1,players=2 -/- 1 - -")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    WrongType: 'v1,players=2 -/- 1 - -' is not a position to start from; Game.parse reads one.
    """


def check_is_text(value: object, example: str) -> None:
    """Raise WrongType unless the value to be read is text.

    Raises:
        WrongType: If it is not a text.
    """
    if not isinstance(value, str):
        raise WrongType(
            "{value} is not text, such as “{example}”.", value=repr(value), example=example
        )


def whole_number(value: SupportsIndex) -> int:
    """An argument as a plain number; NumPy's integers are whole numbers too.

    A ``TypeError`` for floats, text and truth values: ``True`` is an integer only to Python.
    """
    if isinstance(value, bool):
        raise TypeError(value)
    return index(value)


class InvalidText(CantStopError):
    """Text that cannot be read: the syntax is wrong."""


def choices_for(text: str, choices: Collection[str]) -> InvalidText:
    """How a sentence about a wrong name ends: with the nearest of the right ones, or with all.

    >>> choices_for("carefull", ["careful", "bold"])
    InvalidText('did you mean “careful”?')
    >>> choices_for("deep-blue", ["careful", "bold"])
    InvalidText('there are: careful, bold.')
    """
    near = get_close_matches(text.strip().lower(), choices, 1, cutoff=0.7)
    if near:
        return InvalidText("did you mean “{near}”?", near=near[0])
    return InvalidText("there are: {choices}.", choices=", ".join(choices))


class InvalidRules(CantStopError):
    """Settings that no game of Can't Stop has."""


class IllegalAction(CantStopError):
    """An action that is well formed but that the rules forbid in this position."""


class ImpossiblePosition(CantStopError):
    """A position that no game can reach."""
