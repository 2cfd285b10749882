"""How large a turn is: what is refused before any work on it starts."""

from collections.abc import Iterable
from math import comb

from cantstop.rules import Board, CantStopError

MAX_BYTES = 2 << 30
"""Memory that solving one turn may take."""

_STATE_BYTES, _SPACE_BYTES, _SPLIT_BYTES = 150, 14, 90
"""What a state takes at most, and besides for each column; and what a split takes for each set."""


class TooLarge(CantStopError):
    """A board on which the exact work would not fit into memory or time."""


def count_states(steps: Iterable[int], runners: int) -> int:
    """How many states a turn has: the ways to put at most ``runners`` runners on the columns.

    >>> count_states([3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3], 3)
    70224
    """
    ways = [1] + [0] * runners
    for column in steps:
        for out in range(runners, 0, -1):
            ways[out] += ways[out - 1] * int(column)
    return sum(ways)


def check_turn_size(
    board: Board, steps: Iterable[int] | None = None, most: int = MAX_BYTES
) -> None:
    """Refuse a turn that takes more than ``most`` bytes of memory, before any work starts.

    Without the steps that the columns have left, it is a turn on the empty board.

    Raises:
        TooLarge: If a turn on the board has too many states.
    """
    columns = len(board.columns)
    states = count_states(board.lengths if steps is None else steps, board.runners)
    sets = sum(comb(columns, out) for out in range(board.runners + 1))
    splits = columns * (columns + 1) // 2
    needed = states * (_STATE_BYTES + _SPACE_BYTES * columns) + sets * splits * _SPLIT_BYTES
    if needed > most:
        raise TooLarge(
            "A turn on this board is too large to be solved: it has {states} states in {sets} sets "
            "of columns.",
            states=states,
            sets=sets,
        )
