"""Hints in lines of text: every option, and why; the record says that there was one."""

from cantstop.record import read_record, record_text
from people import local_game, sit

CHOICE = "v1,players=2 7:4/6:9,8:3 1 2:2,3:4,12:2 -"


def test_a_hint_tells_every_option_and_why_and_the_record_says_so() -> None:
    evening = sit(local_game(CHOICE, "Anne", "Bob", dice="2345"), ["hint", "hi", "quit"])
    lines = evening.lines
    stop = next(n for n, line in enumerate(lines) if line.startswith("stop "))
    assert lines[stop + 1].startswith("roll ")
    assert "Runners on 2, 3 and 12 bust in 56.2% of rolls." in lines
    assert sum(line.startswith("stop ") for line in lines) == 2
    told = record_text(evening.session.local.record())
    assert read_record(told).hints == (0,)


def test_without_one_the_record_says_nothing() -> None:
    evening = sit(local_game(CHOICE, "Anne", "Bob", dice="2345"), ["stop", "quit"])
    assert evening.session.local.record().hints == ()
