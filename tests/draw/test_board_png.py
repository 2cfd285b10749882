"""The board as a PNG: a file that others can read, with every piece where it stands."""

from io import BytesIO

import pytest
from PIL import Image

from cantstop import Arrow, Position, board_png
from cantstop.draw import RUNNER_MARK, SEAT_MARKS


def picture(png: bytes) -> Image.Image:
    found = Image.open(BytesIO(png))
    found.load()
    assert found.format == "PNG"
    return found.convert("RGB")


def drawn(position: str, seat_marks: list[int] | None = None) -> Image.Image:
    return picture(board_png(Position.parse(position), seat_marks=seat_marks))


def colours_of(image: Image.Image) -> set[str]:
    found = image.getcolors(1 << 16)
    assert found is not None
    return {"#" + bytes(colour).hex() for _, colour in found}  # type: ignore[arg-type]


def colours(position: str, seat_marks: list[int] | None = None) -> set[str]:
    return colours_of(drawn(position, seat_marks))


def rows_with(image: Image.Image, colour: str) -> list[int]:
    wanted = tuple(bytes.fromhex(colour[1:]))
    width, height = image.size
    return [
        y for y in range(height) if wanted in {image.getpixel((x, y)) for x in range(0, width, 3)}
    ]


def test_it_has_the_size_that_previews_of_links_ask_for_or_another() -> None:
    position = Position.initial()
    assert picture(board_png(position)).size == (1200, 630)
    assert picture(board_png(position, size=400)).size == (400, 210)
    assert picture(board_png(position, size=1)).size == (1, 1)


def test_pieces_have_the_colours_of_their_seats() -> None:
    marks = [mark.colour for mark in SEAT_MARKS]
    empty = colours("v1,players=2 -/- 1 - -")
    assert not empty & {*marks, RUNNER_MARK.colour, "#ffd21f"}
    assert colours("v1,players=2 7:4/6:2 1 - -") - empty == {marks[0], marks[1]}
    assert colours("v1,players=2 7:4/- 1 - -", [3, 0]) - empty == {marks[3]}
    assert colours("v1,players=2 -/- 1 7:1 -") - empty == {RUNNER_MARK.colour, "#ffd21f"}


def test_a_token_that_climbs_stands_higher() -> None:
    def height(space: int, **options: object) -> int:
        position = Position.parse(f"v1,players=2 7:{space}/- 1 - -")
        image = picture(board_png(position, size=300, **options))  # type: ignore[arg-type]
        return rows_with(image, SEAT_MARKS[0].colour)[0]

    assert height(1) > height(5) > height(12)
    assert height(1, orientation="down") < height(12, orientation="down")


def test_four_tokens_and_a_runner_on_one_space_are_all_there() -> None:
    shown = colours("v1,players=4 7:4/7:4/7:4/7:4 1 - -")
    assert {mark.colour for mark in SEAT_MARKS} <= shown


@pytest.mark.parametrize(
    ("options", "new"),
    [
        ({"arrows": ["6+8"]}, {"#15803d"}),
        ({"arrows": [Arrow((7, 0), (8, 5), "fuchsia")]}, {"#ff00ff"}),
        ({"marks": [7, (8, 3)]}, {"#8ecdf7"}),
        ({"marks": {(2, 3): "#abc"}}, {"#aabbcc"}),
        ({"last_move": "6+8"}, {"#c2255c"}),
        ({"colours": {"field": "navy", "rim": "#123"}}, {"#000080", "#112233"}),
    ],
)
def test_options_are_drawn(options: dict[str, object], new: set[str]) -> None:
    position = Position.parse("v1,players=2 -/- 1 6:2,8:2 -")
    plain = colours_of(picture(board_png(position)))
    assert colours_of(picture(board_png(position, **options))) - plain == new  # type: ignore[arg-type]
