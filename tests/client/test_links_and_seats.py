"""Links of tables, the secrets of seats, and addresses where no server is."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from cantstop.client import (
    Refused,
    RemoteTable,
    SeatSecrets,
    TableLink,
    Unreachable,
    connection,
    look,
    requests,
    take_seat,
)
from cantstop.rules import InvalidText, Move, Moved, Rolled
from wire_json import seen_event, seen_state

LINK = TableLink("http://localhost:8000", "k7Qm")


@pytest.mark.parametrize(
    "text",
    ["http://localhost:8000/t/k7Qm", "localhost:8000/t/k7Qm", " http://localhost:8000/t/k7Qm/ "],
)
def test_a_link_may_be_typed_in_several_ways(text: str) -> None:
    assert TableLink.parse(text) == LINK
    assert TableLink.parse(str(LINK)) == LINK


def test_a_link_for_another_device_holds_the_secret_of_a_seat() -> None:
    link = TableLink.parse("https://example.org/t/k7Qm#seat=s3cret")
    assert link.secret == "s3cret"
    assert link.socket == "wss://example.org/api/tables/k7Qm/socket"
    assert "s3cret" not in str(link)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "k7Qm",
        "ftp://a/t/b",
        "http://a/new",
        "http://a/t/b/c",
        "/t/x",
        "http://[/t/x",
        "a:b/t/x",
    ],
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(InvalidText, match="is not a link to a table"):
        TableLink.parse(text)


def test_a_secret_is_found_again_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    secrets = SeatSecrets(tmp_path / "seats")
    assert secrets.find(LINK) is None
    secrets.save(LINK, "s3cret")
    assert secrets.find(LINK) == "s3cret"
    assert secrets.find(TableLink("http://elsewhere", "k7Qm")) is None
    (file,) = (tmp_path / "seats").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    secrets.forget(LINK)
    assert secrets.find(LINK) is None


@pytest.fixture
def answering() -> Iterator[Callable[..., TableLink]]:
    """A server that answers every request alike."""
    servers = []

    def serve(status: Any, body: Any) -> TableLink:
        class Answer(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self) -> None:
                self.send_response(status)
                self.end_headers()
                with suppress(ConnectionError):
                    self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        servers.append(server)
        return TableLink(f"http://127.0.0.1:{server.server_port}", "k7Qm")

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_seat_is_taken(answering: Callable[..., TableLink]) -> None:
    link = answering(201, b'{"seat": 1, "secret": "s3cret"}')
    assert take_seat(link, "Anne", "en") == "s3cret"


def test_a_full_table_says_so_in_its_own_words(answering: Callable[..., TableLink]) -> None:
    error = {"code": "table-full", "message": "Every seat of this table is taken."}
    link = answering(409, json.dumps({"error": error}).encode())
    with pytest.raises(Refused, match="Every seat of this table is taken"):
        take_seat(link, "Anne", "en")


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b"<html>"), (200, b"[]"), (200, b"{}"), (502, b"{}"), (200, b"[" * 100_000)],
)
def test_a_server_of_another_kind_is_told_from_one_of_ours(
    answering: Callable[..., TableLink], status: int, body: bytes
) -> None:
    with pytest.raises(Unreachable, match="not as a Can't Stop server does"):
        take_seat(answering(status, body), "Anne", "en")


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    port = server.server_port
    server.server_close()
    with pytest.raises(Unreachable, match="cannot be reached"):
        take_seat(TableLink(f"http://127.0.0.1:{port}", "k7Qm"), "Anne", "en")


AT = "2026-11-15T10:20:00.000Z"
OPENED: dict[str, Any] = {
    "mode": "online",
    "edition": "classic",
    "rules": "v1,players=2",
    "help": False,
    "youngest": 0,
    "lesson": None,
    "commitment": None,
    "reserved": [None, None],
}
STATE: dict[str, Any] = {
    "id": "k7Qm",
    "n": 2,
    "you": [],
    "view": {"position": "v1,players=2 -/- 1 - -", "turn": 1, "take_back": None},
    "log": [
        {"n": 1, "at": AT, "kind": "opened", "seat": None, "data": OPENED},
        {
            "n": 2,
            "at": AT,
            "kind": "seated",
            "seat": 1,
            "data": {"name": "B", "colour": 1, "bot": None, "salt": "b"},
        },
    ],
}


def log_with(*events: dict[str, Any]) -> dict[str, Any]:
    """What the log of the state is with more events, or with another opening."""
    opening = events[0] if events and events[0]["kind"] == "opened" else STATE["log"][0]
    rest = events[1:] if opening is not STATE["log"][0] else events
    return {
        "log": [
            opening,
            *({"n": n, "at": AT, "seat": 0, **event} for n, event in enumerate(rest, 2)),
        ]
    }


def opened_with(**data: Any) -> dict[str, Any]:
    return log_with({**STATE["log"][0], "data": {**OPENED, **data}})


class TestAServerThatMeansHarm:
    def test_this_state_is_read(self, answering: Callable[..., TableLink]) -> None:
        assert look(answering(200, json.dumps(STATE).encode())).seats[1].name == "B"

    @pytest.mark.parametrize(
        "change",
        [
            {"you": [2]},
            {"you": [[]]},
            opened_with(youngest=0.5),
            opened_with(youngest=2),
            opened_with(rules="v1,players=9"),
            opened_with(rules=None),
            opened_with(reserved=[None]),
            opened_with(reserved=[None] * 9),
            opened_with(reserved=[{"x": 1}, None]),
            opened_with(series={"previous": "t", "games": 1, "wins": [1, 2, 3]}),
            {"log": 7},
            {"log": []},
            {"log": STATE["log"][1:]},
            {"view": {"take_back": "me"}},
            log_with({"kind": "rolled", "data": {"dice": [7, 7, 7, 7], "roll": 1}}),
            log_with({"kind": "moved", "data": {"move": "2+2"}}),
            log_with({"kind": "takenback", "data": {"event": 1}}),
            log_with({"kind": "returned", "seat": None, "data": {}}),
            log_with({"kind": "returned", "seat": 9, "data": {}}),
            log_with({"kind": "seated", "seat": 9, "data": STATE["log"][1]["data"]}),
            log_with({"kind": "returned", "n": 3, "data": {}}),
        ],
    )
    def test_a_state_that_cannot_be_is_one_sentence(
        self, answering: Callable[..., TableLink], change: dict[str, Any]
    ) -> None:
        with pytest.raises(Unreachable, match="not as a Can't Stop server does"):
            look(answering(200, json.dumps({**STATE, **change}).encode()))

    def test_an_answer_without_end_is_not_read_to_its_end(
        self, answering: Callable[..., TableLink], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(requests, "MAX_ANSWER_BYTES", 100_000)
        for status in (200, 500):
            with pytest.raises(Unreachable, match="not as a Can't Stop server does"):
                take_seat(answering(status, b" " * 300_000), "Anne", "en")

    def test_what_it_says_cannot_steer_the_terminal(
        self, answering: Callable[..., TableLink]
    ) -> None:
        steering = {**STATE["log"][1]["data"], "name": "\x1b[2J" * 99}
        log = log_with({"kind": "seated", "seat": 1, "data": steering})
        name = look(answering(200, json.dumps({**STATE, **log}).encode())).seats[1].name
        assert name is not None
        assert name.isprintable()
        assert len(name) <= 60
        error = {"code": "full", "message": "\x1b]0;title\x07" * 99}
        with pytest.raises(Refused) as refused:
            take_seat(answering(409, json.dumps({"error": error}).encode()), "Anne", "en")
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) <= 240

    def test_a_long_log_is_folded_in_linear_time(self) -> None:
        reacted = {"kind": "reacted", "data": {"reaction": "cheer"}}
        table = RemoteTable.from_state(seen_state({**STATE, **log_with(*[reacted] * 20_000)}))
        assert (table.n, table.events) == (20_001, ())
        rolled = {"kind": "rolled", "data": {"dice": [1, 1, 1, 1], "roll": 1}}
        log = log_with(rolled, {"kind": "moved", "data": {"move": "2+2"}})
        table = RemoteTable.from_state(seen_state({**STATE, **log}))
        assert table.events == (Rolled((1, 1, 1, 1)), Moved(Move(2, 2)))
        first = RemoteTable.from_state(seen_state({**STATE, **log_with(rolled)}))
        assert first.after_event(seen_event({**log["log"][2], "view": STATE["view"]})) == table
        busted = {**log["log"][2], "n": 4, "kind": "busted", "data": {}, "view": STATE["view"]}
        with pytest.raises(ValueError):
            table.after_event(seen_event(busted))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        "{}",
        '{"t": "ack", "d": {"id": [], "n": 1}}',
        '{"t": "ack", "d": {"id": "a", "n": "1"}}',
        '{"t": "refused", "d": {"id": "a", "error": "no"}}',
        '{"t": "event", "d": {"n": null}}',
        '{"t": "state", "d": []}',
        '{"t": ["state"], "d": {}}',
        b"\xff",
    ],
)
def test_a_message_that_is_none_is_one_sentence(text: str | bytes) -> None:
    with pytest.raises(Unreachable, match="not as a Can't Stop server does"):
        connection._parse(text, LINK)
