"""The moves to pick from: numbered, each with where it leads; the one pointed at is previewed."""

from collections.abc import Sequence
from fractions import Fraction

from rich.text import Text
from textual import events
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from cantstop.language import Translator
from cantstop.odds import usable_chance
from cantstop.rules import Move, Position


class MoveList(OptionList, inherit_bindings=True):
    """The legal moves, in the order of their numbers."""

    def show(self, words: Translator, position: Position, *, odds: bool) -> None:
        """List the moves of a position, on demand with the chance of a bust after each."""
        highlighted = self.highlighted
        self.set_options(
            Option(_line(words, number, move, position, odds=odds))
            for number, move in enumerate(position.legal_moves, 1)
        )
        if position.legal_moves:
            self.highlighted = min(highlighted or 0, len(position.legal_moves) - 1)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What the mouse points at is previewed as well."""
        option = event.style.meta.get("option")
        if option is not None and option != self.highlighted:
            self.highlighted = option


def _line(words: Translator, number: int, move: Move, position: Position, *, odds: bool) -> Text:
    after = position.move(move)
    line = Text(f"{number} ", "bold")
    line.append(f" {move!s:<6}", "bold")
    line.append(" ".join(_steps(move, position, after)))
    if odds:
        bust: Fraction = 1 - usable_chance(after)
        line.append("  ✗ " + words.percent(bust), "italic")
    return line


def _steps(move: Move, before: Position, after: Position) -> Sequence[str]:
    """Where each runner gets, short: ``6▸3/11``, and a star for one that is new."""
    top = before.rules.board.top
    return [
        f"{'' if before.runners[column] else '+'}{column}▸{after.runners[column]}/{top(column)}"
        for column in sorted(set(move))
    ]
