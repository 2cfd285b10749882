"""The odds, on demand: a bust with the next roll, and getting through several."""

from collections.abc import Iterator

from textual.widgets import Static

from cantstop.language import Translator
from cantstop.odds import Situation, survival, usable_chance
from cantstop.rules import Position

ROLLS = (1, 2, 3, 4, 5)


class OddsPanel(Static):
    """Chances for whoever decides now."""

    def show(self, words: Translator, position: Position) -> None:
        """Work out the chances of a position."""
        self.update("\n".join(_lines(words, position)))


def _lines(words: Translator, position: Position) -> Iterator[str]:
    if position.legal_moves:
        yield words.say("✗ beside a move: the chance of a bust after it.")
    elif position.may_roll and position.roll_off is None:
        bust = words.percent(1 - usable_chance(position))
        yield words.say("The next roll is a bust with a chance of {chance}.", chance=bust)
        if not position.free_runners:
            situation = Situation.of(position)
            yield words.say("Getting through 1 to 5 rolls:")
            yield "  ".join(words.percent(survival(situation, rolls)) for rolls in ROLLS)
    else:
        yield words.say("There are no odds now.")
