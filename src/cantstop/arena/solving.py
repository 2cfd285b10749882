"""Whole games with bots that solve their turns; any compiled bot may join them.

What ``kernel.play`` is for the simple bots: the same blocks, dice and totals. ``advance`` plays a game
in compiled code up to where a turn has to be solved, has the turn solver solve it, and goes on.

With control variates the luck of every roll is counted too: what the roll changed by the solved
values of a turn. Its mean is zero whoever plays, so that it can be taken off the results.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.arena.checkpoint import Totals
from cantstop.engine import best_evaluator
from cantstop.engine.compiled import SolvedTurn, TurnSolver, no_solved_turn, state_of
from cantstop.engine.turn.states import ColumnSets
from cantstop.jit import compiled, entry, inlined
from cantstop.kernel.decide import RANDOM, SOLVER, choose, stop
from cantstop.kernel.layout import (
    BLOCK_FIGURES,
    LUCK_UNIT,
    MOST_MOVES,
    POINTS,
    POSITION,
    STREAM,
    TALLY,
    Array,
    BotRecord,
    PositionRecord,
    TotalsRecord,
    Word,
)
from cantstop.kernel.play import (
    FORFEIT,
    GOES_ON,
    MOST_TURNS,
    OVER,
    Seatings,
    begin_tally,
    note_game,
    share_points,
)
from cantstop.kernel.records import Records, RulesRecords, rules_records
from cantstop.kernel.steps import (
    begin_game,
    bust_turn,
    copy_position,
    find_moves,
    make_move,
    may_stop,
    stop_turn,
    who_starts,
)
from cantstop.kernel.stream import DECISIONS, DICE, NUMBER_STEP, ROLL_OFF, below, open_stream
from cantstop.rules import Rules
from cantstop.rules.settings import MOST_PLAYERS

BEGIN_GAME, BEGIN_TURN, ROLL, MOVE, PRESS = range(5)
"""What comes next in a game: after a move, to stop or to roll again."""

FINISHED, SOLVE, JUDGE = range(3)
"""What ``advance`` asks for: a turn of the bot to move, or all of a turn, to count its luck by."""

GAME = np.dtype(
    [
        ("seed", "u8"),
        ("number", "i8"),  # of the dice
        ("turn", "i8"),
        ("next", "i8"),  # what comes next
        ("roll", "i8"),  # the dice on the table
        ("before", "f8"),  # what the position before the roll was worth
        ("solved", "i8"),  # whether the turn is solved for the bot to move
        ("judged", "i8"),  # whether it is solved to count luck
        ("root_count", "i8"),
        ("roots", "i8", MOST_MOVES),  # what ``TurnSolver.solve`` is to be asked
    ],
    align=True,
)

BUSTED, MOVED, STOPPED = range(3)


class Trace(NamedTuple):
    """What happened in games that are followed: the seat, what it did, the roll and the move."""

    events: NDArray[np.int64]
    count: NDArray[np.int64]


class Table(NamedTuple):
    """The memory that games are played in, all arrays: two positions, two streams, the rest one.

    ``worths`` are those of the legal moves; ``luck`` is what each seat's rolls have changed for it,
    and has no seats where nobody counts.
    """

    positions: Records
    streams: Records
    tallies: Records
    games: Records
    worths: NDArray[np.float64]
    luck: NDArray[np.float64]
    trace: Trace
