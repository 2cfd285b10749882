"""Winning: W1 to W5."""

from collections.abc import Callable

import pytest

from cantstop import Ending, IllegalAction, Move, Outcome, Phase, Position
from speak import may_stop, moves, play

OVER = "v1,players=2 2:3,7:13,12:3/6:4 1 - -"


def test_W1_a_runner_on_the_top_has_won_nothing_yet() -> None:
    position = Position.parse("v1,players=2 -/- 1 2:3 -")
    assert position.tokens.won_by(0) == ()
    assert position.phase is Phase.CHOICE


def test_W1_its_number_no_longer_helps() -> None:
    assert moves("v1,players=2 -/- 1 2:3,5:1,9:1 1111") == set()


def test_W1_a_bust_loses_it() -> None:
    assert play("v1,players=2 -/- 1 2:3,5:1,9:1 1111", "=bust") == "v1,players=2 -/- 2 - -"


def test_W2_a_stop_on_the_top_wins_the_column_and_sends_other_tokens_home() -> None:
    text = "v1,players=3 2:1,7:4/2:2,7:5/2:1 1 2:3,7:6 -"
    assert play(text, "stop") == "v1,players=3 2:3,7:6/7:5/- 2 - -"
    won = Position.parse(text).stop().tokens
    assert won.won_by(0) == (2,)
    assert won.counts == (1, 0, 0)
    assert 2 not in won.open_columns


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_W2_nobody_not_even_the_winner_plays_there_again(seat: int) -> None:
    assert moves(f"v1,players=3 2:3/-/- {seat} - 1111") == set()


def test_W2_a_column_won_before_stays_with_its_winner() -> None:
    text = "v1,players=2 2:3/12:3 1 7:13 -"
    assert play(text, "stop") == "v1,players=2 2:3,7:13/12:3 2 - -"


def test_W3_until_then_anybody_may_race_for_the_column() -> None:
    text = "v1,players=2 2:2/- 2 - 1111"
    assert moves(text) == {"2+2"}
    assert play(text, "=2+2", "1111", "=2", "stop") == "v1,players=2 -/2:3 1 - -"


def test_W4_the_third_column_ends_the_game_at_once() -> None:
    text = "v1,players=2 2:3,7:13/6:4 1 12:3 -"
    assert play(text, "stop") == OVER
    assert Position.parse(text).stop().outcome == Outcome((0,), Ending.COLUMNS)


def test_W4_a_runner_on_the_third_top_has_not_ended_it() -> None:
    assert Position.parse("v1,players=2 2:3,7:13/6:4 1 12:3 -").outcome is None


def test_W4_a_stop_may_win_several_columns_and_at_least_three_counts() -> None:
    text = "v1,players=2 2:3,3:5/- 1 7:13,11:5,12:3 -"
    assert play(text, "stop") == "v1,players=2 2:3,3:5,7:13,11:5,12:3/- 1 - -"
    outcome = Position.parse(text).stop().outcome
    assert outcome is not None
    assert outcome.winner == 0


def test_W4_the_game_that_is_over_goes_on_for_nobody() -> None:
    position = Position.parse(OVER)
    assert position.phase is Phase.OVER
    assert not position.may_roll
    assert not may_stop(OVER)
    assert position.chances == ()
    assert not position.legal_moves
    refusals: tuple[Callable[[], Position], ...] = (
        lambda: position.roll((1, 2, 3, 4)),
        lambda: position.move(Move(7)),
        position.stop,
    )
    for refused in refusals:
        with pytest.raises(IllegalAction, match=r"^The game is over\.$"):
            refused()


def test_W4_the_number_of_columns_is_the_one_the_game_asks() -> None:
    assert Position.parse("v1,players=2,win=4 2:3,7:13,12:3/6:4 1 - -").outcome is None
    assert Position.parse("v1,players=2,win=2 2:3,7:13/6:4 1 - -").phase is Phase.OVER


ALL_BUT_TWELVE = {
    "shared": "2:3,3:5,4:7/5:9,6:11,7:13/8:11,9:9/10:7,11:5",
    "won": "2:3,3:5,4:7,5:9/6:11,7:13/8:11,9:9/10:7,11:5",
}


def test_W5_when_no_column_is_open_the_most_columns_win() -> None:
    text = f"v1,players=4,win=5 {ALL_BUT_TWELVE['won']} 4 12:3 -"
    assert Position.parse(text).outcome is None
    assert Position.parse(text).stop().outcome == Outcome((0,), Ending.NONE_OPEN)


def test_W5_a_tie_is_shared() -> None:
    text = f"v1,players=4,win=4 {ALL_BUT_TWELVE['shared']} 4 12:3 -"
    outcome = Position.parse(text).stop().outcome
    assert outcome == Outcome((0, 1, 3), Ending.NONE_OPEN)
    assert outcome.winner is None


def test_W5_the_seat_stays_with_the_one_who_stopped_last() -> None:
    text = f"v1,players=4,win=5 {ALL_BUT_TWELVE['won']} 3 12:3 -"
    assert play(text, "stop").split()[2] == "3"


def test_W5_while_a_column_is_open_the_game_goes_on() -> None:
    text = f"v1,players=4,win=5 {ALL_BUT_TWELVE['won']} 4 12:2 -"
    position = Position.parse(text).stop()
    assert position.outcome is None
    assert position.tokens.open_columns == (12,)


def test_W5_the_last_column_that_makes_the_number_is_a_win_by_columns() -> None:
    text = f"v1,players=4,win=5 {ALL_BUT_TWELVE['won']} 1 12:3 -"
    assert Position.parse(text).stop().outcome == Outcome((0,), Ending.COLUMNS)
