"""The client's fold of a table's events is held against states and views of real servers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from cantstop.client import RemoteTable, connection
from cantstop.server.protocol.messages import CloseCode
from cantstop.server.runtime.presence import Clocks
from cantstop.server.tables.events import TableEvent

Json = dict[str, Any]

CONVERSATIONS = Path(__file__).parents[1] / "server" / "data" / "conversations"
PATHS = sorted(CONVERSATIONS.glob("*.jsonl"))
SEAT = ("name", "colour", "bot", "substitute")
NOT_RECORDED = "hinted"
"""What a hint says may differ in its last digit from machine to machine: see test_player.py."""


def received(path: Path) -> Iterator[tuple[str, Json]]:
    """Every message of a recorded conversation, with who received it."""
    for line in path.read_text("utf-8").splitlines():
        message = json.loads(line)
        if "hear" in message:
            yield message["at"], message["hear"]


def check_view(table: RemoteTable, view: Json) -> None:
    assert str(table.position) == view["position"]
    assert table.turn == view["turn"]
    assert table.outcome is None or list(table.outcome.winners) == view["outcome"]["winners"]


def check_state(table: RemoteTable, state: Json) -> None:
    check_view(table, state["view"])
    assert table.n == state["n"]
    assert table.started == (state["stage"] != "open")
    assert (table.edition, table.next) == (state["edition"], state["next"])
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
            tables[at] = RemoteTable.from_state(data)
            check_state(tables[at], data)
            kinds.update(event["kind"] for event in data["log"])
        elif message["t"] == "event" and at in tables and data["n"] == tables[at].n + 1:
            tables[at] = tables[at].after(data)
            check_view(tables[at], data["view"])
            kinds.add(data["kind"])
    return kinds


def test_states_and_events_fold_to_what_the_server_shows() -> None:
    kinds = set().union(*map(fold, PATHS))
    assert kinds | {NOT_RECORDED} == {kind.__name__.lower() for kind in get_args(TableEvent)}


def test_the_client_knows_the_servers_closing_codes_and_clocks() -> None:
    assert set(connection.FINAL_CODES) == {
        CloseCode.BAD_HELLO,
        CloseCode.WRONG_SECRET,
        CloseCode.TABLE_UNKNOWN,
        CloseCode.TABLE_EXPIRED,
    }
    assert connection.TOO_MANY_CODE == CloseCode.TOO_MANY
    assert Clocks().heartbeat == connection.HEARTBEAT_TIMEOUT
