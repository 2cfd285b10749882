"""The expert and the champion: legal and the same every time under all rules.

With perfect values they are perfect.
"""

import subprocess
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from cantstop import engine
from cantstop.arena.plan import seatings_of
from cantstop.arena.reference import ReferenceGames
from cantstop.bots import bot_named
from cantstop.bots.expert import ExpertBot
from cantstop.engine import Anchors, Evaluator, TooLarge, evaluators
from cantstop.rules import Board, Phase, Position, Rules, Sharing
from cantstop.solver import TableEvaluator, solve_on_cpu
from engine.truth import Truth, turn_positions

SMALL = Board.stepped(sides=3, shortest=1)
GAMES = [
    Rules(players, 2, early, sharing, board=SMALL)
    for players, early, sharing in product((1, 2, 3, 4), (False, True), Sharing)
]


@pytest.mark.parametrize("name", ["expert", "champion"])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_it_plays_whole_games_by_every_rule_and_decides_the_same_every_time(
    rules: Rules, name: str
) -> None:
    names = [name] * rules.players
    once, again = (
        ReferenceGames(rules, [bot_named(name) for name in names], seed=7).play(
            seatings_of(names), 0, 4
        )
        for _ in range(2)
    )
    assert once.array["games"] == 4
    assert once.array["unfinished"] == 0
    assert once.array.tobytes() == again.array.tobytes()


@pytest.fixture(scope="module")
def table() -> TableEvaluator:
    return TableEvaluator(solve_on_cpu(Rules(board=SMALL), threads=1).table)


def exact_worth(table: TableEvaluator, end: Position, seat: int) -> Fraction:
    """What the end of a turn is worth by the table."""
    if end.outcome is not None:
        return Fraction(int(seat in end.outcome.winners))
    spaces = np.array([tokens[2:] for tokens in end.tokens.spaces], np.int8)
    return Fraction(float(table.evaluate(Anchors(end.rules, end.seat, spaces[None]))[0, seat]))


@pytest.mark.parametrize("tokens", ["-/-", "2:1,4:2/3:2", "3:1,5:2/4:4,6:1"])
def test_with_the_exact_table_it_decides_as_brute_force_over_the_table_does(
    table: TableEvaluator, tokens: str
) -> None:
    bot = ExpertBot(evaluator=table)
    anchor = Position.parse(f"v1,players=2,lengths=1.3.5.3.1 {tokens} 1 - -")
    truth = Truth(lambda end: exact_worth(table, end, anchor.seat))
    for position in turn_positions(anchor):
        if position.phase is Phase.MOVE:
            chosen = position.move(bot.choose(position, 0))
            best = max(truth.value(position.move(move)) for move in position.legal_moves)
            assert float(truth.value(chosen)) == pytest.approx(float(best), abs=1e-12)
        elif position.may_stop:
            stop, roll = truth.stop_value(position), truth.roll_value(position)
            if abs(stop - roll) > 1e-12:
                assert bot.stop(position, 1) is (stop > roll)


class Asked(Evaluator):
    """Remembers the games that an evaluator is asked about."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.games: list[Rules] = []

    def evaluate(self, anchors: Anchors) -> np.ndarray:
        self.games.append(anchors.rules)
        return self.evaluator.evaluate(anchors)


SHORT = Board.stepped(sides=6, shortest=2)


@pytest.mark.parametrize(
    ("name", "rules", "expected"),
    [
        ("expert", Rules(), "race_model"),
        ("expert", Rules(3, 4, early=True, sharing=Sharing.NO_REST), "race_model"),
        ("expert", Rules(1), "solo_model"),
        ("expert", Rules(board=SHORT), "race_model"),
        ("champion", Rules(), "value_model"),
        ("champion", Rules(4, 5, early=True, sharing=Sharing.LEAPFROG), "value_model"),
        ("champion", Rules(1), "solo_model"),
        ("champion", Rules(board=SHORT), "race_model"),
    ],
)
def test_the_expert_plays_with_the_race_model_and_the_champion_with_the_best_evaluator(
    name: str, rules: Rules, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    models: dict[str, Asked] = {}
    for module in (engine, evaluators):
        for model in ("race_model", "solo_model", "value_model"):
            asked = models.setdefault(model, Asked(getattr(engine, model)()))
            monkeypatch.setattr(module, model, lambda asked=asked: asked)
    roll = Position.initial(rules).roll((2, 3, 4, 5))
    bot_named(name).choose(roll, 0)
    assert {model: asked.games for model, asked in models.items() if asked.games} == {
        expected: [rules]
    }


def test_it_refuses_a_board_that_is_too_large_to_solve_a_turn_on() -> None:
    with pytest.raises(TooLarge):
        ExpertBot().check(Rules(board=Board((99,) * 39, runners=4)))


def test_to_list_the_bots_numba_is_not_loaded() -> None:
    code = "import sys, cantstop.bots; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
