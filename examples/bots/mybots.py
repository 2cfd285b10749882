"""Bots of one's own, in Python and for Numba.

Run from this folder: ``cantstop arena mybots:Sprinter mybots:steady rule-of-28``
"""

from cantstop.bots.compiled import CompiledBot


class Sprinter:
    """Always takes the highest columns, and stops on the fourth move."""

    def choose(self, position, moves):
        return max(position.legal_moves, key=sum)

    def stop(self, position, moves):
        return moves >= 4


def choose(rules, position):
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


def stop(rules, position):
    """After four moves, or with a runner on a top."""
    return position.moves_made >= 4 or position.topped > 0


steady = CompiledBot(choose, stop)
