"""How seats and runners are distinguished everywhere: a shape, a letter and a colour for each.

Text boards are made of these marks and some more characters, in Unicode or in plain ASCII.
"""

from dataclasses import dataclass
from math import cos, pi, sin


@dataclass(frozen=True)
class Mark:
    """How one kind of piece looks on a terminal, in plain ASCII, and drawn."""

    symbol: str
    letter: str
    colour: str
    ink: str
    """The colour of writing upon the mark's own."""
    outline: str
    """SVG path data around the origin; every outline looks about as large as the others."""


def _polygon(*points: tuple[float, float]) -> str:
    return "M" + "L".join(f"{x:g},{y:g}" for x, y in points) + "Z"


def _star(points: int, tip: float, notch: float) -> str:
    turns = [(pi * step / points, notch if step % 2 else tip) for step in range(2 * points)]
    return _polygon(*((round(r * sin(a), 3), round(-r * cos(a), 3)) for a, r in turns))


_DARK, _LIGHT = "#14171f", "#ffffff"

# Okabe and Ito's palette, which every kind of colour vision can tell apart
SEAT_MARKS = (
    Mark("●", "A", "#0072b2", _LIGHT, "M0,-.9A.9,.9 0 0 1 0,.9A.9,.9 0 0 1 0,-.9Z"),
    Mark(
        "■",
        "B",
        "#d55e00",
        _DARK,
        _polygon((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    ),
    Mark("▲", "C", "#009e73", _DARK, _polygon((0, -1), (1.04, 0.8), (-1.04, 0.8))),
    Mark("◆", "D", "#cc79a7", _DARK, _polygon((0, -1.12), (1.12, 0), (0, 1.12), (-1.12, 0))),
)
"""The mark of each seat, first seat first."""

RUNNER_MARK = Mark("★", "*", _DARK, _LIGHT, _star(5, 1.14, 0.5))
"""The mark of the runners: neutral, so black."""


@dataclass(frozen=True)
class Glyphs:
    """One character for each thing that is drawn."""

    seats: tuple[str, ...]
    runner: str
    empty: str
    stake: str
    """A space below a runner that a bust would lose."""
    edge: str
    joints: str
    """Where lines meet, indexed by the ways they go: up 1, down 2, left 4, right 8, added up."""
    turn: str
    winner: str
    times: str
    cut: str


UNICODE = Glyphs(
    seats=tuple(mark.symbol for mark in SEAT_MARKS),
    runner=RUNNER_MARK.symbol,
    empty="·",
    stake="↑",
    edge="─",
    joints="   │ ╯╮┤ ╰╭├ ┴┬┼",
    turn="►",
    winner="♛",
    times="×",
    cut="…",
)

ASCII = Glyphs(
    seats=tuple(mark.letter for mark in SEAT_MARKS),
    runner=RUNNER_MARK.letter,
    empty=".",
    stake="^",
    edge="-",
    joints="   | +++ +++ +++",
    turn=">",
    winner="#",
    times="x",
    cut="~",
)
