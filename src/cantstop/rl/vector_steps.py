"""Many games at once in compiled code, each from one decision of a learner to the next.

What ``Episode`` does with one position of the rules happens here to an array of the kernel's
records; ``tools/lockstep_rl.py`` proves that it is the same.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import compiled, entry, inlined
from cantstop.kernel.decide import RANDOM
from cantstop.kernel.layout import (
    FORFEIT,
    OVER,
    Array,
    PositionRecord,
    StreamRecord,
    Word,
)
from cantstop.kernel.play import Workspace, play_turn
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

ACTIONS, SEATS = 9, 10
"""Purposes of random streams, besides the kernel's: random learners, and where learners sit."""

EVERY_SEAT, ANY_SEAT = -1, -2
"""Instead of a learner's seat: all of them are learners', or one is drawn for every game."""

PLAYING, ENDED, REPORTED = range(3)
"""How far a game is: nothing follows it any more, and the learner has been told so."""

NOTHING = -1
"""No dice on the table, or no action."""

GAME = np.dtype(
    [
        ("number", "u8"),  # of the dice
        ("seat", "i8"),  # the learner's, or EVERY_SEAT
        ("turns", "i8"),  # that have ended
        ("roll", "i8"),  # the dice on the table
        ("state", "i8"),
    ]
)

GameRecord = Array


class Plan(NamedTuple):
    """What all games have in common.

    ``codes[low, high]`` is the number of a move's action, with a 0 for the missing column of a
    single one; ``dice[roll]`` are the four dice of a roll's number.
    """

    records: RulesRecords
    bots: Array
    codes: NDArray[np.int16]
    dice: NDArray[np.int8]
    seat: int
    max_turns: int
    stride: int
    """How many games there are: a game that follows another has a number so much larger."""


class Games(NamedTuple):
    """The games' memory: one record for each, and one for a bot that tries moves out."""

    games: Array
    positions: Array
    dice: Array
    draws: Array
    choices: Array
    scratch: Array
    tally: Array


class Told(NamedTuple):
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


@inlined
def _open_turn(plan: Plan, games: Games, at: int, seed: Word) -> None:
    """Give the seat to move its dice, as every game of the kernel does."""
    game, seat = games.games[at], games.positions[at].seat
    lap = game.turns // plan.records.rules[0].players
    open_stream(games.dice[at], seed, game.number, lap, DICE + seat)


@compiled
def _bot_turn(plan: Plan, games: Games, at: int, seed: Word) -> bool:
    """Let a bot play its turn; whether that ended the game."""
    game, position = games.games[at], games.positions[at]
    rules = plan.records.rules[0]
    place = (position.seat - game.seat + rules.players) % rules.players - 1
    bot = plan.bots[place]
    if bot.kind == RANDOM:
        key = seed + bot.number * NUMBER_STEP
        lap = game.turns // rules.players
        open_stream(games.draws[at], key, game.number, lap, DECISIONS + position.seat)
    workspace = Workspace(
        rules,
        plan.records.rolls[0],
        position,
        games.scratch[0],
        games.dice[at],
        games.draws[at],
        games.tally[0],
    )
    end = play_turn(workspace, bot)
    if end == FORFEIT:
        bust_turn(rules, position)
    return end == OVER


@inlined
def _roll(plan: Plan, games: Games, at: int) -> bool:
    """Roll; whether the dice are of any use."""
    rules, rolls = plan.records.rules[0], plan.records.rolls[0]
    game, position = games.games[at], games.positions[at]
    game.roll = rolls.number[below(games.dice[at], rolls.falls)]
    find_moves(rules, rolls, position, game.roll)
    return position.move_count > 0


@compiled
def _next_decision(plan: Plan, games: Games, at: int, seed: Word) -> None:
    """Go on from the start of a turn to where a learner has to decide, or to the end."""
    rules, game, position = plan.records.rules[0], games.games[at], games.positions[at]
    while game.turns < plan.max_turns:
        _open_turn(plan, games, at, seed)
        if game.seat == EVERY_SEAT or game.seat == position.seat:
            if _roll(plan, games, at):
                return
            bust_turn(rules, position)
        elif _bot_turn(plan, games, at, seed):
            game.turns += 1
            break
        game.turns += 1
    game.state = ENDED
    game.roll = NOTHING


@compiled
def _begin(plan: Plan, games: Games, at: int, seed: Word) -> None:
    """Begin the game of a number."""
    rules, game, stream = plan.records.rules[0], games.games[at], games.dice[at]
    game.seat = plan.seat
    if plan.seat == ANY_SEAT:
        open_stream(stream, seed, game.number, 0, SEATS)
        game.seat = below(stream, rules.players)
    open_stream(games.choices[at], seed, game.number, 0, ACTIONS)
    open_stream(stream, seed, game.number, 0, ROLL_OFF)
    begin_game(rules, games.positions[at], who_starts(rules, stream))
    game.turns = 0
    game.roll = NOTHING
    game.state = PLAYING
    _next_decision(plan, games, at, seed)


@inlined
def _random_action(plan: Plan, position: PositionRecord, draws: StreamRecord) -> int:
    """Any legal action, each as likely as the others."""
    if position.move_count:
        index = below(draws, position.move_count)
        return plan.codes[position.moves[index, 0], position.moves[index, 1]]
    roll = plan.codes[0, 1]
    if may_stop(plan.records.rules[0], position) and below(draws, 2) == 0:
        return plan.codes[0, 0]
    return roll


@inlined
def _act(plan: Plan, games: Games, at: int, action: int, seed: Word) -> bool:
    """Do what a learner decides; whether it is legal. What is not loses the turn."""
    rules, game, position = plan.records.rules[0], games.games[at], games.positions[at]
    legal, lost, stopped = True, False, False
    if position.move_count:
        legal = False
        for index in range(position.move_count):
            if plan.codes[position.moves[index, 0], position.moves[index, 1]] == action:
                make_move(rules, position, index)
                game.roll = NOTHING
                legal = True
                break
    elif action == plan.codes[0, 1]:
        lost = not _roll(plan, games, at)
    elif action == plan.codes[0, 0] and may_stop(rules, position):
        stopped = True
        game.turns += 1
        if stop_turn(rules, position):
            game.state = ENDED
            game.roll = NOTHING
    else:
        legal = False
    if lost or not legal:
        bust_turn(rules, position)
        game.turns += 1
        stopped = True
    if stopped and game.state == PLAYING:  # a call costs as much as a step: there is only this one
        _next_decision(plan, games, at, seed)
    return legal


@inlined
def _is_over(plan: Plan, position: PositionRecord) -> bool:
    """Whether the rules say that the game has ended (W4, W5)."""
    rules = plan.records.rules[0]
    if not position.open:
        return True
    over = False
    for seat in range(rules.players):
        over |= position.won[seat] >= rules.columns_to_win
    return over


@compiled
def _result(plan: Plan, position: PositionRecord, seat: int) -> float:
    """What a finished game brings a seat: see ``encoding.results``."""
    rules, most, winners = plan.records.rules[0], 0, 0
    for other in range(rules.players):
        most = max(most, position.won[other])
    for other in range(rules.players):
        winners += position.won[other] == most
    share = 1 / winners if position.won[seat] == most else 0.0
    return (share * rules.players - 1) / (rules.players - 1)


@inlined
def _observe(plan: Plan, games: Games, at: int, told: Told) -> None:
    """Write the observation and the mask of a game."""
    rules, game, position = plan.records.rules[0], games.games[at], games.positions[at]
    row, mask = told.observations[at], told.masks[at]
    players, columns = rules.players, 2 * rules.sides - 1
    mover = position.seat
    seat = mover if game.seat == EVERY_SEAT else game.seat
    told.seats[at] = mover
    place = 0
    for other in range(players):
        whose = seat + other
        if whose >= players:
            whose -= players
        for column in range(columns):
            row[place + column] = position.tokens[whose, column + 2]
        place += columns
    if position.out:
        for column in range(columns):
            row[place + column] = position.runners[column + 2]
    place += columns
    if game.state != PLAYING:
        row[place + 4] = players
        mask[plan.codes[0, 1]] = 1
        return
    row[place + 4] = mover - seat if mover >= seat else mover - seat + players
    if position.move_count:
        for die in range(4):
            row[place + die] = plan.dice[game.roll, die]
        for index in range(position.move_count):
            mask[plan.codes[position.moves[index, 0], position.moves[index, 1]]] = 1
    else:
        mask[plan.codes[0, 1]] = 1
        mask[plan.codes[0, 0]] = may_stop(rules, position)


@compiled
def _report_end(plan: Plan, games: Games, at: int, told: Told) -> None:
    """Write the result of a game that has ended."""
    game, position = games.games[at], games.positions[at]
    over = _is_over(plan, position)
    told.terminated[at], told.truncated[at] = over, not over
    if over and plan.records.rules[0].players > 1:
        for place in range(told.rewards.shape[1]):
            seat = place if game.seat == EVERY_SEAT else game.seat
            told.rewards[at, place] = _result(plan, position, seat)
    game.state = REPORTED


@inlined
def _step(plan: Plan, games: Games, at: int, seed: Word, told: Told, choose: bool) -> None:
    """One step of one game; ``choose`` lets chance decide."""
    game = games.games[at]
    if game.state == REPORTED:
        game.number += np.uint64(plan.stride)
        _begin(plan, games, at, seed)
    else:
        turns = game.turns
        if game.state == PLAYING:
            if choose:
                position = games.positions[at]
                told.actions[at] = _random_action(plan, position, games.choices[at])
            told.illegal[at] = not _act(plan, games, at, told.actions[at], seed)
        if plan.records.rules[0].players == 1:
            told.rewards[at, 0] = turns - game.turns
        if game.state == ENDED:
            _report_end(plan, games, at, told)
    _observe(plan, games, at, told)


@entry
def begin_games(plan: Plan, games: Games, seed: Word, told: Told) -> None:
    """Begin the games whose numbers the records have."""
    for at in range(len(games.games)):
        _begin(plan, games, at, seed)
        _observe(plan, games, at, told)


@entry
def step_games(plan: Plan, games: Games, seed: Word, told: Told, choose: bool) -> None:
    """Do in every game what ``told.actions`` says, or something legal that is noted there."""
    for at in range(len(games.games)):
        _step(plan, games, at, seed, told, choose)
