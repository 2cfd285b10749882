"""Records as text: what is written reads back as the same record, from any start."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cantstop import (
    Busted,
    Comment,
    EnteredDice,
    InvalidText,
    Move,
    Moved,
    Position,
    Record,
    RecordError,
    Rolled,
    Rules,
    Seal,
    SealedDice,
    SecureDice,
    SeededDice,
    Stopped,
    read_record,
    read_records,
    record_text,
    verify,
)
from cantstop.dice import commitment
from speak import event
from strategies import Play, played, plays

SECRET = bytes(range(32))
SEAL = Seal("kitchen", commitment(SECRET), ("anne", "bob"))

EXAMPLE = r"""
[Cantstop "1"]
[Rules "v1,players=2,start=roll-off"]
[Edition "trademark"]
[Date "2026-11-15"]
[Seat1 "Anne \"the die\" \\ Adams"]
[Seat2 "Zoë"]
[Dice "seeded"]
[Seed "-20"]

start 1:53 2:35
start 1:56 2:31
1. (1) 2313=4+5 2356=9 5442=9 4542=9 stop
2. (2) 1212=3+3 3166=4+12 3342=bust
3. (1) 2655
*
""".lstrip()

EXAMPLE_RECORD = Record(
    Position.initial(Rules.parse("players=2,start=roll-off")),
    ('Anne "the die" \\ Adams', "Zoë"),
    (
        *map(Rolled, ((5, 3), (3, 5), (5, 6), (3, 1))),
        *(Rolled((2, 3, 1, 3)), Moved(Move(4, 5)), Rolled((2, 3, 5, 6)), Moved(Move(9))),
        *(Rolled((5, 4, 4, 2)), Moved(Move(9)), Rolled((4, 5, 4, 2)), Moved(Move(9)), Stopped()),
        *(Rolled((1, 2, 1, 2)), Moved(Move(3, 3)), Rolled((3, 1, 6, 6)), Moved(Move(4, 12))),
        *(Rolled((3, 3, 4, 2)), Busted(), Rolled((2, 6, 5, 5))),
    ),
    "trademark",
    "2026-11-15",
    SeededDice(-20),
)


def record(start: str, *words: str, **more: Any) -> Record:
    position = Position.parse(start)
    names = ("Anne", "Bob", "Cleo", "Dan")[: position.rules.players]
    return Record(position, names, tuple(map(event, words)), **more)


def turns(record: Record) -> list[str]:
    """The lines of a record below its headers."""
    return record_text(record).partition("\n\n")[2].splitlines()


def test_a_record_is_text_that_a_person_can_read() -> None:
    assert record_text(EXAMPLE_RECORD) == EXAMPLE
    assert read_record(EXAMPLE) == EXAMPLE_RECORD
    assert read_record(EXAMPLE).cut is None


@settings(max_examples=60)
@given(plays(), st.data())
def test_every_game_round_trips_from_any_position_to_any_other(play: Any, data: Any) -> None:
    game = played(play)
    begin = data.draw(st.integers(0, len(game.events)))
    end = data.draw(st.integers(begin, len(game.events)))
    names = tuple(f"Player {seat}" for seat in range(game.rules.players))
    part = Record(game.positions[begin], names, game.events[begin:end])
    text = record_text(part)
    assert read_record(text) == part
    assert read_record(text).cut is None
    assert record_text(read_record(text)) == text
    assert part.game().position == game.positions[end]


@settings(max_examples=10)
@given(plays())
def test_the_whole_of_a_game_round_trips_from_each_of_its_positions(play: Any) -> None:
    game = played(play, most=40)
    names = tuple(f"Player {seat}" for seat in range(game.rules.players))
    for number, start in enumerate(game.positions):
        part = Record(start, names, game.events[number:])
        assert read_record(record_text(part)) == part


@pytest.mark.parametrize(
    ("start", "words", "lines"),
    [
        ("v1,players=2 -/- 1 - -", [], ["*"]),
        ("v1,players=2 -/- 1 - 2345", ["=6+8", "stop"], ["1. (1)=6+8 stop", "*"]),
        ("v1,players=2 -/- 2 2:3,3:1,7:5 3366", ["=bust"], ["1. (2)=bust", "*"]),
        ("v1,players=2 -/- 2 6:1,8:1 -", ["stop", "2345"], ["1. (2) stop", "2. (1) 2345", "*"]),
        ("v1,players=2 -/- 2 6:1,8:1 -", ["2345", "=7+7"], ["1. (2) 2345=7+7", "*"]),
        ("v1,players=2 2:3,7:13/- 1 12:3 -", ["stop"], ["1. (1) stop", "won 1"]),
        ("v1,players=2 2:3,7:13,12:3/- 1 - -", [], ["won 1"]),
        ("v1,players=3,start=roll-off -/-/- start:1,2,3 - -", [], ["*"]),
        (
            "v1,players=3,start=roll-off -/-/- start:1=7,2,3 - -",
            ["34"],
            ["start 2:34", "*"],
        ),
        (
            "v1,players=3,start=roll-off -/-/- start:1=7,2,3 - -",
            ["34", "11", "12", "21", "66"],
            ["start 2:34 3:11", "start 1:12 2:21", "start 1:66", "*"],
        ),
        (
            "v1,players=3,start=roll-off -/-/- start:2=7,3 - -",
            ["66", "1234"],
            ["start 3:66", "1. (3) 1234", "*"],
        ),
        (
            "v1,players=2,win=3,lengths=1.1.1.1.1 2:1,3:1/4:1,5:1 1 6:1 -",
            ["stop"],
            ["1. (1) stop", "won 1"],
        ),
        (
            "v1,players=2,win=4,lengths=1.1.1.1.1,runners=2 2:1,3:1/4:1 2 5:1,6:1 -",
            ["stop"],
            ["1. (2) stop", "won 2"],
        ),
        (
            "v1,players=2,win=3,lengths=1.1.1.1.1.1.1,runners=1 2:1,3:1/4:1,5:1 2 6:1 -",
            ["stop"],
            ["1. (2) stop", "won 2"],
        ),
        (
            "v1,players=3,win=4,lengths=1.1.1.1.1 2:1,3:1/4:1,5:1/- 3 6:1 -",
            ["stop"],
            ["1. (3) stop", "shared 1 2"],
        ),
    ],
)
def test_a_game_may_start_anywhere(
    start: str, words: list[Any] | list[str], lines: list[str]
) -> None:
    part = record(start, *words)
    assert turns(part) == lines
    assert read_record(record_text(part)) == part
    assert read_record(record_text(part)).cut is None


def test_a_start_that_is_not_the_usual_one_is_a_header() -> None:
    text = record_text(record("v1,players=2,start=youngest -/- 2 - -"))
    assert '[Position "v1,players=2,start=youngest -/- 2 - -"]' in text
    assert "Position" not in record_text(record("v1,players=2 -/- 1 - -"))


@pytest.mark.parametrize(
    ("dice", "headers"),
    [
        (None, []),
        (SecureDice(), ['[Dice "secure"]']),
        (EnteredDice(), ['[Dice "entered"]']),
        (SeededDice(2**256), ['[Dice "seeded"]', f'[Seed "{2**256}"]']),
        (SEAL, ['[Dice "sealed"]', '[Table "kitchen"]', f'[Commitment "{SEAL.commitment}"]']),
        (SealedDice(SEAL, SECRET), [f'[Secret "{SECRET.hex()}"]']),
    ],
)
def test_where_the_dice_came_from_round_trips(dice: Any, headers: list[Any] | list[str]) -> None:
    text = record_text(record("v1,players=2 -/- 1 - -", dice=dice))
    assert set(headers) <= set(text.splitlines())
    assert read_record(text).dice == dice


def test_dice_of_another_board_round_trip_with_their_sides() -> None:
    start = "v1,players=2,lengths=1.2.1,runners=1 -/- 1 - -"
    for dice in (SecureDice(2), SeededDice(5, 2), SealedDice(SEAL, SECRET, 2), EnteredDice(2)):
        part = record(start, dice=dice)
        assert read_record(record_text(part)) == part


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=60)
)
def test_any_printable_name_round_trips(name: str) -> None:
    part = Record(Position.initial(Rules()), (name, '"\\"'), edition=name, date=name)
    assert read_record(record_text(part)) == part


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\tb", "\u2028", "x" * 61])
def test_a_name_that_is_not_one_printable_line_is_refused(name: str) -> None:
    message = "cannot be used: it takes 1 to 60 printable characters"
    for place in ({"names": (name, "Bob")}, {"edition": name}, {"date": name}):
        with pytest.raises(InvalidText, match=message):
            replace(EXAMPLE_RECORD, **place)


def test_names_salts_and_dice_have_to_fit_the_rules() -> None:
    with pytest.raises(InvalidText, match="The number of names is 3, but that of seats 2"):
        replace(EXAMPLE_RECORD, names=("A", "B", "C"))
    short = Seal("kitchen", SEAL.commitment, ("anne",))
    for seal in (short, SealedDice(short, SECRET)):
        with pytest.raises(InvalidText, match="The number of salts is 1, but that of seats 2"):
            replace(EXAMPLE_RECORD, dice=seal)
    for dice in (SecureDice(4), SeededDice(1, 4), SealedDice(SEAL, SECRET, 4), EnteredDice(4)):
        with pytest.raises(
            InvalidText, match="Dice with 4 sides do not fit this board: it takes 6"
        ):
            replace(EXAMPLE_RECORD, dice=dice)


def test_the_example_in_the_documentation_is_a_record_that_verifies() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")
    example = re.search(r"```\n(\[Cantstop.*?)```", page, re.DOTALL)
    assert example
    part = read_record(example[1])
    assert record_text(part) == example[1]
    assert verify(part).dice_checked


def test_a_seat_without_a_name_is_called_by_its_number() -> None:
    assert read_record('[Cantstop "1"]\n[Rules "v1"]\n[Seat2 "Bob"]\n\n*\n').names == (
        "Seat 1",
        "Bob",
    )


def test_words_may_be_laid_out_in_any_way_with_comments_between() -> None:
    loose = """# above the record

  # indented
[Cantstop "1"]
# between headers
[Rules "v1,players=2"]   \t

 1. (1) # who it is
    2345 = 6+8   # the first move
# a whole line
    stop
*  # left here
# below the record"""
    found = read_record(loose)
    assert found.events == tuple(map(event, ("2345", "=6+8", "stop")))
    assert [(comment.n, comment.text) for comment in found.comments] == [
        *((0, "above the record"), (0, "indented"), (0, "between headers"), (0, "who it is")),
        *((2, "the first move"), (2, "a whole line"), (3, "left here"), (3, "below the record")),
    ]
    assert read_record(loose.replace("\n", "\r\n")) == read_record(loose)


def test_a_comment_may_hold_any_character() -> None:
    odd = "form feed \f, line separator \u2028, next line \x85 [Cantstop"
    found = read_record(EXAMPLE.replace("\nstart", f"\n# {odd}\nstart", 1))
    assert found == replace(EXAMPLE_RECORD, comments=(Comment(0, odd),))
    assert read_record(str(found)) == found


def test_a_text_may_hold_several_records() -> None:
    solo = record("v1,players=1 2:3,7:13 1 12:3 -", "stop")
    text = "# two games\n" + EXAMPLE + "\n# and the next\n" + record_text(solo) + record_text(solo)
    first = replace(EXAMPLE_RECORD, comments=(Comment(0, "two games"),))
    assert read_records(text) == [
        first,
        replace(solo, comments=(Comment(0, "and the next"),)),
        solo,
    ]
    assert record_text(solo).splitlines()[-1] == "won 1"


def test_one_record_is_not_several() -> None:
    with pytest.raises(RecordError, match=r"^Line 1: There should be one record here, not 2\.$"):
        read_record(EXAMPLE + EXAMPLE)


def test_a_record_replays_as_a_game() -> None:
    game = EXAMPLE_RECORD.game()
    assert game.events == EXAMPLE_RECORD.events
    assert str(game.position) == "v1,players=2,start=roll-off 4:1,5:1,9:3/- 1 - 2556"
    assert (game.turn, game.rolls) == (3, 12)


def test_where_a_record_was_cut_off_is_no_part_of_what_it_says() -> None:
    cut = read_record(EXAMPLE.removesuffix("*\n"))
    assert cut.cut is not None
    assert cut == EXAMPLE_RECORD


def test_wide_dice_are_told_from_each_other() -> None:
    wide = Play(Rules.parse("lengths=" + ".".join(["2"] * 23)), 3, 0, 2)
    game = played(wide)
    part = Record(game.start, ("Anne", "Bob"), game.events)
    assert read_record(record_text(part)) == part


def test_which_seats_had_hints_is_written_and_read() -> None:
    text = record_text(record("v1,players=3 -/-/- 1 - -", hints=(0, 2)))
    assert '\n[Hints "1,3"]\n' in text
    assert read_record(text).hints == (0, 2)
    assert record_text(read_record(text)) == text
    assert "Hints" not in record_text(record("v1,players=3 -/-/- 1 - -"))


@pytest.mark.parametrize("seats", ["", "0", "4", "2,1", "1,1", "1, 2", "one", "١", "1,"])
@pytest.mark.parametrize("header", ["Hints", "Resigned"])
def test_a_list_of_seats_that_are_none_is_refused_with_its_line(header: str, seats: str) -> None:
    text = record_text(record("v1,players=3 -/-/- 1 - -", hints=(0,), resigned=(0,)))
    wrong = text.replace(f'[{header} "1"]', f'[{header} "{seats}"]')
    line = text[: text.index(f"[{header}")].count("\n") + 1
    with pytest.raises(
        RecordError, match=f"Line {line}: The seats in “{header}” have to be in order"
    ):
        read_record(wrong)


def test_who_has_resigned_is_written_and_read_and_leaves_the_win_to_the_last() -> None:
    two = record("v1,players=2 -/- 1 - -", ended="resigned", resigned=(0,))
    text = record_text(two)
    assert '\n[Ended "resigned"]\n[Resigned "1"]\n' in text
    assert read_record(text) == two
    assert two.winners(None) == (1,)
    assert two.summary()["winner"] == 1
    both = record("v1,players=2 -/- 1 - -", ended="resigned", resigned=(0, 1))
    assert both.winners(None) is None
    went_on = record("v1,players=3 -/-/- 1 - -", resigned=(1,))
    assert read_record(record_text(went_on)) == went_on
    assert went_on.winners(None) is None
    assert "Resigned" not in record_text(record("v1,players=2 -/- 1 - -"))


def test_a_game_that_ended_by_resigning_names_who_has_resigned() -> None:
    with pytest.raises(InvalidText, match="no seat has resigned"):
        record("v1,players=2 -/- 1 - -", ended="resigned")
    text = record_text(record("v1,players=2 -/- 1 - -", ended="resigned", resigned=(0,)))
    without = text.replace('[Resigned "1"]\n', "")
    with pytest.raises(RecordError, match="Resigned"):
        read_record(without)
    cut_off = without[: without.index('[Ended "resigned"]') + len('[Ended "resigned"]')]
    read = read_record(cut_off)
    assert (read.ended, read.resigned) == (None, ())
    assert read.cut is not None


def test_why_a_game_ended_without_a_winner_is_written_and_read() -> None:
    text = record_text(record("v1,players=2 -/- 1 - -", ended="turns"))
    assert '\n[Ended "turns"]\n' in text
    assert read_record(text).ended == "turns"
    assert record_text(read_record(text)) == text
