"""The compact form of the solved game against exact values of it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cantstop import Game, SeededDice
from cantstop.bots import bot_named
from cantstop.engine import (
    Anchors,
    best_evaluator,
    hint,
    race_model,
    solo_model,
    solve_turn,
)
from cantstop.engine.evaluators.solo import RULES
from cantstop.odds import PAR
from cantstop.rules import Board, InvalidRules, Position, Rules, Sharing, Start

LENGTHS = np.array(RULES.board.lengths)
EXACT = np.loadtxt(Path(__file__).parents[1] / "data" / "solo_values.txt")
STEPS, TURNS = EXACT[:, :-1].astype(np.int8), EXACT[:, -1]


def told(steps: Any) -> Any:
    spaces = (LENGTHS - steps).astype(np.int8)[:, None, :]
    return -solo_model().evaluate(Anchors(RULES, 0, spaces))[:, 0]


def test_the_model_is_close_to_the_exact_values() -> None:
    off = told(STEPS) - TURNS
    assert np.sqrt(np.mean(off**2)) < 0.01
    assert abs(off.mean()) < 0.001


def test_a_mirrored_board_is_worth_the_same() -> None:
    assert np.abs(told(STEPS) - told(STEPS[:, ::-1])).mean() < 0.01


def test_one_turn_of_best_play_from_the_start_leads_to_par() -> None:
    start = Position.initial(RULES)
    assert told(LENGTHS[None].astype(np.int8))[0] == pytest.approx(PAR, abs=1e-3)
    assert 1 - solve_turn(start, solo_model()).value(start) == pytest.approx(PAR, abs=1e-3)


def test_exact_values_satisfy_their_own_turns() -> None:
    """The values come from another program: a turn from them ends where the rules say."""
    for steps, turns in zip(STEPS[:40], TURNS[:40], strict=True):
        spaces = (LENGTHS - steps).tolist()
        columns = {c: s for c, s in zip(RULES.board.columns, spaces, strict=True) if s}
        tokens = ",".join(f"{column}:{space}" for column, space in columns.items()) or "-"
        anchor = Position.parse(f"v1,players=1 {tokens} 1 - -")
        assert 1 - solve_turn(anchor, solo_model()).value(anchor) == pytest.approx(turns, abs=0.03)


def test_the_best_first_move_with_6_and_8_on_offer_takes_them() -> None:
    found = hint(Position.parse("v1,players=1 - 1 - 1256"), solo_model())
    assert str(found.options[0].action) == "6+8"


def test_other_games_are_refused() -> None:
    with pytest.raises(InvalidRules, match="The table is for other rules"):
        solo_model().evaluate(Anchors(Rules(2), 0, np.zeros((1, 2, 11), np.int8)))


@pytest.mark.parametrize(
    "rules",
    [RULES, Rules(1, sharing=Sharing.LEAPFROG), Rules(1, start=Start.ROLL_OFF)],
    ids=str,
)
def test_the_official_solo_game_gets_the_solved_games_values(rules: Rules) -> None:
    assert best_evaluator(rules) is solo_model()


@pytest.mark.parametrize(
    "rules", [Rules(2), Rules(1, 4), Rules(1, early=True), Rules(1, board=Board.stepped(4, 1))]
)
def test_every_other_game_gets_the_race_model(rules: Rules) -> None:
    assert best_evaluator(rules) is race_model()


def test_alone_the_expert_plays_by_the_solved_game() -> None:
    expert, dice, game = bot_named("expert"), SeededDice(1), Game(RULES)
    while game.outcome is None:
        game.roll(dice.roll(game.rolls + 1))
        if game.legal_moves:
            turn = solve_turn(game.position, solo_model())
            move = expert.choose(game.position, 0)
            assert move == turn.best_move(game.position)
            game.move(move)
            if turn.should_stop(game.position):
                assert expert.stop(game.position, 0)
                game.stop()
