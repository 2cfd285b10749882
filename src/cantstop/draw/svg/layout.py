"""Where everything in the picture goes, worked out from the board alone."""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

from cantstop.rules import Board

Point = tuple[float, float]

PITCH_X, PITCH_Y = 60.0, 44.0
"""From one space to its neighbour."""
SPACE_WIDTH, SPACE_HEIGHT = 56.0, 40.0
NUMBER_ROOM = 32.0
"""Above and below a column, for its number."""
RIM = 34.0
"""From the columns to the edge of the octagon."""
MARGIN = 26.0
"""Around and between the octagon and the panel."""
PANEL_WIDTH = 252.0


@dataclass(frozen=True)
class Octagon:
    """An octagon around a middle, with corners cut off at 45 degrees."""

    x: float
    y: float
    width: float
    height: float
    cut: float

    def inset(self, by: float) -> "Octagon":
        """The octagon whose sides run inside this one's at a distance."""
        return Octagon(
            self.x,
            self.y,
            self.width - 2 * by,
            self.height - 2 * by,
            self.cut - by * (2 - sqrt(2)),
        )

    @property
    def points(self) -> tuple[Point, ...]:
        """The eight corners, clockwise."""
        right, low = self.width / 2, self.height / 2
        short, shallow = right - self.cut, low - self.cut
        quarter = ((short, -low), (right, -shallow), (right, shallow), (short, low))
        return tuple((self.x + side * x, self.y + side * y) for side in (1, -1) for x, y in quarter)


@dataclass(frozen=True)
class Layout:
    """The picture of a board: the octagon on the left, a panel for seats and dice on the right."""

    board: Board
    panel_height: float
    flipped: bool = False
    """Turned by half a turn: columns lead down, and the highest is on the left."""

    @property
    def width(self) -> float:
        return self.octagon.width + PANEL_WIDTH + 3 * MARGIN

    @cached_property
    def height(self) -> float:
        return max(self._octagon_height, self.panel_height) + 2 * MARGIN

    @property
    def panel(self) -> Point:
        """The panel's upper left corner."""
        return (
            self.octagon.width + 2 * MARGIN,
            (self.height - self.panel_height) / 2,
        )

    @cached_property
    def octagon(self) -> Octagon:
        """As close to a regular octagon as the columns leave room for."""
        width = len(self.board.lengths) * PITCH_X + 2 * RIM
        height = self._octagon_height
        regular = min(width, height) / (2 + sqrt(2))
        spare = (width + height) / 2 - RIM - self._reach
        return Octagon(
            MARGIN + width / 2, self.height / 2, width, height, max(RIM, min(regular, spare))
        )

    @property
    def _octagon_height(self) -> float:
        return max(self.board.lengths) * PITCH_Y + 2 * (NUMBER_ROOM + RIM)

    @property
    def _reach(self) -> float:
        """How far the columns come towards the corners, as the sum of both distances."""
        middle = (len(self.board.lengths) - 1) / 2
        return max(
            (abs(index - middle) + 0.5) * PITCH_X + length * PITCH_Y / 2 + NUMBER_ROOM
            for index, length in enumerate(self.board.lengths)
        )

    def space(self, column: int, space: float) -> Point:
        """The middle of a space; columns are centred, so that they fill the octagon."""
        right = column - (self.board.columns[0] + self.board.columns[-1]) / 2
        up = space - (self.board.top(column) + 1) / 2
        turn = -1 if self.flipped else 1
        return self.octagon.x + turn * right * PITCH_X, self.height / 2 - turn * up * PITCH_Y
