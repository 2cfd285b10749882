"""Boards and rules: what they may be, and the rules as one line of text."""

from typing import Any

import pytest
from hypothesis import given

from cantstop import Board, InvalidRules, InvalidText, Rules, Sharing, Start
from strategies import any_rules


@pytest.mark.parametrize("lengths", [(), (3,), (3, 5), (1,) * 41])
def test_a_board_has_as_many_columns_as_some_dice_make(lengths: Any) -> None:
    with pytest.raises(
        InvalidRules, match=f"^The number of columns cannot be {len(lengths)}: dice"
    ):
        Board(lengths)


@pytest.mark.parametrize("length", [0, -1, 100])
def test_a_column_has_1_to_99_spaces(length: int) -> None:
    with pytest.raises(InvalidRules, match=f"Column 4 cannot have {length} spaces: 1 to 99"):
        Board((1, 99, length))


@pytest.mark.parametrize("runners", [0, 4])
def test_a_turn_has_at_least_one_runner_and_no_more_than_columns(runners: int) -> None:
    with pytest.raises(InvalidRules, match=f"cannot have {runners} runners: 1 to 3 are possible"):
        Board((1, 1, 1), runners)


def test_the_dice_follow_from_the_columns() -> None:
    assert [(board.sides, board.columns) for board in (Board((1, 2, 1)), Board())] == [
        (2, range(2, 5)),
        (6, range(2, 13)),
    ]
    assert Board((1,) * 39).sides == 20


def test_the_lazy_properties_of_a_board_are_documented_on_its_class() -> None:
    assert "sides" in str(Board.sides.__doc__)


@pytest.mark.parametrize("win", [0, 12])
def test_the_columns_to_win_have_to_be_there(win: int) -> None:
    with pytest.raises(InvalidRules, match=f"^{win} columns cannot be won: this board has 11"):
        Rules(columns_to_win=win)


@given(any_rules())
def test_rules_text_round_trips(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("v1,players=2", Rules()),
        ("v1,players=3,win=4", Rules(3, 4)),
        ("v1,players=2,early", Rules(early=True)),
        ("v1,players=4,sharing=no-rest", Rules(4, sharing=Sharing.NO_REST)),
        ("v1,players=2,start=youngest", Rules(start=Start.YOUNGEST)),
        (
            "v1,players=1,win=1,early,sharing=leapfrog,start=roll-off,lengths=1.2.1,runners=1",
            Rules(1, 1, True, Sharing.LEAPFROG, Start.ROLL_OFF, Board((1, 2, 1), 1)),
        ),
    ],
)
def test_rules_have_one_canonical_text(text: str, rules: Rules) -> None:
    assert str(rules) == text
    assert Rules.parse(text) == rules


def test_the_parts_may_come_in_any_order_and_without_a_version() -> None:
    assert Rules.parse("early,win=4,players=3") == Rules.parse("v1,players=3,win=4,early")
    assert Rules.parse("sharing=free,start=first-seat,runners=3,win=3") == Rules()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "“” is not a part of the rules"),
        ("v1,players=2,", "“” is not a part of the rules; they look like “players=3,win=4,"),
        ("v1, players=2", "“ players=2” is not a part"),
        ("version=1", "“version=1” is not a part"),
        ("vx", "“vx” is not a part"),
        ("players", "“players” is not a part"),
        ("early=yes", "“early=yes” is not a part"),
        ("colour=red", "“colour=red” is not a part"),
        ("v2,players=2", "Rules version 2 is unknown: this program knows version 1"),
        ("v01", "Rules version 01 is unknown"),
        ("players=two", "The rules give “players” as “two”, which is not a whole number"),
        ("players=-1", "The rules give “players” as “-1”"),
        ("players=²", "The rules give “players” as “²”"),
        ("win=1000", "The rules give “win” as “1000”"),
        ("win=", "The rules give “win” as “”"),
        ("lengths=1..1", "The rules give “lengths” as “”"),
        ("runners=x", "The rules give “runners” as “x”"),
        ("sharing=never", "“sharing” as “never”; it is one of: free, no-rest, leapfrog"),
        ("start=oldest", "“start” as “oldest”; it is one of: first-seat, roll-off, youngest"),
        ("early,early", "The rules name “early” twice"),
        ("v1,v1", "The rules name “version” twice"),
        ("players=2,players=3", "The rules name “players” twice"),
        ("sharing=free,sharing=free", "The rules name “sharing” twice"),
        ("sharing=no-rest,sharing=leapfrog", "The rules ask for “no-rest” and “leapfrog”: V3"),
    ],
)
def test_what_is_wrong_in_rules_text_is_named(text: str, message: str) -> None:
    with pytest.raises(InvalidText) as caught:
        Rules.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players=5", "Can't Stop is for 1 to 4 players, not 5"),
        ("players=0", "Can't Stop is for 1 to 4 players, not 0"),
        ("win=12", "12 columns cannot be won"),
        ("win=4,lengths=1.1.1", "4 columns cannot be won: this board has 3"),
        ("lengths=1.1", "The number of columns cannot be 2"),
        ("lengths=1.0.1", "Column 3 cannot have 0 spaces"),
        ("runners=0", "A turn cannot have 0 runners"),
    ],
)
def test_rules_that_no_game_has_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules.parse(text)
    assert message in str(caught.value)
