"""What the value networks say of all ends of a turn at once is what they say of each."""

import random
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from cantstop.bots import bot_named, decide
from cantstop.engine import (
    Anchors,
    EstimateError,
    Evaluator,
    Turn,
    solve_rest,
    solve_turn,
    value_model,
)
from cantstop.game import Game
from cantstop.rules import Choice, Position, Rules, Sharing


class OneByOne(Evaluator):
    """The value networks as any evaluator: asked about tokens, not about a turn."""

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        return value_model().evaluate(anchors)

    def error(self, position: Position) -> EstimateError | None:
        return value_model().error(position)


def state_numbers(turn: Turn) -> NDArray[np.float64]:
    """What stopping is worth in every state, and then what every state is."""
    instance = turn._instance()
    size = 8 * instance.states
    parts = [instance.read(instance.call(name), size) for name in ("stop_values", "state_values")]
    return np.frombuffer(b"".join(parts))


GAMES = [
    Rules(players, win, early, sharing)
    for (players, sharing), (win, early) in zip(
        product((2, 3, 4), Sharing),
        [(3, False), (4, True), (5, False), (3, True), (5, True), (4, False)] * 2,
        strict=False,
    )
]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_both_ways_find_the_same(rules: Rules) -> None:
    dice, game = random.Random(str(rules)), Game(rules)
    bots = [bot_named("bold:3") for _ in range(rules.players)]
    positions = [game.position]
    while game.outcome is None:
        match decide(bots[game.seat], game.position, game.moves_in_turn):
            case Choice.STOP:
                game.stop()
            case Choice.ROLL:
                game.roll(tuple(dice.choices(range(1, 7), k=4)))
            case move:
                game.move(move)
        if game.outcome is None and game.phase.value == "roll":
            positions.append(game.position)
    for position in [positions[0], *dice.sample(positions[1:], 3), positions[-1]]:
        one, other = solve_turn(position, value_model()), solve_turn(position, OneByOne())
        assert state_numbers(one) == pytest.approx(state_numbers(other), abs=1e-6)
        rolled = position.roll((2, 3, 4, 5))
        rest, again = solve_rest(rolled, value_model()), solve_rest(rolled, OneByOne())
        assert rest.value(rolled) == one.value(rolled)
        assert rest.value(rolled) == pytest.approx(again.value(rolled), abs=1e-6)
