"""Solo games from any view, by the turn solver: what a view is worth, and how turns scatter."""

import numpy as np
from numpy.typing import NDArray

from cantstop.bots.expert import ExpertBot
from cantstop.engine import Anchors, Evaluator, solve_turn
from cantstop.engine.evaluators.race.chances import RESOLUTION
from cantstop.engine.evaluators.race.distances import seat_distances
from cantstop.engine.evaluators.race.network import COLUMNS, Network
from cantstop.rules import OFFICIAL, Phase, Position, Rules, Tokens

ENOUGH = 1e-4
USUAL_BUST, MAX_BUST = 0.35, 0.98
"""Chances to bust: a first guess, and a limit where the numbers say more."""

MAX_TURNS = 40
WIDEST = 10
"""The most turns in the table of the scatter."""


class Solo(Evaluator):
    """The network as a solo evaluator."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        """Minus the turns to go."""
        return -seat_distances(anchors, self.network).T


class Again(Evaluator):
    """What another evaluator has said, with another number of turns after a bust."""

    def __init__(self, evaluator: Solo) -> None:
        self.evaluator = evaluator
        self.worth: NDArray[np.float64] | None = None
        self.after_bust: float | None = None

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        """The worth of the ends of a turn, the bust first."""
        if self.worth is None:
            self.worth = self.evaluator.evaluate(anchors)
        if self.after_bust is not None:
            self.worth[0] = -self.after_bust
        return self.worth


def position_of(view: NDArray[np.int8]) -> Position:
    """A solo position that looks like a view: closed columns are won; it says how many more win."""
    tokens = [top - left for top, left in zip(OFFICIAL.lengths, view.tolist(), strict=False)]
    closed = int((view[:COLUMNS] == 0).sum())
    rules = Rules(players=1, columns_to_win=closed + int(view[COLUMNS]))
    return Position(Tokens(rules, ((0, 0, *tokens),)), 0, (0,) * len(OFFICIAL.tops))


def backed_up(view: NDArray[np.int8], network: Network) -> float:
    """The turns from a view if the network is right about all later ones.

    A bust leads back to the view itself: the number is a fixed point, found by one secant step.
    """
    evaluator, position = Again(Solo(network)), position_of(view)
    turn = solve_turn(position, evaluator)
    one, after_one = -turn.bust_value, 1 - turn.value(position)
    two = evaluator.after_bust = max(1.0, one + (after_one - one) / (1 - USUAL_BUST))
    if abs(two - one) < ENOUGH:
        return two
    after_two = 1 - solve_turn(position, evaluator).value(position)
    slope = min((after_two - after_one) / (two - one), MAX_BUST)
    return max(1.0, two + (after_two - two) / (1 - slope))


def play(view: NDArray[np.int8], network: Network, chance: np.random.Generator) -> list[float]:
    """Play a game from a view; the distances before each of its turns."""
    evaluator = Solo(network)
    bot, position = ExpertBot(evaluator=evaluator), position_of(view)
    distances: list[float] = []
    while position.outcome is None and len(distances) < MAX_TURNS:
        spaces = np.array(position.tokens.spaces, np.int8)[None, :, 2:]
        distances.append(-float(evaluator.evaluate(Anchors(position.rules, 0, spaces))[0, 0]))
        position = _play_turn(bot, position, chance)
    return distances


def _play_turn(bot: ExpertBot, position: Position, chance: np.random.Generator) -> Position:
    while True:
        position = position.roll(tuple(chance.integers(1, 7, 4).tolist()))
        if position.phase is Phase.BUST:
            return position.bust()
        position = position.move(bot.choose(position, 0))
        if bot.stop(position, 0):
            return position.stop()


def scatter_of(distances: NDArray[np.float64], turns: NDArray[np.int64]) -> NDArray[np.float64]:
    """The chance to need more than a number of turns, by distance in parts of a turn.

    Games from about the same distance count together; each row's mean is made its distance.
    """
    rows = int(min(WIDEST, np.quantile(distances, 0.995)) * RESOLUTION) + 1
    later = np.zeros((rows, MAX_TURNS + 1))
    later[1:, 0] = 1.0
    for row in range(RESOLUTION + 1, rows):
        distance = row / RESOLUTION
        width = 0.08 + 0.06 * (distance - 1)
        weight = np.exp(-0.5 * ((distances - distance) / width) ** 2)
        counted = np.bincount(turns, weight, MAX_TURNS + 1)
        later[row] = 1 - np.cumsum(_with_mean(counted / weight.sum(), distance))
    return np.clip(later, 0.0, 1.0)


def _with_mean(exactly: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Mix a distribution with itself a turn later, or earlier, so that it has this mean."""
    count = np.arange(len(exactly))
    shifted = np.zeros_like(exactly)
    if exactly @ count < mean:
        shifted[1:] = exactly[:-1]
    else:
        shifted[1:-1] = exactly[2:]
        shifted[1] += exactly[1]
    now, then = float(exactly @ count), float(shifted @ count)
    part = min(max((mean - now) / (then - now), 0.0), 1.0)
    return np.asarray((1 - part) * exactly + part * shifted)
