"""Redirects: a server may send a client on within itself, but never to another server."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from cantstop.client import TableLink, hint, look
from cantstop.client.connection import _SameServerConnect
from cantstop.client.requests import Refused, Unreachable, is_same_server

SECRET = "s3cret"


@pytest.fixture
def server() -> Iterator[Callable[[str], tuple[str, list[Any]]]]:
    """Makes servers that redirect everything to an address, or refuse if there is none."""
    servers: list[HTTPServer] = []

    def serve(location: str) -> tuple[str, list[Any]]:
        seen: list[Any] = []

        class Answer(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                seen.append((self.path, self.headers.get("Authorization")))
                moved = location and not self.path.startswith("/moved")
                self.send_response(307 if moved else 404)
                if moved:
                    self.send_header("Location", location)
                error = b'{"error": {"code": "table-unknown", "message": "None."}}'
                self.send_header("Content-Length", "0" if moved else str(len(error)))
                self.end_headers()
                if not moved:
                    self.wfile.write(error)

            def log_message(self, *_: Any) -> None:
                pass

        running = HTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=running.serve_forever, args=[0.01], daemon=True).start()
        servers.append(running)
        return f"http://127.0.0.1:{running.server_port}", seen

    yield serve
    for running in servers:
        running.shutdown()
        running.server_close()


@pytest.mark.parametrize("ask", [look, hint])
def test_no_other_server_is_asked_nor_told_the_secret(
    server: Callable[[str], tuple[str, list[Any]]], ask: Callable[[TableLink], object]
) -> None:
    other, seen = server("")
    address, _ = server(f"{other}/moved")
    with pytest.raises(Unreachable, match="sends on to another server"):
        ask(TableLink(address, "k7Qm", SECRET))
    assert seen == []


def test_a_server_may_send_on_within_itself(
    server: Callable[[str], tuple[str, list[Any]]],
) -> None:
    address, seen = server("/moved")
    with pytest.raises(Refused, match="None"):
        look(TableLink(address, "k7Qm", SECRET))
    assert [path for path, _ in seen] == ["/api/tables/k7Qm", "/moved"]


def test_a_socket_is_not_opened_elsewhere_either(
    server: Callable[[str], tuple[str, list[Any]]],
) -> None:
    other, seen = server("")
    address, _ = server(f"{other}/moved".replace("http", "ws"))

    async def connect() -> None:
        async with _SameServerConnect(f"{address.replace('http', 'ws')}/socket"):
            pass

    with pytest.raises(Unreachable, match="sends on to another server"):
        asyncio.run(connect())
    assert seen == []


@pytest.mark.parametrize(
    ("url", "other", "same"),
    [
        ("http://a/x", "http://a/y", True),
        ("http://a/x", "https://a/x", True),
        ("https://a/x", "http://a/x", False),
        ("http://a:1/x", "http://a:2/x", False),
        ("http://a:8000/x", "https://a:8443/x", False),
        ("ws://a/x", "wss://a/x", True),
        ("http://a/x", "http://a.example/x", False),
    ],
)
def test_what_the_same_server_is(url: str, other: str, same: bool) -> None:
    assert is_same_server(url, other) == same
