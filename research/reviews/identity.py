"""That result = start + luck + skill + drift, in random games by all rules."""

import random
from collections import Counter
from dataclasses import dataclass, field

from cantstop.engine import Evaluator
from cantstop.game import Game
from cantstop.review import review
from cantstop.rules import Board, Rules, Sharing
from cantstop.solver import TableEvaluator, solve_game

from .games import ALL_KINDS, edition_rules, play, seated, small_rules

SOLVED = tuple(
    Rules(players, 2, early, sharing, board=board)
    for board in (Board((1, 2, 3, 2, 1)), Board((2, 2, 1, 2, 2), runners=2), Board((1, 2, 1)))
    for players in (1, 2)
    for early, sharing in (
        (False, Sharing.FREE),
        (True, Sharing.NO_REST),
        (False, Sharing.LEAPFROG),
    )
)
"""Small games for one and two players: their tables are exact."""


@dataclass
class Sums:
    """How far the sums of reviews are off, at most."""

    games: int = 0
    seats: int = 0
    events: int = 0
    violation: float = 0.0
    drift: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, game: Game, evaluator: Evaluator | None = None) -> None:
        """Review one more game."""
        found = review(game, evaluator)
        self.games += 1
        self.events += len(game.events)
        self.counts[f"{game.rules.players} players"] += 1
        self.counts["finished" if game.outcome else "not finished"] += 1
        for seat in found.seats:
            self.seats += 1
            total = seat.start + seat.luck + seat.skill + seat.drift
            self.violation = max(self.violation, abs(seat.result - total))
            self.drift = max(self.drift, abs(seat.drift))

    def __str__(self) -> str:
        counts = ", ".join(f"{name}: {count}" for name, count in sorted(self.counts.items()))
        return (
            f"{self.games} games, {self.seats} seats, {self.events} events ({counts}): "
            f"largest violation {self.violation:.2g}, largest drift {self.drift:.2g}"
        )


def sums_of(games: int, seed: int, official_share: float) -> Sums:
    """Random games by the best evaluators; a share of them by the editions' rules."""
    dice, found = random.Random(seed), Sums()
    while found.games < games:
        number, official = found.games, dice.random() < official_share
        rules = dice.choice(edition_rules()) if official else small_rules(dice)
        bots = seated(dice.choices(ALL_KINDS, k=rules.players))
        found.counts["the official board" if official else "other boards"] += 1
        found.add(play(rules, bots, f"{seed} {number}"))
        if found.games % 50 == 0:
            print(found, flush=True)
    return found


def exact_sums(games: int, seed: int) -> Sums:
    """Games on boards that are solved outright, by their exact tables."""
    dice, found = random.Random(seed), Sums()
    for rules in SOLVED:
        table = TableEvaluator(solve_game(rules).table)
        for number in range(-(-games // len(SOLVED))):
            bots = seated(dice.choices(ALL_KINDS, k=rules.players))
            found.add(play(rules, bots, f"exact {seed} {number}"), table)
    return found
