"""Three bots that anybody can play like: one that guesses, and two that count their moves."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from cantstop.bots.bot import Bot, RandomStreams
from cantstop.rules import Move, Position

RANDOM_STOP = 4
"""The random bot stops once in this many decisions."""


class RandomBot(Bot):
    """Any legal move, and a stop once in four times.

    ``draw(n)`` gives a number from 0 to n - 1.
    """

    def __init__(self, seed: int | None = None, draw: Callable[[int], int] | None = None) -> None:
        self.name = "random" if seed is None else f"random:{seed}"
        self.seed = seed
        self._draw = draw or random.Random(seed).randrange  # noqa: S311

    def drawing_from(self, streams: RandomStreams) -> "RandomBot":
        """The same bot with other random numbers, by which a game repeats itself."""
        return RandomBot(self.seed, streams(self.seed or 0))

    def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
        """Any of the legal moves, each as likely as the others."""
        return position.legal_moves[self._draw(len(position.legal_moves))]

    def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
        """Once in four times, whatever the position."""
        return self._draw(RANDOM_STOP) == 0


@dataclass(frozen=True)
class CountingBot(Bot):
    """Stops after a given number of moves, or as soon as that wins a column."""

    name: str
    enough: int

    def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
        """The most progress where progress is likely.

        Long columns are the ones that come up often, so every step counts for as many points as
        its column has spaces.
        """
        return max(position.legal_moves, key=lambda move: sum(map(position.rules.board.top, move)))

    def stop(self, position: Position, moves: int) -> bool:
        """Whether there have been moves enough, or a runner stands on a top."""
        board = position.rules.board
        return moves >= self.enough or any(
            position.runners[column] == board.top(column) for column in board.columns
        )
