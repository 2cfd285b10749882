"""How a decision is graded: by the win chance that it gave away.

The thresholds are the same on every screen. An error that the evaluator's own measured error could
explain is never called one.
"""

from dataclasses import dataclass
from enum import StrEnum

from cantstop.engine import EstimateError


class Grade(StrEnum):
    """What to call a decision."""

    BEST = "best"
    FINE = "fine"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def is_error(self) -> bool:
        """Whether it is worth a look."""
        return self not in (Grade.BEST, Grade.FINE)


@dataclass(frozen=True)
class Thresholds:
    """The least error of each grade, in the unit of win chances; in a solo game in turns."""

    inaccuracy: float
    mistake: float
    blunder: float

    def grade(self, error: float, estimate: EstimateError | None) -> Grade:
        """The grade of an error, where values are estimated so well."""
        if error <= 0.0:
            return Grade.BEST
        if error < self.inaccuracy or (estimate is not None and error < 2 * estimate.rms):
            return Grade.FINE
        if error < self.mistake:
            return Grade.INACCURACY
        return Grade.MISTAKE if error < self.blunder else Grade.BLUNDER


WIN_CHANCE = Thresholds(0.02, 0.05, 0.10)
SOLO_TURNS = Thresholds(0.06, 0.15, 0.30)


def thresholds(players: int) -> Thresholds:
    """Alone, what is given away are turns; otherwise it is a chance to win."""
    return SOLO_TURNS if players == 1 else WIN_CHANCE
