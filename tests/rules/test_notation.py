"""Dice, moves and positions as text: what can be read, and what is said where it cannot."""

import copy
import pickle
from dataclasses import asdict, astuple
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cantstop import CantStopError, InvalidText, Move, Moved, Position
from cantstop.rules import LegalMoves, dice_text, parse_dice


def pickled(value: Any, protocol: int) -> Any:
    """What comes back from a pickle."""
    return pickle.loads(pickle.dumps(value, protocol))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=4).map(tuple))
def test_dice_with_one_digit_are_written_without_dashes(dice: Any) -> None:
    assert dice_text(dice, sides=9) == "".join(map(str, dice))
    assert parse_dice(dice_text(dice, sides=9)) == dice


@given(st.lists(st.integers(1, 20), min_size=2, max_size=4).map(tuple))
def test_dice_that_can_show_ten_are_written_with_dashes(dice: Any) -> None:
    assert dice_text(dice, sides=20) == "-".join(map(str, dice))
    assert parse_dice(dice_text(dice, sides=20)) == dice


@pytest.mark.parametrize("text", ["", "-", "12a4", "1 34", "1-2-3-", "--", "1-222-3-4", "²345"])
def test_what_is_no_roll_is_refused(text: str) -> None:
    with pytest.raises(InvalidText, match=f"^“{text}” is not a roll; rolls look like “2345”"):
        parse_dice(text)


@pytest.mark.parametrize(("text", "move"), [("2", (2,)), ("6+8", (6, 8)), ("7+7", (7, 7))])
def test_a_move_is_a_tuple_of_columns_with_a_text(text: str, move: tuple[int, ...]) -> None:
    assert Move.parse(text) == move
    assert str(Move(*move)) == text
    assert repr(Move(*move)) == f"Move({text.replace('+', ', ')})"
    for made in (Move(text), Move(move), Move(list(move)), Move(iter(move)), Move(np.array(move))):
        assert type(made) is Move
        assert made == move


def test_the_columns_of_a_move_are_lowest_first() -> None:
    assert Move(8, 6) == Move((8, 6)) == Move("8+6") == Move.parse("8+6") == Move(6, 8)
    assert len({Move(8, 6), Move(6, 8)}) == 1


@pytest.mark.parametrize("text", ["", "+", "6+", "6+7+8", "x", "6 8", "-6", "123", "٣"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidText) as caught:
        Move.parse(text)
    assert str(caught.value) == f"“{text}” is not a move; moves look like “6+8”, “7+7” or “2”."
    with pytest.raises(InvalidText, match="moves look like “6\\+8”"):
        Move(text)


@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, *(partial(pickled, protocol=each) for each in range(6))],
)
def test_a_move_can_be_copied_and_pickled(duplicate: Any) -> None:
    for move in (Move(6, 8), Move(7, 7), Move(2)):
        assert duplicate(move) == move
        assert type(duplicate(move)) is Move
    legal = Position.initial().roll("2345").legal_moves
    assert duplicate(legal) == legal
    assert type(duplicate(legal)) is LegalMoves


def test_dataclasses_that_hold_moves_become_dictionaries() -> None:
    moved = Moved(Move(6, 8))
    assert asdict(moved) == {"move": (6, 8)}
    assert type(asdict(moved)["move"]) is Move
    assert astuple(moved) == ((6, 8),)
    position = asdict(Position.parse("v1,players=2 7:4/- 1 6:2 2345"))
    assert (position["seat"], position["dice"]) == (0, (2, 3, 4, 5))
    assert position["runners"] == (0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0)
    assert position["tokens"]["spaces"][0][7] == 4


def test_legal_moves_count_iterate_and_answer_in() -> None:
    legal = Position.parse("v1,players=2 -/- 1 - 2345").legal_moves
    assert len(legal) == 3
    assert list(legal) == [Move(5, 9), Move(6, 8), Move(7, 7)]
    assert (legal[0], legal[-1], legal[1:]) == (Move(5, 9), Move(7, 7), (Move(6, 8), Move(7, 7)))
    assert (6, 8) in legal
    assert Move(6) not in legal
    assert repr(legal) == "<LegalMoves: 5+9, 6+8, 7+7>"


def test_no_legal_moves_are_false_and_say_so() -> None:
    none = Position.parse("v1,players=2 -/- 1 - -").legal_moves
    assert not none
    assert repr(none) == "<LegalMoves: none>"


@pytest.mark.parametrize(
    "text",
    [
        "v1,players=1 - 1 - -",
        "v1,players=2 -/- 1 - 2345",
        "v1,players=2 7:4/6:11,8:3 2 7:5,9:1 1236",
        "v1,players=4,win=4,early,sharing=leapfrog,start=roll-off 7:1/7:2/7:3/- 4 7:4 -",
        "v1,players=3,start=roll-off -/-/- start:1=12,2=2,3 - -",
        "v1,players=3,start=roll-off -/-/- start:2,3 - -",
        "v1,players=2,lengths=1.2.1,runners=1 -/2:1 1 3:2 1111",
        "v1,players=2,lengths=2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.2 -/20:1 1 - 1-2-10-10",
        "v1,players=2 2:3,7:13,12:3/6:4 1 - -",
    ],
)
def test_position_text_is_printed_as_it_was_read(text: str) -> None:
    assert str(Position.parse(text)) == text


def test_position_text_may_have_any_blanks_and_dice_in_any_order() -> None:
    assert str(Position.parse("  players=2   -/-\t1 -  5-4-3-2\n")) == "v1,players=2 -/- 1 - 2345"


NOT_A_SPACE = "is not column:space, such as 7:4 on this board."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "A position has 5 fields (rules, tokens, seat, runners, dice), not 0."),
        ("v1 -/- 1 -", "A position has 5 fields (rules, tokens, seat, runners, dice), not 4."),
        ("v1 -/- 1 - - -", "A position has 5 fields (rules, tokens, seat, runners, dice), not 6."),
        ("v1,players=5 -/-/-/-/- 1 - -", "Can't Stop is for 1 to 4 players, not 5."),
        ("v1,oops -/- 1 - -", "“oops” is not a part of the rules"),
        (
            "v1 -/-/- 1 - -",
            "tokens of the position: the number of seats is 3, but the rules say 2.",
        ),
        ("v1 7/- 1 - -", f"In the tokens of the position: “7” {NOT_A_SPACE}"),
        ("v1 -/7: 1 - -", f"In the tokens of the position: “7:” {NOT_A_SPACE}"),
        ("v1 7:0/- 1 - -", f"In the tokens of the position: “7:0” {NOT_A_SPACE}"),
        ("v1 13:1/- 1 - -", f"In the tokens of the position: “13:1” {NOT_A_SPACE}"),
        ("v1 1:1/- 1 - -", f"In the tokens of the position: “1:1” {NOT_A_SPACE}"),
        ("v1 7:x/- 1 - -", f"In the tokens of the position: “7:x” {NOT_A_SPACE}"),
        ("v1 7:1:2/- 1 - -", f"In the tokens of the position: “7:1:2” {NOT_A_SPACE}"),
        ("v1 7:٣/- 1 - -", f"In the tokens of the position: “7:٣” {NOT_A_SPACE}"),
        ("v1 /- 1 - -", f"In the tokens of the position: “” {NOT_A_SPACE}"),
        (
            "v1 8:1,7:1/- 1 - -",
            "tokens of the position: the columns have to be in order, but 7 follows 8.",
        ),
        ("v1 7:1,7:2/- 1 - -", "the columns have to be in order, but 7 follows 7."),
        ("v1 -/- 0 - -", "In the seat of the position: “0” is not a seat from 1 to 2."),
        ("v1 -/- 3 - -", "In the seat of the position: “3” is not a seat from 1 to 2."),
        ("v1 -/- one - -", "In the seat of the position: “one” is not a seat from 1 to 2."),
        ("v1 -/- 1 5 -", f"In the runners of the position: “5” {NOT_A_SPACE}"),
        (
            "v1 -/- 1 9:1,5:1 -",
            "In the runners of the position: the columns have to be in order, but 5",
        ),
        ("v1 -/- 1 - 12x4", "In the dice of the position: “12x4” is not a roll"),
        ("v1 -/- 1 - 123", "In the dice of the position: 1-2-3 is not a roll: it takes 4 dice"),
        ("v1 -/- 1 - 1237", "In the dice of the position: 1-2-3-7 is not a roll"),
        ("v1 2:3,3:5,12:3/- 1 - 1234", "In the dice of the position: The game is over."),
        (
            "v1,start=roll-off -/- start:1,2 - 12",
            "In the dice of the position: there are no dice on the table in a roll-off.",
        ),
    ],
)
def test_what_is_wrong_in_position_text_names_the_field(text: str, message: str) -> None:
    with pytest.raises(CantStopError) as caught:
        Position.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "field",
    [
        "start",
        "start:",
        "start:1",
        "start:2,1",
        "start:1,1",
        "start:1,2=7",
        "start:1=7,2=8",
        "start:1=7,2=8,3=9",
        "restart:1,2",
    ],
)
def test_what_is_no_roll_off_is_refused(field: str) -> None:
    with pytest.raises(InvalidText, match=r"^In the seat of the position: ") as caught:
        Position.parse(f"v1,players=3,start=roll-off -/-/- {field} - -")
    problem = str(caught.value.fields["problem"])
    assert problem.startswith((f"“{field}” is not a roll-off such as start:1=7,2,3", "“” is not"))


def test_an_error_keeps_its_template_and_fields_for_translation() -> None:
    with pytest.raises(InvalidText) as caught:
        Position.parse("v1 -/- 3 - -")
    error = caught.value
    assert error.template == "In the {field} of the position: {problem}"
    problem = error.fields["problem"]
    assert isinstance(problem, CantStopError)
    assert problem.template == "“{text}” is not a seat from 1 to {players}."
    assert problem.fields == {"text": "3", "players": 2}
