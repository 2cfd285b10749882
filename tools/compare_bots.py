"""Plays games of every ladder level by the engine's module, and asks Numba at every decision.

    python tools/compare_bots.py --games 1000
    python tools/compare_bots.py --games 100 --first 300 --levels fox     a part of it

Prints for each level how many decisions of its games with itself Numba's functions would have
made differently, and how long it took.
"""

import argparse
import time

import numpy as np

from cantstop.bots import LADDER, Bot, Level, decide
from cantstop.bots.judgement import Judgement, judgement_record
from cantstop.engine import best_evaluator
from cantstop.engine.answers import look_at_moves
from cantstop.engine.compiled import TurnSolver, state_of
from cantstop.game import Game
from cantstop.kernel.fields import column_bits
from cantstop.kernel.judgement import judge_moves_at, judge_stop_at
from cantstop.kernel.layout import MOST_MOVES, POSITION
from cantstop.kernel.records import rules_records, to_record
from cantstop.rules import Action, Choice, Position, Rules


class ByNumba:
    """A level of the ladder, by the functions that Numba has compiled."""

    def __init__(self, rules: Rules, judgement: Judgement) -> None:
        self._solver = TurnSolver(rules, best_evaluator(rules))
        self._rules = rules_records(rules).rules
        self._judgement = judgement_record(judgement)
        self._scratch, self._states = np.zeros(1, POSITION), np.zeros(MOST_MOVES, np.int64)

    def decide(self, position: Position, moves: int) -> Action:
        """What it does where there is something to decide."""
        record = to_record(position, moves)
        out = column_bits(column for column, space in enumerate(position.runners) if space)
        roots = [out | column_bits(set(move)) for move in position.legal_moves] or [out]
        solved = self._solver.solve(record, np.array(roots))
        values, sets, bust = solved.values, self._solver.sets, solved.bust[0]
        if position.legal_moves:
            look_at_moves(self._rules[0], sets, solved, record[0], self._scratch[0], self._states)
            worth = values.value[self._states]
            move = judge_moves_at(self._judgement, self._rules, record, worth, bust)
            return position.legal_moves[move]
        state = state_of(sets, solved, record[0])
        stop, again = values.stop[state], values.again[state]
        stops = judge_stop_at(self._judgement, self._rules, record, stop, again, bust)
        return Choice.STOP if stops else Choice.ROLL


def play(bot: Bot, other: ByNumba, seed: int) -> tuple[int, int]:
    """Play a game; returns how many decisions there were, and how many differ."""
    game, asked, changed = Game(Rules(), dice=seed), 0, 0
    while game.outcome is None:
        position, moves = game.position, game.moves_in_turn
        action = decide(bot, position, moves)
        if len(position.legal_moves) > 1 or (position.may_stop and position.may_roll):
            asked += 1
            changed += action != other.decide(position, moves)
        match action:
            case Choice.ROLL:
                game.roll()
            case Choice.STOP:
                game.stop()
            case move:
                game.move(move)
    return asked, changed


def compare(level: Level, first: int, games: int) -> None:
    """Print a line about a level."""
    begin = time.process_time()
    bot, other = level.bot(), ByNumba(Rules(), level.judgement)
    asked = changed = 0
    for seed in range(first, first + games):
        found = play(bot, other, seed)
        asked, changed = asked + found[0], changed + found[1]
    seconds = time.process_time() - begin
    print(
        f"{level.name}: {games} games, {asked} decisions, {changed} differ, {seconds:.0f} s",
        flush=True,
    )


def main() -> None:
    """Compare every level."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first game's seed")
    parser.add_argument("--levels", nargs="*", help="only these")
    given = parser.parse_args()
    for level in LADDER:
        if not given.levels or level.name in given.levels:
            compare(level, given.first, given.games)


if __name__ == "__main__":
    main()
