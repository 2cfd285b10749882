"""Requests and frames that come in tiny pieces: how often an address is read from."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode

from cantstop.server import ServerOptions, create_app
from cantstop.server.http import transport
from cantstop.server.http.transport import HttpProtocol
from cantstop.server.limits.policy import Limits, Rate
from live_server import PATIENT, open_table, serving, sockets_of
from patience import PATIENCE, PATIENT_SOCKET

ALLOWED = 5
LIMITS = replace(Limits().times(0), pieces=Rate(0.001, ALLOWED))
SPOKEN = b'{"t": "ping"}'  # unlike clients write it: a task handles it
MESSAGE = bytes(Frame(Opcode.TEXT, SPOKEN).serialize(mask=True))
HEAD = b"POST /api/review HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2000\r\n"


@asynccontextmanager
async def server(
    tmp_path: Path, web: Path, proxies: tuple[str, ...] = ()
) -> AsyncIterator[tuple[Any, str]]:
    url = f"sqlite:///{tmp_path}/tables.db"
    app = create_app(ServerOptions(url, web=web, clocks=PATIENT, limits=LIMITS, proxies=proxies))
    async with serving(app) as running, asyncio.timeout(PATIENCE):
        yield running


@asynccontextmanager
async def socket_at(
    running: Any, address: str, table: str, forwarded: str = ""
) -> AsyncIterator[tuple[ClientConnection, Any]]:
    """A client that has said hello, and the server's side of its socket."""
    others = sockets_of(running)
    path = f"ws://{address}/api/tables/{table}/socket"
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    async with connect(path, additional_headers=headers, **PATIENT_SOCKET) as there:
        (wire,) = (one for one in sockets_of(running) if one not in others)
        await there.send(json.dumps({"t": "hello", "d": {}}))
        await there.recv()
        yield there, wire
        wire.transport.abort()  # while it rests, no goodbye is read


@asynccontextmanager
async def request_at(running: Any, address: str) -> AsyncIterator[tuple[Any, Any]]:
    """A connection over which nothing has come, and the server's side of it."""

    def lines() -> set[Any]:
        wires = running.server_state.connections
        return {wire for wire in wires if isinstance(wire, HttpProtocol)}

    others = lines()
    host, _, port = address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    while not (new := lines() - others):
        await asyncio.sleep(0)
    (wire,) = new
    yield reader, wire
    wire.transport.abort()
    writer.close()


def pieces_read(wire: Any, data: bytes) -> int:
    """How many reads of one byte it takes until no more is read."""
    for count, byte in enumerate(data):
        if not wire.transport.is_reading():
            return count
        wire.data_received(bytes([byte]))
    return len(data)


async def pong(there: ClientConnection) -> None:
    while json.loads(await there.recv())["t"] != "pong":
        pass


@pytest.mark.anyio
async def test_a_frame_in_too_many_pieces_is_read_on_later_and_then_at_once(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "REST_SECONDS", 0.01)
    async with server(tmp_path, web) as (running, address):
        table = (await open_table(address))["id"]
        async with socket_at(running, address, table) as (there, wire):
            read = pieces_read(wire, MESSAGE)
            assert read == ALLOWED + 1
            there.transport.write(MESSAGE[read:])
            await pong(there)
            assert wire.transport.is_reading()


@pytest.mark.anyio
async def test_pieces_are_counted_over_all_sockets_of_an_address_and_messages_are_not(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "REST_SECONDS", PATIENCE)
    async with server(tmp_path, web) as (running, address):
        table = (await open_table(address))["id"]
        async with (
            socket_at(running, address, table) as (_, one),
            socket_at(running, address, table) as (_, other),
            socket_at(running, address, table) as (there, whole),
        ):
            assert pieces_read(one, MESSAGE) == ALLOWED + 1
            assert pieces_read(other, MESSAGE) == 1
            for _ in range(3 * ALLOWED):
                await there.send(SPOKEN.decode())
                await pong(there)
            assert whole.transport.is_reading()


@pytest.mark.anyio
async def test_a_message_before_a_piece_does_not_shorten_the_rest(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "REST_SECONDS", PATIENCE)
    async with server(tmp_path, web) as (running, address):
        table = (await open_table(address))["id"]
        async with (
            socket_at(running, address, table) as (_, other),
            socket_at(running, address, table) as (there, wire),
        ):
            pieces_read(other, MESSAGE)
            there.transport.write(MESSAGE + MESSAGE[:1])
            await pong(there)
            while wire.inbox.waiting is None:  # until the task asks for the next message
                await asyncio.sleep(0)
            assert not wire.transport.is_reading()


@pytest.mark.anyio
async def test_clients_of_a_proxy_are_counted_each_for_themselves(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "REST_SECONDS", PATIENCE)
    async with server(tmp_path, web, ("127.0.0.1",)) as (running, address):
        table = (await open_table(address))["id"]
        for client in ("192.0.2.1", "192.0.2.2"):
            async with socket_at(running, address, table, client) as (_, wire):
                assert pieces_read(wire, MESSAGE) == ALLOWED + 1
        async with request_at(running, address) as (_, wire):
            assert pieces_read(wire, HEAD) == len(HEAD)  # the proxy itself is trusted
            wire.data_received(b"X-Forwarded-For: 192.0.2.3\r\n\r\n")
            # the app reads whose request it is before the body
            while wire.scope["client"][0] != "192.0.2.3":
                await asyncio.sleep(0)
            assert pieces_read(wire, b"x" * 50) == ALLOWED + 1


@pytest.mark.anyio
@pytest.mark.parametrize("start", [b"", HEAD + b"\r\n"], ids=["head", "body"])
async def test_a_request_in_too_many_pieces_is_read_on_later(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch, start: bytes
) -> None:
    monkeypatch.setattr(transport, "REST_SECONDS", PATIENCE)
    async with server(tmp_path, web) as (running, address):
        async with request_at(running, address) as (_, wire):
            if start:
                wire.data_received(start)  # a piece, too
            assert pieces_read(wire, HEAD) == ALLOWED + 1 - bool(start)
        # whole requests of the same address
        async with httpx2.AsyncClient(timeout=PATIENCE) as http:
            assert (await http.get(f"http://{address}/api/editions")).status_code == 200


@pytest.mark.anyio
async def test_a_request_in_too_many_pieces_is_answered(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "REST_SECONDS", 0.0)
    request = b"GET /api/editions HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    async with (
        server(tmp_path, web) as (running, address),
        request_at(running, address) as (reader, wire),
    ):
        at = rests = 0
        while at < len(request):
            at += pieces_read(wire, request[at:])
            rests += not wire.transport.is_reading()
            while not wire.transport.is_reading():
                await asyncio.sleep(0)
        assert rests > ALLOWED
        assert b" 200 " in await reader.readline()
