"""Comments and signs of annotation: they survive reading and writing, wherever they stand."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cantstop import Annotation, Comment, Game, InvalidText, Record, RecordError, read_record
from cantstop.record import read_records
from strategies import Play, played, plays

SIGNS = ("!!", "!", "!?", "?!", "?", "??")

TEXT = """[Cantstop "1"]
[Rules "v1,players=2,start=roll-off"]
[Seat1 "Anne"]
[Seat2 "Bob"]

# a friendly game
# at the kitchen table
start 1:21 # not much
   2:66!
1. (2) 2345? # before the move
  =6+8?! # 7+7 was better
# said Anne
   1166=7+7!! stop?? # too early
2. (1) 1111=2+2 6666=12+12 1266=3+12 3344!?=bust # of course
# nobody wanted to go on
*
"""


def test_comments_and_signs_read_and_print_as_they_were() -> None:
    record = read_record(TEXT)
    assert record.comments == (
        Comment(0, "a friendly game"),
        Comment(0, "at the kitchen table"),
        Comment(1, "not much"),
        Comment(3, "before the move"),
        Comment(4, "7+7 was better"),
        Comment(4, "said Anne"),
        Comment(7, "too early"),
        Comment(15, "of course"),
        Comment(15, "nobody wanted to go on"),
    )
    assert record.annotations == (
        *(Annotation(2, "!"), Annotation(3, "?"), Annotation(4, "?!")),
        *(Annotation(6, "!!"), Annotation(7, "??"), Annotation(14, "!?")),
    )
    assert str(record) == TEXT


def test_they_are_part_of_what_a_record_says() -> None:
    record = read_record(TEXT)
    bare = replace(record, comments=(), annotations=())
    assert bare != record
    assert bare.events == record.events
    assert "#" not in str(bare)
    assert hash(bare) != hash(record)


def test_rows_have_them() -> None:
    rows = read_record(TEXT).rows()
    assert [(row["n"], row["sign"], row["comment"]) for row in rows[2:5]] == [
        (3, "?", "before the move"),
        (4, "?!", "7+7 was better\nsaid Anne"),
        (5, None, None),
    ]


def test_comments_above_a_record_are_its_own_and_those_behind_the_last_one_too() -> None:
    game = '[Cantstop "1"]\n[Rules "v1"]\n\n*\n'
    text = f"# one\n\n{game}\n# two\n\n{game}# end"
    assert [record.comments for record in read_records(text)] == [
        (Comment(0, "one"),),
        (Comment(0, "two"), Comment(0, "end")),
    ]
    with pytest.raises(RecordError, match=r"^Line 16: There is no header “Nonsense”"):
        read_records(text.replace("# end", "") + '# x\n[Cantstop "1"]\n[Nonsense "1"]\n')


def test_a_line_end_of_windows_is_no_part_of_a_comment() -> None:
    assert read_record(TEXT.replace("\n", "\r\n")) == read_record(TEXT)
    odd = read_record(TEXT.replace("said Anne", "said\rAnne"))
    assert odd.comments[5].text == "said Anne"


def test_a_record_that_was_cut_off_keeps_the_comments_before() -> None:
    cut = read_record(TEXT.partition("   1166")[0])
    assert cut.cut is not None
    assert [comment.text for comment in cut.comments][-2:] == ["7+7 was better", "said Anne"]
    headers = TEXT.partition("\n\n")[0] + "\n# above\n"
    assert read_record(headers).comments == (Comment(0, "above"),)


@pytest.mark.parametrize("wrong", ["!!!", "?!?", "!?!"])
def test_there_are_six_signs_and_no_more(wrong: str) -> None:
    with pytest.raises(RecordError, match=r"^Line 9: "):
        read_record(TEXT.replace("2:66!", f"2:66{wrong}"))


def test_a_program_adds_them() -> None:
    game = Game()
    game.roll("2345")
    game.move("6+8")
    record = Record.of(game).annotated(2, "or 7+7", "!?").annotated(1, sign="!")
    record = record.annotated(2, sign="?").annotated(0, "a try").annotated(2, "maybe")
    assert record.annotations == (Annotation(1, "!"), Annotation(2, "?"))
    assert [comment.text for comment in record.comments] == ["a try", "or 7+7", "maybe"]
    assert read_record(str(record)) == record


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Comment(0, "two\nlines"), "'two\\\\nlines' is not a comment: it takes one line"),
        (lambda: Comment(0, " spaces "), "' spaces ' is not a comment"),
        (lambda: Annotation(1, "#"), "'#' is not a sign of annotation; there are: !! ! !\\? "),
        (lambda: Record.of(Game()).annotated(1, "x"), "go with events 0 to 0, in their order"),
        (lambda: Record.of(Game()).annotated(0, sign="!"), "go with events 1 to 0, in their order"),
        (
            lambda: replace(
                read_record(TEXT), annotations=(Annotation(1, "!"), Annotation(1, "?"))
            ),
            "An event has one sign of annotation at most",
        ),
        (
            lambda: replace(read_record(TEXT), comments=(Comment(2, "b"), Comment(1, "a"))),
            "go with events 0 to 15, in their order",
        ),
    ],
)
def test_what_cannot_be_written_is_refused(wrong: object, sentence: str) -> None:
    assert callable(wrong)
    with pytest.raises(InvalidText, match=sentence):
        wrong()


LINES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=20).map(str.strip)


@settings(max_examples=20, deadline=None)
@given(plays(), st.data())
def test_any_comments_and_signs_anywhere_come_back(play: Play, data: st.DataObject) -> None:
    record = Record.of(played(play, most=80))
    last = len(record.events)
    for n, text in data.draw(st.lists(st.tuples(st.integers(0, last), LINES), max_size=6)):
        record = record.annotated(n, text)
    if last:
        for n in data.draw(st.sets(st.integers(1, last), max_size=6)):
            record = record.annotated(n, sign=data.draw(st.sampled_from(SIGNS)))
    text = str(record)
    assert read_record(text) == record
    assert str(read_record(text)) == text
