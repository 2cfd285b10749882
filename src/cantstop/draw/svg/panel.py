"""The panel beside the octagon: the seats with their columns, the runners in hand, the dice."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from cantstop.draw.marks import RUNNER_MARK
from cantstop.draw.seats import SeatShown, cut
from cantstop.draw.svg.elements import at, drawn, element, path, piece
from cantstop.draw.svg.layout import PANEL_WIDTH, Point
from cantstop.rules import Phase, Position

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


GAP = 12.0
PAD = 14.0
HEAD = 46.0
"""The part of a seat's plate that holds its mark and name."""
CHIP, CHIP_PITCH = 26.0, 33.0
CHIPS_A_ROW = 7
LETTER = 12.5
"""About as wide as a letter of a name."""
TRAY = 118.0
MOST_STARS = 6


def panel_height(position: Position, seats: Sequence[SeatShown]) -> float:
    """How tall the panel is; it keeps its height when the dice come and go."""
    return sum(_plate_height(position, seat) + GAP for seat in seats) + TRAY


def panel(position: Position, seats: Sequence[SeatShown], corner: Point) -> Element:
    """The seats from top to bottom, then the tray."""
    drawing = element("g", class_="panel", transform=at(*corner))
    y = 0.0
    for seat in seats:
        drawing.append(_plate(position, seat, y))
        y += _plate_height(position, seat) + GAP
    if position.phase is not Phase.OVER:
        drawing.append(_tray(position, y))
    return drawing


def _chips(position: Position, seat: SeatShown) -> int:
    return max(position.rules.columns_to_win, len(seat.won))


def _plate_height(position: Position, seat: SeatShown) -> float:
    rows = -(-_chips(position, seat) // CHIPS_A_ROW)
    return HEAD + rows * CHIP_PITCH + 7


def _plate(position: Position, seat: SeatShown, y: float) -> Element:
    height = _plate_height(position, seat)
    plate = element(
        "g",
        element("title", seat.name),
        element(
            "rect",
            class_="plate chosen" if seat.on_turn or seat.winner else "plate",
            width=PANEL_WIDTH,
            height=height,
            rx=12,
        ),
        element("g", drawn(seat.mark, 27, 25, 12.5), class_=f"seat-{seat.seat}"),
        _name(
            seat.name, PANEL_WIDTH - 50 - (56 if seat.winner or seat.thrown is not None else PAD)
        ),
        class_="seat on" if seat.on_turn or seat.winner else "seat",
        transform=at(0, y),
        data_seat=seat.seat,
    )
    plate.extend(_chip(seat, index) for index in range(_chips(position, seat)))
    if seat.winner:
        plate.append(_crown(PANEL_WIDTH - 30, 26))
    if seat.on_turn:
        plate.append(_pointer(height / 2))
    if seat.thrown is not None:
        thrown = f"= {seat.thrown or '·'}"
        plate.append(element("text", thrown, class_="thrown", x=PANEL_WIDTH - PAD, y=32))
    return plate


def _name(name: str, room: float) -> Element:
    """A name in a window of its own, because nobody knows how wide the reader's font is."""
    return element(
        "svg",
        element("text", cut(name, int(room / LETTER)), class_="name", x=0, y=25),
        x=50,
        y=7,
        width=room,
        height=36,
    )


def _pointer(y: float) -> Element:
    return element("path", class_="pointer", d=path((-17, y - 9), (-5, y), (-17, y + 9)))


def _crown(x: float, y: float) -> Element:
    spikes = ((-13, 9), (-15, -7), (-7, 0), (0, -11), (7, 0), (15, -7), (13, 9))
    return element(
        "path", class_="crown", d=path(*((x + right, y + down) for right, down in spikes))
    )


def _chip(seat: SeatShown, index: int) -> Element:
    """A place for a column to be won, with its number once it is."""
    row, place = divmod(index, CHIPS_A_ROW)
    x, y = PAD + place * CHIP_PITCH, HEAD + row * CHIP_PITCH
    box: dict[str, float] = {"width": CHIP, "height": CHIP, "rx": 7}
    if index >= len(seat.won):
        return element("rect", class_="slot", x=x, y=y, **box)
    number, middle = seat.won[index], CHIP / 2
    return element(
        "g",
        element("rect", class_=f"seat-{seat.seat}", **box),
        element("text", str(number), class_=f"label on-{seat.seat}", x=middle, y=middle + 5),
        class_="chip",
        transform=at(x, y),
        data_column=number,
    )


def _tray(position: Position, y: float) -> Element:
    tray = element(
        "g",
        element("rect", class_="plate", width=PANEL_WIDTH, height=TRAY, rx=12),
        class_="tray",
        transform=at(0, y),
    )
    if position.phase is not Phase.START:
        tray.append(_hand(position.free_runners, position.rules.board.runners))
    pitch = (PANEL_WIDTH - 2 * PAD - DIE) / 3
    for index in range(position.dice_to_roll):
        x, low = PAD + index * pitch, TRAY - PAD - DIE
        if position.dice is None:
            tray.append(die_slot(x, low))
        else:
            tray.append(die(position.dice[index], position.rules.board.sides, x, low))
    return tray


def _hand(free: int, runners: int) -> Element:
    """The runners in hand, each in its place; where there are many, their number."""
    hand = element("g", class_="hand", data_free=free)
    for index in range(runners if runners <= MOST_STARS else 1):
        x = PAD + index * 37
        box: dict[str, float] = {"x": x, "y": PAD, "width": 30, "height": 30, "rx": 8}
        if index < free:
            hand.append(element("rect", class_="runs", **box))
            hand.append(piece(RUNNER_MARK, x + 15, PAD + 15, 10, class_="runner"))
        else:
            hand.append(element("rect", class_="slot", **box))
    if runners > MOST_STARS:
        hand.append(element("text", f"× {free}", class_="name", x=PAD + 42, y=PAD + 22))
    return hand
