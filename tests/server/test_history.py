"""A history behaves as a tuple would, however its versions share what they have."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cantstop.server.tables.events import Busted, Entry, History


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
