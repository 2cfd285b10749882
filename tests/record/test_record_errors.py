"""Records that do not hold: each thing that can be wrong is named with its line."""

import pickle
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cantstop import CantStopError, IllegalAction, RecordError, read_record, read_records
from cantstop.record import each_record, read

HEADERS = """[Cantstop "1"]
[Rules "v1,players=2,win=1,lengths=2.3.4.3.2"]
[Seat1 "Anne"]
[Seat2 "Bob"]
"""
TURNS = """
1. (1) 1223=3+5 1133=2 stop
2. (2) 1111=2+2 2233=4+6 1111=bust
3. (1) 1112=2+3 stop
won 1
"""
RECORD = HEADERS + TURNS
SEALED = """[Dice "sealed"]
[Table "kitchen"]
[Commitment "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"]
[Salt1 "anne"]
[Salt2 "bob"]
[Secret "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"]
"""


def refused(text: str) -> str:
    """What is said about a record that does not hold."""
    with pytest.raises(RecordError) as caught:
        read_record(text)
    assert str(caught.value) == f"Line {caught.value.line}: {caught.value.problem}"
    assert isinstance(caught.value.problem, CantStopError)
    return str(caught.value)


def changed(old: str, new: str, text: str = RECORD) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


def test_the_records_that_the_others_are_made_from_are_right() -> None:
    assert read_record(RECORD).cut is None
    assert read_record(HEADERS + SEALED + TURNS).cut is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # dice
        ("1223=3+5", "1224=3+5", "Line 6: 1-2-2-4 is not a roll: it takes 4 dice from 1 to 3."),
        ("1223=3+5", "122=3+5", "Line 6: 1-2-2 is not a roll"),
        ("1223=3+5", "12x3=3+5", "Line 6: “12x3” is not a roll; rolls look like “2345”."),
        ("1223=3+5", "1123=3+5", "Line 6: 3+5 is not a legal move here; these are: 2+5, 3+4."),
        ("1112=2+3 stop", "1112 2233", "Line 8: There are dice on the table already"),
        # moves
        ("=3+5", "=3+6", "Line 6: 3+6 is not a legal move here; these are: 3+5, 4+4."),
        ("=3+5", "=3+5+6", "Line 6: “3+5+6” is not a move"),
        ("=3+5", "=three", "Line 6: “three” is not a move"),
        ("1111=bust", "1111=2+2", "Line 7: This roll is of no use: it is a bust."),
        ("2233=4+6", "2233=bust", "Line 7: This is not a bust."),
        ("1. (1) 1223=", "1. (1) =", "Line 6: There are no dice on the table: roll first."),
        # stops
        ("1. (1) 1223", "1. (1) stop 1223", "Line 6: A turn cannot be stopped before its first"),
        ("1133=2 stop", "1133 stop", "Line 6: There are dice on the table already"),
        # turns and seats
        ("2. (2)", "3. (2)", "Line 7: Here the turn “2. (2)” should begin."),
        ("2. (2)", "2. (1)", "Line 7: Here the turn “2. (2)” should begin."),
        ("2. (2)", "2 (2)", "Line 7: Here the turn “2. (2)” should begin."),
        ("2. (2) ", "", "Line 7: Here the turn “2. (2)” should begin."),
        ("=bust", "=bust stop", "Line 7: Here the turn “3. (1)” should begin."),
        (" stop\n2", "\n2", "Line 7: “2.” is not a roll"),
        ("won 1", "4. (2) 1112", "Line 9: The game is over."),
        ("1. (1) 1223", "start 1:12 2:33 1. (1) 1223", "Line 6: There is no roll-off for the"),
        # the result
        ("won 1", "won 2", "Line 9: The result says “won 2”, but the game says “won 1”."),
        ("won 1", "shared 1 2", "Line 9: The result says “shared 1”, but the game says “won 1”."),
        ("won 1", "*", "Line 9: The result says “*”, but the game says “won 1”."),
        ("3. (1) 1112=2+3 stop\nwon 1", "*\nwon 1", "Line 9: Nothing can follow the result."),
        ("1112=2+3 stop", "", "Line 9: The result says “won 1”, but the game says “*”."),
        ("won 1\n", "won 1\n\ngarbage\n", "Line 11: Nothing can follow the result."),
        ("won 1\n", "won 1\n\ngarbage", "Line 11: Nothing can follow the result."),
        ("won 1\n", "won 1 2\n", "Line 9: Nothing can follow the result."),
        # headers
        ('[Seat2 "Bob"]', '[Seat3 "Bob"]', "Line 4: “Seat3” does not fit the number of seats, 2."),
        ('[Seat2 "Bob"]', '[Seat "Bob"]', "Line 4: “Seat” does not fit the number of seats, 2."),
        ('[Seat2 "Bob"]', '[Salt3 "x"]', "Line 4: “Salt3” does not fit the number of seats, 2."),
        ('[Seat2 "Bob"]', '[Seat5 "Bob"]', "Line 4: There is no header “Seat5”."),
        ('[Seat2 "Bob"]', '[Colour "red"]', "Line 4: There is no header “Colour”."),
        ('[Seat2 "Bob"]', '[Seat1 "Bob"]', "Line 4: The header “Seat1” is there twice."),
        ('[Seat2 "Bob"]', '[Seat2 ""]', "Line 4: “” cannot be used: it takes 1 to 60 printable"),
        ('[Seat2 "Bob"]', '[Edition "\t"]', "Line 4: “�” cannot be used"),
        ('[Seat2 "Bob"]', '[Date "\x0c"]', "Line 4: “�” cannot be used"),
        ('[Seat2 "Bob"]', "[Seat2 Bob]", "Line 4: “[Seat2 Bob]” is not a header; they look like"),
        ('[Seat2 "Bob"]', '[Seat2 "Bo"b"]', 'Line 4: “[Seat2 "Bo"b"]” is not a header'),
        ('[Seat2 "Bob"]', '[Seat2 "Bob\\"]', 'Line 4: “[Seat2 "Bob\\"]” is not a header'),
        ('[Seat2 "Bob"]', '[Seat2 "B\\ob"]', 'Line 4: “[Seat2 "B\\ob"]” is not a header'),
        ('[Seat2 "Bob"]', '[Seat2 "Bob"', 'Line 4: “[Seat2 "Bob"” is not a header'),
        ('[Seat2 "Bob"]', '[Seat2 "Bob"] x', 'Line 4: “[Seat2 "Bob"] x” is not a header'),
        ('[Cantstop "1"]', '[Cantstop "2"]', "Line 1: Record version “2” is unknown: this program"),
        ('[Cantstop "1"]', "# none", "Line 1: The record has no header “Cantstop”."),
        ("v1,players=2", "v1,players=5", "Line 2: Can't Stop is for 1 to 4 players, not 5."),
        ("v1,players=2", "v2,players=2", "Line 2: Rules version 2 is unknown"),
        ("v1,players=2", "v1,oops", "Line 2: “oops” is not a part of the rules"),
        ('[Rules "v1,players=2,win=1,lengths=2.3.4.3.2"]', "#", "Line 1: The record has no header"),
        (
            '[Seat2 "Bob"]',
            '[Position "v1 -/- 1 - -"]',
            "Line 4: The position and the record have different",
        ),
        ('[Seat2 "Bob"]', '[Position "x"]', "Line 4: A position has 5 fields"),
        ('[Seat2 "Bob"]', '[Dice "loaded"]', "Line 4: “loaded” is not a kind of dice; there are:"),
        ('[Seat2 "Bob"]', '[Dice "seeded"]', "Line 1: The record has no header “Seed”."),
        ('[Seat2 "Bob"]', '[Dice "sealed"]', "Line 1: The record has no header “Table”."),
    ],
)
def test_what_is_wrong_in_a_record_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert refused(changed(old, new)).startswith(message)


@pytest.mark.parametrize("seed", ["", "x", "01", "1.5", "+1", "--1", "٣", "1" * 101])
def test_a_seed_is_a_whole_number(seed: str) -> None:
    text = HEADERS + f'[Dice "seeded"]\n[Seed "{seed}"]\n' + TURNS
    assert refused(text) == f"Line 6: “{seed}” is not a seed."


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"kitchen"', '"the kitchen"', "Line 6: “the kitchen” cannot be a table: it takes 1 to 64"),
        ('"630dcd', '"x', "Line 7: “x2966c4336691125448"),
        ('"anne"', '"an,ne"', "Line 8: “an,ne” cannot be a salt"),
        ('"bob"', '""', "Line 9: “” cannot be a salt"),
        ('[Salt2 "bob"]\n', "", "Line 1: The record has no header “Salt2”."),
        ('[Secret "00', '[Secret "', "Line 10: The secret has to be 64 hexadecimal digits."),
        ('[Secret "00', '[Secret "xx', "Line 10: The secret has to be 64 hexadecimal digits."),
    ],
)
def test_what_is_wrong_in_a_seal_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert refused(HEADERS + changed(old, new, SEALED) + TURNS).startswith(message)


ROLL_OFF = '[Cantstop "1"]\n[Rules "v1,players=3,start=roll-off"]\n\n'


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ("1. (1) 1234\n*\n", "Line 4: The roll-off for the start is not over yet."),
        ("start 1:12\n1. (1) 1234\n*\n", "Line 5: Here seat 2 should throw for the start."),
        ("start 1:12 3:12\n*\n", "Line 4: Here seat 2 should throw for the start."),
        ("start 1:12 2:77\n*\n", "Line 4: 7-7 is not a roll: it takes 2 dice from 1 to 6."),
        ("start 1:12 2\n*\n", "Line 4: “” is not a roll"),
        ("start 1:12 2:12 won 1\n", "Line 4: Here seat 3 should throw for the start."),
        ("start 1:12 2:12 3:11\nstart 1:12\n1. (1)\n", "Line 6: Here seat 2 should throw"),
        ("won 1\n", "Line 4: The result says “won 1”, but the game says “*”."),
    ],
)
def test_what_is_wrong_in_a_roll_off_is_named_with_its_line(turns: str, message: str) -> None:
    assert refused(ROLL_OFF + turns).startswith(message)


def test_a_roll_off_may_be_left_in_the_middle() -> None:
    assert len(read_record(ROLL_OFF + "start 1:12 2:12\n*\n").events) == 2
    assert len(read_record(ROLL_OFF + "start 1:12 2:12 3:11 start 1:66 *").events) == 4


def test_lines_are_counted_through_a_text_of_several_records() -> None:
    text = "# first\n" + RECORD + "\n" + changed("=3+5", "=3+6")
    with pytest.raises(RecordError) as caught:
        read_records(text)
    assert caught.value.line == text[: text.index("3+6")].count("\n") + 1
    twice = RECORD + changed('[Seat1 "Anne"]', '[Cantstop "1"]')
    with pytest.raises(RecordError, match="Line 11: the record is cut off here"):
        read_records(twice)


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "garbage", "\0\x01\x02\udcff"])
def test_what_is_no_record_at_all_is_told(text: str) -> None:
    assert refused(text).startswith("Line 1: The record has no header “Cantstop”")


def line_refused(text: str) -> int | None:
    """The line in which a text is refused, or None."""
    try:
        read_records(text)
    except RecordError as error:
        return error.line
    return None


@given(st.binary(max_size=200), st.integers(0, len(RECORD)))
@example(b"\r", 30)
@example(b"#", 0)
def test_garbage_anywhere_is_read_or_refused_and_never_crashes(garbage: Any, place: Any) -> None:
    text = RECORD[:place] + garbage.decode("latin-1") + RECORD[place:]
    assert line_refused(text) in (None, *range(1, text.count("\n") + 2))


@given(st.integers(0, len(RECORD) - 1), st.characters(codec="ascii"))
def test_a_character_changed_is_read_or_refused_and_never_crashes(
    place: Any, character: Any
) -> None:
    text = RECORD[:place] + character + RECORD[place + 1 :]
    assert line_refused(text) in (None, *range(1, text.count("\n") + 2))


def test_texts_events_and_records_have_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    one = '[Cantstop "1"]\n[Rules "v1,players=1"]\n\n1. (1) 1234=5+5 stop\n*\n'
    monkeypatch.setattr(read, "MAX_EVENTS", 3)
    monkeypatch.setattr(read, "MAX_RECORDS", 2)
    assert len(read_records(one * 2)) == 2
    with pytest.raises(RecordError, match="Line 11: A text cannot have more than 2 records"):
        read_records(one * 3)
    monkeypatch.setattr(read, "MAX_EVENTS", 2)
    with pytest.raises(RecordError, match="Line 4: A record cannot have more than 2 events"):
        read_records(one)
    assert next(each_record(one.replace(" stop", ""))).names == ("Seat 1",)


def test_an_error_goes_from_one_process_to_another_whole() -> None:
    error = RecordError(7, IllegalAction("{move} is not legal.", move="2+12"))
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.line, str(copy.problem), str(copy)) == (7, "2+12 is not legal.", str(error))
