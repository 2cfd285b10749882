"""Where a turn can end: the spaces that its runners visit, and what stopping there is worth."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.anchors import Anchors, Evaluator
from cantstop.engine.evaluators.value.model import ValueModel
from cantstop.engine.evaluators.value.sums import Layers
from cantstop.engine.turn.states import StateLayout, next_state, place_at_bottom
from cantstop.engine.turn.tables import TurnTables
from cantstop.engine.turn.value_ends import EndsMemory, fill_ends, new_ends_memory
from cantstop.jit import compiled, entry, inlined
from cantstop.rules import NOBODY, Sharing, Tokens


@dataclass(frozen=True, eq=False)
class Paths:
    """The way up each column in one turn.

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


@dataclass(frozen=True, eq=False)
class Ends:
    """``worth[state, seat]`` after a stop in that state; state 0, no runner out, stands for a bust.

    ``legal`` tells where stopping is allowed (T8, V3).
    """

    worth: NDArray[np.float64]
    legal: NDArray[np.bool_]


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


def ends_of_turn(
    tables: TurnTables,
    layout: StateLayout,
    states: int,
    paths: Paths,
    tokens: Tokens,
    seat: int,
    evaluator: Evaluator,
) -> Ends:
    """What every end of a turn is worth; for the value networks in half the time."""
    if type(evaluator) is not ValueModel:  # another kind of it may say something else
        return evaluate_ends(tables, layout, states, paths, tokens, seat, evaluator)
    rules, layers = tokens.rules, evaluator.layers_of(tokens.rules)
    ends = Ends(np.empty((states, rules.players)), np.empty(states, np.bool_))
    fill_network_ends(
        layers,
        new_ends_memory(layers),
        tables,
        layout,
        paths.spaces,
        paths.shared,
        np.array(tokens.spaces, np.int8)[:, 2:].copy(),
        seat,
        np.array(tokens.counts),
        len(tokens.open_columns),
        rules.columns_to_win,
        ends.worth,
        ends.legal,
    )
    return ends


def evaluate_ends(
    tables: TurnTables,
    layout: StateLayout,
    states: int,
    paths: Paths,
    tokens: Tokens,
    seat: int,
    evaluator: Evaluator,
) -> Ends:
    """Evaluate every end of a turn, all in one call: by any evaluator."""
    rules = tokens.rules
    before = np.array(tokens.spaces, np.int8)[:, 2:]
    stops = Stops(
        np.empty((states, *before.shape), np.int8),
        np.empty(states, np.bool_),
        np.zeros(states, np.int64),
    )
    stop_everywhere(tables, layout, paths.spaces, paths.shared, before, seat, stops)
    owned, closed = tokens.counts[seat], len(rules.board.columns) - len(tokens.open_columns)
    over = (owned + stops.won >= rules.columns_to_win) | (
        closed + stops.won == len(rules.board.columns)
    )
    following = (seat + 1) % rules.players
    if not over.any():
        return Ends(evaluator.evaluate(Anchors(rules, following, stops.spaces)), stops.legal)
    worth, going_on = np.empty((states, rules.players)), np.flatnonzero(~over)
    spaces = stops.spaces.take(going_on, axis=0)  # much faster than an index
    worth[going_on] = evaluator.evaluate(Anchors(rules, following, spaces))
    worth[over] = _final_worth(np.array(tokens.counts), stops.won[over], seat, rules.columns_to_win)
    return Ends(worth, stops.legal)


def _final_worth(
    counts: NDArray[np.int64], won: NDArray[np.int64], seat: int, to_win: int
) -> NDArray[np.float64]:
    """What finished games are worth: a solo game needs no more turns, else the winners share 1."""
    if len(counts) == 1:
        return np.zeros((len(won), 1))
    final = np.repeat(counts[None, :], len(won), axis=0)
    final[:, seat] += won
    best = final == final.max(axis=1, keepdims=True)
    best[final[:, seat] >= to_win] = np.arange(len(counts)) == seat
    return np.asarray(best / best.sum(axis=1, keepdims=True))


@entry
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


@entry
def fill_network_ends(
    layers: Layers,
    memory: EndsMemory,
    tables: TurnTables,
    layout: StateLayout,
    path: NDArray[np.int64],
    shared: NDArray[np.bool_],
    tokens: NDArray[np.int8],
    seat: int,
    owned: NDArray[np.int64],
    still_open: int,
    to_win: int,
    worth: NDArray[np.float64],
    legal: NDArray[np.bool_],
) -> None:
    """What every end of a turn is worth by a value network, and whether it is legal."""
    sets, wanted, early = tables.sets, tables.wanted, tables.early
    fill_ends(layers, to_win, early, sets, wanted, layout, path, tokens, seat, memory, worth)
    settle_ends(tables, layout, shared, seat, owned, still_open, to_win, worth, legal)


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
        for state in range(first[index], first[index] + states):
            won, rests = 0, True
            for at in range(size):
                column = members[index, at]
                if made[at] == steps[column]:  # W2
                    won += 1
                elif shared[column, made[at]]:
                    rests = False
            legal[state] = rests
            if won and is_over(owned[seat] + won, still_open - won, to_win):
                write_final_worth(owned, seat, won, to_win, worth[state])
            next_state(members, index, size, steps, made)


@inlined
def is_over(own: int, still_open: int, to_win: int) -> bool:
    """Whether the game is over for somebody who has so many columns (W4, W5)."""
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
