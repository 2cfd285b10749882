"""The board as a small PNG, for places that take no SVG: previews of links, chats."""

import struct
import zlib
from collections.abc import Callable, Sequence
from math import sqrt

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS
from cantstop.rules import NOBODY, Position

WIDTH, HEIGHT = 1200, 630
"""What most places that show a preview ask for."""

_PAPER, _SPACE, _TOP, _RUNNER, _SEATS = 0, 1, 2, 3, 4
_PALETTE = (
    *("#f6f2e8", "#e3d8bd", "#b5202b", RUNNER_MARK.colour),
    *(mark.colour for mark in SEAT_MARKS),
)
_MARGIN = 24
_WIDEST, _HIGHEST = 92, 44

_HALF_WIDTHS: tuple[Callable[[float], float], ...] = (
    lambda y: sqrt(1 - y * y),
    lambda _: 0.88,
    lambda y: (y + 1) / 2 * 1.1,
    lambda y: 1.1 - abs(y),
)
"""How far each seat's shape reaches to the side, at a height from -1 to 1."""


class _Canvas:
    """Pixels as numbers of colours, row by row."""

    def __init__(self) -> None:
        self.rows = [bytearray(WIDTH) for _ in range(HEIGHT)]

    def box(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        line = bytes([colour]) * width
        for row in self.rows[y : y + height]:
            row[x : x + width] = line

    def shape(self, x: int, y: int, size: int, shape: int, colour: int) -> None:
        """A seat's shape around a point."""
        for dy in range(-size, size + 1):
            half = int(size * _HALF_WIDTHS[shape](dy / size))
            self.box(x - half, y + dy, 2 * half + 1, 1, colour)

    def png(self) -> bytes:
        pixels = zlib.compress(b"".join(b"\0" + row for row in self.rows), 6)
        palette = b"".join(bytes.fromhex(colour[1:]) for colour in _PALETTE)
        header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", pixels), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def board_png(position: Position, colours: Sequence[int] | None = None) -> bytes:
    """The board with tokens and runners; ``colours`` are those of the seats, by default in order.

    >>> board_png(Position.parse("v1,players=2 7:4/- 1 - -"))[1:4]
    b'PNG'
    """
    board, tokens = position.rules.board, position.tokens
    seats = range(len(tokens.spaces))
    shown = list(seats if colours is None else colours)
    wide = min(_WIDEST, (WIDTH - 2 * _MARGIN) // len(board.lengths))
    high = min(_HIGHEST, (HEIGHT - 2 * _MARGIN) // max(board.lengths))
    left = (WIDTH - wide * len(board.lengths)) // 2
    canvas = _Canvas()
    for place, column in enumerate(board.columns):
        top, owner = board.top(column), tokens.owners[column]
        bottom = (HEIGHT + high * top) // 2
        for space in range(1, top + 1):
            x, y = left + place * wide, bottom - space * high
            colour = _TOP if space == top else _SPACE
            colour = colour if owner == NOBODY else _SEATS + shown[owner]
            canvas.box(x + 4, y + 2, wide - 8, high - 4, colour)
            standing = [shown[seat] for seat in seats if tokens.spaces[seat][column] == space]
            pieces = [(seat, _SEATS + seat) for seat in standing] if owner == NOBODY else []
            if position.runners[column] == space:
                pieces.append((0, _RUNNER))
            for number, (shape, mark) in enumerate(pieces):
                size = high // 3 if len(pieces) < 3 else high // 4
                middle = x + wide * (2 * number + 1) // (2 * len(pieces))
                canvas.shape(middle, y + high // 2, size, shape, mark)
    return canvas.png()
