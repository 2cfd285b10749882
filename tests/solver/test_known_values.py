"""The CPU solver against values that are known, and against plain recursion."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from cantstop.engine import solve_turn
from cantstop.rules import Board, Position, Rules, Sharing, Tokens
from cantstop.solver import Table, TableEvaluator, solve_on_cpu
from engine.truth import Truth

KNOWN = [
    (Rules(1, board=Board.stepped(2, 1)), 15, 1.297948189812),
    (Rules(1, board=Board.stepped(2, 3)), 95, 1.400179988037),
    (Rules(1, board=Board.stepped(3, 2)), 1432, 1.722400784742),
    (Rules(1, board=Board.stepped(4, 1)), 12913, 2.187306974865),
    (Rules(2, board=Board.stepped(3, 1)), None, 0.760069064167),
    (Rules(2, 2, board=Board.stepped(2, 1, runners=2)), None, 0.902998236332),
    (
        Rules(2, sharing=Sharing.NO_REST, board=Board.stepped(3, 2)),
        None,
        0.711078748963,
    ),
]


@pytest.mark.parametrize(("rules", "anchors", "value"), KNOWN, ids=str)
def test_known_values_are_reproduced(rules: Rules, anchors: Any, value: Any) -> None:
    solution = solve_on_cpu(rules)
    assert solution.value == pytest.approx(value, abs=1e-11)
    assert anchors is None or solution.anchors == anchors


TINY = [
    Rules(1, 2, early, board=board)
    for early, board in product((False, True), (Board((1, 2, 1)), Board((2, 1, 2), runners=2)))
] + [
    Rules(2, win, early, sharing, board=board)
    for early, sharing, (win, board) in product(
        (False, True),
        Sharing,
        ((2, Board((1, 2, 1))), (3, Board((2, 2, 1))), (1, Board((2, 3, 1), runners=2))),
    )
]
"""W5 among them: three columns, three to win, two players."""


def anchors_of(table: Table) -> list[Position]:
    """Every anchor of a tiny game in which the first seat is to move."""
    rules = table.rules
    found = []
    for conditions in product(*table.numbering.conditions):
        own = (0, 0, *(condition.own for condition in conditions))
        other = (0, 0, *(condition.other for condition in conditions))
        tokens = Tokens(rules, (own, other)[: rules.players])
        shared = any(a == b > 0 for a, b in zip(own, other, strict=True))
        if tokens.outcome is None and not (shared and rules.sharing is not Sharing.FREE):
            found.append(Position(tokens, 0, (0,) * len(own)))
    return found


@pytest.mark.parametrize("rules", TINY, ids=str)
def test_every_anchor_is_worth_what_best_play_makes_of_it(rules: Rules) -> None:
    solution = solve_on_cpu(rules)
    table = solution.table

    def worth(end: Position) -> Fraction:
        if rules.players == 1:
            return Fraction(0) if end.outcome else -Fraction(table.value(end))
        if end.outcome:
            return Fraction(0 in end.outcome.winners, len(end.outcome.winners))
        return 1 - Fraction(table.value(end))

    anchors = anchors_of(table)
    assert len(anchors) == solution.anchors
    truth, evaluator = Truth(worth), TableEvaluator(table)
    for anchor in anchors:
        best = truth.value(anchor)
        value = float(1 - best if rules.players == 1 else best)
        assert abs(table.value(anchor) - value) < 1e-11
        assert abs(solve_turn(anchor, evaluator).value(anchor) - float(best)) < 1e-11


def test_who_starts_makes_no_difference() -> None:
    rules = Rules.parse("players=2,win=2,start=roll-off,lengths=1.2.1")
    plain = Rules.parse("players=2,win=2,lengths=1.2.1")
    solution = solve_on_cpu(rules)
    assert solution.value == solve_on_cpu(plain).value
    anchor = Position(Tokens.none(rules), 1, (0,) * 5)
    turn = solve_turn(anchor, TableEvaluator(solution.table))
    assert turn.value(anchor) == pytest.approx(solution.value)
