"""Games of best play with one seat that follows some advice, and what the advice gives away.

A decision loses the difference between the best option and the chosen one, by the champion's
values of the turn. A game's score is its result less the luck: the win chance at the start, less
what decisions lost, plus what solving each turn added to what had been said of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cantstop.engine import (
    Anchors,
    EstimateError,
    Turn,
    best_evaluator,
    race_model,
    solve_turn,
)
from cantstop.engine.evaluators.race.distances import seat_distances
from cantstop.rules import Move, Phase, Position, Rules

CLEAR = 1e-9
"""Options that differ by less are no decision."""


class Alone:
    """The evaluator of a player who does not look at the others: turns to go, as a small loss."""

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        """A win is worth 1, and a hundredth less for every turn that a seat needs on its own."""
        return 1 - seat_distances(anchors, race_model().network).T / 100

    def error(self, position: Position) -> EstimateError | None:  # noqa: ARG002
        """Nobody has asked."""
        return None


class Advice(Protocol):
    """A player who decides; the solved turn is there to be asked."""

    def choose(self, turn: Turn, position: Position, moves: int) -> Move:
        """One of the legal moves."""

    def stop(self, turn: Turn, position: Position, moves: int) -> bool:
        """Whether to stop."""


class Champion:
    """Best play."""

    def choose(self, turn: Turn, position: Position, moves: int) -> Move:  # noqa: ARG002
        """The best move."""
        return turn.best_move(position)

    def stop(self, turn: Turn, position: Position, moves: int) -> bool:  # noqa: ARG002
        """Whether stopping is best."""
        return turn.should_stop(position)


@dataclass
class Tally:
    """What a seat did in games, in wins; one number a game where there are lists."""

    decisions: int = 0
    by_moves: list[float] = field(default_factory=list)
    by_stops: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    wins: int = 0
    turns: int = 0
    busts: int = 0

    @property
    def lost(self) -> float:
        """What the decisions of the game in progress have lost."""
        return self.by_moves[-1] + self.by_stops[-1]

    def begin_game(self) -> None:
        """The next game."""
        self.by_moves.append(0.0)
        self.by_stops.append(0.0)


RULES = Rules(2)


def self_play(games: int, seed: int) -> Iterator[tuple[Position, Turn]]:
    """All anchors of games in which both play best, with their turns."""
    evaluator, ignored = best_evaluator(RULES), Tally()
    ignored.begin_game()
    for game in range(games):
        dice = random.Random(f"{seed} {game}")
        anchor = Position.initial(RULES)
        while anchor.outcome is None:
            turn = solve_turn(anchor, evaluator)
            yield anchor, turn
            anchor = play_turn(turn, anchor, Champion(), dice, ignored)


def play_with_advice(advice: Advice, games: int, seed: int) -> Tally:
    """Games in which one seat, each in turn, takes the advice and the other plays best."""
    evaluator, tally, other = best_evaluator(RULES), Tally(), Tally()
    other.begin_game()
    for game in range(games):
        dice = random.Random(f"{seed} {game}")
        advised = game % 2
        anchor = Position.initial(RULES)
        tally.begin_game()
        said, score = 0.0, 0.0
        while anchor.outcome is None:
            turn = solve_turn(anchor, evaluator)
            worth = turn.value(anchor)
            score += (worth if anchor.seat == advised else 1 - worth) - said
            if anchor.seat == advised:
                anchor = play_turn(turn, anchor, advice, dice, tally)
            else:
                anchor = play_turn(turn, anchor, Champion(), dice, other)
            said = _said(anchor, advised) if anchor.outcome is None else 0.0
        tally.wins += anchor.outcome.winners == (advised,)
        tally.scores.append(score - tally.lost)
    return tally


def _said(anchor: Position, seat: int) -> float:
    """What the network alone says of an anchor: what the turn before was solved against."""
    spaces = np.array(anchor.tokens.spaces, np.int8)[None, :, 2:]
    worth = best_evaluator(anchor.rules).evaluate(Anchors(anchor.rules, anchor.seat, spaces))
    return float(worth[0, seat])


def play_turn(
    turn: Turn, anchor: Position, advice: Advice, dice: random.Random, tally: Tally
) -> Position:
    """The anchor after a turn by some advice."""
    position, moves = anchor, 0
    tally.turns += 1
    while True:
        faces = sorted(dice.randint(1, 6) for _ in range(4))
        position = position.roll((faces[0], faces[1], faces[2], faces[3]))
        if position.phase is Phase.BUST:
            tally.busts += 1
            return position.bust()
        values = turn.move_values(position)
        move = advice.choose(turn, position, moves)
        best = max(values.values())
        tally.decisions += best - min(values.values()) > CLEAR
        tally.by_moves[-1] += best - values[move]
        position, moves = position.move(move), moves + 1
        if not position.may_stop:
            continue
        stop, again = turn.stop_value(position), turn.roll_value(position)
        stopping = not position.may_roll or advice.stop(turn, position, moves)
        if position.may_roll:
            tally.decisions += abs(stop - again) > CLEAR
            tally.by_stops[-1] += max(stop, again) - (stop if stopping else again)
        if stopping:
            return position.stop()
