"""The octagon with its columns, and every piece that stands on it."""

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS
from cantstop.draw.svg.elements import at, drawn, element, path, piece
from cantstop.draw.svg.layout import (
    NUMBER_ROOM,
    PITCH_X,
    PITCH_Y,
    SPACE_HEIGHT,
    SPACE_WIDTH,
    Layout,
    Point,
)
from cantstop.rules import NOBODY, Position

# Pieces that share a space lie like the pips of a die: nobody covers anybody.
_SPOTS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-13, 0), (13, 0)),
    3: ((-13, -9.5), (13, -9.5), (0, 9)),
    4: ((-13, -9.5), (13, -9.5), (-13, 9), (13, 9)),
    5: ((-18, -9.5), (18, -9.5), (-18, 9), (18, 9), (0, 0)),
}
_SIZES = {1: 14.5, 2: 11.5, 3: 8.8, 4: 8.6, 5: 8.2}


Last = Mapping[int, int]
"""The space that the last move led to, by column."""


def board(position: Position, layout: Layout, last: Last) -> Element:
    """The octagon and what is on it."""
    octagon = layout.octagon
    rings = (("rim", 0.0), ("line", 11.0), ("field", 14.0))
    return element(
        "g",
        element("path", class_="shadow", d=path(*octagon.points), transform=at(0, 5)),
        *(element("path", class_=name, d=path(*octagon.inset(by).points)) for name, by in rings),
        *(_column(position, layout, column, last) for column in position.rules.board.columns),
        class_="board",
    )


def _column(position: Position, layout: Layout, column: int, last: Last) -> Element:
    top, owner = position.rules.board.top(column), position.tokens.owners[column]
    x, highest = layout.space(column, top)
    _, lowest = layout.space(column, 1)
    drawing = element("g", class_="column", data_column=column)
    drawing.append(
        element(
            "rect",
            class_="track",
            x=x - PITCH_X / 2 + 1,
            y=highest - PITCH_Y / 2 + 1,
            width=PITCH_X - 2,
            height=top * PITCH_Y - 2,
            rx=9,
        )
    )
    number = str(column)
    above, below = highest - PITCH_Y / 2 - 9, lowest + PITCH_Y / 2 + NUMBER_ROOM / 2 + 4
    drawing.append(element("text", number, class_="number", x=x, y=above))
    drawing.append(element("text", number, class_="number foot", x=x, y=below))
    if owner == NOBODY:
        for space in range(1, top + 1):
            drawing.append(_space(position, layout, column, space))
            drawing.extend(_pieces(position, layout, column, space))
    else:
        drawing.set("data-owner", str(owner))
        drawing.extend(_won_spaces(layout, column, top, owner))
    for cell in drawing.findall(f"rect[@data-space='{last.get(column)}']"):
        cell.set("data-last", "")
    return drawing


def _space(position: Position, layout: Layout, column: int, space: int) -> Element:
    runner, token = position.runners[column], position.tokens.spaces[position.seat][column]
    if space == runner:
        kind = "runs"
    elif token < space < runner:
        kind = "stake"
    elif space == position.rules.board.top(column):
        kind = "top"
    else:
        kind = "plain"
    return _cell(layout, column, space, kind)


def _cell(layout: Layout, column: int, space: int, fill: str) -> Element:
    x, y = layout.space(column, space)
    return element(
        "rect",
        class_=f"space {fill}",
        data_space=space,
        x=x - SPACE_WIDTH / 2,
        y=y - SPACE_HEIGHT / 2,
        width=SPACE_WIDTH,
        height=SPACE_HEIGHT,
        rx=6,
    )


def _pieces(position: Position, layout: Layout, column: int, space: int) -> Iterator[Element]:
    """The tokens on a space, and the runner on the last spot: of five, the one in the middle."""
    seats = position.tokens.seats_on(column, space)
    runs = position.runners[column] == space
    count = len(seats) + runs
    if not count:
        return
    x, y = layout.space(column, space)
    places = [(x + right, y + down) for right, down in _SPOTS[count]]
    size = _SIZES[count]
    if runs:
        where = {"data_column": column, "data_space": space}
        yield piece(RUNNER_MARK, *places.pop(), size, class_="runner", **where)
    for seat, place in zip(seats, places, strict=True):
        yield _token(seat, column, space, place, size)


def _token(seat: int, column: int, space: int, place: Point, size: float) -> Element:
    return piece(
        SEAT_MARKS[seat],
        *place,
        size,
        class_=f"token seat-{seat}",
        data_seat=seat,
        data_column=column,
        data_space=space,
    )


def _won_spaces(layout: Layout, column: int, top: int, owner: int) -> Iterator[Element]:
    """A won column wears its owner's colour and shape all the way; the token crowns it."""
    for space in range(1, top + 1):
        yield _cell(layout, column, space, f"seat-{owner}")
    pattern = element("g", class_="pattern")
    for space in range(1, top):
        pattern.append(drawn(SEAT_MARKS[owner], *layout.space(column, space), 9))
    yield pattern
    token = _token(owner, column, top, layout.space(column, top), 12)
    token.set("class", f"{token.get('class')} crest")
    yield token
