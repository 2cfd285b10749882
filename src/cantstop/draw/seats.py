"""What every picture tells about the seats: who, in which colour, with what, and whose turn.

Names come from strangers and may hold anything, in any script: they are made fit to draw.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest

from cantstop.draw.marks import SEAT_MARKS, Mark
from cantstop.rules import CantStopError, Phase, Position, WrongType

_BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_CONTROLS = {"Cc", "Cs"}
_NOT_IN_XML = "\ufffe\uffff"
_WITHOUT_WIDTH = {"Mn", "Me", "Cf"}


def clean(name: str) -> str:
    r"""The name on one line, without what would steer a terminal or has no place in XML.

    >>> clean(" Ann\x1b[31m\n  Lee ")
    'Ann[31m Lee'
    """
    spaced = " ".join(name.split())  # line breaks are controls, but they part words
    return " ".join("".join(filter(_drawable, spaced)).split())


def _drawable(char: str) -> bool:
    return (
        unicodedata.category(char) not in _CONTROLS
        and unicodedata.bidirectional(char) not in _BIDI_CONTROLS
        and char not in _NOT_IN_XML
    )


def width(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> width("Zoë"), width("さくら")
    (3, 6)
    """
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.category(char) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, most: int, mark: str = "…") -> str:
    """The text, cut where it takes more than ``most`` columns; ``mark`` says that it was.

    >>> cut("Bartholomew", 6), cut("さくら", 5)
    ('Barth…', 'さく…')
    """
    if width(text) <= most:
        return text
    reached = accumulate(map(_char_width, text))
    kept = sum(columns <= most - width(mark) for columns in reached)
    return text[:kept] + mark


def as_ascii(name: str) -> str:
    """The name in ASCII: accents go, other letters become question marks.

    >>> as_ascii("Zoë"), as_ascii("さくら")
    ('Zoe', '???')
    """
    letters = unicodedata.normalize("NFKD", name)
    plain = "".join(char for char in letters if _char_width(char))
    return plain.encode("ascii", "replace").decode("ascii")


@dataclass(frozen=True)
class SeatShown:
    """One seat, ready to be drawn."""

    seat: int
    mark: Mark
    name: str
    won: tuple[int, ...]
    on_turn: bool
    winner: bool
    thrown: int | None
    """The sum thrown for the start: 0 is still to come, None outside the roll-off."""


def check_is_drawable(value: object) -> None:
    """Raise ``WrongType`` unless the value is a position."""
    if not isinstance(value, Position):
        raise WrongType(
            "{value} is not a position to draw; a game has its own as “game.position”.",
            value=repr(value),
        )


def seats_shown(position: Position, names: Sequence[str] | None) -> tuple[SeatShown, ...]:
    """The seats in their order; one that has no name is called by its number, from 1."""
    check_is_drawable(position)
    outcome, roll_off = position.outcome, position.roll_off
    throws = zip_longest(roll_off.contenders, roll_off.sums, fillvalue=0) if roll_off else ()
    thrown = dict(throws)
    return tuple(
        SeatShown(
            seat,
            SEAT_MARKS[seat],
            name,
            position.tokens.won_by(seat),
            on_turn=position.phase is not Phase.OVER and seat == position.seat,
            winner=outcome is not None and seat in outcome.winners,
            thrown=thrown.get(seat),
        )
        for seat, name in enumerate(_clean_names(names, position.rules.players))
    )


def _clean_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    if names is None:
        names = ("",) * players
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise WrongType(
            "{names} are not the names of the seats, such as [“Anne”, “Bob”].", names=repr(names)
        )
    given = tuple(names)
    if len(given) != players:
        raise CantStopError(
            "The number of names is {count}, but that of seats {players}.",
            count=len(given),
            players=players,
        )
    cleaned = map(clean, given)
    return tuple(name if width(name) else str(seat) for seat, name in enumerate(cleaned, 1))
