"""Games of strong bots, and the decisions in them that may become drills.

The ladder's three best play. A decision is a candidate where the best option is better than the
second one by ``margin`` and the race model, which knows nothing of the value networks, finds the
same option best.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cantstop.bots import LADDER
from cantstop.bots.judgement import Judgement, judgement_record
from cantstop.drills.drill import answers_in
from cantstop.engine import Evaluator, Turn, best_evaluator, race_model, solve_rest, solve_turn
from cantstop.kernel.judgement import judge_moves_at, judge_stop_at
from cantstop.kernel.records import rules_records, to_record
from cantstop.rules import Action, Choice, Move, Phase, Position, Rules

LEAST_MARGIN, LEAST_SOLO_MARGIN = 0.02, 0.06
"""Win chance, alone turns: what a review calls an inaccuracy."""

TIMES_THE_ERROR = 5
"""The margin is at least this many times the root mean square of the values' measured error."""

STRONG = LADDER[-3:]

PER_GAME = 3
"""The most candidates of one game about moves, and the most about stopping."""


@dataclass(frozen=True)
class Candidate:
    """A decision whose options lie apart."""

    position: Position
    worths: tuple[float, ...]
    """In the order of ``answers_in``."""
    thens: tuple[Choice, ...]
    bust: float
    """What a bust would be worth."""

    @property
    def best(self) -> Action:
        """The best answer."""
        return answers_in(self.position)[int(np.argmax(self.worths))]


def margin_at(position: Position) -> float:
    """How far options have to lie apart in such a position."""
    least = LEAST_SOLO_MARGIN if position.rules.players == 1 else LEAST_MARGIN
    error = best_evaluator(position.rules).error(position)
    assert error is not None
    return max(least, TIMES_THE_ERROR * error.rms)


def worths_of(turn: Turn, position: Position) -> tuple[float, ...]:
    """What each answer is worth."""
    if position.phase is Phase.MOVE:
        return tuple(turn.move_values(position).values())
    return turn.stop_value(position), turn.roll_value(position)


def agrees(position: Position, best: Action, evaluator: Evaluator) -> bool:
    """Whether another evaluator finds the same answer best, and no other as good."""
    worths = worths_of(solve_rest(position, evaluator), position)
    place = answers_in(position).index(best)
    return all(worths[place] > worth for at, worth in enumerate(worths) if at != place)


def decides(judgement: Judgement, position: Position, worths: tuple[float, ...], bust: float,
            moves: int) -> Action:  # fmt: skip
    """What a player with this judgement does who knows what the options are worth."""
    records = judgement_record(judgement), rules_records(position.rules).rules
    record = to_record(position, moves)
    if position.phase is Phase.MOVE:
        return position.legal_moves[int(judge_moves_at(*records, record, np.array(worths), bust))]
    stops = judge_stop_at(*records, record, worths[0], worths[1], bust)
    return Choice.STOP if stops else Choice.ROLL


def candidates(rules: Rules, game: int, seed: int) -> list[Candidate]:
    """What one game has to offer: a few decisions of either kind."""
    chance = random.Random(f"drills {seed} {rules} {game}")
    found = list(_clear_decisions(rules, chance))
    chosen = []
    for is_move in (True, False):
        kind = [one for one in found if (one.position.phase is Phase.MOVE) == is_move]
        chosen += chance.sample(kind, min(PER_GAME, len(kind)))
    return [one for one in chosen if agrees(one.position, one.best, race_model())]


def _clear_decisions(rules: Rules, chance: random.Random) -> Iterator[Candidate]:
    """All decisions of a game whose options lie apart."""
    players = [chance.choice(STRONG).judgement for _ in range(rules.players)]
    anchor = Position.initial(rules)
    while anchor.outcome is None:
        turn = solve_turn(anchor, best_evaluator(rules))
        position, moves = anchor, 0
        while position.seat == anchor.seat and position.outcome is None:
            if position.phase is Phase.BUST:
                position = position.bust()
                break
            answer: Action = Choice.ROLL
            if position.phase is Phase.MOVE or position.may_stop:
                worths = worths_of(turn, position)
                answer = decides(players[position.seat], position, worths, turn.bust_value, moves)
                ordered = sorted(worths, reverse=True)
                if len(worths) > 1 and ordered[0] - ordered[1] >= margin_at(position):
                    yield Candidate(position, worths, _thens(turn, position), turn.bust_value)
            if isinstance(answer, Move):
                position, moves = position.move(answer), moves + 1
            elif answer is Choice.STOP:
                position = position.stop()
                break
            else:
                position = position.roll([chance.randint(1, 6) for _ in range(4)])
        anchor = position


def _thens(turn: Turn, position: Position) -> tuple[Choice, ...]:
    """What to do after each move."""
    return tuple(
        Choice.STOP if turn.should_stop(position.move(move)) else Choice.ROLL
        for move in position.legal_moves
    )
