"""The SVG picture: a document that stands alone, that no name can break, and that shows it all."""

import re
from itertools import product
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from cantstop import Game
from cantstop.draw import SEAT_MARKS, board_svg
from cantstop.rules import OFFICIAL, Board, Position, Rules, Start

FOUR_PLAYERS = "v1,players=4 2:3,7:4/6:11,7:4,8:3/5:3,7:4/5:3,7:4,8:3 1 7:8,8:3,9:1 1236"

Point = tuple[float, float]

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str, names: list[str] | None = None) -> Element:
    return ElementTree.fromstring(board_svg(Position.parse(text), names=names))


def of_class(picture: Element, kind: str) -> list[Element]:
    return [found for found in picture.iter() if kind in found.get("class", "").split()]


def texts(found: Element) -> list[str]:
    return [text for part in found.iter(f"{SVG}text") for text in part.itertext()]


def test_the_picture_stands_alone() -> None:
    svg = board_svg(Position.parse(FOUR_PLAYERS))
    picture = ElementTree.fromstring(svg)
    tags = {found.tag.removeprefix(SVG) for found in picture.iter()}
    assert tags == {"svg", "title", "desc", "style", "g", "rect", "path", "circle", "text"}
    names = {name for found in picture.iter() for name in found.attrib}
    assert not {name for name in names if name.startswith("on") or "href" in name}
    assert re.findall(r"https?://[^\s\"]*|url\(|@import", svg) == ["http://www.w3.org/2000/svg"]


def test_the_same_position_is_always_the_same_picture() -> None:
    assert board_svg(Position.parse(FOUR_PLAYERS)) == board_svg(Position.parse(FOUR_PLAYERS))


def test_the_picture_says_in_text_what_it_shows() -> None:
    picture = drawn("v1,players=2 2:3,7:4/6:11 1 7:5,9:1 1236", ["Ann", "Bob"])
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == "Can’t Stop: Ann, Bob"
    assert picture.findtext(f"{SVG}desc") == (
        "► ● Ann: 2 (3/3), 7 (4/13)\n■ Bob: 6 (11/11)\n★: 7 (5/13), 9 (1/9)\n1236"
    )
    assert picture.get("data-position") == "v1,players=2 2:3,7:4/6:11 1 7:5,9:1 1236"


def test_it_is_made_for_light_and_for_dark() -> None:
    assert "prefers-color-scheme:dark" in board_svg(Position.initial(Rules()))


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "</text></svg><img src=x onerror=alert(1)>",
        '" onload="alert(1)',
        "]]><!--",
        "&amp;&#60;",
        "\x00\x08\x1b\ufffe\uffff\ud800 evil",
        "\u202eevil",
    ],
)
def test_a_name_is_only_ever_text(name: str) -> None:
    plain = drawn("v1,players=1 - 1 - -", ["Ann"])
    named = drawn("v1,players=1 - 1 - -", [name])
    assert [found.tag for found in named.iter()] == [found.tag for found in plain.iter()]
    assert [sorted(found.attrib) for found in named.iter()] == [
        sorted(found.attrib) for found in plain.iter()
    ]


def test_a_name_is_shown_as_it_was_given_and_cut_where_it_is_long() -> None:
    picture = drawn(FOUR_PLAYERS, ["<b>Ann</b>", "さくら", "Bartholomew of Nowhere", "Di"])
    plates = of_class(picture, "seat")
    assert [plate.findtext(f"{SVG}title") for plate in plates] == [
        "<b>Ann</b>",
        "さくら",
        "Bartholomew of Nowhere",
        "Di",
    ]
    assert [texts(plate)[0] for plate in plates] == [
        "<b>Ann</b>",
        "さくら",
        "Bartholomew of…",
        "Di",
    ]


def test_columns_have_as_many_spaces_as_the_board_says() -> None:
    spaces = {
        int(column.attrib["data-column"]): len(of_class(column, "space"))
        for column in of_class(drawn(FOUR_PLAYERS), "column")
    }
    assert spaces == {column: OFFICIAL.top(column) for column in OFFICIAL.columns}


def test_what_a_bust_would_lose_is_coloured() -> None:
    column = of_class(drawn("v1,players=2 7:2/7:4 1 7:5 -"), "column")[5]
    spaces = of_class(column, "space")
    assert [space.attrib["class"].split()[1] for space in spaces] == [
        *["plain"] * 2,
        *["stake"] * 2,
        "runs",
        *["plain"] * 7,
        "top",
    ]


def test_pieces_on_one_space_do_not_cover_each_other() -> None:
    spots: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    picture = drawn(FOUR_PLAYERS)
    for piece in of_class(picture, "token") + of_class(picture, "runner"):
        transform = piece[-1].attrib["transform"]
        x, y, size = map(float, re.findall(r"[\d.]+", transform))
        spots.setdefault((piece.attrib["data-column"], piece.attrib["data-space"]), []).append(
            (x, y, size)
        )
    assert sorted(map(len, spots.values())) == [1, 1, 1, 1, 2, 3, 4]
    for pieces in spots.values():
        for index, (x, y, size) in enumerate(pieces):
            for other_x, other_y, _ in pieces[:index]:
                assert abs(x - other_x) + abs(y - other_y) >= 2 * size


def test_seats_differ_in_shape_and_in_colour() -> None:
    for looks in zip(*((m.symbol, m.letter, m.colour, m.outline) for m in SEAT_MARKS), strict=True):
        assert len(set(looks)) == 4


def test_the_seat_on_turn_is_pointed_at_and_the_dice_lie_in_the_tray() -> None:
    picture = drawn(FOUR_PLAYERS)
    assert [plate.get("data-seat") for plate in of_class(picture, "on")] == ["0"]
    assert len(of_class(picture, "pointer")) == 1
    dice = [found for found in picture.iter() if "data-die" in found.attrib]
    assert [die.get("data-die") for die in dice] == ["1", "2", "3", "6"]
    assert [len(of_class(die, "pip")) for die in dice] == [1, 2, 3, 6]


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_has_as_many_pips_as_it_shows(value: int) -> None:
    picture = ElementTree.fromstring(board_svg(Position.initial(Rules()).roll((value,) * 4)))
    assert len(of_class(picture, "pip")) == 4 * value
    pips = {(pip.get("cx"), pip.get("cy")) for pip in of_class(picture, "pip")}
    assert len(pips) == value


def test_dice_with_more_than_six_sides_show_numerals() -> None:
    rules = Rules(board=Board.stepped(sides=20, shortest=1))
    picture = ElementTree.fromstring(board_svg(Position.initial(rules).roll((1, 20, 12, 3))))
    assert [face.text for face in of_class(picture, "face")] == ["1", "3", "12", "20"]
    assert not of_class(picture, "pip")


def test_runners_in_hand_wait_in_the_tray() -> None:
    (hand,) = of_class(drawn("v1,players=2 -/- 1 7:1 -"), "hand")
    assert hand.get("data-free") == "2"
    assert len(of_class(hand, "runner")) == 2
    assert len(of_class(hand, "slot")) == 1


def test_many_runners_in_hand_are_counted() -> None:
    (hand,) = of_class(drawn("v1,players=2,runners=9 -/- 1 7:1 -"), "hand")
    assert len(of_class(hand, "runner")) == 1
    assert texts(hand) == ["× 8"]


def test_won_columns_are_chips_on_the_plate_of_their_owner() -> None:
    first, second = of_class(drawn("v1,players=2 2:3,7:4,12:3/6:11 2 - -"), "seat")
    assert [chip.get("data-column") for chip in of_class(first, "chip")] == ["2", "12"]
    assert texts(first) == ["1", "2", "12"]
    assert [len(of_class(seat, "slot")) for seat in (first, second)] == [1, 2]


def test_a_finished_game_crowns_the_winner_and_clears_the_tray() -> None:
    picture = drawn("v1,players=2 2:3,5:9,7:13,12:3/6:11 1 - -")
    winner, loser = of_class(picture, "seat")
    assert of_class(winner, "crown")
    assert len(of_class(winner, "chip")) == 4
    assert not of_class(loser, "crown")
    assert not of_class(picture, "pointer")
    assert not of_class(picture, "tray")


def test_M4_the_roll_off_shows_what_was_thrown_and_room_for_two_dice() -> None:
    position = Position.initial(Rules(players=3, start=Start.ROLL_OFF)).roll((3, 4))
    picture = ElementTree.fromstring(board_svg(position))
    assert [found.text for found in of_class(picture, "thrown")] == ["= 7", "= ·", "= ·"]
    (tray,) = of_class(picture, "tray")
    assert len(of_class(tray, "slot")) == 2
    assert not of_class(tray, "hand")


@pytest.mark.parametrize(
    "board",
    [OFFICIAL, Board.stepped(2, 1), Board.stepped(20, 1), Board((9,) * 11), Board((99, 1, 99))],
)
def test_every_column_and_its_number_lie_inside_the_octagon(board: Board) -> None:
    picture = ElementTree.fromstring(board_svg(Position.initial(Rules(board=board))))
    (field,) = of_class(picture, "field")
    numbers = list(map(float, re.findall(r"[\d.]+", field.attrib["d"])))
    corners = list(zip(numbers[::2], numbers[1::2], strict=True))
    for track in of_class(picture, "track"):
        x, y, width, height = (float(track.attrib[key]) for key in ("x", "y", "width", "height"))
        for across, down in product((x, x + width), (y - 24, y + height + 24)):
            assert _inside((across, down), corners)


def _inside(point: Point, corners: list[Point]) -> bool:
    """Whether a point lies to the same side of every edge of a convex shape, taken clockwise."""
    x, y = point
    return all(
        (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) >= 0
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True)
    )


def test_a_notebook_shows_the_board_of_a_game() -> None:
    game = Game.parse(FOUR_PLAYERS)
    assert game._repr_svg_() == board_svg(game.position)
