"""Arrows, marks, colours and orientation; and CairoSVG, which knows little CSS, draws it all."""

from collections import Counter
from functools import cache
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import cairosvg
import numpy
import pytest
from PIL import Image

from cantstop import Arrow, Position, board_svg
from cantstop.draw import SEAT_MARKS

POSITION = Position.parse("v1,players=2 2:3,7:4/6:2,7:4 1 7:8,8:3,9:1 1236")


def converted(svg: str) -> Image.Image:
    """What CairoSVG makes of a picture."""
    return Image.open(BytesIO(cairosvg.svg2png(svg.encode()))).convert("RGB")


@cache
def colours(svg: str) -> Counter[str]:
    """How many pixels have which colour."""
    found = converted(svg).getcolors(1 << 20)
    assert found is not None
    return Counter({"#" + bytes(colour).hex(): count for count, colour in found})  # type: ignore[arg-type]


def test_another_converter_draws_the_board_and_everything_on_it() -> None:
    """A blank page has one colour; CairoSVG drew nothing where the style said height:auto."""
    found = colours(board_svg(POSITION, names=["Anne", "Bob"]))
    most = sum(found.values())
    assert found["#f6f2e8"] < most / 2  # the card
    assert found["#22304c"] > most / 10  # the field
    assert found["#efe6d2"] > most / 10  # spaces
    assert found["#b3202c"] > 1000  # the rim
    assert found["#ffd21f"] > 3 * 1000  # the spaces of three runners
    for colour in (SEAT_MARKS[0].colour, SEAT_MARKS[1].colour, "#14171f"):
        assert found[colour] > 100


def test_every_piece_is_where_its_attributes_say() -> None:
    svg = board_svg(POSITION)
    image = numpy.asarray(converted(svg))
    pieces = 0
    for piece in ElementTree.fromstring(svg).iter():
        if "data-space" in piece.attrib and piece.tag.endswith("}g"):
            place = piece[-1].attrib["transform"].split(")")[0].removeprefix("translate(")
            x, y = map(float, place.split())
            runner = "runner" in piece.attrib["class"]
            crest = "crest" in piece.attrib["class"]
            due = "#14171f" if runner else SEAT_MARKS[int(piece.attrib["data-seat"])].colour
            assert "#" + bytes(image[round(y), round(x)]).hex() == ("#ffffff" if crest else due)
            pieces += 1
    assert pieces == 3 + 4  # runners, and tokens of both seats


@pytest.mark.parametrize(
    ("options", "new"),
    [
        ({"arrows": [Arrow((3, 0), (3, 5), "#f0f")]}, "#f22ce5"),  # four fifths of it
        ({"marks": [3, (12, 2)]}, "#8ecdf7"),
        ({"marks": {(3, 2): "#abc"}}, "#aabbcc"),
        ({"marks": {(7, 8): "#abc"}}, "#aabbcc"),  # under a runner
        ({"last_move": "8+9"}, "#c2255c"),
        ({"colours": {"field": "olive"}}, "#808000"),
        ({"colours": {"last move": "lime"}, "last_move": "8+9"}, "#00ff00"),
        ({"colours": {"seat 2": "#123456"}}, "#123456"),
        ({"colours": {"runner": "#123456"}}, "#123456"),
        ({"colours": {"runner space": "#123456"}}, "#123456"),
        ({"colours": {"card": "#123456"}}, "#123456"),
    ],
)
def test_options_are_drawn(options: dict[str, Any], new: str) -> None:
    assert not colours(board_svg(POSITION))[new]
    picture = board_svg(POSITION, **options)
    if "arrows" in options:
        assert 'data-tail="3:0"' in picture
        assert 'data-head="3:5"' in picture
        assert colours(picture) != colours(board_svg(POSITION))
    else:
        assert colours(picture)[new] > 100


def test_a_move_as_an_arrow_leads_from_the_runner_or_the_token_to_where_it_would_stand() -> None:
    position = Position.parse("v1,players=2 7:4/6:2 1 8:3 1236")
    drawn = board_svg(position, arrows=["7+7", (8, 4)])
    ends = [
        (found.get("data-tail"), found.get("data-head"))
        for found in ElementTree.fromstring(drawn).iter()
        if found.get("class") == "arrow"
    ]
    assert ends == [("7:4", "7:6"), ("4:0", "4:1"), ("8:3", "8:4")]


def test_two_boards_on_one_page_keep_their_own_colours() -> None:
    """Style sheets of all pictures on a page hold for all of them, so colours are not in them."""
    one, other = board_svg(POSITION, colours={"rim": "navy"}), board_svg(POSITION)
    sheet = "{http://www.w3.org/2000/svg}style"
    assert ElementTree.fromstring(one).findtext(sheet) == ElementTree.fromstring(other).findtext(
        sheet
    )


def places(svg: str) -> dict[tuple[int, int], tuple[float, float]]:
    """The corner of every space, by column and number."""
    return {
        (int(column.attrib["data-column"]), int(cell.attrib["data-space"])): (
            float(cell.attrib["x"]),
            float(cell.attrib["y"]),
        )
        for column in ElementTree.fromstring(svg).iter()
        if column.get("class") == "column"
        for cell in column
        if "space" in cell.get("class", "").split()
    }


def test_seen_from_the_other_side_the_board_is_turned_by_half() -> None:
    up, down = places(board_svg(POSITION)), places(board_svg(POSITION, orientation="down"))
    (x1, y1), (x2, y2) = up[7, 1], down[7, 1]
    for space, (x, y) in up.items():
        assert down[space] == pytest.approx((x1 + x2 - x, y1 + y2 - y))
    assert down[7, 1][1] < down[7, 13][1]
    assert down[12, 1][0] < down[2, 1][0]


@pytest.mark.parametrize("size", [200, 480, 1600.5])
def test_a_converter_makes_the_picture_as_wide_as_asked_for(size: float) -> None:
    assert converted(board_svg(POSITION, size=size)).width == round(size)
