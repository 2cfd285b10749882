"""Games with bots that solve their turns, in compiled code; any compiled bot may join them.

``advance`` plays a game up to where a turn has to be solved, and later goes on from there.

With control variates the luck of every roll is counted too: what the roll changed by the solved
values of a turn. Its mean is zero whoever plays, so that it can be taken off the results.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import ColumnSets, SolvedTurn, state_of
from cantstop.jit import compiled, entry, inlined
from cantstop.kernel.decide import RANDOM, SOLVER, choose, stop
from cantstop.kernel.judgement import JudgementRecord, best_option, judge_moves, judge_stop
from cantstop.kernel.layout import (
    FORFEIT,
    LUCK_UNIT,
    MOST_MOVES,
    OVER,
    POINTS,
    Array,
    BotRecord,
    PositionRecord,
    TotalsRecord,
)
from cantstop.kernel.play import MOST_TURNS, begin_tally, share_points
from cantstop.kernel.records import Records, RulesRecords
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
from cantstop.rules.settings import MOST_PLAYERS

BEGIN_GAME, BEGIN_TURN, ROLL, MOVE, PRESS = range(5)
"""What comes next in a game: after a move, to stop or to roll again."""

PLAY_ON, FINISHED, SOLVE, JUDGE = range(4)
"""What ``advance`` asks for: a turn of the bot to move, or all of a turn, to count its luck by."""

GAME = np.dtype(
    [
        ("seed", "u8"),
        ("number", "i8"),  # of the dice
        ("turn", "i8"),
        ("next", "i8"),  # what comes next
        ("roll", "i8"),  # the dice on the table
        ("solved", "i8"),  # whether the turn is solved for the bot to move
        ("judged", "i8"),  # whether it is solved to count luck
        ("root_count", "i8"),
        ("roots", "i8", MOST_MOVES),  # what ``TurnSolver.solve`` is to be asked
    ],
    align=True,
)

BUSTED, MOVED, STOPPED = range(3)

LUCK_FIGURES = 2 * MOST_PLAYERS
"""For each bot its luck, and the result without it."""


class Trace(NamedTuple):
    """What happened in a game that is followed: the seat, what it did, the roll and the move."""

    events: NDArray[np.int64]
    length: NDArray[np.int64]


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


@inlined
def _note_event(trace: Trace, seat: int, what: int, roll: int, move: int) -> None:
    count = trace.length[0]
    if count < len(trace.events):
        trace.events[count, 0], trace.events[count, 1] = seat, what
        trace.events[count, 2], trace.events[count, 3] = roll, move
        trace.length[0] = count + 1


@compiled
def _best_move(rules: Array, sets: ColumnSets, turn: SolvedTurn, table: Table) -> int:
    """Work out what every legal move is worth; returns the best, the first of equals."""
    position, scratch = table.positions[0], table.positions[1]
    for index in range(position.move_count):
        copy_position(rules[0], position, scratch)
        make_move(rules[0], scratch, index)
        table.worths[index] = turn.values.value[state_of(sets, turn, scratch)]
    return best_option(table.worths, position.move_count)


@inlined
def _roots_after_moves(position: PositionRecord, game: Array) -> None:
    """Ask for whatever can come after the legal moves."""
    game.root_count = position.move_count
    for index in range(position.move_count):
        columns = position.out | 1 << position.moves[index, 0]
        if position.moves[index, 1]:
            columns |= 1 << position.moves[index, 1]
        game.roots[index] = columns


@inlined
def _roots_here(columns: int, game: Array) -> None:
    game.root_count = 1
    game.roots[0] = columns


@compiled
def _begin_game(rules: Array, table: Table) -> None:
    game, dice = table.games[0], table.streams[0]
    open_stream(dice, game.seed, game.number, 0, ROLL_OFF)
    first = who_starts(rules[0], dice)
    begin_game(rules[0], table.positions[0], first)
    begin_tally(rules[0], table.tallies[0], first)
    for seat in range(len(table.luck)):
        table.luck[seat] = 0.0
    game.turn = -1


@compiled
def _begin_turn(rules: Array, bot: BotRecord, table: Table) -> int:
    """Give the seat to move its dice; a game that has gone on for too long is given up."""
    game, seat = table.games[0], table.positions[0].seat
    game.turn += 1
    if game.turn == MOST_TURNS:
        return FINISHED
    lap = game.turn // rules[0].players
    open_stream(table.streams[0], game.seed, game.number, lap, DICE + seat)
    if bot.kind == RANDOM:
        key = game.seed + bot.number * NUMBER_STEP
        open_stream(table.streams[1], key, game.number, lap, DECISIONS + seat)
    table.tallies[0].turns[seat] += 1
    game.solved = game.judged = False
    game.next = ROLL
    return PLAY_ON


@compiled
def _roll(records: RulesRecords, sets: ColumnSets, judge: SolvedTurn, table: Table) -> bool:
    """Roll; whether it is a bust."""
    rules, rolls = records.rules[0], records.rolls[0]
    position, game, tally = table.positions[0], table.games[0], table.tallies[0]
    seat = position.seat
    tally.rolls[seat] += 1
    game.roll = rolls.number[below(table.streams[0], rolls.falls)]
    if len(table.luck):
        table.luck[seat] -= judge.values.again[state_of(sets, judge, position)]
    find_moves(rules, rolls, position, game.roll)
    if position.move_count:
        if len(table.luck):
            table.luck[seat] += table.worths[_best_move(records.rules, sets, judge, table)]
        return False
    if len(table.luck):
        table.luck[seat] += judge.bust[0]
    _note_event(table.trace, seat, BUSTED, game.roll, 0)
    tally.busts[seat] += 1
    bust_turn(rules, position)
    return True


@compiled
def _chosen_move(
    records: RulesRecords,
    sets: ColumnSets,
    bot: BotRecord,
    judgement: JudgementRecord,
    turn: SolvedTurn,
    table: Table,
) -> int:
    """The number of the move that a bot makes."""
    rules, position = records.rules[0], table.positions[0]
    if bot.kind != SOLVER:
        draws, scratch = table.streams[1], table.positions[1]
        return choose(rules, records.rolls[0], position, bot, draws, scratch)
    if position.move_count == 1:
        return 0
    best = _best_move(records.rules, sets, turn, table)
    if bot.judges:
        return judge_moves(judgement, rules, position, table.worths, turn.bust[0])
    return best


@compiled
def _stops(
    records: RulesRecords,
    sets: ColumnSets,
    bot: BotRecord,
    judgement: JudgementRecord,
    turn: SolvedTurn,
    table: Table,
) -> bool:
    """Whether a bot stops, where it may."""
    rules, position = records.rules[0], table.positions[0]
    if bot.kind != SOLVER:
        return stop(rules, records.rolls[0], position, bot, table.streams[1])
    state = state_of(sets, turn, position)
    stopped, again = turn.values.stop[state], turn.values.again[state]
    if bot.judges:
        return judge_stop(judgement, rules, position, stopped, again, turn.bust[0])
    return stopped >= again


@compiled
def _play_move(
    records: RulesRecords,
    sets: ColumnSets,
    bot: BotRecord,
    judgement: JudgementRecord,
    turn: SolvedTurn,
    table: Table,
) -> int:
    """Make a move, unless the turn has to be solved first or the bot forfeits."""
    position, game = table.positions[0], table.games[0]
    if bot.kind == SOLVER and not game.solved and position.move_count > 1:
        _roots_after_moves(position, game)
        return SOLVE
    move = _chosen_move(records, sets, bot, judgement, turn, table)
    if not 0 <= move < position.move_count:
        table.tallies[0].end = FORFEIT
        return FINISHED
    make_move(records.rules[0], position, move)
    _note_event(table.trace, position.seat, MOVED, game.roll, move)
    game.next = PRESS
    return PLAY_ON


@compiled
def _press(
    records: RulesRecords,
    sets: ColumnSets,
    bot: BotRecord,
    judgement: JudgementRecord,
    turn: SolvedTurn,
    table: Table,
) -> int:
    """Stop or go on to roll again, unless the turn has to be solved first."""
    rules, position, game = records.rules[0], table.positions[0], table.games[0]
    game.next = ROLL
    if not may_stop(rules, position):
        return PLAY_ON
    if bot.kind == SOLVER and not game.solved:
        _roots_here(position.out, game)
        game.next = PRESS
        return SOLVE
    if _stops(records, sets, bot, judgement, turn, table):
        _note_event(table.trace, position.seat, STOPPED, 0, 0)
        game.next = BEGIN_TURN
        if stop_turn(rules, position):
            table.tallies[0].end = OVER
            return FINISHED
    return PLAY_ON


@entry
def advance(
    records: RulesRecords,
    sets: ColumnSets,
    bots: Array,
    judgements: Array,
    seats: Array,
    turn: SolvedTurn,
    judge: SolvedTurn,
    table: Table,
) -> int:
    """Play on to the end of the game, or to where a turn has to be solved.

    ``turn`` and ``judge`` are the solved turns, once they were asked for.
    """
    game, asked = table.games[0], PLAY_ON
    while asked == PLAY_ON:
        if game.next == BEGIN_GAME:
            _begin_game(records.rules, table)
            game.next = BEGIN_TURN
        place = seats[table.positions[0].seat]
        bot, judgement = bots[place], judgements[place]
        if game.next == BEGIN_TURN:
            asked = _begin_turn(records.rules, bot, table)
        elif game.next == MOVE:
            asked = _play_move(records, sets, bot, judgement, turn, table)
        elif game.next == PRESS:
            asked = _press(records, sets, bot, judgement, turn, table)
        elif len(table.luck) and not game.judged:
            _roots_here(0, game)
            asked = JUDGE
        else:
            game.next = BEGIN_TURN if _roll(records, sets, judge, table) else MOVE
    if asked == FINISHED:
        share_points(records.rules[0], table.positions[0], table.tallies[0])
    return asked


@compiled
def _note_luck(
    totals: TotalsRecord,
    figures: Array,
    seats: Array,
    points: Array,
    luck: Array,
    place: int,
    size: int,
) -> None:
    """Count what luck did in a game, and what is left of the result without it.

    A seat's rolls count for it, and those of the others, in equal parts, against it. ``figures``
    are the block's: luck of every bot, the results without it, and last the games.
    """
    players = len(seats)
    if place == 0:
        for at in range(len(figures)):
            figures[at] = 0
    total = 0.0
    for seat in range(players):
        total += luck[seat]
    for seat in range(players):
        bot = seats[seat]
        control = luck[seat] - (total - luck[seat]) / (players - 1)
        rest = points[seat] / POINTS - control
        figures[bot] += np.int64(np.rint(control * LUCK_UNIT))
        figures[MOST_PLAYERS + bot] += np.int64(np.rint(rest * LUCK_UNIT))
    figures[-1] += 1
    if figures[-1] == size:
        totals.luck_blocks += 1
        for bot in range(players):
            control, rest = figures[bot], figures[MOST_PLAYERS + bot]
            totals.luck_sums[bot] += control
            totals.luck_squares[bot] += control * control
            totals.rest_sums[bot] += rest
            totals.rest_squares[bot] += rest * rest


@entry
def note_luck(
    totals: Array, figures: Array, seats: Array, tallies: Array, luck: Array, place: int, size: int
) -> None:
    """Count the luck of a game that has its place in a block of some size."""
    _note_luck(totals[0], figures, seats, tallies[0].points, luck, place, size)
