"""Hints: all options, the best first."""

import pytest

from cantstop.engine import analyse, hint, race_model, solve_turn
from cantstop.rules import Choice, IllegalAction, Move, Position


def test_after_a_roll_every_move_is_an_option_with_what_to_do_then() -> None:
    position = Position.parse("v1,players=2 -/- 1 - 2345")
    found = hint(position, race_model())
    assert {option.action for option in found.options} == {Move(5, 9), Move(6, 8), Move(7, 7)}
    worths = [option.worth for option in found.options]
    assert worths == sorted(worths, reverse=True)
    assert found.worth == worths[0]
    assert found.best == found.options[0]
    assert all(option.then is Choice.ROLL for option in found.options)


def test_after_a_move_the_options_are_to_stop_and_to_roll() -> None:
    position = Position.parse("v1,players=2 7:4/6:11,8:3 1 2:3,3:4,12:2 -")
    found = hint(position, race_model())
    turn = solve_turn(position, race_model())
    assert {option.action: option.worth for option in found.options} == {
        Choice.STOP: turn.stop_value(position),
        Choice.ROLL: turn.roll_value(position),
    }
    assert found.options[0].action is Choice.STOP
    assert found.bust == 0


def test_before_the_first_roll_there_is_nothing_but_to_roll() -> None:
    found = hint(Position.parse("v1,players=2 -/- 1 - -"), race_model())
    assert [option.action for option in found.options] == [Choice.ROLL]
    assert 0 < found.bust < 1


def test_dice_that_are_a_bust_leave_no_option() -> None:
    found = hint(Position.parse("v1,players=2 -/- 1 2:1,3:1,4:1 5566"), race_model())
    assert found.options == ()
    assert found.best is None
    assert found.bust == 1


def test_V3_where_stopping_is_illegal_it_is_no_option() -> None:
    position = Position.parse("v1,players=2,sharing=no-rest -/7:1 1 7:1 -")
    found = hint(position, race_model())
    assert [option.action for option in found.options] == [Choice.ROLL]


def test_a_game_that_is_over_has_no_hint() -> None:
    with pytest.raises(IllegalAction, match="The game is over"):
        hint(Position.parse("v1,players=2 2:3,3:5,12:3/- 1 - -"), race_model())


def test_hints_and_analyses_are_short_in_a_shell() -> None:
    position = Position.parse("v1,players=2 -/- 1 2:2,3:3,12:3 -")
    found = position.hint()
    stop, roll = found.options
    short = f"{position}: stop {stop.worth:.3f}, roll {roll.worth:.3f}>"
    assert (repr(found), repr(analyse(position))) == (f"<Hint {short}", f"<Analysis {short}")
