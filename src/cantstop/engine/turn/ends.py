"""Where a turn can end: the spaces that its runners visit, and what stopping there is worth."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.turn.states import StateLayout, next_state, place_at_bottom
from cantstop.engine.turn.tables import TurnTables
from cantstop.jit import compiled, inlined
from cantstop.rules import Sharing


class Stops(NamedTuple):
    """For every state: the tokens after a stop, whether it is legal, and the columns won by it."""

    spaces: NDArray[np.int8]
    legal: NDArray[np.bool_]
    won: NDArray[np.int64]


def way_up(token: int, top: int, taken: set[int], sharing: Sharing) -> list[tuple[int, bool]]:
    """The spaces that a runner visits from a token to the top, and whether it may not rest there.

    ``taken`` are the spaces above with an opponent's token.
    """
    return [
        (space, sharing is Sharing.NO_REST and space in taken)
        for space in range(token + 1, top + 1)
        if sharing is not Sharing.LEAPFROG or space not in taken
    ]


@compiled
def stop_everywhere(
    tables: TurnTables,
    layout: StateLayout,
    path: NDArray[np.int64],
    shared: NDArray[np.bool_],
    before: NDArray[np.int8],
    seat: int,
    stops: Stops,
) -> None:
    """Fill in the tokens after a stop in every state, if it is legal, and the columns won."""
    members, sizes, wanted = tables.sets.members, tables.sets.sizes, tables.wanted
    steps, first = layout.steps, layout.first
    spaces, legal, won = stops
    made = np.empty(members.shape[1], np.int64)
    seats, columns = before.shape
    for index in range(len(sizes)):
        if not (wanted[index] or index == 0):
            continue
        size = sizes[index]
        states = place_at_bottom(members, index, size, steps, made)
        for state in range(first[index], first[index] + states):
            for player in range(seats):
                for column in range(columns):
                    spaces[state, player, column] = before[player, column]
            legal[state] = index > 0
            for at in range(size):
                column = members[index, at]
                if made[at] == steps[column]:  # W2
                    for player in range(seats):
                        spaces[state, player, column] = 0
                    won[state] += 1
                elif shared[column, made[at]]:
                    legal[state] = False
                spaces[state, seat, column] = path[column, made[at]]
            next_state(members, index, size, steps, made)


@compiled
def settle_ends(
    tables: TurnTables,
    layout: StateLayout,
    shared: NDArray[np.bool_],
    seat: int,
    owned: NDArray[np.int64],
    still_open: int,
    to_win: int,
    worth: NDArray[np.float64],
    legal: NDArray[np.bool_],
) -> None:
    """Fill in where stopping is legal, and what ends are worth that are the end of the game.

    ``owned`` are the columns that each seat has won, ``still_open`` those that nobody has.
    """
    members, sizes, steps, first = (
        tables.sets.members,
        tables.sets.sizes,
        layout.steps,
        layout.first,
    )
    made = np.empty(members.shape[1], np.int64)
    legal[0] = False
    for index in range(1, len(sizes)):
        if not tables.wanted[index]:
            continue
        size = sizes[index]
        states = place_at_bottom(members, index, size, steps, made)
        last = members[index, size - 1]
        state = first[index]
        while state < first[index] + states:
            lower, rests = 0, True
            for at in range(size - 1):
                column = members[index, at]
                if made[at] == steps[column]:  # W2
                    lower += 1
                elif shared[column, made[at]]:
                    rests = False
            for step in range(1, steps[last] + 1):
                topped = step == steps[last]
                won = lower + int(topped)
                legal[state] = rests and (topped or not shared[last, step])
                if won and is_over(owned[seat] + won, still_open - won, to_win):
                    write_final_worth(owned, seat, won, to_win, worth[state])
                state += 1
            made[size - 1] = steps[last]
            next_state(members, index, size, steps, made)


@inlined
def is_over(own: int, still_open: int, to_win: int) -> bool:
    """Whether the game is over for a seat with this number of columns (W4, W5)."""
    return own >= to_win or still_open == 0


@inlined
def write_final_worth(
    owned: NDArray[np.int64], seat: int, won: int, to_win: int, worth: NDArray[np.float64]
) -> None:
    """What a finished game is worth: alone it needs no more turns, else the winners share 1."""
    seats = len(worth)
    if seats == 1:
        worth[0] = 0.0
        return
    own, most, winners = owned[seat] + won, 0, 0
    for player in range(seats):
        most = max(most, own if player == seat else owned[player])
    for player in range(seats):
        columns = own if player == seat else owned[player]
        wins = player == seat if own >= to_win else columns == most
        worth[player] = 1.0 if wins else 0.0
        winners += wins
    for player in range(seats):
        worth[player] /= winners
