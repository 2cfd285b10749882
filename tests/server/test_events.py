"""Events round-trip as JSON, and a history behaves as a tuple, however its versions share it."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cantstop.rules import Busted, Move, Moved, Rolled, Stopped
from cantstop.table.events import (
    Entry,
    Finished,
    History,
    Lesson,
    Mode,
    Opened,
    Played,
    Reacted,
    Reaction,
    Rematched,
    Reserved,
    Returned,
    Seated,
    Started,
    Substituted,
)
from cantstop.wire.events import (
    decode_entry,
    decode_rows,
    encode_entry,
    encode_row,
    event_from,
    forget,
)

OPENED = Opened(
    Mode.ONLINE, "classic", "v1,players=2", True, 0, None, "0" * 64, (Reserved("Anne", 2), None)
)
EVENTS = [
    OPENED,
    Opened(Mode.SOLO, "custom", "v1,players=1", False, 0, Lesson.BASICS, None, (None,)),
    Seated("Anne", 2, None, "a"),
    Seated("bold:3", 0, "bold:3", "b"),
    Started(("a", "b")),
    Played(Rolled((2, 3, 4, 5)), roll=1),
    Played(Moved(Move(6, 8)), spent=2.5),
    Played(Stopped(), won=(2, 12)),
    Played(Busted()),
    Reacted(Reaction.TEASE),
    Substituted("careful", 1),
    Returned(),
    Finished((0,), "ab" * 32),
    Finished((0, 1), None),
    Rematched("k7Qm"),
]
NOW = datetime(2026, 11, 15, 10, 20, tzinfo=UTC)


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_every_event_comes_back_from_json_as_it_was(event: Any) -> None:
    entry = Entry(7, NOW, 0, event)
    written = json.loads(encode_entry(entry))
    assert event_from(entry.kind, written["data"]) == event
    assert decode_entry(encode_entry(entry)) == entry
    assert decode_rows(f"[{encode_row('k7Qm', entry).decode()}]") == [("k7Qm", entry)]


_FIRST_READ_BY_MANY = """
import sys, threading
from contextlib import suppress
from cantstop.wire.events import DATA, event_from
sys.setswitchinterval(1e-6)
for kind in DATA:
    barrier = threading.Barrier(8)
    def read():
        barrier.wait()
        with suppress(ValueError):
            event_from(kind, {"no_such_field": 1})
    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""


def test_many_threads_may_read_the_first_event_of_a_kind() -> None:
    """A table that is loaded beside another must not crash the process: it did."""
    subprocess.run([sys.executable, "-c", _FIRST_READ_BY_MANY], check=True)


def test_an_event_on_its_way_is_encoded_once_and_then_forgotten() -> None:
    there = Entry(7, NOW, 0, Played(Rolled((2, 3, 4, 5)), roll=1), "action-1")
    row = encode_row("k7Qm", there)
    assert encode_entry(there) is encode_entry(there)
    ((_, elsewhere),) = decode_rows(f"[{row.decode()}]")
    assert elsewhere == there
    assert encode_entry(elsewhere) == encode_entry(there)  # the same bytes are passed on
    forget(there)
    assert there.encoded is None
    assert encode_entry(there) == encode_entry(elsewhere)


def test_what_is_no_event_is_not_read() -> None:
    for kind, data in (("unheard", {}), ("rolled", {}), ("moved", {"move": "6+"})):
        with pytest.raises(ValueError):
            event_from(kind, data)


def test_an_entry_is_written_as_the_protocol_says() -> None:
    at = datetime(2026, 11, 15, 12, 20, tzinfo=timezone(timedelta(hours=2)))
    moved = Entry(15, at, 1, Played(Moved(Move(6, 8))), "action-1")
    assert json.loads(encode_entry(moved)) == {
        "n": 15,
        "at": "2026-11-15T10:20:00.000Z",
        "kind": "moved",
        "seat": 1,
        "data": {"move": "6+8"},
    }


def entry(n: int, action: Any = None) -> Entry:
    return Entry(n, datetime(2026, 1, 1, tzinfo=UTC), 0, Played(Busted()), action)


@given(st.lists(st.integers(0, 100), max_size=40))
def test_versions_that_go_different_ways_never_see_each_other(ways: Any) -> None:
    """Each step goes on from some earlier version; tuples are the truth."""
    first = entry(1)
    versions = [(History([first]), (first,))]
    for step, way in enumerate(ways):
        history, truth = versions[way % len(versions)]
        new = entry(len(truth) + 1, f"step {step}")
        versions.append((history.after(new), (*truth, new)))
    for history, truth in versions:
        assert tuple(history) == truth
        assert len(history) == len(truth)
        assert history[-1] == truth[-1]
        assert list(history[1:3]) == list(truth[1:3])
        assert history == History(list(truth))


def test_what_lies_beyond_the_end_is_not_there() -> None:
    history = History([entry(1)])
    later = history.after(entry(2))
    assert later[1].n == 2
    with pytest.raises(IndexError):
        history[1]
    assert history != later
