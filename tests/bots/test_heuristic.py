"""The published players decide as their papers' examples do."""

from dataclasses import replace
from typing import Any

import pytest

from cantstop.bots import BOTS, bot_named
from cantstop.bots.heuristic import GLENN_LINEAR, RULE_OF_28, HeuristicBot, mirrored
from cantstop.rules import Board, InvalidRules, Position, Rules
from known_figures import program, simple

HEURISTICS = [
    "rule-of-28",
    "glenn-aloi-constant",
    "glenn-aloi-linear",
    "glenn-linear",
]


def choice(text: str) -> Position:
    return Position.parse(text)


def test_the_papers_example_of_a_choice() -> None:
    # runners on 5 and 8, column 4 closed: 8 alone scores 5, 5 and 7 score 4 + 6 - 6 = 4
    position = choice("v1,players=2 -/4:7 1 5:1,8:1 1344")
    assert set(position.legal_moves) == {(8,), (5, 7)}
    assert bot_named("rule-of-28").choose(position, 1) == (8,)


def test_the_program_counts_a_column_just_entered_twice_in_the_choice() -> None:
    # the same roll: 5 and 7 score 4 + 2 * 6 - 6 = 10 there
    position = choice("v1,players=2 -/4:7 1 5:1,8:1 1344")
    assert program.choose(position, 1) == (5, 7)


def test_the_simple_one_does_not_mind_a_bad_set_of_columns_when_it_chooses() -> None:
    # runners on 10 and 11: 4 scores 3 - 6 = -3, and 8 scores 5 - 6 = -1; but 8-10-11, none of
    # them below 7, is a bad set, and whoever looks ahead takes 4 points off: -5
    position = choice("v1,players=2 -/- 1 10:1,11:1 2226")
    assert set(position.legal_moves) == {(4,), (8,)}
    assert bot_named("rule-of-28").choose(position, 1) == (4,)
    assert simple.choose(position, 1) == (8,)


def test_the_simple_one_counts_the_bad_set_of_columns_in_its_points() -> None:
    # 2 on 8, 2 on 10, 2 on 11: 6 + 12 + 15 and 4 for none below 7; at 37 it stops, at 38 it rolls
    position = choice("v1,players=2 -/- 1 8:2,10:2,11:2 -")
    assert simple.turn_score(position) == 37
    for threshold in (37, 38):
        bot = HeuristicBot("simple", replace(simple.weights, threshold=threshold))
        assert bot.stop(position, 6) == (threshold == 37)


def rule_of_28() -> HeuristicBot:
    bot = bot_named("rule-of-28")
    assert isinstance(bot, HeuristicBot)
    return bot


def test_the_papers_example_of_a_turn_score() -> None:
    # gained 2 on 4, 3 on 6, 1 on 10: 12 + 8 + 8 - 2 for all even = 26
    position = choice("v1,players=2 -/- 1 4:2,6:3,10:1 -")
    bot = rule_of_28()
    assert bot.turn_score(position) == 26
    assert not bot.stop(position, 4)
    assert bot_named("rule-of-28:26").stop(position, 4)
    assert not bot_named("rule-of-28:27").stop(position, 4)


@pytest.mark.parametrize(
    ("runners", "score"),
    [
        ("3:1,5:1,9:1", 5 * 2 + 3 * 2 + 3 * 2 + 2),  # all odd
        ("3:1,5:1,7:1", 5 * 2 + 3 * 2 + 1 * 2 + 2 + 4),  # and none above 7
        ("7:1,8:1,9:1", 1 * 2 + 2 * 2 + 3 * 2 + 4),  # none below 7
        ("2:1,4:1,6:1", 6 * 2 + 4 * 2 + 2 * 2 - 2 + 4),  # all even, none above 7
        ("6:1,7:1,8:1", 2 * 2 + 1 * 2 + 2 * 2),  # neither
        ("2:2", 6 * 3),  # a difficulty only when all runners are out
    ],
)
def test_the_turn_score_of_the_rule_of_28(runners: str, score: int) -> None:
    position = choice(f"v1,players=2 -/- 1 {runners} -")
    assert rule_of_28().turn_score(position) == score


def test_only_this_turns_progress_counts() -> None:
    ahead = choice("v1,players=2 6:5,7:5,8:5/- 1 6:7,7:6,8:6 -")
    assert rule_of_28().turn_score(ahead) == 2 * 3 + 1 * 2 + 2 * 2


@pytest.mark.parametrize("name", HEURISTICS)
def test_a_stop_that_wins_is_made_even_with_runners_in_hand(name: str) -> None:
    assert bot_named(name).stop(choice("v1,players=2 2:3,3:5/- 1 12:3 -"), 1)


@pytest.mark.parametrize("name", HEURISTICS)
def test_with_a_runner_in_hand_and_a_column_to_enter_it_rolls(name: str) -> None:
    assert not bot_named(name).stop(choice("v1,players=2 -/- 1 2:3,12:3 -"), 6)


@pytest.mark.parametrize("name", HEURISTICS)
def test_it_stops_where_no_roll_can_be_of_use(name: str) -> None:
    # every column but 7 is won, and the runner there is on the top
    others = "2:3,3:5,4:7,5:9,6:11/8:11,9:9,10:7,11:5,12:3"
    tokens = others.replace("/", ",7:12/")
    position = choice(f"v1,players=2,win=6 {tokens.replace('6:11,7:12', '6:11,7:12')} 1 7:13 -")
    assert bot_named(name).stop(position, 1)


def test_equal_moves_are_settled_by_the_most_balanced_split() -> None:
    # 3+7 and 4+6 both score 2 + 6 - 12 = 3 + 5 - 12; 5+5 scores 8 - 6, so it is closed here
    position = choice("v1,players=2 -/5:9 1 - 1234")
    assert (3, 7) in position.legal_moves
    assert bot_named("rule-of-28").choose(position, 0) == (4, 6)


def test_linear_weights_rise_from_the_intercept_to_intercept_and_slope() -> None:
    values = GLENN_LINEAR.choice_values()
    assert values[2] == values[12] == (15, 51, 87)
    assert (values[7][0], values[7][1], values[7][12]) == (5, 7, 37)  # 5 + 32 / 12 rounded down


def test_constant_weights_are_the_same_for_every_space() -> None:
    assert RULE_OF_28.choice_values()[6] == (5,) * 11
    assert mirrored((6, 5, 4, 3, 2, 1)) == {
        2: 6, 12: 6, 3: 5, 11: 5, 4: 4, 10: 4, 5: 3, 9: 3, 6: 2, 8: 2, 7: 1,
    }  # fmt: skip


@pytest.mark.parametrize("name", HEURISTICS)
@pytest.mark.parametrize(
    "board", [Board.stepped(sides=6, shortest=2), Board(runners=2), Board.stepped(4, 1)]
)
def test_other_boards_are_refused_in_one_sentence(name: str, board: Any) -> None:
    with pytest.raises(InvalidRules, match=f"“{name}” plays on the official board only"):
        bot_named(name).check(Rules(board=board))


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_plays_on_the_official_board(name: str) -> None:
    bot_named(name).check(Rules(players=4, columns_to_win=5))
