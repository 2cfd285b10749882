"""What is asked about a position of a solved turn, in compiled code: options, rolls, prospects."""

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import ColumnSets, SolvedTurn, state_of
from cantstop.engine.turn.recursion import follow_best_play
from cantstop.engine.turn.tables import TurnTables
from cantstop.jit import compiled
from cantstop.kernel.fields import ROUNDING
from cantstop.kernel.layout import PositionRecord, RollsRecord, RulesRecord
from cantstop.kernel.steps import copy_position, find_moves, make_move

BUST = -1
"""Stands for the best move of a roll that is a bust."""


@compiled
def state_after(
    rules: RulesRecord,
    sets: ColumnSets,
    turn: SolvedTurn,
    position: PositionRecord,
    move: int,
    scratch: PositionRecord,
) -> int:
    """The number of the state that a legal move leads to."""
    copy_position(rules, position, scratch)
    make_move(rules, scratch, move)
    return state_of(sets, turn, scratch)


@compiled
def look_at_moves(
    rules: RulesRecord,
    sets: ColumnSets,
    turn: SolvedTurn,
    position: PositionRecord,
    scratch: PositionRecord,
    states: NDArray[np.int64],
) -> int:
    """Fill in the state that each legal move leads to; returns the best move, the first of equals.

    A position without legal moves has ``BUST``.
    """
    best = BUST
    for move in range(position.move_count):
        states[move] = state_after(rules, sets, turn, position, move, scratch)
        value = turn.values.value[states[move]]
        if best == BUST or value > turn.values.value[states[best]] + ROUNDING:
            best = move
    return best


@compiled
def map_rolls(
    rules: RulesRecord,
    rolls: RollsRecord,
    sets: ColumnSets,
    turn: SolvedTurn,
    position: PositionRecord,
    rolled: PositionRecord,
    scratch: PositionRecord,
    states: NDArray[np.int64],
    worth: NDArray[np.float64],
    best: NDArray[np.int8],
) -> None:
    """Fill in what every distinct roll would bring: its worth, its best move, what to do then.

    ``best[roll]`` are the move's two columns, the second 0 where it has one, and both where the
    roll is a bust; then whether to stop after it.
    """
    copy_position(rules, position, rolled)
    for roll in range(rolls.count):
        find_moves(rules, rolls, rolled, roll)
        move = look_at_moves(rules, sets, turn, rolled, scratch, states)
        if move == BUST:
            worth[roll] = turn.bust[0]
            best[roll, 0] = best[roll, 1] = best[roll, 2] = 0
        else:
            state = states[move]
            worth[roll] = turn.values.value[state]
            best[roll, 0] = rolled.moves[move, 0]
            best[roll, 1] = rolled.moves[move, 1]
            best[roll, 2] = turn.values.stop[state] >= turn.values.again[state]


@compiled
def follow_from(
    tables: TurnTables,
    turn: SolvedTurn,
    state: int,
    rolls_on: bool,
    stops: NDArray[np.bool_],
    chance: NDArray[np.float64],
) -> float:
    """Follow best play from a state, or after rolling there; returns the chance of a bust.

    Afterwards ``chance[s]`` is the chance to stop in a state, and 0 where play goes on.
    """
    stop, again, value = turn.values
    for at in range(len(stops)):
        stops[at] = stop[at] >= again[at]
        chance[at] = 0.0
    if rolls_on:
        stops[state] = False
    chance[state] = 1.0
    bust = follow_best_play(tables, turn.layout, stops, value, chance)
    for at in range(len(stops)):
        if not stops[at]:
            chance[at] = 0.0
    return bust


@compiled
def mean_worth(
    ends: NDArray[np.float64], chance: NDArray[np.float64], bust: float, worth: NDArray[np.float64]
) -> None:
    """What a turn is worth to each seat, by the chances of its ends; ``ends[0]`` is a bust."""
    for seat in range(len(worth)):
        worth[seat] = bust * ends[0, seat]
    for state in range(len(ends)):
        if chance[state] > 0.0:
            for seat in range(len(worth)):
                worth[seat] += chance[state] * ends[state, seat]
