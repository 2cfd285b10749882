"""The panels around the board: players, log, moves to pick from, odds."""

from collections.abc import Iterator, Sequence

from rich.text import Text
from textual import events
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cantstop.draw import SEAT_MARKS
from cantstop.draw.marks import UNICODE
from cantstop.draw.seats import SeatShown, cut, seats_shown, width
from cantstop.language import Translator, name_text
from cantstop.odds import Situation, survival, usable_chance
from cantstop.rules import Busted, Move, Phase, Position, Stopped
from cantstop.terminal.commands import order_text
from cantstop.terminal.controller import Entry, ShownGame, Step
from cantstop.terminal.narration import Narrator, risk_text, score_text
from cantstop.terminal.tui.palette import palette

LONGEST_NAME = 14
MAX_LOG_ENTRIES = 40
"""Older ones are in the record."""
ROLLS = (1, 2, 3, 4, 5)
"""For how many rolls the odds panel shows the chance to survive."""


class Players(Static):
    """A line a seat."""

    def show(self, words: Translator, controller: ShownGame) -> None:
        """Bring the lines up to date."""
        position = controller.position
        lines: list[Text] = []
        for seat in seats_shown(position, [name_text(words, name) for name in controller.names]):
            colour = controller.colours[seat.seat]
            lines.append(_player_line(seat, colour, position.rules.columns_to_win))
            if seat.seat in controller.orders:
                said = order_text(words, controller.orders[seat.seat])
                lines.append(Text(f"  ↻ {said}", "italic"))
        if position.phase not in (Phase.START, Phase.OVER):
            lines.append(self._in_hand(words, position.free_runners))
        if controller.score:
            lines.append(Text(f"  {score_text(words, controller.score)}", "bold"))
        self.update(Text("\n").join(lines))

    def _in_hand(self, words: Translator, runners: int) -> Text:
        paint = palette(self.app.theme).runner
        line = Text("  ")
        line.append(f" {UNICODE.runner} ", f"{paint.ink} on {paint.ground}")
        return line.append(" " + words.say("in hand: {runners}", runners=runners))


def _player_line(seat: SeatShown, colour: int, goal: int) -> Text:
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


class Log(VerticalScroll, can_focus=False):
    """What happened, in words; the newest line is always in sight."""

    def __init__(self) -> None:
        super().__init__()
        self._narrator: Narrator | None = None
        self._lines_of: dict[int, tuple[Entry, str]] = {}

    def compose(self) -> Iterator[Static]:
        yield Static(id="log-text")

    def show(self, narrator: Narrator, entries: Sequence[Entry]) -> None:
        """Show the last entries."""
        if narrator != self._narrator:
            self._narrator, self._lines_of = narrator, {}
        first = max(0, len(entries) - MAX_LOG_ENTRIES)
        text = Text()
        for number in range(first, len(entries)):
            entry = entries[number]
            newest = number == len(entries) - 1
            text.append(
                self._describe(narrator, number, entry), "bold" if newest else _style(entry)
            )
        text.rstrip()
        self.query_one("#log-text", Static).update(text)
        self.scroll_end(animate=False)

    def _describe(self, narrator: Narrator, number: int, entry: Entry) -> str:
        """The lines of an entry, cached."""
        known = self._lines_of.get(number)
        if known is None or known[0] is not entry:
            lines = "".join(f"{line}\n" for line in _lines(narrator, entry))
            known = self._lines_of[number] = (entry, lines)
        return known[1]


def _lines(narrator: Narrator, entry: Entry) -> Iterator[str]:
    if isinstance(entry, Step) and entry.ordered:
        said = " ".join(narrator.event(entry.before, entry.event, entry.after))
        return iter((narrator.words.say("By standing order: {text}", text=said),))
    if isinstance(entry, Step):
        return narrator.event(entry.before, entry.event, entry.after)
    return iter((entry.say(narrator.words),))


def _style(entry: Entry) -> str:
    if isinstance(entry, Step) and isinstance(entry.event, Busted | Stopped):
        return ""
    return "dim"


class MoveList(OptionList, inherit_bindings=True):
    """The legal moves, in the order of their numbers."""

    def show(self, words: Translator, position: Position, *, odds: bool) -> None:
        """List the moves of a position, on demand with the chance of a bust after each."""
        highlighted = self.highlighted
        self.set_options(
            Option(_move_line(words, number, move, position, odds=odds))
            for number, move in enumerate(position.legal_moves, 1)
        )
        if position.legal_moves:
            self.highlighted = min(highlighted or 0, len(position.legal_moves) - 1)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The move under the mouse is previewed as well."""
        option = event.style.meta.get("option")
        if option is not None and option != self.highlighted:
            self.highlighted = option


def _move_line(
    words: Translator, number: int, move: Move, position: Position, *, odds: bool
) -> Text:
    after = position.move(move)
    line = Text(f"{number} ", "bold")
    line.append(f" {move!s:<6}", "bold")
    line.append(" ".join(_steps(move, position, after)))
    if odds:
        bust = 1 - usable_chance(after)
        line.append("  ✗ " + words.percent(bust), "italic")
    return line


def _steps(move: Move, before: Position, after: Position) -> Sequence[str]:
    """Where each runner gets, short: ``6▸3/11``, and a star for one that is new."""
    top = before.rules.board.top
    return [
        f"{'' if before.runners[column] else '+'}{column}▸{after.runners[column]}/{top(column)}"
        for column in sorted(set(move))
    ]


class OddsPanel(Static):
    """The odds, on demand: a bust with the next roll, and surviving several."""

    def show(self, words: Translator, position: Position) -> None:
        """Work out the chances of a position."""
        self.update("\n".join(_odds_lines(words, position)))


def _odds_lines(words: Translator, position: Position) -> Iterator[str]:
    if position.legal_moves:
        yield words.say("✗ beside a move: the chance of a bust after it.")
    elif position.may_roll and position.roll_off is None:
        yield risk_text(words, position)
        if not position.free_runners:
            situation = Situation.of(position)
            yield words.say("Surviving 1 to 5 rolls:")
            yield "  ".join(words.percent(survival(situation, rolls)) for rolls in ROLLS)
    else:
        yield words.say("There are no odds now.")
