"""Plays the matches whose figures are published, and says how far ours are from them."""

import sys
from dataclasses import dataclass, replace
from math import sqrt

from cantstop.arena import Plan, compete
from cantstop.arena.results import MatchResult
from cantstop.arena.statistics import Estimate
from cantstop.bots.heuristic import RULE_OF_28, HeuristicBot

GAMES = 1_000_000
SEED = 1986
MOST_ERRORS = 3.0


@dataclass(frozen=True)
class Figure:
    """A published figure, what it was rounded to, and its standard error where that is known."""

    bots: tuple[str, ...]
    what: str
    published: float
    rounded: float
    error: float = 0.0

    def measured(self, match: MatchResult) -> Estimate:
        """Our own figure."""
        return match.turns_per_game if self.what == "turns" else match.first_player_share

    def distance(self, found: Estimate) -> float:
        """How many standard errors lie between ours and what rounds to the published one."""
        assert found.error is not None
        outside = max(abs(found.mean - self.published) - self.rounded / 2, 0.0)
        return outside / sqrt(found.error**2 + self.error**2)


# Print leaves open how Rule of 28 chooses a move; docs/arena.md compares the readings.
program = HeuristicBot("rule-of-28-program", replace(RULE_OF_28, entry=2))
"""A column just entered counts twice in the choice, as in Glenn and Aloi's program."""

simple = HeuristicBot("rule-of-28-simple", replace(RULE_OF_28, foresees=False))
"""A bad set of columns does not count in the choice, only in the turn score."""

READINGS = (program, simple)

SOLO_28, SOLO_LINEAR = ("known_figures:program",), ("glenn-linear",)
MIRROR_28 = ("known_figures:simple",) * 2

FIGURES = (
    Figure(SOLO_28, "turns", 10.74, 0.01),
    Figure(SOLO_LINEAR, "turns", 8.787, 0.001, 2.4975 / sqrt(250_000)),
    Figure(MIRROR_28, "first", 0.542, 0.001),
    Figure(MIRROR_28, "turns", 17.6, 0.1),
)


def main() -> None:
    """Measure and compare; exit code 1 if a figure is further away than three standard errors."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    matches = {
        bots: compete(Plan.of(bots, games=games, seed=SEED)).matches[0]
        for bots in dict.fromkeys(figure.bots for figure in FIGURES)
    }
    far = 0
    for figure in FIGURES:
        found = figure.measured(matches[figure.bots])
        distance = figure.distance(found)
        far += distance > MOST_ERRORS
        print(
            f"{' '.join(figure.bots):<43}{figure.what:<7}published {figure.published:<8g}"
            f"here {found.mean:.4f} ± {found.error:.4f}  {distance:6.1f} standard errors"
        )
    sys.exit(far > 0)


if __name__ == "__main__":
    main()
