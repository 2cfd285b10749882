"""Links of tables, the secrets of seats, and servers that are none."""

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
from cantstop.rules import InvalidText

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
        threading.Thread(target=server.serve_forever, daemon=True).start()
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


STATE: dict[str, Any] = {
    "id": "k7Qm",
    "n": 1,
    "rules": "v1,players=2",
    "edition": "classic",
    "seats": [{}, {}],
    "you": [],
    "youngest": 0,
    "log": [
        {"n": 1, "kind": "seated", "seat": 1, "data": {"name": "B", "colour": 1, "bot": None}},
    ],
}


class TestAServerThatMeansHarm:
    def test_this_state_is_read(self, answering: Callable[..., TableLink]) -> None:
        assert look(answering(200, json.dumps(STATE).encode())).seats[1].name == "B"

    @pytest.mark.parametrize(
        "change",
        [
            {"seats": [{}]},
            {"you": [2]},
            {"you": [[]]},
            {"youngest": 0.5},
            {"rules": "v1,players=9"},
            {"rules": None},
            {"log": 7},
            {"log": [{"n": 1, "kind": "rolled", "seat": 0, "data": {"dice": [7, 7, 7, 7]}}]},
            {"log": [{"n": 1, "kind": "seated", "seat": 9, "data": STATE["log"][0]["data"]}]},
            {"log": [{"n": 1, "kind": "opened", "seat": 0, "data": {"reserved": [None] * 9}}]},
            {
                "log": [
                    {"n": 1, "kind": "opened", "seat": 0, "data": {"reserved": [{"x": 1}, None]}}
                ]
            },
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
        log = [{**STATE["log"][0], "data": {"name": "\x1b[2J" * 99, "colour": 1, "bot": None}}]
        name = look(answering(200, json.dumps({**STATE, "log": log}).encode())).seats[1].name
        assert name is not None
        assert name.isprintable()
        assert len(name) <= 60
        error = {"code": "full", "message": "\x1b]0;title\x07" * 99}
        with pytest.raises(Refused) as refused:
            take_seat(answering(409, json.dumps({"error": error}).encode()), "Anne", "en")
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) <= 200

    def test_a_long_log_is_folded_in_linear_time(self) -> None:
        log = [{"n": n, "kind": "reacted", "seat": 0, "data": {}} for n in range(1, 50_000)]
        rolled = {"kind": "rolled", "seat": 0, "data": {"dice": [1, 1, 1, 1]}}
        busted = {"kind": "busted", "seat": 0, "data": {}}
        table = RemoteTable.from_state({**STATE, "log": log})
        assert (table.n, table.plays) == (49_999, ())
        log = [{"n": 1, **rolled}, {"n": 2, "kind": "moved", "seat": 0, "data": {"move": "2+2"}}]
        table = RemoteTable.from_state({**STATE, "log": log})
        assert [play.n for play in table.plays] == [1, 2]
        empty = RemoteTable.from_state({**STATE, "log": []})
        assert table.plays == empty.after(log[0]).after(log[1]).plays
        with pytest.raises(ValueError):
            table.after({"n": 3, **busted})


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
