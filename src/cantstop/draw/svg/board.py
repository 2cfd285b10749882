"""The octagon with its columns, and every piece that stands on it."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS
from cantstop.draw.options import Arrow, Drawing, arrow_outline, space_kind
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

_CLASSES = {"space": "plain", "runner space": "runs"}
"""The classes of spaces that are not called like the part that they are."""


def board(position: Position, layout: Layout, drawing: Drawing) -> Element:
    """The octagon and what is on it."""
    octagon = layout.octagon
    rings = (("rim", 0.0), ("line", 11.0), ("field", 14.0))
    return element(
        "g",
        element("path", class_="shadow", d=path(*octagon.points), transform=at(0, 5)),
        *(element("path", class_=name, d=path(*octagon.inset(by).points)) for name, by in rings),
        *(_column(position, layout, column, drawing) for column in position.rules.board.columns),
        *(_arrow(layout, arrow) for arrow in drawing.arrows),
        class_="board",
    )


def _column(position: Position, layout: Layout, column: int, drawing: Drawing) -> Element:
    top, owner = position.rules.board.top(column), position.tokens.owners[column]
    x, end = layout.space(column, top)
    _, other_end = layout.space(column, 1)
    highest, lowest = min(end, other_end), max(end, other_end)
    column_drawn = element("g", class_="column", data_column=column)
    column_drawn.append(
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
    column_drawn.append(element("text", number, class_="number", x=x, y=above))
    column_drawn.append(element("text", number, class_="number foot", x=x, y=below))
    if owner == NOBODY:
        for space in range(1, top + 1):
            column_drawn.append(_space(position, layout, column, space))
            column_drawn.extend(_pieces(position, layout, column, space))
    else:
        column_drawn.set("data-owner", str(owner))
        column_drawn.extend(_won_spaces(layout, column, top, owner))
    for cell in column_drawn.findall("rect[@data-space]"):
        space = int(cell.attrib["data-space"])
        if drawing.last.get(column) == space:
            cell.set("data-last", "")
            cell.set("class", f"{cell.get('class')} last")
        if (column, space) in drawing.marks:
            cell.set("data-mark", drawing.marks[column, space])
    return column_drawn


def _arrow(layout: Layout, arrow: Arrow) -> Element:
    ends = layout.space(*arrow.tail), layout.space(*arrow.head)
    return element(
        "path",
        class_="arrow",
        d=path(*arrow_outline(*ends, 5.0)),
        fill=arrow.colour,
        fill_opacity=0.8,
        data_tail=f"{arrow.tail[0]}:{arrow.tail[1]}",
        data_head=f"{arrow.head[0]}:{arrow.head[1]}",
    )


def _space(position: Position, layout: Layout, column: int, space: int) -> Element:
    kind = space_kind(position, column, space)
    return _cell(layout, column, space, _CLASSES.get(kind, kind))


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
