"""The dice, as dice: pips for six sides, numbers for stranger ones."""

from rich.segment import Segment
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from cantstop.rules import Dice
from cantstop.terminal.app.palette import Paint, Palette, palette, style

WIDTH, HEIGHT = 7, 3
_PIPS = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}


class DiceView(Widget):
    """The dice on the table; paler, those that were there before."""

    dice: reactive[Dice] = reactive((), layout=True)
    live: reactive[bool] = reactive(default=True)
    fatal: reactive[bool] = reactive(default=False)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return max(1, len(self.dice) * (WIDTH + 1) - 1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return HEIGHT

    def render_line(self, y: int) -> Strip:
        colours = palette(self.app.theme)
        face = style(self._paint(colours))
        gap = Segment(" ", style(Paint(colours.number.ink, colours.around)))
        segments: list[Segment] = []
        for die in self.dice:
            segments += [Segment(_face(die)[y], face), gap] if y < HEIGHT else []
        return Strip(segments[:-1])

    def _paint(self, colours: Palette) -> Paint:
        if self.fatal:
            return colours.fatal_die
        return colours.die if self.live else colours.spent_die


def _face(die: int) -> tuple[str, str, str]:
    blank = " " * WIDTH
    return _PIPS.get(die, (blank, str(die).center(WIDTH), blank))
