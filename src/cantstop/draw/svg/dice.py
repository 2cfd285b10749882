"""Dice drawn as dice: pips up to six, numerals where the dice have more sides."""

from xml.etree.ElementTree import Element

from cantstop.draw.svg.elements import at, element

DIE = 48.0
_STEP = 13.0

_CORNERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: _CORNERS[:2],
    3: ((0, 0), *_CORNERS[:2]),
    4: _CORNERS,
    5: ((0, 0), *_CORNERS),
    6: ((-1, 0), (1, 0), *_CORNERS),
}


def die(value: int, sides: int, x: float, y: float) -> Element:
    """A die with its upper left corner at a point."""
    drawing = element(
        "g",
        element("rect", class_="shadow", y=2, width=DIE, height=DIE, rx=10),
        element("rect", class_="die", width=DIE, height=DIE, rx=10),
        transform=at(x, y),
        data_die=value,
    )
    middle = DIE / 2
    if sides > max(_PIPS):
        drawing.append(element("text", str(value), class_="face", x=middle, y=middle + 9))
        return drawing
    for right, down in _PIPS[value]:
        pip_x, pip_y = middle + right * _STEP, middle + down * _STEP
        drawing.append(element("circle", class_="pip", cx=pip_x, cy=pip_y, r=4.6))
    return drawing


def die_slot(x: float, y: float) -> Element:
    """Where a die will lie."""
    return element("rect", class_="slot", x=x + 1, y=y + 1, width=DIE - 2, height=DIE - 2, rx=10)
