"""The board as a PNG, for places that take no SVG: previews of links, chats, slides."""

import re
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, sqrt

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS
from cantstop.draw.options import (
    AnyArrow,
    AnyMark,
    Drawing,
    Orientation,
    arrow_outline,
    read_drawing,
    read_size,
    space_kind,
)
from cantstop.draw.seats import check_is_drawable
from cantstop.draw.svg.layout import Octagon, Point
from cantstop.rules import NOBODY, AnyMove, Board, Position

WIDTH, HEIGHT = 1200, 630
"""What most places that show a preview ask for; everything below is in these units."""

LARGEST_WIDTH = 10_000
"""The most pixels that a picture can be wide: it takes 158 MB of memory then."""

_RIM, _LINE = 13.0, 4.0
_MARGIN = 30.0
"""From the edge of the picture to the columns and their numbers."""
_NUMBER_HEIGHT = 26.0
_WIDEST, _HIGHEST = 92.0, 44.0
_NUMBER = "#fffaf0"

_DIGITS = (
    *("###|#.#|#.#|#.#|###", "##.|.#.|.#.|.#.|###", "###|..#|###|#..|###", "###|..#|###|..#|###"),
    *("#.#|#.#|###|..#|..#", "###|#..|###|..#|###", "###|#..|###|#.#|###", "###|..#|..#|.#.|.#."),
    *("###|#.#|###|#.#|###", "###|#.#|###|..#|###"),
)
"""Figures of three by five dots."""

_HALF_WIDTHS: tuple[Callable[[float], float], ...] = (
    lambda y: sqrt(1 - y * y),
    lambda _: 0.88,
    lambda y: (y + 1) / 2 * 1.1,
    lambda y: 1.1 - abs(y),
)
"""How far each seat's shape reaches to the side, at a height from -1 to 1."""

_RUNNER = -1
_STAR = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", RUNNER_MARK.outline)]


class _Canvas:
    """Pixels of three bytes, row by row; what is drawn has the units of the preview."""

    def __init__(self, width: float, colour: str) -> None:
        self._scale = width / WIDTH
        self.width, self.height = max(1, round(width)), max(1, round(HEIGHT * self._scale))
        self.rows = [bytearray(bytes.fromhex(colour[1:]) * self.width) for _ in range(self.height)]

    def _first(self, place: float, most: int) -> int:
        """The first pixel whose middle is not before a place."""
        return max(0, min(most, ceil(place * self._scale - 0.5)))

    def _run(self, y: int, left: float, right: float, colour: bytes) -> None:
        """The pixels of a row whose middles lie between two points."""
        first, last = max(0, ceil(left - 0.5)), min(self.width, ceil(right - 0.5))
        if first < last:
            self.rows[y][3 * first : 3 * last] = colour * (last - first)

    def _each_row(self, top: float, bottom: float) -> range:
        return range(max(0, ceil(top - 0.5)), min(self.height, ceil(bottom - 0.5)))

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A rectangle with its upper left corner at a point."""
        left, right = (self._first(end, self.width) for end in (x, x + width))
        top, bottom = (self._first(end, self.height) for end in (y, y + height))
        line = bytes.fromhex(colour[1:]) * (right - left)
        for row in self.rows[top:bottom]:
            row[3 * left : 3 * right] = line

    def piece(self, x: float, y: float, size: float, shape: int, colour: str) -> None:
        """A seat's shape, or a runner's, around a point."""
        if shape == _RUNNER:
            self.polygon([(x + size * right, y + size * down) for right, down in _STAR], colour)
            return
        scale, paint = self._scale, bytes.fromhex(colour[1:])
        for row in self._each_row((y - size) * scale, (y + size) * scale):
            down = max(-1.0, min(1.0, ((row + 0.5) / scale - y) / size))
            half = size * _HALF_WIDTHS[shape](down)
            self._run(row, (x - half) * scale, (x + half) * scale, paint)

    def polygon(self, points: Sequence[Point], colour: str) -> None:
        """A filled shape with straight sides."""
        paint = bytes.fromhex(colour[1:])
        corners = [(x * self._scale, y * self._scale) for x, y in points]
        sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
        heights = [y for _, y in corners]
        for row in self._each_row(min(heights), max(heights)):
            middle = row + 0.5
            crossed = sorted(
                x1 + (middle - y1) / (y2 - y1) * (x2 - x1)
                for (x1, y1), (x2, y2) in sides
                if (y1 <= middle) != (y2 <= middle)
            )
            for left, right in zip(crossed[::2], crossed[1::2], strict=True):
                self._run(row, left, right, paint)

    def number(self, x: float, y: float, number: int, dot: float) -> None:
        """A number around a point."""
        digits = str(number)
        left = x - (4 * len(digits) - 1) * dot / 2
        for place, digit in enumerate(digits):
            for down, line in enumerate(_DIGITS[int(digit)].split("|")):
                for right, sign in enumerate(line):
                    if sign == "#":
                        at = left + (4 * place + right) * dot, y + (down - 2.5) * dot
                        self.box(*at, dot, dot, _NUMBER)

    def png(self) -> bytes:
        pixels = zlib.compress(b"".join(b"\0" + row for row in self.rows), 6)
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


class _Grid:
    """Where the spaces are."""

    def __init__(self, board: Board, flipped: bool) -> None:
        self._board, self._turn = board, -1 if flipped else 1
        across = WIDTH - 2 * (_MARGIN + _RIM)
        down = HEIGHT - 2 * (_MARGIN + _NUMBER_HEIGHT)
        self.wide = min(_WIDEST, across / len(board.lengths))
        self.high = min(_HIGHEST, down / max(board.lengths))

    def space(self, column: int, space: float) -> Point:
        """The middle of a space."""
        columns = self._board.columns
        right = column - (columns[0] + columns[-1]) / 2
        up = space - (self._board.top(column) + 1) / 2
        turn = self._turn
        return WIDTH / 2 + turn * right * self.wide, HEIGHT / 2 - turn * up * self.high

    @property
    def octagon(self) -> Octagon:
        """The edge of the board, with corners cut off as far as the columns leave room."""
        lengths = self._board.lengths
        reach = max(
            (abs(place - (len(lengths) - 1) / 2) + 0.5) * self.wide
            + length * self.high / 2
            + _NUMBER_HEIGHT
            for place, length in enumerate(lengths)
        )
        spare = (WIDTH + HEIGHT) / 2 - 2 * _RIM - reach
        return Octagon(WIDTH / 2, HEIGHT / 2, WIDTH - 8, HEIGHT - 8, max(0.0, min(180.0, spare)))


def board_png(
    position: Position,
    *,
    size: float = WIDTH,
    last_move: AnyMove | None = None,
    arrows: Iterable[AnyArrow] = (),
    marks: Iterable[AnyMark] | Mapping[AnyMark, str] = (),
    colours: Mapping[str, str] | None = None,
    orientation: Orientation = "up",
    seat_marks: Sequence[int] | None = None,
) -> bytes:
    """The board with tokens and runners as a PNG file; neither names nor dice are in it.

    ``size`` is how many pixels wide it is, at most 10,000; the height is 630 for a width of 1200.
    ``seat_marks`` are the shape and colour of each seat, 0 to 3, where they are not in order. The
    other options are those of ``board_svg``, with the same errors.

    >>> board_png(Position.parse("v1,players=2 7:4/- 1 - -"), size=300)[1:4]
    b'PNG'
    """
    check_is_drawable(position)
    drawing = read_drawing(position, last_move, arrows, marks, colours, orientation)
    return _drawn(position, drawing, read_size(size, LARGEST_WIDTH), seat_marks).png()


def board_pixels(position: Position, *, size: float = WIDTH) -> list[bytearray]:
    """The picture of ``board_png`` as its pixels: a row for each line, with three bytes a pixel.

    >>> rows = board_pixels(Position.parse("v1,players=2 7:4/- 1 - -"), size=300)
    >>> len(rows), len(rows[0])
    (158, 900)
    """
    check_is_drawable(position)
    size = read_size(size, LARGEST_WIDTH)
    return _drawn(position, read_drawing(position), size, None).rows


def _drawn(
    position: Position, drawing: Drawing, size: float, seat_marks: Sequence[int] | None
) -> _Canvas:
    canvas = _Canvas(size, drawing.colour("card"))
    board, tokens = position.rules.board, position.tokens
    grid = _Grid(board, drawing.flipped)
    for part, inset in (("rim", 0.0), ("line", _RIM - _LINE), ("field", _RIM)):
        canvas.polygon(grid.octagon.inset(inset).points, drawing.colour(part))
    shown = list(range(len(tokens.spaces)) if seat_marks is None else seat_marks)
    paints = [
        drawing.colours.get(f"seat {seat + 1}") or SEAT_MARKS[mark].colour
        for seat, mark in enumerate(shown)
    ]
    for column in board.columns:
        top, owner = board.top(column), tokens.owners[column]
        for end, beyond in ((0.5, -1), (top + 0.5, 1)):
            x, y = grid.space(column, end)
            out = beyond * (-1 if drawing.flipped else 1) * _NUMBER_HEIGHT / 2
            canvas.number(x, y - out, column, min(3.2, grid.wide / 9))
        for space in range(1, top + 1):
            part = space_kind(position, column, space)
            fill = drawing.marks.get((column, space)) or (
                drawing.colour(part) if owner == NOBODY else paints[owner]
            )
            frame = drawing.last.get(column) == space
            _space(
                canvas, grid, (column, space), fill, drawing.colour("last move") if frame else None
            )
            standing = tokens.seats_on(column, space) if owner == NOBODY else ()
            pieces = [(shown[seat], paints[seat]) for seat in standing]
            if position.runners[column] == space:
                pieces.append((_RUNNER, drawing.colour("runner")))
            for number, (shape, paint) in enumerate(pieces):
                x, y = grid.space(column, space)
                piece = grid.high / (3 if len(pieces) < 3 else 4)
                middle = x + 0.9 * grid.wide * ((2 * number + 1) / (2 * len(pieces)) - 0.5)
                canvas.piece(middle, y, piece, shape, paint)
    for arrow in drawing.arrows:
        ends = grid.space(*arrow.tail), grid.space(*arrow.head)
        canvas.polygon(arrow_outline(*ends, 5.0), arrow.colour)
    return canvas


def _space(
    canvas: _Canvas, grid: _Grid, space: tuple[int, int], fill: str, frame: str | None
) -> None:
    x, y = grid.space(*space)
    wide, high = grid.wide * 0.92, grid.high * 0.9
    if frame is not None:
        canvas.box(x - wide / 2, y - high / 2, wide, high, frame)
        wide, high = wide - 8, high - 8
    canvas.box(x - wide / 2, y - high / 2, wide, high, fill)
