"""An analysis: every seat's worth, all options, and what every roll would bring."""

import subprocess
import sys
from dataclasses import asdict
from fractions import Fraction

import pytest

import cantstop
from cantstop import Board, Game, Phase, Position, Rules, Sharing, Start, engine
from cantstop.engine import (
    EXACT,
    analyse,
    hint,
    hint_reasons,
    race_model,
)
from cantstop.language import Translator
from cantstop.rules import Choice, ways
from engine.test_turn_against_truth import Arbitrary, worth_to
from engine.truth import Truth, turn_positions

CHOICE = "v1,players=2 7:4/6:9,8:3 1 2:1,7:6,12:2 -"


@pytest.mark.parametrize(
    "rules",
    [
        Rules(2, 3, sharing=Sharing.NO_REST, board=Board((1, 2, 2, 2, 1), runners=2)),
        Rules(3, 3, early=True, sharing=Sharing.LEAPFROG, board=Board((1, 1, 2, 1, 1), runners=2)),
    ],
    ids=str,
)
def test_everything_is_that_of_a_plain_recursion(rules: Rules) -> None:
    game, evaluator = Game(rules), Arbitrary()
    for dice in ("1122", "2222"):  # there are tokens on the board
        moves = game.roll(dice)
        if moves:
            game.move(moves[0])
            if game.position.may_stop:
                game.stop()
    anchor = Position(game.position.tokens, game.seat, rules.board.no_runners)
    truth = Truth(worth_to(anchor.seat, evaluator))
    for position in sorted(turn_positions(anchor), key=str)[::7]:
        found = analyse(position, evaluator)
        assert abs(found.worth - truth.value(position)) < 1e-12
        assert abs(found.bust - truth.bust_chance(position)) < 1e-12
        if found.rolls is None:
            assert position.phase in (Phase.MOVE, Phase.BUST)
            continue
        assert [(roll.dice, roll.ways) for roll in found.rolls] == list(ways(3, 4).items())
        for roll in found.rolls:
            after = position.roll(roll.dice)
            assert roll.is_bust == (after.phase is Phase.BUST)
            assert abs(roll.worth - truth.value(after)) < 1e-12
            if roll.best is not None:
                moved = after.move(roll.best)
                assert abs(truth.value(moved) - truth.value(after)) < 1e-12
                assert (roll.then is Choice.STOP) == truth.stops(moved)
        busts = sum(roll.ways for roll in found.rolls if roll.is_bust)
        assert found.next_bust == float(Fraction(busts, 3**4))


def test_rolling_is_worth_the_mean_of_the_roll_map() -> None:
    found = analyse(Position.parse(CHOICE))
    assert found.rolls is not None
    assert len(found.rolls) == 126
    assert sum(roll.ways for roll in found.rolls) == 1296
    mean = sum(roll.ways * roll.worth for roll in found.rolls) / 1296
    rolling = next(one.worth for one in found.options if one.action is Choice.ROLL)
    assert abs(mean - rolling) < 1e-12
    assert sum(found.worths) == pytest.approx(1)
    assert found.at_stake == {2: 1, 7: 2, 12: 2}


def test_after_a_roll_there_is_no_roll_map_and_no_next_bust() -> None:
    found = analyse(Position.parse("v1,players=2 -/- 1 - 2345"))
    assert found.rolls is None
    assert found.next_bust is None
    assert found.options == hint(found.position).options


def test_a_game_that_is_over_has_its_result() -> None:
    found = analyse(Position.parse("v1,players=2 2:3,3:5,12:3/- 1 - -"))
    assert (found.worths, found.options, found.rolls, found.error) == ((1.0, 0.0), (), None, EXACT)


def test_before_the_start_it_is_the_mean_over_who_may_start() -> None:
    rules = Rules(start=Start.ROLL_OFF, board=Board((1, 2, 3, 2, 1)), columns_to_win=2)
    found = analyse(Position.initial(rules))
    assert found.worths == pytest.approx((0.5, 0.5))
    assert [option.action for option in found.options] == [Choice.ROLL]
    thrown = analyse(Position.initial(rules).roll((3, 3)))
    assert thrown.worths[0] > 0.5


def test_alone_worths_are_turns_that_follow() -> None:
    found = analyse(Position.initial(Rules(players=1)))
    assert found.worths[0] == pytest.approx(1 - 6.715, abs=0.01)


def test_the_library_gives_hints_where_one_looks_for_them() -> None:
    game = Game()
    game.roll("2345")
    assert game.hint() == game.position.hint() == hint(game.position)
    assert cantstop.analyse(game.position).options == game.hint().options
    assert cantstop.analyze is cantstop.analyse is engine.analyze
    assert str(game.hint()).splitlines()[0].startswith("6+8, then roll again")
    assert str(cantstop.analyse(game.position)) == str(game.hint())


def test_a_hint_takes_another_evaluator() -> None:
    game, other = Game.parse(CHOICE), race_model()
    due = hint(game.position, other)
    assert game.hint(evaluator=other) == game.position.hint(evaluator=other) == due
    assert due.worths != hint(game.position).worths
    assert asdict(due)["options"][0]["worth"] == due.options[0].worth


def test_importing_the_library_loads_no_engine() -> None:
    code = "import cantstop, sys; print('numpy' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_the_reasons_of_a_hint() -> None:
    told = list(hint_reasons(Translator(), hint(Position.parse(CHOICE), race_model())))
    assert told[0] == "Runners on 2, 7 and 12 bust in 21.9% of rolls."
    assert told[1].endswith("1 space in column 2, 2 spaces in column 7 and 2 spaces in column 12.")
    assert told[2].startswith("With best play the turn ends with a stop in ")
