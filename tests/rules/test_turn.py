"""A turn: T1 to T10."""

from itertools import combinations, product
from typing import Any

import pytest

from cantstop import IllegalAction, InvalidText, Move, Phase, Position, splits
from speak import may_stop, moves, play


def test_T1_four_dice_make_at_most_three_splits_in_the_order_they_lie() -> None:
    assert splits((1, 5, 4, 6)) == ((6, 10), (5, 11), (7, 9))
    assert splits((2, 3, 3, 5)) == ((5, 8), (6, 7))
    assert splits((4, 4, 4, 4)) == ((8, 8),)


def test_T1_a_split_is_a_pair_of_dice_and_the_other_two() -> None:
    for dice in product(range(1, 7), repeat=4):
        pairs = {
            tuple(sorted((dice[a] + dice[b], sum(dice) - dice[a] - dice[b])))
            for a, b in combinations(range(4), 2)
        }
        assert len(splits(dice)) == len(pairs)
        assert set(splits(dice)) == pairs


@pytest.mark.parametrize("dice", [(1, 2, 3), (1, 2, 3, 4, 5), (1, 2, 3, 7), (0, 1, 2, 3), ()])
def test_T1_all_four_dice_are_rolled_always(dice: tuple[Any, ...] | tuple[int, ...]) -> None:
    position = Position.parse("v1,players=2 -/- 1 6:1 -")
    with pytest.raises(InvalidText, match="is not a roll: it takes 4 dice from 1 to 6"):
        position.roll(dice)


def test_T1_the_order_in_which_the_dice_fell_changes_nothing() -> None:
    position = Position.parse("v1,players=2 -/- 1 - -")
    assert position.roll((5, 2, 4, 3)) == position.roll((2, 3, 4, 5))


def test_T2_a_won_column_cannot_be_used() -> None:
    assert moves("v1,players=2 7:13/- 1 - 1346") == {"4+10", "5+9"}
    assert moves("v1,players=2 7:13/- 2 - 1346") == {"4+10", "5+9"}


def test_T2_a_column_whose_runner_is_on_the_top_cannot_be_used() -> None:
    assert moves("v1,players=2 -/- 1 4:7,7:13 1346") == {"10", "5", "9"}


def test_T2_without_a_free_runner_only_columns_with_a_runner_can_be_used() -> None:
    assert moves("v1,players=2 -/- 1 2:1,5:1,10:1 1346") == {"10", "5"}


def test_T2_with_a_free_runner_a_new_column_can_be_used() -> None:
    assert moves("v1,players=2 -/- 1 2:1,5:1 1346") == {"4", "10", "5+9", "7+7"}


def test_T3_a_new_runner_starts_on_the_bottom_space_without_a_token() -> None:
    assert play("v1,players=2 -/6:4 1 - 1346", "=5+9") == "v1,players=2 -/6:4 1 5:1,9:1 -"


def test_T3_a_new_runner_starts_just_above_the_players_own_token() -> None:
    text = "v1,players=2 5:3,9:6/5:7 1 - 1346"
    assert play(text, "=5+9") == "v1,players=2 5:3,9:6/5:7 1 5:4,9:7 -"


def test_T3_a_runner_on_the_board_goes_up_one_space() -> None:
    assert play("v1,players=2 5:3/- 1 5:6 1346", "=5+9").split()[3] == "5:7,9:1"


def test_T4_two_usable_sums_are_both_played() -> None:
    position = Position.parse("v1,players=2 -/- 1 - 1346")
    assert Move(4, 10) in position.legal_moves
    for alone in (Move(4), Move(10)):
        with pytest.raises(IllegalAction, match="is not a legal move here; these are: 4"):
            position.move(alone)


def test_T4_a_split_that_can_use_one_sum_may_be_chosen_where_another_uses_two() -> None:
    assert moves("v1,players=2 10:7/- 1 - 1346") == {"4", "5+9", "7+7"}


def test_T4_a_runner_that_moves_up_and_the_last_runner_placed_are_both_played() -> None:
    assert moves("v1,players=2 -/- 1 4:1,12:1 1346") == {"4+10", "5", "9", "7+7"}


def test_T5_one_runner_free_and_two_new_columns_the_player_picks() -> None:
    text = "v1,players=2 -/- 1 2:1,12:1 1346"
    assert moves(text) == {"4", "10", "5", "9", "7+7"}
    assert play(text, "=9") == "v1,players=2 -/- 1 2:1,9:1,12:1 -"


def test_T5_with_two_runners_free_both_new_columns_are_played() -> None:
    assert moves("v1,players=2 -/- 1 2:1 1346") == {"4+10", "5+9", "7+7"}


def test_T5_where_one_of_two_new_columns_is_won_there_is_nothing_to_pick() -> None:
    assert moves("v1,players=2 -/4:7,9:9 1 2:1,12:1 1346") == {"10", "5", "7+7"}


def test_T6_equal_sums_are_two_spaces_in_the_column() -> None:
    assert play("v1,players=2 -/- 1 - 3434", "=7+7") == "v1,players=2 -/- 1 7:2 -"
    assert play("v1,players=2 7:5/- 1 - 3434", "=7+7").split()[3] == "7:7"
    assert play("v1,players=2 7:5/- 1 7:8 3434", "=7+7").split()[3] == "7:10"


def test_T6_equal_sums_are_one_space_where_only_one_is_left() -> None:
    assert moves("v1,players=2 -/- 1 7:12 3344") == {"7", "6+8"}
    assert play("v1,players=2 7:12/- 1 - 3344", "=7").split()[3] == "7:13"


def test_T6_equal_sums_are_of_no_use_on_the_top_or_without_a_runner() -> None:
    assert moves("v1,players=2 -/- 1 7:13 3344") == {"6+8"}
    assert moves("v1,players=2 -/- 1 2:1,3:1,6:1 3344") == {"6"}


def test_T7_no_split_can_use_anything_the_turn_is_lost_and_tokens_stay() -> None:
    text = "v1,players=2 2:1,7:3/6:2 1 2:3,3:1,7:5 3366"
    assert moves(text) == set()
    assert Position.parse(text).phase is Phase.BUST
    assert play(text, "=bust") == "v1,players=2 2:1,7:3/6:2 2 - -"


def test_T7_a_bust_cannot_be_moved_stopped_or_rolled_away() -> None:
    position = Position.parse("v1,players=2 -/- 1 2:3,3:1,7:5 3366")
    with pytest.raises(IllegalAction, match="This roll is of no use: it is a bust"):
        position.move(Move(6, 12))
    for refused in (position.stop, lambda: position.roll((1, 1, 1, 1))):
        with pytest.raises(IllegalAction, match="There are dice on the table already"):
            refused()


@pytest.mark.parametrize(
    "text",
    [
        "v1,players=2 -/- 1 - -",
        "v1,players=2 -/- 1 7:1 -",
        "v1,players=2 -/- 1 - 1234",
        "v1,players=2,start=roll-off -/- start:1,2 - -",
        "v1,players=1 2:3,7:13,12:3 1 - -",
    ],
)
def test_T7_only_dice_of_no_use_are_a_bust(text: str) -> None:
    with pytest.raises(IllegalAction, match="This is not a bust"):
        Position.parse(text).bust()


def test_T8_after_a_move_the_player_stops_or_rolls_again() -> None:
    text = "v1,players=2 -/- 1 6:1,8:1 -"
    assert Position.parse(text).phase is Phase.CHOICE
    assert Position.parse(text).may_roll
    assert play(text, "1234") == "v1,players=2 -/- 1 6:1,8:1 1234"
    assert play(text, "stop") == "v1,players=2 6:1,8:1/- 2 - -"


def test_T8_there_is_no_stopping_before_the_first_move() -> None:
    for text in ("v1,players=2 7:1/- 1 - -", "v1,players=2,start=roll-off -/- start:1,2 - -"):
        assert not may_stop(text)
        with pytest.raises(IllegalAction, match="cannot be stopped before its first move"):
            Position.parse(text).stop()


def test_T8_dice_on_the_table_have_to_be_used_first() -> None:
    position = Position.parse("v1,players=2 -/- 1 6:1,8:1 1234")
    assert not position.may_stop
    assert not position.may_roll
    assert position.chances == ()
    for refused in (position.stop, lambda: position.roll((1, 1, 1, 1))):
        with pytest.raises(IllegalAction, match="There are dice on the table already"):
            refused()


def test_T8_there_is_no_move_before_the_roll() -> None:
    for text in ("v1,players=2 -/- 1 - -", "v1,players=2 -/- 1 7:1 -"):
        with pytest.raises(IllegalAction, match="There are no dice on the table: roll first"):
            Position.parse(text).move(Move(7))


def test_T9_each_runner_is_replaced_by_a_token() -> None:
    stopped = play("v1,players=2 -/- 2 2:1,5:4,7:2 -", "stop")
    assert stopped == "v1,players=2 -/2:1,5:4,7:2 1 - -"


def test_T9_an_older_token_in_the_column_moves_up_and_others_stay() -> None:
    stopped = play("v1,players=2 5:2,9:3/- 1 5:4 -", "stop")
    assert stopped == "v1,players=2 5:4,9:3/- 2 - -"


def test_T10_any_number_of_tokens_and_a_runner_share_a_space() -> None:
    text = "v1,players=4 -/7:2/7:2/7:2 1 - 3434"
    assert play(text, "=7+7", "stop") == "v1,players=4 7:2/7:2/7:2/7:2 2 - -"
    assert Position.parse(play(text, "=7+7", "stop")).tokens.seats_on(7, 2) == (0, 1, 2, 3)


def test_T10_a_runner_passes_tokens_one_space_at_a_time() -> None:
    text = "v1,players=3 -/7:2/7:3 1 7:1 -"
    assert play(text, "3412", "=3+7").split()[3] == "3:1,7:2"
    assert play(text, "3434", "=7+7").split()[3] == "7:3"
