"""Who plays: each seat's mark and name, the columns it has won, and whose turn it is."""

from rich.text import Text
from textual.widgets import Static

from cantstop.draw import SEAT_MARKS
from cantstop.draw.glyphs import UNICODE
from cantstop.draw.names import cut, width
from cantstop.draw.seats import SeatShown, seats_shown
from cantstop.language import Translator
from cantstop.rules import Phase
from cantstop.terminal.app.driver import Driver
from cantstop.terminal.app.palette import palette

LONGEST_NAME = 14


class Players(Static):
    """A line a seat."""

    def show(self, words: Translator, driver: Driver) -> None:
        """Bring the lines up to date."""
        position = driver.position
        seats = seats_shown(position, driver.names)
        lines = [_line(seat, driver.colours[seat.seat], position.rules.columns_to_win)
                 for seat in seats]  # fmt: skip
        if position.phase not in (Phase.START, Phase.OVER):
            lines.append(self._in_hand(words, position.free_runners))
        self.update(Text("\n").join(lines))

    def _in_hand(self, words: Translator, runners: int) -> Text:
        paint = palette(self.app.theme).runner
        line = Text("  ")
        line.append(f" {UNICODE.runner} ", f"{paint.ink} on {paint.ground}")
        return line.append(" " + words.say("in hand: {runners}", runners=runners))


def _line(seat: SeatShown, colour: int, goal: int) -> Text:
    mark = SEAT_MARKS[colour]
    line = Text(UNICODE.winner if seat.winner else UNICODE.turn if seat.on_turn else " ")
    line.append(" ")
    line.append(f" {mark.symbol} ", f"{mark.ink} on {mark.colour}")
    name = cut(seat.name, LONGEST_NAME)
    line.append(f" {name}", "bold" if seat.on_turn or seat.winner else "")
    line.append(" " * (LONGEST_NAME - width(name) + 1))
    line.append(f"{len(seat.won)}/{goal}", "bold")
    if seat.thrown is not None:
        line.append(f"  = {seat.thrown or UNICODE.empty}")
    for column in seat.won:
        line.append(" ")
        line.append(f"{column}", f"{mark.ink} on {mark.colour}")
    return line
