"""A table is what its events say: pure folding, and events that round-trip as JSON."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from cantstop.server.tables.events import (
    Busted,
    Entry,
    Finished,
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
from cantstop.server.tables.table import SeatKind, Stage, Table

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


def table_after(*happened: Any) -> Any:
    log = [Entry(1, NOW, None, OPENED)]
    log += [Entry(n, NOW, seat, event) for n, (seat, event) in enumerate(happened, 2)]
    return Table.from_log("k7Qm", log)


SEATED = [
    (0, Seated("Anne", 2, None, "a")),
    (1, Seated("careful", 0, "careful", "b")),
    (None, Started(("a", "b"))),
]


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


def test_seats_are_reserved_free_and_taken() -> None:
    table = table_after()
    assert [seat.kind for seat in table.seats] == [SeatKind.RESERVED, SeatKind.OPEN]
    assert (table.stage, table.to_act, table.salts) == (Stage.OPEN, None, ())
    table = table_after(*SEATED)
    assert [seat.kind for seat in table.seats] == [SeatKind.HUMAN, SeatKind.BOT]
    assert (table.stage, table.to_act, table.salts) == (Stage.PLAYING, 0, ("a", "b"))


def test_turns_rolls_and_moves_are_counted() -> None:
    first = [(0, Rolled((2, 3, 4, 5), 1)), (0, Moved("7+7")), (0, Rolled((5, 4, 3, 2), 2))]
    table = table_after(*SEATED, *first)
    assert (table.turn, table.rolls, table.rolls_in_turn, table.moves_in_turn) == (1, 2, 2, 1)
    assert table.thrown == (5, 4, 3, 2)
    table = table_after(*SEATED, *first, (0, Moved("6+8")), (0, Stopped(())))
    assert (table.turn, table.rolls, table.rolls_in_turn, table.moves_in_turn) == (2, 2, 0, 0)
    assert table.thrown is None
    assert table.last_play == table.n == 9
    assert table.bot_to_act == "careful"


def test_what_is_said_changes_no_position() -> None:
    table = table_after(*SEATED, (0, Reacted(Reaction.LAUGH)))
    assert table.position == table.start
    assert (table.last_play, table.n) == (0, 5)


def test_a_substitute_plays_until_the_owner_returns() -> None:
    assert table_after(*SEATED, (0, Substituted("bold", 1))).bot_to_act == "bold"
    returned = table_after(*SEATED, (0, Substituted("bold", 1)), (0, Returned()))
    assert returned.bot_to_act is None


def test_numbers_have_no_gaps_and_a_table_is_opened_once() -> None:
    with pytest.raises(AssertionError):
        table_after().after(Entry(3, NOW, 0, Reacted(Reaction.CHEER)))
    with pytest.raises(AssertionError):
        table_after((None, OPENED))
