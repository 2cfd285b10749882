"""What callers ask of a picture besides the position: arrows, marks, colours, orientation."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot
from numbers import Real
from operator import index
from typing import Literal, SupportsIndex, cast, get_args

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS
from cantstop.rules import AnyMove, InvalidText, Move, Phase, Position, WrongType

LARGEST_PICTURE = 100_000
"""The most pixels that a picture can be wide."""

Space = tuple[int, int]
"""A column and a space in it, counted from 1 at the bottom; 0 is below the first one."""

Orientation = Literal["up", "down"]
"""Which way columns lead: ``down`` is the board as seen from the other side of the table."""

PARTS: Mapping[str, str] = {
    "card": "#f6f2e8",
    "rim": "#b3202c",
    "line": "#fffaf0",
    "field": "#22304c",
    "track": "#182238",
    "space": "#efe6d2",
    "top": "#fffaf0",
    "stake": "#fbe58e",
    "runner space": "#ffd21f",
    "runner": RUNNER_MARK.colour,
    "last move": "#c2255c",
    **{f"seat {seat}": mark.colour for seat, mark in enumerate(SEAT_MARKS, 1)},
}
"""What can be coloured, with the colours of light pages."""

ARROW_COLOUR, MARK_COLOUR = "#15803d", "#8ecdf7"

_NAMED = {
    "black": "#000000",
    "silver": "#c0c0c0",
    "gray": "#808080",
    "white": "#ffffff",
    "maroon": "#800000",
    "red": "#ff0000",
    "purple": "#800080",
    "fuchsia": "#ff00ff",
    "green": "#008000",
    "lime": "#00ff00",
    "olive": "#808000",
    "yellow": "#ffff00",
    "navy": "#000080",
    "blue": "#0000ff",
    "teal": "#008080",
    "aqua": "#00ffff",
    "orange": "#ffa500",
}


@dataclass(frozen=True)
class Arrow:
    """An arrow from one space to another; a space is a column and its number from the bottom.

    >>> Arrow((7, 2), (7, 5))
    Arrow(tail=(7, 2), head=(7, 5), colour='#15803d')
    """

    tail: Space
    head: Space
    colour: str = ARROW_COLOUR


def arrow_outline(
    tail: tuple[float, float], head: tuple[float, float], thick: float
) -> list[tuple[float, float]]:
    """The corners of an arrow whose shaft is twice as wide as ``thick``."""
    (x1, y1), (x2, y2) = tail, head
    length = hypot(x2 - x1, y2 - y1) or 1.0
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    neck = length - min(4.4 * thick, 0.6 * length)
    corners = (
        *((0.0, thick), (neck, thick), (neck, 2.6 * thick), (length, 0.0)),
        *((neck, -2.6 * thick), (neck, -thick), (0.0, -thick)),
    )
    return [
        (x1 + far * along_x - side * along_y, y1 + far * along_y + side * along_x)
        for far, side in corners
    ]


def space_kind(position: Position, column: int, space: int) -> str:
    """The part that a space of an open column is: what is on it, or would be lost by a bust."""
    runner, token = position.runners[column], position.tokens.spaces[position.seat][column]
    if space == runner:
        return "runner space"
    if token < space < runner:
        return "stake"
    return "top" if space == position.rules.board.top(column) else "space"


AnyArrow = Arrow | AnyMove | tuple[Space, Space]
"""An arrow, a pair of spaces, or a move: the steps that its runners take from the position."""

AnyMark = int | Space
"""A column, or one space of it."""


@dataclass(frozen=True)
class Drawing:
    """What is drawn over a board, checked and in plain values."""

    last: Mapping[int, int]
    """The space that the last move led to, by column."""
    arrows: tuple[Arrow, ...]
    marks: Mapping[Space, str]
    """The colour of each marked space."""
    colours: Mapping[str, str]
    """The colours that were asked for, by part."""
    flipped: bool

    def colour(self, part: str) -> str:
        """The colour of a part: the one that was asked for, or that of light pages."""
        return self.colours.get(part) or PARTS[part]


def read_drawing(
    position: Position,
    last_move: AnyMove | None = None,
    arrows: Iterable[AnyArrow] = (),
    marks: Iterable[AnyMark] | Mapping[AnyMark, str] = (),
    colours: Mapping[str, str] | None = None,
    orientation: Orientation = "up",
) -> Drawing:
    """Check what a caller asks for; what cannot be drawn is refused in a sentence."""
    if orientation not in get_args(Orientation):
        raise InvalidText(
            "{value} is not an orientation: a board is drawn “up” or “down”.",
            value=repr(orientation),
        )
    return Drawing(
        {} if last_move is None else _last_spaces(position, Move.read(last_move)),
        tuple(one for arrow in arrows for one in _arrows(position, arrow)),
        _marks(position, marks),
        {_part(part): read_colour(colour) for part, colour in (colours or {}).items()},
        orientation == "down",
    )


def read_size(size: float, most: int = LARGEST_PICTURE) -> float:
    """The width of a picture in pixels."""
    if isinstance(size, bool) or not isinstance(size, Real) or not 0 < size <= most:
        raise WrongType(
            "{size} is not the width of a picture: it takes a number of pixels from 1 to {most}.",
            size=repr(size),
            most=most,
        )
    return float(size)


def read_colour(colour: str) -> str:
    """A colour as six hexadecimal digits.

    >>> read_colour("#F80"), read_colour("navy")
    ('#ff8800', '#000080')
    """
    text = colour.lower() if isinstance(colour, str) else ""
    if re.fullmatch("#[0-9a-f]{3}", text):
        return "#" + "".join(digit * 2 for digit in text[1:])
    if not re.fullmatch("#[0-9a-f]{6}", text) and text not in _NAMED:
        raise InvalidText(
            "{colour} is not a colour: give “#rrggbb”, “#rgb” or one of {names}.",
            colour=repr(colour),
            names=", ".join(_NAMED),
        )
    return _NAMED.get(text, text)


def ink_on(colour: str) -> str:
    """Black or white, whichever can be read upon a colour (by its luma)."""
    red, green, blue = bytes.fromhex(colour[1:])
    return "#14171f" if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else "#ffffff"


def _part(part: str) -> str:
    if part not in PARTS:
        raise InvalidText(
            "There is no part {part} to colour: there are {parts}.",
            part=repr(part),
            parts=", ".join(PARTS),
        )
    return part


def _last_spaces(position: Position, move: Move) -> dict[int, int]:
    """The space in each column of a move that it led to, as far as it can be seen."""
    spaces = position.runners
    if not any(spaces):  # its turn was stopped: they are tokens of whoever had that turn
        over = position.phase is Phase.OVER
        spaces = position.tokens.spaces[position.seat if over else position.seat - 1]
    for column in move:
        _check_column(position, column)
    return {column: spaces[column] for column in move if spaces[column]}


def _arrows(position: Position, arrow: AnyArrow) -> Iterable[Arrow]:
    if isinstance(arrow, Arrow):
        found = [arrow]
    elif isinstance(arrow, tuple) and len(arrow) == 2 and isinstance(arrow[0], tuple):
        found = [Arrow(*arrow)]
    else:
        found = _steps(position, Move.read(cast("AnyMove", arrow)))
    return [
        Arrow(
            _space(position, one.tail, lowest=0),
            _space(position, one.head, lowest=0),
            read_colour(one.colour),
        )
        for one in found
    ]


def _steps(position: Position, move: Move) -> list[Arrow]:
    """From where the runners of a move, or their tokens, stand to where it would lead them."""
    for column in move:
        _check_column(position, column)
    found = []
    tokens = position.tokens.spaces[position.seat]
    for column in sorted(set(move)):
        tail = position.runners[column] or tokens[column]
        top = position.rules.board.top(column)
        found.append(Arrow((column, tail), (column, min(top, tail + list(move).count(column)))))
    return found


def _marks(
    position: Position, marks: Iterable[AnyMark] | Mapping[AnyMark, str]
) -> dict[Space, str]:
    given = marks if isinstance(marks, Mapping) else dict.fromkeys(marks, MARK_COLOUR)
    found: dict[Space, str] = {}
    for mark, colour in given.items():
        drawn = read_colour(colour)
        if isinstance(mark, SupportsIndex):
            column = index(mark)
            _check_column(position, column)
            top = position.rules.board.top(column)
            found |= {(column, space): drawn for space in range(1, top + 1)}
        else:
            found[_space(position, mark, lowest=1)] = drawn
    return found


def _check_column(position: Position, column: int) -> None:
    columns = position.rules.board.columns
    if column not in columns:
        raise InvalidText(
            "There is no column {column}: they are {first} to {last}.",
            column=column,
            first=columns[0],
            last=columns[-1],
        )


def _space(position: Position, space: Space, lowest: int) -> Space:
    try:
        column, number = map(index, space)
    except (TypeError, ValueError):
        raise WrongType(
            "{value} is not a space: give its column and its number, such as (7, 3).",
            value=repr(space),
        ) from None
    _check_column(position, column)
    top = position.rules.board.top(column)
    if not lowest <= number <= top:
        raise InvalidText(
            "Column {column} has no space {space}: they are {first} to {last}.",
            column=column,
            space=number,
            first=lowest,
            last=top,
        )
    return column, number
