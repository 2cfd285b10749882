"""Positions of random games, anywhere in a turn: what modules and functions are compared at."""

import random
from collections.abc import Iterator

from cantstop.game import Game
from cantstop.rules import Phase, Position, Rules


def random_positions(rules: Rules, count: int, seed: int) -> Iterator[Position]:
    """``count`` positions that belong to a turn, of games in which all is left to chance."""
    chance = random.Random(f"{rules} {seed}")
    game, found = Game(rules), 0
    while found < count:
        if game.outcome is not None:
            game = Game(rules)
        position = game.position
        if position.phase not in (Phase.START, Phase.OVER) and chance.random() < 0.1:
            found += 1
            yield position
        match position.phase:
            case Phase.MOVE:
                game.move(chance.choice(position.legal_moves))
            case _ if position.may_stop and chance.random() < 0.4:
                game.stop()
            case _:
                dice = 2 if position.phase is Phase.START else 4
                game.roll(tuple(chance.choices(range(1, rules.board.sides + 1), k=dice)))
