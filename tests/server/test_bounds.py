"""A table's log has bounds: what would grow without end is refused, and nothing else."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from cantstop.server.errors import Refused
from cantstop.server.tables import decisions
from cantstop.server.tables.changes import StoredTable
from cantstop.server.tables.decisions import Caller, decide
from cantstop.server.tables.opening import open_table
from cantstop.table import permissions
from cantstop.table.events import Entry, History, Reaction
from cantstop.table.permissions import SeatPresence
from cantstop.wire.actions import React, Return, Roll, Substitute, TableAction
from cantstop.wire.requests import OpenTable

NOW = datetime(2026, 11, 16, 4, 0, tzinfo=UTC)
BOTH = Caller(frozenset({0, 1}))


@pytest.fixture
def stored() -> StoredTable:
    seats = [{"kind": "human", "name": name, "salt": name} for name in ("Anne", "Bob")]
    request = msgspec.convert({"mode": "hotseat", "seats": seats}, OpenTable)
    return StoredTable.opened(open_table(request, NOW).new_table)


def act(stored: StoredTable, action: TableAction) -> StoredTable:
    decision = decide(stored, BOTH, action, SeatPresence(), NOW)
    assert not isinstance(decision, Entry)
    for change in decision:
        stored = stored.after(change)
    return stored


def react(number: int, seat: int = 0) -> React:
    return React(id=f"reaction-{number:04}", seat=seat, reaction=Reaction.CHEER)


def test_a_seat_reacts_so_often_and_the_others_and_the_game_go_on(
    stored: StoredTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "MAX_REACTIONS", 3)
    for number in range(3):
        stored = act(stored, react(number))
    with pytest.raises(Refused):
        act(stored, react(3))
    assert decide(stored, BOTH, react(2), SeatPresence(), NOW) == stored.table.log[-1]  # a retry
    stored = act(stored, react(4, seat=1))
    assert act(stored, Roll(id="roll-0001", seat=0)).table.rolls == 1


def test_a_bot_plays_for_somebody_so_often_and_the_last_one_to_the_end(
    stored: StoredTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever leaves again and again could hold a table without a clock for ever."""
    monkeypatch.setattr(permissions, "MAX_SUBSTITUTES", 3)
    for number in range(2):
        stored = act(stored, _substitute(number))
        stored = act(stored, Return(id=f"return-{number:04}", seat=1))
    stored = act(stored, _substitute(2))
    with pytest.raises(Refused, match="the bot plays to the end"):
        act(stored, Return(id="return-0002", seat=1))
    assert stored.table.seats[1].substitute is not None


def _substitute(number: int) -> Substitute:
    asked: dict[str, Any] = {"id": f"substitute-{number:04}", "seat": 0, "for": 1}
    return msgspec.convert(asked, Substitute)


def test_a_log_has_so_many_events(stored: StoredTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MAX_EVENTS", stored.table.n + 1)
    stored = act(stored, react(0))
    for action in (react(1), Roll(id="roll-0001", seat=0)):
        with pytest.raises(Refused):
            act(stored, action)
    assert decide(stored, BOTH, react(0), SeatPresence(), NOW) == stored.table.log[-1]


def test_an_action_is_found_by_its_id_in_every_version_of_a_history(stored: StoredTable) -> None:
    first = act(stored, react(1))
    assert first.table.accepted("reaction-0001") == first.table.log[-1]
    second = act(first, react(2))
    fork = act(first, react(3))
    assert first.table.accepted("reaction-0002") is None
    assert second.table.accepted("reaction-0002") == second.table.log[-1]
    assert second.table.accepted("reaction-0003") is None
    assert fork.table.accepted("reaction-0003") == fork.table.log[-1]
    assert fork.table.accepted("reaction-0002") is None
    assert History(list(fork.table.log)).accepted("reaction-0001") == first.table.log[-1]
