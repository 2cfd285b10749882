"""The board as a PNG: a file that can be read, with every piece where it stands."""

import struct
import zlib

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS
from cantstop.draw.png import HEIGHT, WIDTH, board_png
from cantstop.rules import Position


def pixels(png: bytes) -> list[list[str]]:
    """The colours of a picture with a palette and without filters, chunk by chunk (RFC 2083)."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", png[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(kind + data)
        chunks[kind], at = data, at + 12 + length
    assert at == len(png)
    assert chunks[b"IHDR"] == struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    palette = ["#" + chunks[b"PLTE"][i : i + 3].hex() for i in range(0, len(chunks[b"PLTE"]), 3)]
    raw = zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == HEIGHT * (WIDTH + 1)
    rows = [raw[y * (WIDTH + 1) :][: WIDTH + 1] for y in range(HEIGHT)]
    assert {row[0] for row in rows} == {0}
    return [[palette[colour] for colour in row[1:]] for row in rows]


def colours(position: str, seats: list[int] | None = None) -> set[str]:
    return {each for row in pixels(board_png(Position.parse(position), seats)) for each in row}


def test_pieces_have_the_colours_of_their_seats() -> None:
    marks = [mark.colour for mark in SEAT_MARKS]
    empty = colours("v1,players=2 -/- 1 - -")
    assert not empty & {*marks, RUNNER_MARK.colour}
    assert colours("v1,players=2 7:4/6:2 1 - -") - empty == {marks[0], marks[1]}
    assert colours("v1,players=2 7:4/- 1 - -", [3, 0]) - empty == {marks[3]}
    assert colours("v1,players=2 -/- 1 7:1 -") - empty == {RUNNER_MARK.colour}


def test_a_token_that_climbs_stands_higher() -> None:
    def height(space: int) -> int:
        rows = pixels(board_png(Position.parse(f"v1,players=2 7:{space}/- 1 - -")))
        return next(y for y, row in enumerate(rows) if SEAT_MARKS[0].colour in row)

    assert height(1) > height(5) > height(12)


def test_four_tokens_and_a_runner_on_one_space_are_all_there() -> None:
    shown = colours("v1,players=4 7:4/7:4/7:4/7:4 1 - -")
    assert {mark.colour for mark in SEAT_MARKS} <= shown
