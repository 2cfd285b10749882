"""Bots of one's own, in Python and for Numba.

Run from this folder: ``cantstop arena mybots:Sprinter mybots:steady rule-of-28``
"""

from typing import Any

from cantstop import Move, Position
from cantstop.bots.compiled import CompiledBot


class Sprinter:
    """Always takes the highest columns, and stops on the fourth move."""

    def choose(self, position: Position, moves: int) -> Move:
        return max(position.legal_moves, key=sum)

    def stop(self, position: Position, moves: int) -> bool:
        return moves >= 4


def choose(rules: Any, position: Any) -> int:
    """The legal move that brings out the fewest runners, as compiled code sees it."""
    best, fewest = 0, 3
    for index in range(position.move_count):
        brought = 0
        for column in position.moves[index]:
            if column and not position.runners[column]:
                brought += 1
        if brought < fewest:
            best, fewest = index, brought
    return best


def stop(rules: Any, position: Any) -> bool:
    """After four moves, or with a runner on a top."""
    return bool(position.moves_made >= 4 or position.topped > 0)


steady = CompiledBot(choose, stop)
