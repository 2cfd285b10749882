"""Records that were cut off: everything before is read, and the place is named."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cantstop import Record, RecordError, SeededDice, read_record, read_records, record_text

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.cantstop").read_text("utf-8")


def plain(name: str) -> str:
    """The first turns of a golden playthrough without its comments."""
    record = read_record(golden(name))
    return record_text(replace(record, events=record.events[:60], comments=()))


def ending(name: str) -> str:
    """The last turns of a golden playthrough with the comments between them."""
    record = read_record(golden(name))
    first = len(record.events) - 16
    comments = (replace(note, n=note.n - first) for note in record.comments if note.n >= first)
    return record_text(
        replace(
            record,
            start=record.game().positions[first],
            events=record.events[first:],
            comments=tuple(comments),
        )
    )


CASES = {
    "two-runners": ending,
    "solo-small": plain,
    "wide-board": plain,
    "trademark-three": plain,
    "ravensburger-two": plain,
    "none-open-leapfrog": plain,
    "none-open-shared": plain,
}

EVENT = re.compile(r"^(\d:)?\d[\d-]*$|^stop$|^bust$|^\d+\+?\d*$")


def events_written(text: str) -> int:
    """How many events a text spells out, each followed by at least one more character."""
    turns = re.sub(r"^\[.*|#.*", "", text, flags=re.MULTILINE)
    words = re.split(r"[\s=]", turns)[:-1]  # the last piece has nothing behind it
    result = next((at for at, word in enumerate(words) if word in ("won", "shared")), len(words))
    return sum(EVENT.match(word) is not None for word in words[:result])


@pytest.mark.parametrize(("name", "text_of"), CASES.items(), ids=CASES)
def test_a_record_cut_off_at_any_byte_gives_what_stands_before(name: str, text_of: Any) -> None:
    text = text_of(name)
    whole = read_record(text)
    data = text.encode()
    rules_end = data.index(b'"]', data.index(b"[Rules"))
    result_end = len(data.rstrip())
    for end in range(len(data)):
        prefix = data[:end].decode(errors="ignore")
        if end < rules_end + 2:
            with pytest.raises(RecordError):
                read_record(prefix)
            continue
        part = read_record(prefix)
        assert part.rules == whole.rules
        assert part.events == whole.events[: events_written(prefix)]
        if end >= result_end:
            assert part.cut is None
        else:
            assert part.cut is not None
            assert part.cut.line == prefix.rstrip().count("\n") + 1


def test_a_cut_says_so_in_a_sentence() -> None:
    text = plain("solo-small")
    part = read_record(text[: text.index(" stop") + 3])
    line = text[: text.index(" stop")].count("\n") + 1
    assert str(part.cut) == (
        f"Line {line}: the record is cut off here; everything before was read."
    )


def test_a_cut_record_is_written_as_one_that_was_left() -> None:
    text = plain("solo-small")
    part = read_record(text[: text.index(" stop")])
    assert part.cut is not None
    again = read_record(record_text(part))
    assert again == part
    assert again.cut is None


@pytest.mark.parametrize(
    ("kept", "lost"),
    [
        ("1. (1) 2345=5+9 1111", "=2+2"),
        ("1. (1) 2345=5+9", " 1111"),
        ("1. (1) 234", "5"),
        ("1. (1) 2345=", "5+9"),
        ("1. (1)", " 2345"),
        ("1", ". (1)"),
        ("1. (1) 2345=5+9 sto", "p"),
        ("1. (1) 2345=5+9 stop\n", "2. (2) 1234"),
    ],
)
def test_the_last_word_may_have_lost_its_tail_and_is_left_out(kept: str, lost: str) -> None:
    headers = '[Cantstop "1"]\n[Rules "v1"]\n\n'
    part = read_record(headers + kept)
    assert part.cut is not None
    assert part.cut.line == 4
    assert len(part.events) == events_written(headers + kept)
    assert read_record(f"{headers}{kept}{lost}\n").events[: len(part.events)] == part.events


def test_a_die_of_twelve_sides_may_have_lost_its_second_digit() -> None:
    lengths = ".".join(["2"] * 23)
    headers = f'[Cantstop "1"]\n[Rules "v1,start=roll-off,lengths={lengths}"]\n\n'
    for kept in ("start 1:12", "start 1:1-1", "start 1:1-12"):
        assert read_record(headers + kept).events == ()
    assert len(read_record(headers + "start 1:1-12 2:1-1").events) == 1


def test_headers_that_were_lost_with_the_tail_are_left_out() -> None:
    text = '[Cantstop "1"]\n[Rules "v1"]\n[Seat1 "Anne"]\n[Dice "seeded"]\n[Seed "12'
    part = read_record(text)
    assert part == Record(part.start, ("Anne", "Seat 2"))
    assert part.cut is not None
    assert part.cut.line == 5
    whole = read_record(text + '"]')
    assert whole.dice == SeededDice(12)
    assert whole.cut is not None
    assert whole.cut.line == 5


def test_only_the_last_of_several_records_can_be_cut_off() -> None:
    text = plain("solo-small")
    assert read_records(text + text[:-10])[-1].cut is not None
    with pytest.raises(RecordError, match="the record is cut off here") as caught:
        read_records(text.rpartition("won")[0] + "\n" + text)
    assert caught.value.line == text.rstrip().count("\n")


@pytest.mark.parametrize("cut", [1, 5, 9, 10])
def test_a_second_record_that_has_lost_its_rules_is_an_error(cut: int) -> None:
    text = plain("solo-small")
    with pytest.raises(RecordError) as caught:
        read_records(text + text[:cut])
    assert caught.value.line == text.count("\n") + 1
