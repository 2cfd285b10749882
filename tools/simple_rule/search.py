"""Search: change a number or two, keep what wins more games.

A candidate plays two by two against the panel, both seats in turn, and alone. What it scores is its
share of the wins, less a little for every turn that it needs alone.
"""

from __future__ import annotations

import random

import numpy as np

from cantstop.bots.compiled import compiled_bots
from cantstop.jit import compiled
from cantstop.kernel.heuristic import heuristic_choose, heuristic_stop
from cantstop.kernel.layout import POSITION
from cantstop.kernel.records import rules_records
from cantstop.kernel.steps import (
    begin_game,
    bust_turn,
    find_moves,
    make_move,
    may_stop,
    stop_turn,
)
from cantstop.rules import Rules

from .rule import (
    ENOUGH,
    LIKING,
    POINTS,
    RACE,
    RUNNER,
    SIZE,
    STOPS_AT_TOPS,
    TOP,
    Record,
    Rule,
    chooses,
    stops,
)


@compiled
def play(rules: Record, rolls: Record, position: Record, rule: Rule, bot: Record, games: int,
         seed: int) -> tuple[int, int]:  # fmt: skip
    """Games of the rule alone, or against a bot with both beginning in turn: wins and turns."""
    np.random.seed(seed)
    wins = turns = 0
    for game in range(games):
        mine = game % rules.players
        begin_game(rules, position, 0)
        going = True
        while going:
            seat = position.seat
            turns += seat == mine
            while True:
                find_moves(rules, rolls, position, rolls.number[np.random.randint(1296)])
                if position.move_count == 0:
                    bust_turn(rules, position)
                    break
                if seat == mine:
                    make_move(rules, position, chooses(rules, position, rule))
                    done = stops(rules, position, rule)
                else:
                    make_move(rules, position, heuristic_choose(rules, position, bot))
                    done = heuristic_stop(rules, position, bot)
                if done and may_stop(rules, position):
                    if stop_turn(rules, position):
                        wins += seat == mine
                        going = False
                    break
    return wins, turns


@compiled
def play_all(rules: Record, rolls: Record, positions: Record, rule: Rule, bots: Record, which: int,
             games: int, seed: int) -> tuple[int, int]:  # fmt: skip
    """``play`` for Python."""
    return play(rules[0], rolls[0], positions[0], rule, bots[which], games, seed)


PANEL = ("glenn-linear", "rule-of-28", "glenn-aloi-linear")
TURN = 0.01
"""So many wins is a turn alone worth."""


class Judge:
    """Plays candidates."""

    def __init__(self) -> None:
        forms = compiled_bots(PANEL)
        assert forms is not None
        self.bots = forms.records
        self.two, self.one = rules_records(Rules(2)), rules_records(Rules(1))
        self.position = np.zeros(1, POSITION)

    def figures(self, rule: Rule, games: int, seed: int) -> tuple[list[float], float]:
        """The share of wins against each of the panel, and turns alone."""
        shares = [
            play_all(*self.two, self.position, rule, self.bots, which, games, seed)[0] / games
            for which in range(len(PANEL))
        ]
        turns = play_all(*self.one, self.position, rule, self.bots, 0, games, seed)[1] / games
        return shares, turns

    def score(self, rule: Rule, games: int, seed: int) -> float:
        """The higher the better."""
        shares, turns = self.figures(rule, games, seed)
        return float(np.mean(shares)) - TURN * turns


def rule_of_28() -> Rule:
    """Where the search begins; without the bonuses for odd, even, low and high columns."""
    rule = np.zeros(SIZE, np.int64)
    rule[RUNNER] = 6
    rule[ENOUGH : ENOUGH + 4] = 28
    rule[POINTS : POINTS + 6] = (1, 2, 3, 4, 5, 6)
    rule[LIKING : LIKING + 6] = (6, 5, 4, 3, 2, 1)
    return rule


def changed(rule: Rule, chance: random.Random) -> Rule:
    """The same with a number or two changed, all of them small and whole."""
    found = rule.copy()
    for _ in range(chance.choice((1, 1, 2))):
        place = chance.randrange(SIZE)
        step = chance.choice((-3, -2, -1, 1, 2, 3))
        if place == STOPS_AT_TOPS:
            found[place] = 1 - found[place]
        elif place in range(ENOUGH, ENOUGH + 4):
            found[place] = np.clip(found[place] + 2 * step, 10, 90)
        elif place == RACE:
            found[place] = np.clip(found[place] + 2 * step, 0, 40)
        elif place in (RUNNER, TOP):
            found[place] = np.clip(found[place] + step, 0, 20)
        else:
            found[place] = np.clip(found[place] + step, 0, 9)
    return found


def search(rounds: int, games: int, seed: int) -> Rule:
    """The best rule that was found: a candidate has to win twice, the second time with new dice."""
    judge, chance = Judge(), random.Random(seed)
    best, kept = rule_of_28(), 0
    for number in range(rounds):
        one = changed(best, chance)
        first = 2 * number
        if judge.score(one, games, first) <= judge.score(best, games, first):
            continue
        if judge.score(one, 4 * games, first + 1) > judge.score(best, 4 * games, first + 1):
            best, kept = one, kept + 1
            print(number, kept, best.tolist(), judge.figures(best, 4 * games, 10**6), flush=True)
    return best
