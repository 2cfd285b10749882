"""The whole picture: a card with the octagon and the panel, and the same in text for readers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, tostring

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS, UNICODE
from cantstop.draw.options import (
    PARTS,
    AnyArrow,
    AnyMark,
    Drawing,
    Orientation,
    ink_on,
    read_drawing,
    read_size,
)
from cantstop.draw.seats import SeatShown, seats_shown
from cantstop.draw.svg.board import board
from cantstop.draw.svg.elements import element, number
from cantstop.draw.svg.layout import Layout
from cantstop.draw.svg.panel import panel, panel_height
from cantstop.rules import AnyMove, Position, dice_text


def board_svg(
    position: Position,
    *,
    names: Sequence[str] | None = None,
    size: float | None = None,
    last_move: AnyMove | None = None,
    arrows: Iterable[AnyArrow] = (),
    marks: Iterable[AnyMark] | Mapping[AnyMark, str] = (),
    colours: Mapping[str, str] | None = None,
    orientation: Orientation = "up",
) -> str:
    """The board, the seats and the dice as one SVG document, for light and dark pages.

    Args:
        position: What to draw.
        names: The names of the seats, first seat first; without them seats have numbers.
        size: How many pixels wide the picture is; the height follows.
        last_move: Frames the spaces that this move led to: those of the runners, or of the tokens
            where its turn has been stopped.
        arrows: Moves, whose steps are shown from this position; pairs of spaces such as
            ``((7, 2), (7, 5))``; or ``Arrow`` objects, which have a colour. Space 0 is below a
            column.
        marks: Columns (``7``) or spaces (``(7, 3)``) to highlight, or a mapping of them to colours.
        colours: The colours of parts, instead of the usual ones: ``"card"``, ``"rim"``, ``"line"``,
            ``"field"``, ``"track"``, ``"space"``, ``"top"``, ``"stake"``, ``"runner space"``,
            ``"runner"``, ``"last move"``, ``"seat 1"`` to ``"seat 4"``. A colour is ``"#rrggbb"``,
            ``"#rgb"`` or a basic name such as ``"navy"``.
        orientation: ``"up"``, or ``"down"`` for the board from the other side of the table.

    Raises:
        InvalidText: There is no such column, space, part, colour or orientation.
        WrongType: An argument has the wrong type.

    Programs find things by attributes: tokens have ``data-seat``, ``data-column`` and
    ``data-space``, runners the last two, won columns ``data-owner``; seats count from 0. Spaces of
    the last move have ``data-last``, marked ones ``data-mark``, arrows ``data-tail`` and
    ``data-head``.

    >>> position = Position.initial().roll("2345")
    >>> picture = board_svg(position, size=480, arrows=["6+8"], marks={7: "#ccc"})
    >>> picture.startswith("<svg "), 'data-head="8:1"' in picture
    (True, True)
    """
    seats = seats_shown(position, names)
    drawing = read_drawing(position, last_move, arrows, marks, colours, orientation)
    layout = Layout(position.rules.board, panel_height(position, seats), drawing.flipped)
    card = {"width": layout.width, "height": layout.height}
    scale = 1.0 if size is None else read_size(size) / layout.width
    picture = element(
        "svg",
        element("title", f"Can’t Stop: {', '.join(seat.name for seat in seats)}"),
        element("desc", "\n".join(_description(position, seats))),
        element("style", STYLE),
        element("rect", class_="card", rx=22, **card),
        board(position, layout, drawing),
        panel(position, seats, layout.panel),
        xmlns="http://www.w3.org/2000/svg",
        class_="cantstop",
        role="img",
        viewBox=f"0 0 {number(layout.width)} {number(layout.height)}",
        data_position=str(position),
        width=layout.width * scale,
        height=layout.height * scale,
        font_family='system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif',
    )
    _paint(picture, drawing)
    return tostring(picture, encoding="unicode")


def _description(position: Position, seats: Sequence[SeatShown]) -> Iterator[str]:
    """What stands where, in marks, names and numbers, so that it is right in every language."""
    for seat in seats:
        sign = UNICODE.winner if seat.winner else UNICODE.turn if seat.on_turn else ""
        spaces = _spaces(position, position.tokens.spaces[seat.seat])
        yield f"{sign} {seat.mark.symbol} {seat.name}: {spaces}".lstrip()
    if any(position.runners):
        yield f"{RUNNER_MARK.symbol}: {_spaces(position, position.runners)}"
    if position.dice is not None:
        yield dice_text(position.dice, position.rules.board.sides)


def _spaces(position: Position, spaces: Sequence[int]) -> str:
    """Each column that has a piece, with the space and the top: ``7 (4/13)``."""
    tops = position.rules.board.tops
    return ", ".join(
        f"{column} ({space}/{tops[column]})" for column, space in enumerate(spaces) if space
    )


# Colours are attributes of the elements and not rules of the style sheet: programs that convert SVG
# know all attributes, but only some rules, and a page with two boards has one style sheet for both.

_INK = "#1b2130"
_LABEL = {"font-weight": "700", "text-anchor": "middle"}

_PAINT: dict[str, dict[str, str]] = {
    **{name: {"fill": PARTS[name]} for name in ("card", "rim", "line", "field", "track")},
    "plain": {"fill": PARTS["space"]},
    "top": {"fill": PARTS["top"]},
    "stake": {"fill": PARTS["stake"]},
    "runs": {"fill": PARTS["runner space"]},
    "last": {"stroke": PARTS["last move"], "stroke-width": "4"},
    "number": {"fill": "#fffaf0", "font-size": "22", **_LABEL},
    "foot": {"font-size": "15", "font-weight": "600", "opacity": ".7"},
    **{f"seat-{seat}": {"fill": mark.colour} for seat, mark in enumerate(SEAT_MARKS)},
    **{f"on-{seat}": {"fill": mark.ink} for seat, mark in enumerate(SEAT_MARKS)},
    "runner": {"fill": RUNNER_MARK.colour},
    "shadow": {"fill": "#000", "fill-opacity": ".28"},
    "pattern": {"fill": "#fff", "fill-opacity": ".3"},
    "crest": {"fill": "#fff"},
    "plate": {"fill": "#fffdf7", "stroke": "#ddd4c0", "stroke-width": "1.5"},
    "chosen": {"stroke": _INK, "stroke-width": "3"},
    "pointer": {"fill": _INK},
    "crown": {"fill": _INK},
    "name": {"fill": _INK, "font-size": "19", "font-weight": "600"},
    "thrown": {"fill": _INK, "font-size": "22", "font-weight": "700", "text-anchor": "end"},
    "slot": {
        "fill": "none",
        "stroke": "#c5baa1",
        "stroke-width": "1.5",
        "stroke-dasharray": "3 3",
    },
    "label": {"font-size": "14", **_LABEL},
    "die": {"fill": "#fffaf0", "stroke": _INK, "stroke-width": "1.5"},
    "pip": {"fill": _INK},
    "face": {"fill": _INK, "font-size": "24", **_LABEL},
}
"""How each class of elements looks on a light page; of two classes the later one here counts."""

_ORDER = {name: place for place, name in enumerate(_PAINT)}

STYLE = """
@media screen{.cantstop{max-width:100%;height:auto}}
@media (prefers-color-scheme:dark){
.cantstop .card{fill:#12151c}
.cantstop .name,.cantstop .thrown{fill:#eceae4}
.cantstop .plain{fill:#ded4bd}
.cantstop .top{fill:#f4ecdc}
.cantstop .plate{fill:#1d222d;stroke:#343b49}
.cantstop .chosen{stroke:#eceae4}
.cantstop .pointer,.cantstop .crown{fill:#eceae4}
.cantstop .slot{stroke:#4a5262}
}
"""
# The first rule is for pages that are narrower than the picture. It is a rule for screens only,
# because CairoSVG takes a height of “auto” for none at all.

_CLASSES = {"space": "plain", "runner space": "runs", "last move": "last"}
"""The classes of the parts that are not called like their class."""


def _paint(picture: Element, drawing: Drawing) -> None:
    """Give every element the look of its classes, and colours that were asked for.

    Those are styles, which hold on dark pages too.
    """
    asked = {
        (f"seat-{int(part[-1]) - 1}" if part.startswith("seat ") else _CLASSES.get(part, part)): (
            colour
        )
        for part, colour in drawing.colours.items()
    }
    asked |= {
        f"on-{name[-1]}": ink_on(colour)
        for name, colour in asked.items()
        if name.startswith("seat-")
    }
    for found in picture.iter():
        names = [name for name in found.get("class", "").split() if name in _ORDER]
        look: dict[str, str] = {}
        style: dict[str, str] = {}
        for name in sorted(names, key=_ORDER.__getitem__):
            look |= _PAINT[name]
            paint = "stroke" if name == "last" else "fill"
            if name in asked:
                style[paint] = asked[name]
            elif paint in _PAINT[name]:
                style.pop(paint, None)
        if "data-mark" in found.attrib:
            style["fill"] = found.attrib["data-mark"]
        for attribute, value in look.items():
            found.set(attribute, value)
        if style:
            found.set("style", ";".join(f"{name}:{value}" for name, value in style.items()))
