"""The turn solver for games that are played in compiled code: positions are the kernel's records.

With Numba it finds what ``solve_rest`` finds by the engine's module, which is made of the same
functions; tests play the same games with both.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators import Evaluator, RaceModel, SoloModel, ValueModel
from cantstop.engine.evaluators.race.chances import evaluate_duel, evaluate_race
from cantstop.engine.evaluators.race.distances import fill_distances
from cantstop.engine.evaluators.race.network import Network
from cantstop.engine.evaluators.race.views import Scale, scale_of
from cantstop.engine.evaluators.value.sums import Layers
from cantstop.engine.size import count_states
from cantstop.engine.turn.ends import Stops, is_over, settle_ends, stop_everywhere
from cantstop.engine.turn.recursion import SolvedTurn, TurnValues, solve_states
from cantstop.engine.turn.states import ColumnSets, StateLayout, number_states
from cantstop.engine.turn.tables import TurnTables, turn_tables
from cantstop.engine.turn.value_ends import EndsMemory, fill_ends, new_ends_memory
from cantstop.jit import compiled, entry, inlined
from cantstop.kernel.layout import LEAPFROG, NO_REST, PositionRecord, RulesRecord
from cantstop.kernel.records import Records, rules_records, to_record
from cantstop.rules import Board, Position, Rules, Start

__all__ = ["NO_TURN", "ColumnSets", "SolvedTurn", "TurnSolver", "state_of"]

Roots = NDArray[np.int64]
_WithCompiledForm = ValueModel | RaceModel | SoloModel
FIRST_COLUMN = 2

LARGEST_OPENING = 200_000
"""Opening turns of at most this many states are solved once and kept: most games begin with two."""


class RaceArrays(NamedTuple):
    """The race model as compiled code reads it; alone, only the distance by ``network`` counts."""

    network: Network
    survival: NDArray[np.float64]
    duels: NDArray[np.float64]
    scale: Scale


class TurnMemory(NamedTuple):
    """Where turns are solved, one after the other; ``solved`` is the last one.

    ``tokens[seat, column]``, with columns counted from 0 as everywhere in the engine, are those
    before the turn, ``path`` and ``shared`` are those of ``ends.Paths``. ``masks`` are the sets of
    columns as bits, ``wanted`` those that are to be solved.
    """

    tokens: NDArray[np.int8]
    path: NDArray[np.int64]
    shared: NDArray[np.bool_]
    masks: NDArray[np.int64]
    wanted: NDArray[np.bool_]
    worth: NDArray[np.float64]
    solved: SolvedTurn


class TurnSolver:
    """Solves turns of a game, one after the other, at positions that are the kernel's records."""

    def __init__(self, rules: Rules, evaluator: Evaluator) -> None:
        if not isinstance(evaluator, _WithCompiledForm):
            raise TypeError(f"{type(evaluator).__name__} has no compiled form.")
        self.sets = turn_tables(rules.board, rules.early).sets
        self._turn = _new_turn_memory(rules, self.sets)
        self._opening = _opening(rules, evaluator)
        self._solve = _solver(rules, evaluator, self._turn)

    def solve(self, positions: Records, roots: Roots) -> SolvedTurn:
        """What can come of a turn after runners are in all columns of one of the roots.

        A root is a set of columns as bits, as in the kernel's records; 0 stands for everything.
        The answer is overwritten by the next one.
        """
        if self._opening is not None and not positions[0]["tokens"].any():
            return self._opening
        self._solve(positions, roots)
        return self._turn.solved


@lru_cache(maxsize=8)
def _opening(rules: Rules, evaluator: _WithCompiledForm) -> SolvedTurn | None:
    """The turn on the empty board, solved once for all games; None where it is not worth it."""
    # the race of three or more rounds differently for each seat: their openings are not the same
    alike = isinstance(evaluator, ValueModel) or rules.players <= 2
    if not alike or _most_states(rules.board) > LARGEST_OPENING:
        return None
    turn = _new_turn_memory(rules, turn_tables(rules.board, rules.early).sets)
    initial = to_record(Position.initial(replace(rules, start=Start.FIRST_SEAT)), 0)
    _solver(rules, evaluator, turn)(initial, np.zeros(1, np.int64))
    return turn.solved


def _solver(
    rules: Rules, evaluator: _WithCompiledForm, turn: TurnMemory
) -> Callable[[Records, Roots], None]:
    """What solves turns of a game into some memory."""
    fixed = turn_tables(rules.board, rules.early), rules_records(rules).rules, turn
    if isinstance(evaluator, ValueModel):
        layers = evaluator.layers_of(rules)
        return partial(solve_by_network, *fixed, layers, new_ends_memory(layers))
    return partial(solve_by_race, *fixed, _race_arrays(rules, evaluator))


def _race_arrays(rules: Rules, evaluator: RaceModel | SoloModel) -> RaceArrays:
    scale = scale_of(rules.board)
    if isinstance(evaluator, SoloModel):
        return RaceArrays(evaluator.network, NO_TABLE, NO_TABLE, scale)
    return RaceArrays(evaluator.network, evaluator.survival, evaluator.duels, scale)


NO_TABLE = np.zeros((0, 0))
NO_TURN = SolvedTurn(
    np.zeros((0, 0), np.int64),
    StateLayout(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 0), np.int64)),
    TurnValues(np.zeros(0), np.zeros(0), np.zeros(0)),
    np.zeros(1),
)
"""Stands for a turn that nobody has solved yet."""


def _most_states(board: Board) -> int:
    """How many states a turn can have."""
    return count_states(board.lengths, board.runners)


def _new_turn_memory(rules: Rules, sets: ColumnSets) -> TurnMemory:
    """Memory for any turn of a game; the system gives what is used of it."""
    columns, spaces = len(rules.board.columns), max(rules.board.lengths) + 1
    limit, count = _most_states(rules.board), len(sets.sizes)
    return TurnMemory(
        np.zeros((rules.players, columns), np.int8),
        np.zeros((columns, spaces), np.int64),
        np.zeros((columns, spaces), np.bool_),
        sets.contains @ (1 << np.arange(columns)),
        np.zeros(count, np.bool_),
        np.empty((limit, rules.players)),
        SolvedTurn(
            np.zeros((columns, spaces), np.int64),
            StateLayout(
                np.zeros(columns, np.int64),
                np.zeros(count, np.int64),
                np.zeros_like(sets.members),
            ),
            TurnValues(np.empty(limit), np.empty(limit), np.empty(limit + 1)),
            np.zeros(1),
        ),
    )


@inlined
def begin_solving(
    tables: TurnTables,
    rules: RulesRecord,
    position: PositionRecord,
    roots: Roots,
    turn: TurnMemory,
) -> tuple[TurnTables, int]:
    """Work out which sets are to be solved and number their states."""
    layout = turn.solved.layout
    for index in range(len(turn.masks)):
        turn.wanted[index] = False
        for root in roots:
            columns = root >> FIRST_COLUMN
            turn.wanted[index] |= turn.masks[index] & columns == columns
    for player in range(rules.players):
        for column in range(len(layout.steps)):
            turn.tokens[player, column] = position.tokens[player, column + FIRST_COLUMN]
    _find_paths(rules, position, turn)
    wanted = TurnTables(
        tables.sets,
        tables.rolls,
        tables.split_order,
        tables.triples,
        tables.first_triple,
        tables.early,
        turn.wanted,
    )
    return wanted, number_states(tables.sets, turn.wanted, layout)


@inlined
def finish_solving(
    wanted: TurnTables,
    states: int,
    rules: RulesRecord,
    position: PositionRecord,
    turn: TurnMemory,
) -> None:
    """Solve the turn, once it is known what its ends are worth."""
    stop, again, value = turn.solved.values
    values = TurnValues(stop[:states], again[:states], value[: states + 1])
    _settle(wanted, rules, position, turn, values.stop)
    turn.solved.bust[0] = turn.worth[0, position.seat]
    solve_states(wanted, turn.solved.layout, turn.solved.bust[0], values)


@entry
def solve_by_network(
    tables: TurnTables,
    rules: Records,
    turn: TurnMemory,
    layers: Layers,
    ends: EndsMemory,
    positions: Records,
    roots: Roots,
) -> None:
    """Solve a turn by a value network."""
    position = positions[0]
    wanted, states = begin_solving(tables, rules[0], position, roots, turn)
    fill_ends(
        layers,
        rules[0].columns_to_win,
        tables.early,
        tables.sets,
        turn.wanted,
        turn.solved.layout,
        turn.path,
        turn.tokens,
        position.seat,
        ends,
        turn.worth,
    )
    finish_solving(wanted, states, rules[0], position, turn)


@entry
def solve_by_race(
    tables: TurnTables,
    rules: Records,
    turn: TurnMemory,
    race: RaceArrays,
    positions: Records,
    roots: Roots,
) -> None:
    """Solve a turn by the race model."""
    position = positions[0]
    wanted, states = begin_solving(tables, rules[0], position, roots, turn)
    race_ends(wanted, states, race, rules[0], position, turn)
    finish_solving(wanted, states, rules[0], position, turn)


@inlined
def _find_paths(rules: RulesRecord, position: PositionRecord, turn: TurnMemory) -> None:
    """The way up each column: what ``ends.paths_of`` finds."""
    seat, steps, step_on = position.seat, turn.solved.layout.steps, turn.solved.step_on
    for column in range(len(steps)):
        number = column + FIRST_COLUMN
        token = turn.tokens[seat, column]
        turn.path[column, 0] = token
        steps[column] = 0
        if not position.open >> number & 1:
            continue
        for space in range(token + 1, rules.tops[number] + 1):
            taken = False
            for other in range(rules.players):
                taken |= other != seat and turn.tokens[other, column] == space
            if taken and rules.sharing == LEAPFROG:
                continue
            steps[column] += 1
            turn.path[column, steps[column]] = space
            turn.shared[column, steps[column]] = taken and rules.sharing == NO_REST
            step_on[column, space] = steps[column]


@compiled
def keep_going_on(
    rules: RulesRecord, position: PositionRecord, stops: Stops, rows: NDArray[np.int64]
) -> int:
    """Move the tokens of all ends with the game not over to the front; which they are, how many."""
    states, seats, columns = stops.spaces.shape
    still_open, count = _count_open(position, columns), 0
    for state in range(states):
        own = position.won[position.seat] + stops.won[state]
        if not is_over(own, still_open - stops.won[state], rules.columns_to_win):
            rows[count] = state
            for player in range(seats):
                for column in range(columns):
                    stops.spaces[count, player, column] = stops.spaces[state, player, column]
            count += 1
    return count


@compiled
def race_ends(
    tables: TurnTables,
    states: int,
    race: RaceArrays,
    rules: RulesRecord,
    position: PositionRecord,
    turn: TurnMemory,
) -> None:
    """What the ends are worth by the race model, those where the game goes on."""
    layout = turn.solved.layout
    seats, columns = rules.players, len(layout.steps)
    stops = Stops(
        np.empty((states, seats, columns), np.int8),
        np.empty(states, np.bool_),
        np.zeros(states, np.int64),
    )
    seat = position.seat
    stop_everywhere(tables, layout, turn.path, turn.shared, turn.tokens, seat, stops)
    rows = np.empty(states, np.int64)
    count = keep_going_on(rules, position, stops, rows)
    distances = np.empty((seats, count))
    lengths = np.empty(columns, np.int64)
    for column in range(columns):
        lengths[column] = rules.tops[column + FIRST_COLUMN]
    fill_distances(
        stops.spaces[:count],
        lengths,
        rules.columns_to_win,
        rules.sharing == LEAPFROG,
        race.scale,
        race.network,
        distances,
    )
    found = np.empty((count, seats))
    if seats == 1:
        for row in range(count):
            found[row, 0] = -distances[0, row]
    elif seats == 2:
        evaluate_duel(race.duels, distances, (seat + 1) % seats, found)
    else:
        evaluate_race(race.survival, distances, (seat + 1) % seats, found)
    for row in range(count):
        for player in range(seats):
            turn.worth[rows[row], player] = found[row, player]


@inlined
def _count_open(position: PositionRecord, columns: int) -> int:
    count = 0
    for column in range(columns):
        count += position.open >> (column + FIRST_COLUMN) & 1
    return count


@compiled
def _settle(
    tables: TurnTables,
    rules: RulesRecord,
    position: PositionRecord,
    turn: TurnMemory,
    stop: NDArray[np.float64],
) -> None:
    """Fill in what stopping is worth to the mover, and what finished games are worth."""
    seat, owned = position.seat, np.empty(rules.players, np.int64)
    for player in range(rules.players):
        owned[player] = position.won[player]
    legal = np.empty(len(stop), np.bool_)
    settle_ends(
        tables,
        turn.solved.layout,
        turn.shared,
        seat,
        owned,
        _count_open(position, len(turn.solved.layout.steps)),
        rules.columns_to_win,
        turn.worth,
        legal,
    )
    for state in range(len(stop)):
        stop[state] = turn.worth[state, seat] if legal[state] else -np.inf


@inlined
def state_of(sets: ColumnSets, turn: SolvedTurn, position: PositionRecord) -> int:
    """The number of the state that the runners of a position make."""
    columns, index = len(turn.layout.steps), 0
    for column in range(columns):
        if position.out >> (column + FIRST_COLUMN) & 1:
            index = sets.children[index, column]
    state, place = turn.layout.first[index], 0
    for column in range(columns):
        if position.out >> (column + FIRST_COLUMN) & 1:
            step = turn.step_on[column, position.runners[column + FIRST_COLUMN]]
            state += (step - 1) * turn.layout.stride[index, place]
            place += 1
    return state
