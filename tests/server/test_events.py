"""Events round-trip as JSON, and a history behaves as a tuple, however its versions share it."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cantstop.server.tables.events import (
    Busted,
    Entry,
    Finished,
    History,
    Lesson,
    Mode,
    Moved,
    Opened,
    Reacted,
    Reaction,
    Rematched,
    Reserved,
    Returned,
    Rolled,
    Seated,
    Started,
    Stopped,
    Substituted,
    entry_json,
    event_data,
    event_from,
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
    Rolled((2, 3, 4, 5), 1),
    Moved("6+8"),
    Stopped((2, 12)),
    Busted(),
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
    written = json.loads(json.dumps(event_data(event)))
    assert event_from(entry.kind, written) == event


def test_an_entry_is_written_as_the_protocol_says() -> None:
    at = datetime(2026, 11, 15, 12, 20, tzinfo=timezone(timedelta(hours=2)))
    assert entry_json(Entry(15, at, 1, Moved("6+8"), "action-1")) == {
        "n": 15,
        "at": "2026-11-15T10:20:00.000Z",
        "kind": "moved",
        "seat": 1,
        "data": {"move": "6+8"},
    }


def entry(n: int, action: Any = None) -> Entry:
    return Entry(n, datetime(2026, 1, 1, tzinfo=UTC), 0, Busted(), action)


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
