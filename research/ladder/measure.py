"""Plays levels against the champion and looks at every decision with the champion's eyes.

The win share comes out far closer than by counting: without luck, who makes errors that cost so
much a game wins so much less than half of them, and as much more as the other one's errors cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from time import process_time

import numpy as np

from cantstop.bots.judgement import Judgement, JudgingBot
from cantstop.dice import SeededDice
from cantstop.engine import Turn
from cantstop.rules import Move, Phase, Position, Rules

SHORTEST_MIDDLE = 11
"""The columns of the middle are as long as this or longer: 6, 7 and 8 on the official board."""


@dataclass
class Style:
    """How one player has played so far."""

    turns: int = 0
    rolls: int = 0
    busts: int = 0
    stops: int = 0
    climb: float = 0.0
    decisions: int = 0
    wrong: int = 0
    wins: float = 0.0
    columns: list[bool] = field(default_factory=list)
    """For every column won, whether it is in the middle."""
    losses: list[float] = field(default_factory=list)
    """Win chance that its errors cost in each game."""

    def decided(self, best: float, chosen: float) -> None:
        """Count a decision between options that are not all the same."""
        self.decisions += 1
        self.wrong += chosen < best
        self.losses[-1] += best - chosen

    def figures(self) -> dict[str, float]:
        """What is known of the player, as numbers for a table."""
        return {
            "games": len(self.losses),
            "loss_per_decision": sum(self.losses) / self.decisions,
            "wrong": self.wrong / self.decisions,
            "rolls_per_turn": self.rolls / self.turns,
            "busts_per_turn": self.busts / self.turns,
            "columns_per_stop": self.climb / self.stops,
            "middle": float(np.mean(self.columns)) if self.columns else 0.0,
            "turns_per_game": self.turns / len(self.losses),
            "wins": self.wins / len(self.losses),
        }


@dataclass(frozen=True)
class Meeting:
    """What came of games between two players."""

    one: Style
    other: Style

    @property
    def share(self) -> tuple[float, float]:
        """The share of the games that the first one wins, less luck, and its standard error."""
        swing = np.subtract(self.other.losses, self.one.losses)
        return 0.5 + float(swing.mean()), float(swing.std(ddof=1)) / sqrt(len(swing))


def meet(judgements: Sequence[Judgement], games: int, seed: int, rules: Rules) -> Meeting:
    """Games of two, each beginning half of them, with the same dice for both orders."""
    bots = [JudgingBot(str(number), judgement) for number, judgement in enumerate(judgements)]
    styles = [Style(), Style()]
    for game in range(games):
        seats = (0, 1) if game % 2 == 0 else (1, 0)
        dice = SeededDice(seed * 1_000_003 + game // 2, rules.board.sides)
        for style in styles:
            style.losses.append(0.0)
        position, rolls = Position.initial(rules), 0
        while position.outcome is None:
            player = seats[position.seat]
            position, rolls = _play_turn(position, bots[player], styles[player], dice, rolls)
        for seat in position.outcome.winners:
            styles[seats[seat]].wins += 1 / len(position.outcome.winners)
        for column, owner in enumerate(position.tokens.owners):
            if owner >= 0:
                middle = rules.board.top(column) >= SHORTEST_MIDDLE
                styles[seats[owner]].columns.append(middle)
    return Meeting(*styles)


def _play_turn(
    position: Position, bot: JudgingBot, style: Style, dice: SeededDice, rolls: int
) -> tuple[Position, int]:
    style.turns += 1
    moves = 0
    while True:
        style.rolls += 1
        rolls += 1
        position = position.roll(dice.roll(rolls, position.dice_to_roll))
        if position.phase is Phase.BUST:
            style.busts += 1
            return position.bust(), rolls
        turn = bot.turn(position)
        position = position.move(_chosen(position, bot, style, turn, moves))
        moves += 1
        if position.may_stop and _stops(position, bot, style, turn, moves):
            return position.stop(), rolls


def _chosen(position: Position, bot: JudgingBot, style: Style, turn: Turn, moves: int) -> Move:
    move = bot.choose(position, moves)
    values = turn.move_values(position)
    if len(set(values.values())) > 1:
        style.decided(max(values.values()), values[move])
    return move


def _stops(position: Position, bot: JudgingBot, style: Style, turn: Turn, moves: int) -> bool:
    stop = bot.stop(position, moves)
    worth, again = turn.stop_value(position), turn.roll_value(position)
    if worth != again:
        style.decided(max(worth, again), worth if stop else again)
    if stop:
        board, tokens = position.rules.board, position.tokens.spaces[position.seat]
        style.stops += 1
        style.climb += sum(
            (position.runners[column] - tokens[column]) / board.top(column)
            for column in board.columns
            if position.runners[column]
        )
    return stop


def seconds_to_open(judgement: Judgement, players: int, decisions: int) -> list[float]:
    """CPU time that the first decision of a game takes, over a number of rolls, warm.

    Nothing of a turn is solved then, and no later one has more in it.
    """
    taken: list[float] = []
    opening = Position.initial(Rules(players))
    dice, number = SeededDice(players), 0
    while len(taken) < decisions:
        number += 1
        rolled = opening.roll(dice.roll(number))
        bot = JudgingBot("opening", judgement)  # one that has solved nothing yet
        begin = process_time()
        if len(rolled.legal_moves) > 1:
            bot.choose(rolled, 0)
        else:
            bot.stop(rolled.move(rolled.legal_moves[0]), 1)
        taken.append(process_time() - begin)
    return taken
