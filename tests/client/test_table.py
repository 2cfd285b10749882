"""The client's fold of a table's events is held against states and views of real servers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cantstop.client import MALFORMED, Pace, RemoteTable, connection
from cantstop.server.runtime.presence import Clocks
from cantstop.server.tables.changes import StoredTable
from cantstop.server.tables.opening import open_rematch
from cantstop.server.tables.seating import take_reserved_seats
from cantstop.table.permissions import take_back_seat
from cantstop.wire import messages
from cantstop.wire.events import DATA
from cantstop.wire.messages import CloseCode
from cantstop.wire.table import state_json
from pure_tables import NOW, a_table, after
from table_client import OPEN, human
from wire_json import seen_event, seen_state

Json = dict[str, Any]

CONVERSATIONS = Path(__file__).parents[1] / "server" / "data" / "conversations"
PATHS = sorted(CONVERSATIONS.glob("*.jsonl"))
SEAT = ("name", "colour", "bot", "substitute")
TIME = '"2026-11-15T10:20:00.000Z"'
"""Of what happens while it is recorded no time is kept."""
NOT_RECORDED = {"hinted", "saltlost"}
"""What a hint says may differ in its last digit from machine to machine: see test_player.py. Slow
tables send the time at which a turn ends: see tests/server/days."""


def received(path: Path) -> Iterator[tuple[str, Json]]:
    """Every message of a recorded conversation, with who received it."""
    for line in path.read_text("utf-8").splitlines():
        message = json.loads(line.replace('"<time>"', TIME))
        if "hear" in message:
            yield message["at"], message["hear"]


def check_view(table: RemoteTable, view: Json) -> None:
    assert str(table.position) == view["position"]
    assert table.turn == view["turn"]
    assert table.take_back == view["take_back"]
    assert table.outcome is None or list(table.outcome.winners) == view["outcome"]["winners"]


def check_state(table: RemoteTable, state: Json) -> None:
    check_view(table, state["view"])
    assert table.n == state["n"]
    assert table.started == (state["stage"] != "open")
    assert (table.opened.edition, table.next) == (state["edition"], state["next"])
    assert table.mine == set(state["you"])
    for seat, told in zip(table.seats, state["seats"], strict=True):
        assert {key: getattr(seat, key) for key in SEAT} == {key: told[key] for key in SEAT}


def fold(path: Path) -> set[str]:
    """Fold what everybody received, and compare it after each message; the kinds of events."""
    tables: dict[str, RemoteTable] = {}
    kinds: set[str] = set()
    for at, message in received(path):
        data = message["d"]
        if message["t"] == "state":
            tables[at] = RemoteTable.from_state(seen_state(data))
            check_state(tables[at], data)
            assert tables[at].take_back == take_back_seat(tables[at])
            kinds.update(event["kind"] for event in data["log"])
        elif message["t"] == "event" and at in tables and data["n"] == tables[at].n + 1:
            tables[at] = tables[at].after_event(seen_event(data))
            check_view(tables[at], data["view"])
            assert tables[at].take_back == take_back_seat(tables[at])
            kinds.add(data["kind"])
    return kinds


def test_states_and_events_fold_to_what_the_server_shows() -> None:
    kinds = set().union(*map(fold, PATHS))
    assert kinds | NOT_RECORDED == set(DATA)


def renamed(data: Json, kind: str) -> Json:
    """A state or an event of a server that knows one kind of event by another name."""
    told = {**data, "kind": "newer"} if data.get("kind") == kind else dict(data)
    if "log" in told:
        told["log"] = [renamed(event, kind) for event in told["log"]]
    return told


@pytest.mark.parametrize("kind", ["takenback", "rolled", "moved", "stopped", "reacted", "agreed"])
def test_events_of_a_newer_server_are_followed_by_their_views(kind: str) -> None:
    """What is not known may have changed the position, or withdrawn what came before it."""
    met = 0
    for path in PATHS:
        tables: dict[str, RemoteTable] = {}
        for at, message in received(path):
            data = renamed(message["d"], kind)
            if message["t"] == "state":
                met += any(event["kind"] == "newer" for event in data["log"])
                tables[at] = RemoteTable.from_state(seen_state(data))
                check_state(tables[at], data)
            elif message["t"] == "event" and at in tables and data["n"] == tables[at].n + 1:
                met += data["kind"] == "newer"
                tables[at] = tables[at].after_event(seen_event(data))
                check_view(tables[at], data["view"])
                assert tables[at].n == data["n"]
    assert met


def test_what_a_newer_server_tells_has_to_be_a_position_of_this_game() -> None:
    state = next(data["d"] for path in PATHS for _, data in received(path) if data["t"] == "state")
    table = RemoteTable.from_state(seen_state(state))
    event = {"n": table.n + 1, "kind": "newer", "seat": None, "data": {}}
    event["at"] = "2026-11-15T10:20:00.000Z"
    for view in ({}, {"position": "nonsense"}, {"position": "v1,players=4 -/-/-/- 1 - -"}):
        told = {**event, "view": {"turn": 1, "take_back": None, **view}}
        with pytest.raises(MALFORMED):
            table.after_event(seen_event(told))


@pytest.mark.parametrize("players", [2, 3])
def test_the_score_of_a_series_stands_in_the_order_of_its_first_table(players: int) -> None:
    """Seats move up by one with every rematch, names and wins with them."""
    stored = a_table(human("Anne", salt="a"), *[OPEN] * (players - 1))
    names = [seat.name for seat in stored.table.seats]
    wins = dict.fromkeys(names, 0)
    assert shown(stored).score == ()
    for _ in range(4):
        for seat in range(players - 1):  # the last one is left, and has won
            stored = after(stored, "resign", seat)
        winner = stored.table.seats[-1].name
        wins[winner] += 1
        if stored.table.opened.series is not None:
            assert shown(stored).score == tuple((name, wins[name]) for name in names)
        stored = begun(StoredTable.opened(open_rematch(stored, NOW)))
        assert shown(stored).score == tuple((name, wins[name]) for name in names)


def begun(stored: StoredTable) -> StoredTable:
    """A table for a rematch, once everybody has come back to it."""
    sits = take_reserved_seats(stored.table, frozenset(stored.holders), "salt", None, NOW)
    assert sits is not None
    return stored.after(sits)


def shown(stored: StoredTable) -> RemoteTable:
    return RemoteTable.from_state(
        seen_state(json.loads(state_json(stored.table, frozenset(), frozenset())))
    )


def test_the_client_knows_the_servers_closing_codes_and_clocks() -> None:
    assert set(connection.FINAL_CODES) == {
        CloseCode.BAD_HELLO,
        CloseCode.WRONG_SECRET,
        CloseCode.TABLE_UNKNOWN,
        CloseCode.TABLE_EXPIRED,
    }
    assert connection.TOO_MANY_CODE == CloseCode.TOO_MANY
    assert Clocks().heartbeat == connection.HEARTBEAT_TIMEOUT
    assert list(map(str, Pace)) == list(map(str, messages.Pace))
