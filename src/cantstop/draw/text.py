"""The board as text, for a terminal of 80 columns."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cantstop.draw.marks import ASCII, UNICODE, Glyphs
from cantstop.draw.seats import SeatShown, as_ascii, cut, seats_shown, width
from cantstop.rules import NOBODY, Phase, Position

CELL = 5
"""Characters inside a space: every token and a runner fit in."""

BAND = 13
"""The most columns side by side; a wider board continues below."""


def board_text(
    position: Position,
    *,
    names: Sequence[str] | None = None,
    ascii: bool = False,  # noqa: A002
) -> str:
    """The board, and under it the seats and the dice, in signs and numbers but no words.

    A column filled with one mark is won; arrows lead up to a runner over what a bust would lose.

    >>> position = Position.parse("lengths=1.3.5.3.1,win=2 4:1/2:1,4:1 1 3:1,4:4 1223")
    >>> print(board_text(position, names=["Ann", "Bob"]))
                ╭─ 4 ─╮
          ╭─ 3 ─┤  ·  ├─ 5 ─╮
    ╭─ 2 ─┤  ·  │  ★  │  ·  ├─ 6 ─╮
    │■■■■■│  ·  │  ↑  │  ·  │  ·  │
    ╰─ 2 ─┤  ★  │  ↑  │  ·  ├─ 6 ─╯
          ╰─ 3 ─┤ ● ■ ├─ 5 ─╯
                ╰─ 4 ─╯
    <BLANKLINE>
    ► ● Ann  0/2
      ■ Bob  1/2  2
      ★ ×1  [1] [2] [2] [3]
    """
    glyphs, seats = ASCII if ascii else UNICODE, seats_shown(position, names)
    columns = position.rules.board.columns
    bands = -(-len(columns) // BAND)
    size = -(-len(columns) // bands)
    lines: list[str] = []
    for start in range(0, len(columns), size):
        lines += _band(position, columns[start : start + size], glyphs)
    lines += ["", *legend(position, seats, glyphs)]
    return "\n".join(line.rstrip() for line in lines)


class _Place(NamedTuple):
    """Where a line of text cuts through a column.

    ``level`` is a space, 0 for the edge under the first one, or ``top + 1`` for the edge above
    the last.
    """

    column: int
    level: int
    top: int

    @property
    def is_edge(self) -> bool:
        return not 1 <= self.level <= self.top


def _band(position: Position, columns: range, glyphs: Glyphs) -> Iterator[str]:
    """Columns side by side, each centred on the tallest: on the official board, an octagon."""
    tops = [position.rules.board.top(column) for column in columns]
    for line in range(max(tops) + 2):
        places: list[_Place | None] = [None]
        for column, top in zip(columns, tops, strict=True):
            level = top + 1 - line + (max(tops) - top) // 2
            places.append(_Place(column, level, top) if 0 <= level <= top + 1 else None)
        places.append(None)
        yield "".join(
            _cell(position, left, glyphs) + _joint(left, right, glyphs)
            for left, right in pairwise(places)
        )[CELL:]


def _joint(left: _Place | None, right: _Place | None, glyphs: Glyphs) -> str:
    """The line between two neighbours, joined to the edges that end there."""
    sides = [place for place in (left, right) if place]
    up = any(place.level <= place.top for place in sides)
    down = any(place.level >= 1 for place in sides)
    to_left = left is not None and left.is_edge
    to_right = right is not None and right.is_edge
    return glyphs.joints[up + 2 * down + 4 * to_left + 8 * to_right]


def _cell(position: Position, place: _Place | None, glyphs: Glyphs) -> str:
    if place is None:
        return " " * CELL
    if place.is_edge:
        return f" {place.column} ".center(CELL, glyphs.edge)
    owner = position.tokens.owners[place.column]
    if owner != NOBODY:
        return glyphs.seats[owner] * CELL
    return _pieces(position, place, glyphs).center(CELL)


def _pieces(position: Position, place: _Place, glyphs: Glyphs) -> str:
    column, space = place.column, place.level
    pieces = [glyphs.seats[seat] for seat in position.tokens.seats_on(column, space)]
    if position.runners[column] == space:
        pieces.append(glyphs.runner)
    if pieces:
        return (" " if len(pieces) == 2 else "").join(pieces)
    at_stake = position.tokens.spaces[position.seat][column] < space < position.runners[column]
    return glyphs.stake if at_stake else glyphs.empty


LINE = 80
LONGEST_NAME = 32


def legend(position: Position, seats: Sequence[SeatShown], glyphs: Glyphs) -> list[str]:
    """A line a seat (more only where its columns do not fit), then the table."""
    names = [as_ascii(seat.name) if glyphs is ASCII else seat.name for seat in seats]
    names = [cut(name, LONGEST_NAME, glyphs.cut) for name in names]
    room = max(map(width, names))
    lines: list[str] = []
    for seat, name in zip(seats, names, strict=True):
        sign = glyphs.winner if seat.winner else glyphs.turn if seat.on_turn else " "
        count = f"{len(seat.won)}/{position.rules.columns_to_win}"
        padding = " " * (room - width(name))
        head = f"{sign} {glyphs.seats[seat.seat]} {name}{padding}  {count}  "
        details = [str(column) for column in seat.won]
        if seat.thrown is not None:
            details.append(f"= {seat.thrown or glyphs.empty}")
        lines += _wrapped(head, details)
    return [*lines, *_table(position, glyphs)]


def _wrapped(head: str, words: Sequence[str]) -> Iterator[str]:
    indent = " " * width(head)
    line = head
    for word in words:
        if width(line) + len(word) > LINE:
            yield line
            line = indent
        line += word + " "
    yield line


def _table(position: Position, glyphs: Glyphs) -> Iterator[str]:
    """The runners in hand and the dice."""
    if position.phase in (Phase.START, Phase.OVER):
        return
    dice = "".join(f" [{die}]" for die in position.dice or ())
    yield f"  {glyphs.runner} {glyphs.times}{position.free_runners} {dice}"
