"""Many games at once in compiled code, each from one decision of a learner to the next.

What ``Episode`` does with one position of the rules happens here to an array of the kernel's
records; ``tools/lockstep_rl.py`` proves that it is the same.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import compiled, entry, merged
from cantstop.kernel.decide import RANDOM
from cantstop.kernel.fields import COLUMNS
from cantstop.kernel.layout import (
    FORFEIT,
    MOST_ROLLS,
    OVER,
    Array,
    PositionRecord,
    RollsRecord,
    RulesRecord,
    StreamRecord,
    TallyRecord,
    Word,
)
from cantstop.kernel.play import Workspace, play_turn
from cantstop.kernel.records import DICE_IN_A_ROLL, RulesRecords
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

ACTIONS, SEATS = 9, 10
"""Purposes of random streams, besides the kernel's: random learners, and where learners sit."""

EVERY_SEAT, ANY_SEAT = -1, -2
"""Instead of a learner's seat: all of them are learners', or one is drawn for every game."""

PLAYING, ENDED, REPORTED = range(3)
"""How far a game is: nothing follows it any more, and the learner knows."""

BEGIN, ACT, ACT_AT_RANDOM = range(3)
"""What to do with all games. One function does all of it, so that it is compiled once."""

NOTHING = -1
"""No dice on the table, or no action."""

PLAN = np.dtype(
    [
        ("seat", "i8"),  # the learner's, EVERY_SEAT or ANY_SEAT
        ("max_turns", "i8"),
        ("stride", "u8"),  # a game that follows another has a number so much larger
        # numbers of actions by their columns, a single one with a 0; see STOP and ROLL
        ("codes", "i2", (COLUMNS, COLUMNS)),
        ("dice", "i1", (MOST_ROLLS, DICE_IN_A_ROLL)),  # of a roll's number
    ],
    align=True,
)
"""What all games have in common."""

STOP, ROLL = (0, 0), (0, 1)
"""Where ``codes`` have the actions other than moves."""

GAME = np.dtype(
    [
        ("number", "u8"),  # of the dice
        ("seat", "i8"),  # the learner's, or EVERY_SEAT
        ("turns", "i8"),  # that have ended
        ("roll", "i8"),  # the dice on the table
        ("state", "i8"),
    ]
)

PlanRecord = Array
GameRecord = Array


class Games(NamedTuple):
    """The games' memory: one record for each, and one for a bot that tries moves out."""

    games: Array
    positions: Array
    dice: Array
    draws: Array
    choices: Array
    scratch: Array
    tally: Array


class StepResults(NamedTuple):
    """What a step tells the learner, one row for each game; whatever is 0 need not be written."""

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    """By seat, where every seat is a learner's; else there is one column."""
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    illegal: NDArray[np.bool_]
    seats: NDArray[np.int8]
    """Who decides next."""
    actions: NDArray[np.int64]


class Played(NamedTuple):
    """All there is to know of one game.

    These are records, which compiled code hands on as addresses. Arrays are a dozen words each, and
    their references are counted: a call with all of them would take as long as a step of a game.
    """

    rules: RulesRecord
    rolls: RollsRecord
    plan: PlanRecord
    game: GameRecord
    position: PositionRecord
    dice: StreamRecord
    draws: StreamRecord
    choices: StreamRecord
    scratch: PositionRecord
    tally: TallyRecord


@merged
def _open_turn(played: Played, seed: Word) -> None:
    """Give the seat to move its dice, as every game of the kernel does."""
    game, players = played.game, played.rules.players
    lap = game.turns if players == 1 else game.turns // players
    open_stream(played.dice, seed, game.number, lap, DICE + played.position.seat)


@merged
def _bot_turn(played: Played, bots: Array, seed: Word) -> bool:
    """Let a bot play its turn; whether that ended the game."""
    rules, game, position = played.rules, played.game, played.position
    place = (position.seat - game.seat + rules.players) % rules.players - 1
    bot = bots[place]
    if bot.kind == RANDOM:
        key = seed + bot.number * NUMBER_STEP
        lap = game.turns // rules.players
        open_stream(played.draws, key, game.number, lap, DECISIONS + position.seat)
    workspace = Workspace(
        rules, played.rolls, position, played.scratch, played.dice, played.draws, played.tally
    )
    end = play_turn(workspace, bot)
    if end == FORFEIT:
        bust_turn(rules, position)
    return end == OVER


@merged
def _roll(played: Played) -> bool:
    """Roll; whether the dice are of any use."""
    rolls, position = played.rolls, played.position
    roll = rolls.number[below(played.dice, rolls.falls)]
    played.game.roll = roll
    find_moves(played.rules, rolls, position, roll)
    return position.move_count > 0


@compiled
def _next_decision(played: Played, bots: Array, seed: Word) -> None:
    """Go on from the start of a turn to where a learner has to decide, or to the end."""
    rules, game, position = played.rules, played.game, played.position
    while game.turns < played.plan.max_turns:
        _open_turn(played, seed)
        if bots is None or game.seat == EVERY_SEAT or game.seat == position.seat:
            if _roll(played):
                return
            bust_turn(rules, position)
        elif _bot_turn(played, bots, seed):
            game.turns += 1
            break
        game.turns += 1
    game.state = ENDED
    game.roll = NOTHING


@compiled
def _prepare(played: Played, seed: Word) -> None:
    """Set up the game of a number, up to its first turn."""
    rules, game, dice = played.rules, played.game, played.dice
    game.seat = played.plan.seat
    if game.seat == ANY_SEAT:
        open_stream(dice, seed, game.number, 0, SEATS)
        game.seat = below(dice, rules.players)
    open_stream(played.choices, seed, game.number, 0, ACTIONS)
    open_stream(dice, seed, game.number, 0, ROLL_OFF)
    begin_game(rules, played.position, who_starts(rules, dice))
    game.turns = 0
    game.roll = NOTHING
    game.state = PLAYING


@merged
def _random_action(played: Played) -> int:
    """Any legal action, each as likely as the others."""
    plan, position, draws = played.plan, played.position, played.choices
    if position.move_count:
        index = below(draws, position.move_count)
        return plan.codes[position.moves[index, 0], position.moves[index, 1]]
    if may_stop(played.rules, position) and below(draws, 2) == 0:
        return plan.codes[STOP]
    return plan.codes[ROLL]


@merged
def _act(played: Played, action: int) -> tuple[bool, bool]:
    """Do what a learner decides; whether it is legal, and whether that was the turn.

    What is not legal loses the turn.
    """
    rules, plan, game, position = played.rules, played.plan, played.game, played.position
    legal, lost = True, False
    if position.move_count:
        legal = False
        for index in range(position.move_count):
            if plan.codes[position.moves[index, 0], position.moves[index, 1]] == action:
                make_move(rules, position, index)
                game.roll = NOTHING
                legal = True
                break
    elif action == plan.codes[ROLL]:
        lost = not _roll(played)
    elif action == plan.codes[STOP] and may_stop(rules, position):
        game.turns += 1
        if stop_turn(rules, position):
            game.state = ENDED
            game.roll = NOTHING
        return True, True
    else:
        legal = False
    if legal and not lost:
        return True, False
    bust_turn(rules, position)
    game.turns += 1
    return legal, True


@merged
def _is_over(rules: RulesRecord, position: PositionRecord) -> bool:
    """Whether the rules say that the game has ended (W4, W5)."""
    if not position.open:
        return True
    over = False
    for seat in range(rules.players):
        over |= position.won[seat] >= rules.columns_to_win
    return over


@compiled
def _result(rules: RulesRecord, position: PositionRecord, seat: int) -> float:
    """What a finished game brings a seat: see ``encoding.results``."""
    most, winners = 0, 0
    for other in range(rules.players):
        most = max(most, position.won[other])
    for other in range(rules.players):
        winners += position.won[other] == most
    share = 1 / winners if position.won[seat] == most else 0.0
    return (share * rules.players - 1) / (rules.players - 1)


@merged
def _observe(played: Played, row: NDArray[np.int8], mask: NDArray[np.int8]) -> None:
    """Write the observation and the mask of a game."""
    rules, plan, game, position = played.rules, played.plan, played.game, played.position
    players, columns = rules.players, 2 * rules.sides - 1
    mover = position.seat
    seat = mover if game.seat == EVERY_SEAT else game.seat
    place = 0
    for other in range(players):
        whose = seat + other
        if whose >= players:
            whose -= players
        for column in range(columns):
            row[place + column] = position.tokens[whose, column + 2]
        place += columns
    for index in range(rules.runners - position.free):
        column = position.entered[index]
        row[place + column - 2] = position.runners[column]
    place += columns
    if game.state != PLAYING:
        row[place + DICE_IN_A_ROLL] = players
        mask[plan.codes[ROLL]] = 1
        return
    row[place + DICE_IN_A_ROLL] = mover - seat if mover >= seat else mover - seat + players
    if position.move_count:
        for die in range(DICE_IN_A_ROLL):
            row[place + die] = plan.dice[game.roll, die]
        for index in range(position.move_count):
            mask[plan.codes[position.moves[index, 0], position.moves[index, 1]]] = 1
    else:
        mask[plan.codes[ROLL]] = 1
        mask[plan.codes[STOP]] = may_stop(rules, position)


@merged
def _report_end(played: Played, results: StepResults, at: int) -> None:
    """Write the result of a game that has ended."""
    rules, game, position = played.rules, played.game, played.position
    over = _is_over(rules, position)
    results.terminated[at], results.truncated[at] = over, not over
    if over and rules.players > 1:
        for place in range(results.rewards.shape[1]):
            seat = place if game.seat == EVERY_SEAT else game.seat
            results.rewards[at, place] = _result(rules, position, seat)
    game.state = REPORTED


@merged
def _step(
    played: Played, bots: Array, seed: Word, results: StepResults, at: int, what: int
) -> None:
    """One step of one game."""
    game = played.game
    turns, begins, new_turn = game.turns, what == BEGIN or game.state == REPORTED, False
    if begins:
        if what != BEGIN:
            game.number += played.plan.stride
        _prepare(played, seed)
        new_turn = True
    elif game.state == PLAYING:
        if what == ACT_AT_RANDOM:
            results.actions[at] = _random_action(played)
        legal, new_turn = _act(played, results.actions[at])
        results.illegal[at] = not legal
    if new_turn and game.state == PLAYING:
        _next_decision(played, bots, seed)
    if not begins:
        if played.rules.players == 1:
            results.rewards[at, 0] = turns - game.turns
        if game.state == ENDED:
            _report_end(played, results, at)
    results.seats[at] = played.position.seat
    _observe(played, results.observations[at], results.masks[at])


@entry
def step_games(
    records: RulesRecords,
    plans: Array,
    bots: Array,
    games: Games,
    seed: Word,
    results: StepResults,
    what: int,
) -> None:
    """One step of all games: begin those whose numbers the records have, or act.

    That is what ``results.actions`` say, or something legal that is noted there. ``bots`` is None
    where there are no opponents: their code is then left out.
    """
    for at in range(len(games.games)):
        played = Played(
            records.rules[0],
            records.rolls[0],
            plans[0],
            games.games[at],
            games.positions[at],
            games.dice[at],
            games.draws[at],
            games.choices[at],
            games.scratch[0],
            games.tally[0],
        )
        _step(played, bots, seed, results, at, what)
