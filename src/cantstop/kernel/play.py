"""Whole games by the million: the loop that Python starts, and what it counts.

Games come in blocks. A block plays every seating of the bots with the same dice, so that luck
evens out between them; a table's games are numbered through all blocks.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import compiled, entry
from cantstop.kernel.decide import HEURISTIC, RANDOM, choose, stop
from cantstop.kernel.heuristic_turn import begin_scores, heuristic_turn
from cantstop.kernel.layout import (
    BLOCK_FIGURES,
    FIRST_FIGURE,
    FORFEIT,
    GOES_ON,
    LONGEST_COUNTED,
    OVER,
    POINTS,
    POSITION,
    ROLLS_FIGURE,
    SCORES,
    STREAM,
    TALLY,
    TURNS_FIGURE,
    Array,
    BotRecord,
    PositionRecord,
    RollsRecord,
    RulesRecord,
    StreamRecord,
    TallyRecord,
    TotalsRecord,
    Word,
)
from cantstop.kernel.records import RulesRecords
from cantstop.kernel.steps import (
    begin_game,
    bust_turn,
    find_moves,
    make_move,
    may_stop,
    stop_turn,
    who_starts,
)
from cantstop.kernel.stream import DECISIONS, DICE, NUMBER_STEP, ROLL_OFF, below, open_stream
from cantstop.rules.settings import MOST_PLAYERS

MOST_TURNS = 10_000
"""A game that has gone on for so long is given up, and nobody wins it."""


class Seatings(NamedTuple):
    """The orders in which a table's bots sit down, one row a game of a block: seat to bot.

    Where bots of the same name change places the game would be the same again, so such seatings
    have dice of their own: ``dice`` numbers them, up to ``dice_a_block`` - 1.
    """

    bots: NDArray[np.int64]
    dice: NDArray[np.int64]
    dice_a_block: int


class Workspace(NamedTuple):
    """The records that games are played on, one after the other."""

    rules: RulesRecord
    rolls: RollsRecord
    position: PositionRecord
    scratch: PositionRecord
    """For bots that try moves out."""
    dice: StreamRecord
    draws: StreamRecord
    """What a random bot decides by."""
    tally: TallyRecord


@compiled
def play_turn(workspace: Workspace, bot: BotRecord) -> int:
    """One turn: whether the game goes on."""
    rules, rolls, position, scratch, dice, draws, tally = workspace
    seat = position.seat
    tally.turns[seat] += 1
    while True:
        tally.rolls[seat] += 1
        find_moves(rules, rolls, position, rolls.number[below(dice, rolls.falls)])
        if position.move_count == 0:
            tally.busts[seat] += 1
            bust_turn(rules, position)
            return GOES_ON
        move = choose(rules, rolls, position, bot, draws, scratch)
        if not 0 <= move < position.move_count:
            return FORFEIT
        make_move(rules, position, move)
        if may_stop(rules, position) and stop(rules, rolls, position, bot, draws):
            return OVER if stop_turn(rules, position) else GOES_ON


@compiled
def share_points(rules: RulesRecord, position: PositionRecord, tally: TallyRecord) -> None:
    """What each seat gets: the winners share (W5); who forfeits leaves all to the others."""
    most, winners = 0, 0
    for seat in range(rules.players):
        most = max(most, position.won[seat])
    for seat in range(rules.players):
        if tally.end == OVER:
            tally.points[seat] = position.won[seat] == most
        else:
            tally.points[seat] = tally.end == FORFEIT and seat != position.seat
        winners += tally.points[seat]
    for seat in range(rules.players):
        if winners:
            tally.points[seat] *= POINTS // winners


@compiled
def begin_tally(rules: RulesRecord, tally: TallyRecord, first: int) -> None:
    """Start counting again."""
    tally.end = GOES_ON
    tally.first = first
    for seat in range(rules.players):
        tally.turns[seat] = 0
        tally.rolls[seat] = 0
        tally.busts[seat] = 0


@compiled
def play_game(
    workspace: Workspace, scores: Array, bots: Array, seats: Array, seed: Word, number: Word
) -> None:
    """One game with the dice of that number; ``scores`` are kept for each seat."""
    rules, position, tally = workspace.rules, workspace.position, workspace.tally
    dice, draws = workspace.dice, workspace.draws
    open_stream(dice, seed, number, 0, ROLL_OFF)
    first = who_starts(rules, dice)
    begin_game(rules, position, first)
    begin_tally(rules, tally, first)
    for seat in range(rules.players):
        if rules.whole_turns and bots[seats[seat]].kind == HEURISTIC:
            begin_scores(scores[seat], bots[seats[seat]])
    for turn in range(MOST_TURNS):
        seat, lap = position.seat, turn // rules.players
        bot = bots[seats[seat]]
        open_stream(dice, seed, number, lap, DICE + seat)
        if bot.kind == RANDOM:
            key = seed + bot.number * NUMBER_STEP
            open_stream(draws, key, number, lap, DECISIONS + seat)
        if rules.whole_turns and bot.kind == HEURISTIC:
            tally.end = heuristic_turn(
                rules, workspace.rolls, position, scores[seat], bot, dice, tally
            )
        else:
            tally.end = play_turn(workspace, bot)
        if tally.end != GOES_ON:
            break
    share_points(rules, position, tally)


@compiled
def count_game(
    totals: TotalsRecord, figures: Array, seats: Array, tally: TallyRecord, last: int
) -> None:
    """Add a game to the totals and to the figures of its block; ``last`` had the last turn."""
    turns, rolls = 0, 0
    for seat in range(len(seats)):
        bot = seats[seat]
        turns += tally.turns[seat]
        rolls += tally.rolls[seat]
        totals.busts += tally.busts[seat]
        totals.bot_turns[bot] += tally.turns[seat]
        totals.bot_rolls[bot] += tally.rolls[seat]
        totals.bot_busts[bot] += tally.busts[seat]
        totals.bot_points[bot] += tally.points[seat]
        figures[bot] += tally.points[seat]
    totals.games += 1
    totals.unfinished += tally.end == GOES_ON
    totals.bot_forfeits[seats[last]] += tally.end == FORFEIT
    totals.turns += turns
    totals.rolls += rolls
    totals.first_points += tally.points[tally.first]
    totals.turn_counts[min(turns, LONGEST_COUNTED)] += 1
    figures[FIRST_FIGURE] += tally.points[tally.first]
    figures[TURNS_FIGURE] += turns
    figures[ROLLS_FIGURE] += rolls


@compiled
def count_block(totals: TotalsRecord, figures: Array) -> None:
    """Add a whole block's figures, from which the error bars follow."""
    totals.blocks += 1
    for figure in range(BLOCK_FIGURES):
        totals.block_sums[figure] += figures[figure]
        totals.block_squares[figure] += figures[figure] * figures[figure]


@compiled
def note(
    totals: TotalsRecord,
    figures: Array,
    seats: Array,
    tally: TallyRecord,
    last: int,
    place: int,
    size: int,
) -> None:
    """Count a game that has its place in a block of some size.

    ``figures`` are the block's, with one more that counts its games: a block that is not whole
    here says nothing about blocks.
    """
    if place == 0:
        figures[:] = 0
    count_game(totals, figures, seats, tally, last)
    figures[BLOCK_FIGURES] += 1
    if figures[BLOCK_FIGURES] == size:
        count_block(totals, figures)


@entry
def play_games(
    records: RulesRecords,
    bots: Array,
    seatings: Seatings,
    seed: Word,
    first_game: int,
    last_game: int,
    totals: Array,
) -> None:
    """Play games from one number up to another and add them to the totals."""
    positions, streams, tallies = np.zeros(2, POSITION), np.zeros(2, STREAM), np.zeros(1, TALLY)
    workspace = Workspace(
        records.rules[0],
        records.rolls[0],
        positions[0],
        positions[1],
        streams[0],
        streams[1],
        tallies[0],
    )
    scores = np.zeros(MOST_PLAYERS, SCORES)
    figures = np.zeros(BLOCK_FIGURES + 1, np.int64)
    size = len(seatings.bots)
    for game in range(first_game, last_game):
        block, place = game // size, game % size
        seats = seatings.bots[place]
        number = block * seatings.dice_a_block + seatings.dice[place]
        play_game(workspace, scores, bots, seats, seed, number)
        note(totals[0], figures, seats, workspace.tally, workspace.position.seat, place, size)


@entry
def note_game(
    totals: Array,
    figures: Array,
    seats: Array,
    tallies: Array,
    last: int,
    place: int,
    size: int,
) -> None:
    """Count a game that Python played."""
    note(totals[0], figures, seats, tallies[0], last, place, size)
