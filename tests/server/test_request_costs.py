"""What a request may cost the event loop: pieces, chunks, header lines, monitors."""

import asyncio
import gzip
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from cantstop.server import ServerOptions, create_app
from cantstop.server.http import openapi
from cantstop.server.http.transport import BoundedParser
from cantstop.server.limits.policy import Limits, Rate
from live_server import serving
from patience import PATIENCE

FREE = Limits().times(0)
HEAD = b"POST /api/review HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@asynccontextmanager
async def server(tmp_path: Path, web: Path, limits: Limits = FREE) -> AsyncIterator[str]:
    url = f"sqlite:///{tmp_path}/tables.db"
    app = create_app(ServerOptions(url, web=web, limits=limits, show_metrics=True, host_names=()))
    async with serving(app) as (_, address), asyncio.timeout(PATIENCE):
        yield address


async def answer_to(address: str, request: bytes) -> bytes:
    """The first line of the answer."""
    host, _, port = address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(request)
        return await reader.readline()
    finally:
        writer.close()


@pytest.mark.anyio
async def test_a_body_in_tiny_chunks_is_parsed_a_piece_in_each_round_of_the_loop(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = 0
    parsed: Counter[int] = Counter()

    async def count_rounds() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await asyncio.sleep(0)

    receive = BoundedParser.receive_data

    def counted(self: BoundedParser, data: bytes) -> None:
        parsed[rounds] += len(data)
        receive(self, data)

    monkeypatch.setattr(BoundedParser, "receive_data", counted)
    async with server(tmp_path, web) as address:
        counting = asyncio.create_task(count_rounds())
        body = b"1\r\nx\r\n" * 64_000 + b"0\r\n\r\n"
        assert b" 400 " in await answer_to(address, CHUNKED + body)
        counting.cancel()
    assert max(parsed.values()) <= 2048
    assert sum(parsed.values()) < 6_000  # the chunks beyond the bound are never looked at


@pytest.mark.anyio
@pytest.mark.parametrize("chunks", [500, 501])
async def test_a_body_has_so_many_chunks(tmp_path: Path, web: Path, chunks: int) -> None:
    async with server(tmp_path, web) as address:
        answer = await answer_to(address, CHUNKED + b"1\r\n\xff\r\n" * chunks + b"0\r\n\r\n")
        # refused because it is not text
        assert b" 400 " in answer
        assert answer.endswith(b"Bad Request\r\n")
        body = await _body(address, CHUNKED + b"1\r\n\xff\r\n" * chunks + b"0\r\n\r\n")
        assert (b"UTF-8" in body) == (chunks == 500)


async def _body(address: str, request: bytes) -> bytes:
    host, _, port = address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request)
    body = await reader.read()
    writer.close()
    return body


@pytest.mark.anyio
async def test_chunks_are_charged_to_whoever_sends_them(tmp_path: Path, web: Path) -> None:
    limits = replace(FREE, requests=Rate(0.001, 12))
    async with server(tmp_path, web, limits) as address:
        request = CHUNKED + b"1\r\n\xff\r\n" * 500 + b"0\r\n\r\n"
        assert b" 400 " in await answer_to(address, request)
        async with httpx2.AsyncClient(timeout=PATIENCE) as http:
            answers = [await http.get(f"http://{address}/api/editions") for _ in range(3)]
        # one for the request and ten for its chunks: one of twelve is left
        assert [answer.status_code for answer in answers] == [200, 429, 429]


@pytest.mark.anyio
@pytest.mark.parametrize("lines", [100, 101, 7000])
async def test_a_request_has_so_many_header_lines(tmp_path: Path, web: Path, lines: int) -> None:
    head = b"GET /api/editions HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    async with server(tmp_path, web) as address:
        answer = await answer_to(address, head + b"a: b\r\n" * (lines - 2) + b"\r\n")
    assert (b" 200 " if lines == 100 else b" 400 ") in answer


@pytest.mark.anyio
async def test_lines_after_a_chunked_body_are_bounded_too(tmp_path: Path, web: Path) -> None:
    body = CHUNKED + b"1\r\n\xff\r\n0\r\n"
    async with server(tmp_path, web) as address:
        assert b"UTF-8" in await _body(address, body + b"a: b\r\n" * 50 + b"\r\n")
        assert b"UTF-8" not in await _body(address, body + b"a: b\r\n" * 7000 + b"\r\n")


@pytest.mark.anyio
async def test_requests_sent_ahead_are_answered_in_their_order(tmp_path: Path, web: Path) -> None:
    one = b"GET /api/editions HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: %b\r\n\r\n" % (b"x" * 3000)
    last = b"GET /api/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    async with server(tmp_path, web) as address:
        body = await _body(address, one * 5 + last)
    assert body.count(b"HTTP/1.1 200") == 5
    assert body.rindex(b"HTTP/1.1 404") > body.rindex(b"HTTP/1.1 200")


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
async def test_monitors_have_a_rate_limit_of_their_own(
    tmp_path: Path, web: Path, path: str
) -> None:
    limits = replace(FREE, monitoring=Rate(0.001, 3))
    async with (
        server(tmp_path, web, limits) as address,
        httpx2.AsyncClient(timeout=PATIENCE) as http,
    ):
        answers = [await http.get(f"http://{address}{path}") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        # players are not counted with them
        assert (await http.get(f"http://{address}/api/editions")).status_code == 200


@pytest.mark.anyio
async def test_what_is_no_request_counts_as_one(tmp_path: Path, web: Path) -> None:
    limits = replace(FREE, requests=Rate(0.001, 2), refused_requests=Rate(0.001, 1))
    async with server(tmp_path, web, limits) as address:
        for _ in range(3):
            assert b" 400 " in await answer_to(address, b"nonsense\r\n\r\n")
        with suppress(ConnectionError):  # closed, reset, or a pipe that is broken: all will do
            assert await answer_to(address, b"nonsense\r\n\r\n") == b""


UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
KEY = "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("path", "host", "more"),
    [
        ("/api/tables/x/socket", "127.0.0.1", f"{UPGRADE}{KEY}Origin: http://evil.example\r\n"),
        ("/nothing", "127.0.0.1", UPGRADE + KEY),
        ("/api/tables/x/socket", "evil.example", UPGRADE + KEY),
        ("/api/tables/x/socket", "127.0.0.1", UPGRADE),
        ("/api/editions", "evil.example", ""),
    ],
    ids=["origin", "path", "host", "key", "request to another host"],
)
async def test_what_is_refused_counts_as_a_request(
    tmp_path: Path, web: Path, path: str, host: str, more: str
) -> None:
    limits = replace(FREE, requests=Rate(0.001, 2))
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode()
    async with (
        server(tmp_path, web, limits) as address,
        httpx2.AsyncClient(timeout=PATIENCE) as http,
    ):
        for _ in range(2):
            assert b" 40" in await answer_to(address, request)
        assert (await http.get(f"http://{address}/api/editions")).status_code == 429


@pytest.mark.anyio
async def test_the_description_of_the_api_is_packed_once(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = 0

    def counting(data: bytes, level: int, *, mtime: float) -> bytes:
        nonlocal packed
        packed += 1
        return gzip.compress(data, level, mtime=mtime)

    class Gzip:
        compress = staticmethod(counting)
        decompress = staticmethod(gzip.decompress)

    monkeypatch.setattr(openapi, "gzip", Gzip)
    async with server(tmp_path, web) as address, httpx2.AsyncClient(timeout=PATIENCE) as http:
        plain = {"Accept-Encoding": "identity"}
        url = f"http://{address}/api/openapi.json"
        answers = [await http.get(url), await http.get(url), await http.get(url, headers=plain)]
    assert packed == 1
    assert answers[0].headers["content-encoding"] == "gzip"
    assert "content-encoding" not in answers[2].headers
    assert [answer.headers["vary"] for answer in answers] == ["Accept-Encoding"] * 3
    assert answers[0].json() == answers[2].json()


@pytest.mark.anyio
async def test_an_address_opens_so_many_tables_in_a_day(tmp_path: Path, web: Path) -> None:
    limits = replace(FREE, tables_a_day=Rate(0.001, 2))
    body = {"mode": "solo", "seats": [{"kind": "human", "name": "A", "salt": "a"}]}
    async with (
        server(tmp_path, web, limits) as address,
        httpx2.AsyncClient(timeout=PATIENCE) as http,
    ):
        answers = [await http.post(f"http://{address}/api/tables", json=body) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert int(answers[2].headers["retry-after"]) > 900


@pytest.mark.parametrize(
    "path", ["/api/review", "/api/tables", "/api/drills/next", "/api/drills/progress", "/api/daily"]
)
def test_whoever_hangs_up_in_the_middle_of_a_body_fills_no_log(
    server: TestClient, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    half: Message = {"type": "http.request", "body": b'{"mode":', "more_body": True}
    messages: list[Message] = [half, {"type": "http.disconnect"}]

    async def receive() -> Message:
        return messages.pop(0)

    async def send(_: Message) -> None:
        pass

    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
        "query_string": b"", "headers": [(b"host", b"127.0.0.1")], "client": ("192.0.2.9", 1),
        "server": ("127.0.0.1", 80), "scheme": "http", "http_version": "1.1", "root_path": "",
    }  # fmt: skip
    assert server.portal is not None
    server.portal.call(partial(server.app, scope, receive, send))
    assert not messages
    assert not [line for line in caplog.records if line.levelno >= logging.WARNING]
