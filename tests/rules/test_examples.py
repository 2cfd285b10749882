"""The worked examples that the rulebooks print: E1 to E9."""

import pytest

from cantstop import splits
from speak import moves, play


def test_E1_1546_makes_6_and_10_or_5_and_11_or_7_and_9() -> None:
    assert set(splits((1, 5, 4, 6))) == {(6, 10), (5, 11), (7, 9)}
    assert moves("v1,players=2 -/- 1 - 1546") == {"6+10", "5+11", "7+9"}


def test_E2_first_roll_2345() -> None:
    text = "v1,players=2 -/- 1 - 2345"
    assert moves(text) == {"5+9", "6+8", "7+7"}
    assert play(text, "=5+9").split()[3] == "5:1,9:1"
    assert play(text, "=6+8").split()[3] == "6:1,8:1"
    assert play(text, "=7+7").split()[3] == "7:2"


def test_E3_runners_in_6_and_8_roll_1156() -> None:
    text = "v1,players=2 -/- 1 6:3,8:2 1156"
    assert moves(text) == {"2", "11", "6+7"}
    assert play(text, "=2").split()[3] == "2:1,6:3,8:2"
    assert play(text, "=11").split()[3] == "6:3,8:2,11:1"
    assert play(text, "=6+7").split()[3] == "6:4,7:1,8:2"


def test_E4_runners_in_6_and_10_roll_2435() -> None:
    text = "v1,players=2 -/- 1 6:1,10:1 2435"
    assert moves(text) == {"6+8", "7+7", "5", "9"}
    assert play(text, "=6+8").split()[3] == "6:2,8:1,10:1"
    assert play(text, "=7+7").split()[3] == "6:1,7:2,10:1"
    assert play(text, "=5").split()[3] == "5:1,6:1,10:1"
    assert play(text, "=9").split()[3] == "6:1,9:1,10:1"


def test_E5_runners_in_3_and_6_roll_2455() -> None:
    text = "v1,players=2 -/- 1 3:1,6:1 2455"
    assert moves(text) == {"6+10", "7", "9"}
    assert play(text, "=6+10").split()[3] == "3:1,6:2,10:1"


def test_E6_runners_in_3_6_on_the_top_and_8_roll_2455_is_a_bust() -> None:
    text = "v1,players=2 6:9/- 1 3:2,6:11,8:1 2455"
    assert moves(text) == set()
    assert play(text, "=bust") == "v1,players=2 6:9/- 2 - -"


@pytest.mark.parametrize("runners", ["-", "7:1", "7:1,9:1", "5:1,7:1,9:1"])
def test_E7_columns_6_8_and_10_won_roll_2446_is_a_bust(runners: str) -> None:
    text = f"v1,players=2 6:11,10:7/8:11 1 {runners} 2446"
    assert moves(text) == set()


def test_E8_a_runner_enters_above_the_own_token_and_the_token_moves_to_it() -> None:
    text = "v1,players=2,start=youngest 6:2/6:3 1 - 1546"
    runner = play(text, "=6+10")
    assert runner == "v1,players=2,start=youngest 6:2/6:3 1 6:3,10:1 -"
    assert play(runner, "stop") == "v1,players=2,start=youngest 6:3,10:1/6:3 2 - -"


def test_E9_with_runners_out_early_2_and_9_have_to_be_taken_and_then_the_third_runner_placed() -> (
    None
):
    text = "v1,players=2,early,start=youngest 6:11/- 1 - 1145"
    assert moves(text) == {"2+9"}
    assert moves(text.replace("early,", "")) == {"2+9", "5"}
    second = play(text, "=2+9", "1136")
    assert moves(second) == {"4", "7"}
    assert moves(second.replace("early,", "")) == {"2+9", "4", "7"}
