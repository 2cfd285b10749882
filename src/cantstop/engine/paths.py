"""The way up each column in one turn: which spaces a runner visits, and where it may not rest."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import NOBODY, Sharing, Tokens


@dataclass(frozen=True, eq=False)
class Paths:
    """What a turn needs to know about an anchor.

    Columns are counted from 0 here. A runner in column ``c`` can make ``steps[c]`` steps, none
    where the column is won; after step ``s`` it stands on ``spaces[c, s]`` (step 0 is the token),
    and ``shared[c, s]`` tells whether that forbids a stop (V3).
    """

    steps: NDArray[np.int64]
    spaces: NDArray[np.int64]
    shared: NDArray[np.bool_]

    @cached_property
    def step_on(self) -> tuple[dict[int, int], ...]:
        """For each column, the step that leads to a space."""
        return tuple(
            {int(self.spaces[column, step]): step for step in range(1, int(steps) + 1)}
            for column, steps in enumerate(self.steps)
        )


def way_up(token: int, top: int, taken: set[int], sharing: Sharing) -> list[tuple[int, bool]]:
    """The spaces that a runner visits from a token to the top, and whether it may not rest there.

    ``taken`` are the spaces above with an opponent's token.
    """
    return [
        (space, sharing is Sharing.NO_REST and space in taken)
        for space in range(token + 1, top + 1)
        if sharing is not Sharing.LEAPFROG or space not in taken
    ]


def paths_of(tokens: Tokens, seat: int) -> Paths:
    """The ways up for a seat whose turn it is."""
    board = tokens.rules.board
    count, longest = len(board.columns), max(board.lengths)
    steps = np.zeros(count, np.int64)
    spaces = np.zeros((count, longest + 1), np.int64)
    shared = np.zeros((count, longest + 1), np.bool_)
    for place, column in enumerate(board.columns):
        token = spaces[place, 0] = tokens.spaces[seat][column]
        if tokens.owners[column] != NOBODY:
            continue
        taken = tokens.opponents_above(seat, column, token)
        way = way_up(token, board.top(column), taken, tokens.rules.sharing)
        steps[place] = len(way)
        for step, (space, closed) in enumerate(way, start=1):
            spaces[place, step], shared[place, step] = space, closed
    return Paths(steps, spaces, shared)
