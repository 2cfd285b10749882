"""Search: many rules at once, the best of them again with more games, and changed.

Every generation changes a number or a few of the rules that are best so far, plays all that come of
it, plays the promising ones again with other dice and more games, and keeps some.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .forms import Form, Numbers
from .games import Player, Rows

TURN = 0.01
"""What a turn alone is worth, in wins."""

KEPT = 24
MORE = 16
"""Times as many games in a generation's second look as in its first, and in the last look again."""


@dataclass(frozen=True)
class Judge:
    """Plays rules."""

    player: Player
    rivals: tuple[Rows, ...]

    def score(self, rows: Rows, games: int, seed: int) -> NDArray[np.float64]:
        """The share of wins, less a little for every turn that the rule needs alone."""
        wins = [
            self.player.play(rows, rival, games, 10 * seed + number).wins
            for number, rival in enumerate(self.rivals)
        ]
        alone = self.player.play(rows, None, games, 10 * seed + len(wins)).turns
        return np.asarray(np.mean(wins, axis=0) - TURN * alone)


def changed(parents: Numbers, count: int, form: Form, chance: np.random.Generator) -> Numbers:
    """Rules with a number or a few changed, some of them mixed of two parents."""
    least, most = form.bounds
    found = parents[chance.integers(len(parents), size=count)]
    other = parents[chance.integers(len(parents), size=count)]
    mixed = (chance.random(found.shape) < 0.5) & (chance.random((count, 1)) < 0.3)
    found = np.where(mixed, other, found)
    share = np.minimum(chance.geometric(0.4, size=(count, 1)), 6) / found.shape[1]
    widest = np.maximum(1, (most - least) // 12)
    steps = np.where(
        chance.random(found.shape) < 0.5, 1, chance.integers(1, widest + 1, size=found.shape)
    )
    steps = steps * chance.choice((-1, 1), found.shape) * (chance.random(found.shape) < share)
    return np.asarray(np.clip(found + steps, least, most))


def search(
    judge: Judge, form: Form, generations: int, children: int, games: int, seed: int
) -> Numbers:
    """The best rule that was found; the same seed gives the same one."""
    chance = np.random.default_rng(seed)
    best = form.start[None]
    for number in range(generations):
        young = np.concatenate([best, changed(best, children, form, chance)])
        young = np.unique(young, axis=0)
        rows = form.rows(young)
        first = np.argsort(-judge.score(rows, games, 2 * number))[: 4 * KEPT]
        second = judge.score(rows[first], MORE * games, 2 * number + 1)
        best = young[first[np.argsort(-second)[:KEPT]]]
    last = judge.score(form.rows(best), MORE * MORE * games, 2 * generations)
    return np.asarray(best[int(np.argmax(last))])
