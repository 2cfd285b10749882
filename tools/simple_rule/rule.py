"""Rules of play that a person can do in the head, as numbers, and compiled.

**Stop** never with a runner in hand; always when that wins; when a runner is on a top, if the rule
says so; else by points. Every space gained in the turn has the points of its column, a column that
is entered has them once more; enough is a number that depends on how many runners are in 6, 7 and
8, plus so many for every column that the leading opponent has won.

**Choose** the move with the most points by other values: of the columns that it steps up in, less a
price for every runner that it brings out, plus a prize for every top that it reaches.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import compiled
from cantstop.kernel.steps import new_runners, next_space, standing, stop_wins

STOPS_AT_TOPS, RACE, RUNNER, TOP = 0, 1, 2, 3
ENOUGH = 4
"""From here on: enough points with no runner in 6, 7 and 8, with one, two and three."""
POINTS = 8
"""From here on: a space's points, in column 7, 6 or 8, and so on to 2 or 12."""
LIKING = 14
"""Likewise: what a step is worth to the choice."""
SIZE = 20

Rule = NDArray[np.int64]
Record = Any


@compiled
def points_of(rules: Record, position: Record, rule: Rule) -> int:
    """What the turn has brought so far."""
    total = 0
    for index in range(rules.runners - position.free):
        column = position.entered[index]
        gained = position.runners[column] - position.tokens[position.seat, column]
        total += rule[POINTS + abs(7 - column)] * (gained + 1)
    return total


@compiled
def stops(rules: Record, position: Record, rule: Rule) -> bool:
    """Whether to stop."""
    if stop_wins(rules, position) or not position.usable:
        return True
    if position.free > 0 and position.open & ~position.out:
        return False
    if position.topped and rule[STOPS_AT_TOPS]:
        return True
    middle = 0
    for column in range(6, 9):
        middle += position.out >> column & 1
    leader = 0
    for seat in range(rules.players):
        if seat != position.seat:
            leader = max(leader, position.won[seat])
    enough = rule[ENOUGH + middle] + rule[RACE] * leader
    return points_of(rules, position, rule) >= enough


@compiled
def chooses(rules: Record, position: Record, rule: Rule) -> int:
    """The number of the move; of equal ones the one from the most balanced split."""
    best, best_score = 0, -(10**9)
    for index in range(position.move_count):
        score = -rule[RUNNER] * new_runners(position, index)
        low, high = position.moves[index, 0], position.moves[index, 1]
        space = next_space(rules, position, low, standing(position, low))
        score += rule[LIKING + abs(7 - low)]
        if high == low:
            space = next_space(rules, position, low, space)
        elif high:
            other = next_space(rules, position, high, standing(position, high))
            score += rule[TOP] * (other == rules.tops[high])
        if high:
            score += rule[LIKING + abs(7 - high)]
        score += rule[TOP] * (space == rules.tops[low])
        if score >= best_score:
            best, best_score = index, score
    return best
