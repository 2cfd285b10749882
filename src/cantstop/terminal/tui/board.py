"""The board, as large as the terminal allows, with a preview of a move; and the dice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from cantstop.draw import RUNNER_MARK, SEAT_MARKS
from cantstop.rules import NOBODY, Board, Dice, Position
from cantstop.terminal.tui.palette import Paint, Palette, palette, style

EMPTY, AT_RISK, PREVIEW = "·", "↑", "☆"
GAP = 1


@dataclass(frozen=True)
class Scale:
    """How large a space is drawn, in characters."""

    width: int
    height: int

    def size(self, board: Board) -> Size:
        """How much room a board takes, with the numbers above and below its columns."""
        columns = len(board.columns)
        return Size(columns * (self.width + GAP) - GAP, max(board.lengths) * self.height + 2)


SCALES = (Scale(7, 3), Scale(5, 2), Scale(3, 1))
"""The largest first. Four pieces, the most that share a space, fit into the smallest and a gap."""


def largest_scale(board: Board, room: Size) -> Scale:
    """The largest scale that fits; the smallest, if none does."""
    for scale in SCALES:
        size = scale.size(board)
        if size.width <= room.width and size.height <= room.height:
            return scale
    return SCALES[-1]


@dataclass(frozen=True)
class Scene:
    """What the board shows: a position, the marks of its seats, and what a move would do."""

    position: Position
    colours: Sequence[int]
    preview: Position | None = None


class BoardView(Widget):
    """Columns side by side, each centred on the tallest: on the official board, an octagon."""

    class Chosen(Message):
        """A column was clicked."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    scale: reactive[Scale] = reactive(SCALES[-1], layout=True)

    def __init__(self) -> None:
        super().__init__()
        self._scene: Scene | None = None
        self._strips: list[Strip] = []

    def show(self, scene: Scene) -> None:
        """Draw another scene; only the lines that change are sent to the terminal."""
        self._scene = scene
        before, self._strips = self._strips, self._draw()
        if len(before) != len(self._strips):
            self.refresh(layout=True)
            return
        for y, (old, new) in enumerate(zip(before, self._strips, strict=True)):
            if old != new:
                self.refresh(Region(0, y, self.size.width, 1))

    def watch_scale(self) -> None:
        self._strips = self._draw()

    def _draw(self) -> list[Strip]:
        if self._scene is None:
            return []
        size, colours = self.scale.size(self._board), palette(self.app.theme)
        return [
            Strip(_line(self._scene, self.scale, colours, y), size.width).simplify()
            for y in range(size.height)
        ]

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return self.scale.size(self._board).width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return self.scale.size(self._board).height

    @property
    def _board(self) -> Board:
        return self._scene.position.rules.board if self._scene else Board()

    def on_click(self, event: events.Click) -> None:
        column = self._board.columns[0] + event.x // (self.scale.width + GAP)
        if column in self._board.columns:
            self.post_message(self.Chosen(column))

    def render_line(self, y: int) -> Strip:
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)


def _line(scene: Scene, scale: Scale, colours: Palette, y: int) -> Iterator[Segment]:
    board = scene.position.rules.board
    for column in board.columns:
        *pieces, last = _cell(_Column(scene, colours, column), scale, y)
        yield from pieces
        if column == board.columns[-1]:
            last = Segment(last.text[: len(last.text) - GAP], last.style)
        yield last


def _cell(column: "_Column", scale: Scale, y: int) -> list[Segment]:
    """What one line of text shows of a column, with the gap to the next one."""
    board = column.scene.position.rules.board
    above = (max(board.lengths) - column.top + 1) // 2 * scale.height
    row = y - above - 1
    blank = Segment(" " * (scale.width + GAP), style(column.colours.number))
    if row < -1 or row > column.top * scale.height:
        return [blank]
    if row in (-1, column.top * scale.height):
        return _centred([(str(column.number), column.label)], scale.width, column.colours)
    space, line = column.top - row // scale.height, row % scale.height
    pieces = column.pieces(space)
    if scale.height > 1 and line == scale.height - 1:
        ground = pieces[0][1].ground if len(pieces) == 1 else column.colours.tile.ground
        edge = Paint(ground, column.colours.around)
        return [Segment("▀" * scale.width, style(edge)), Segment(" ", style(edge))]
    if line != (scale.height - 1) // 2:
        pieces = [(" ", pieces[0][1] if len(pieces) == 1 else column.colours.tile)]
    return _centred(pieces, scale.width, column.colours)


def _centred(pieces: Sequence[tuple[str, Paint]], width: int, colours: Palette) -> list[Segment]:
    """A single piece fills its tile with its colour; several stand on the tile side by side."""
    around = Paint(colours.number.ink, colours.around)
    if len(pieces) == 1:
        text, paint = pieces[0]
        return [Segment(text.center(width), style(paint)), Segment(" ", style(around))]
    tile = colours.tile
    spread = " " if 2 * len(pieces) - 1 <= width else ""
    taken = len(pieces) + len(spread) * (len(pieces) - 1)
    left = max(0, (width - taken) // 2)
    found = [Segment(" " * left, style(tile))]
    for number, (text, paint) in enumerate(pieces):
        found.append(Segment(text, style(paint)))
        if spread and number < len(pieces) - 1:
            found.append(Segment(spread, style(tile)))
    found.append(Segment(" " * max(0, width - left - taken), style(tile)))
    found.append(Segment(" " * (width + GAP - max(width, taken)), style(around)))
    return found


@dataclass(frozen=True)
class _Column:
    """One column of a scene."""

    scene: Scene
    colours: Palette
    number: int

    @property
    def top(self) -> int:
        return self.scene.position.rules.board.top(self.number)

    @property
    def owner(self) -> int:
        return self.scene.position.tokens.owners[self.number]

    def _seat(self, seat: int) -> tuple[str, Paint]:
        mark = SEAT_MARKS[self.scene.colours[seat]]
        return mark.symbol, Paint(mark.ink, mark.colour)

    @property
    def label(self) -> Paint:
        """How the column's number is painted: as its owner's, or as one that a move would use."""
        if self.owner != NOBODY:
            return self._seat(self.owner)[1]
        before, after = self.scene.position, self.scene.preview
        if after is not None and after.runners[self.number] != before.runners[self.number]:
            return self.colours.preview
        return self.colours.number

    def pieces(self, space: int) -> list[tuple[str, Paint]]:
        """What stands on a space; one thing at least, if only its emptiness."""
        position, column, colours = self.scene.position, self.number, self.colours
        if self.owner != NOBODY:
            return [self._seat(self.owner)]
        found = [self._seat(seat) for seat in position.tokens.seats_on(column, space)]
        runner = position.runners[column]
        if runner == space:
            found.append((RUNNER_MARK.symbol, colours.runner))
        base = runner or position.tokens.spaces[position.seat][column]
        goal = 0 if self.scene.preview is None else self.scene.preview.runners[column]
        if base < space == goal:
            found.append((PREVIEW, colours.preview))
        if found:
            return found
        if base < space < goal:
            return [(AT_RISK, colours.preview)]
        if position.tokens.spaces[position.seat][column] < space < runner:
            return [(AT_RISK, colours.at_risk)]
        return [(EMPTY, colours.tile)]


DIE_WIDTH, DIE_HEIGHT = 7, 3
_PIPS = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}


class DiceView(Widget):
    """The dice on the table; paler, those that were there before. 0 is one still to come."""

    dice: reactive[Dice] = reactive((), layout=True)
    live: reactive[bool] = reactive(default=True)
    fatal: reactive[bool] = reactive(default=False)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return max(1, len(self.dice) * (DIE_WIDTH + 1) - 1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return DIE_HEIGHT

    def render_line(self, y: int) -> Strip:
        colours = palette(self.app.theme)
        face = style(self._paint(colours))
        gap = Segment(" ", style(Paint(colours.number.ink, colours.around)))
        segments: list[Segment] = []
        for die in self.dice:
            segments += [Segment(_face(die)[y], face), gap] if y < DIE_HEIGHT else []
        return Strip(segments[:-1])

    def _paint(self, colours: Palette) -> Paint:
        if self.fatal:
            return colours.fatal_die
        return colours.die if self.live else colours.spent_die


def _face(die: int) -> tuple[str, str, str]:
    blank = " " * DIE_WIDTH
    return _PIPS.get(die, (blank, (str(die) if die else "·").center(DIE_WIDTH), blank))
