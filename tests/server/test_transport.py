"""TCP connections: what half a request, a flood or a client that never reads may cost."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from cantstop.server import ServerOptions, create_app
from cantstop.server.http import sockets, transport
from cantstop.server.limits.policy import Cap, Limits, Rate
from cantstop.server.runtime.presence import Clocks
from cantstop.wire.messages import CloseCode
from live_server import open_table, serving, sockets_of, stuck
from patience import PATIENCE, PATIENT_SOCKET

FREE = Limits().times(0)
HEARTBEAT = 600
PING = bytes([0x89, 0x80]) + bytes(4)


def masked(opcode: int, payload: bytes = b"") -> bytes:
    mask = os.urandom(4)
    body = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    return bytes([opcode, 0x80 | len(payload)]) + mask + body


@asynccontextmanager
async def server(
    tmp_path: Path, web: Path, limits: Limits = FREE, **options: Any
) -> AsyncIterator[tuple[Any, str]]:
    url = f"sqlite:///{tmp_path}/tables.db"
    clocks = Clocks(HEARTBEAT, 0, 0)
    app = create_app(ServerOptions(url, web=web, clocks=clocks, limits=limits, **options))
    async with serving(app) as running:
        yield running


async def line(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.partition(":")
    return await asyncio.open_connection(host, int(port))


@pytest.mark.anyio
async def test_half_a_request_is_given_up(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "REQUEST_SECONDS", 0.05)
    # an idle connection would be closed after 75 s
    async with server(tmp_path, web) as (_, address), asyncio.timeout(60):
        for start in (
            b"",
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
            b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
            b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /healthz HT",
        ):
            reader, writer = await line(address)
            writer.write(start)
            with suppress(ConnectionResetError):
                await reader.read()
            writer.close()


@pytest.mark.anyio
async def test_a_socket_is_not_half_a_request(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server(tmp_path, web) as (_, address), asyncio.timeout(PATIENCE):
        opened = await open_table(address)
        monkeypatch.setattr(transport, "REQUEST_SECONDS", 0.05)
        # on a slow machine the request itself may take longer than that: then once more
        async for there in connect(
            f"ws://{address}/api/tables/{opened['id']}/socket", **PATIENT_SOCKET
        ):
            await there.send(json.dumps({"t": "hello", "d": {}}))
            # whatever timer the request has started ends before this one
            await asyncio.sleep(transport.REQUEST_SECONDS)
            await there.send('{"t": "ping"}')
            while json.loads(await there.recv())["t"] != "pong":
                pass
            await there.close()
            break


@pytest.mark.anyio
async def test_an_address_has_so_many_connections(tmp_path: Path, web: Path) -> None:
    async with server(tmp_path, web, replace(FREE, connections=Cap(3))) as (_, address):
        async with asyncio.timeout(PATIENCE):
            lines = [await line(address) for _ in range(3)]
            reader, refused = await line(address)
            with suppress(ConnectionResetError):  # closed, or reset: both will do
                assert await reader.read() == b""
            refused.close()
            for _, writer in lines:
                writer.close()
                await writer.wait_closed()
            async with httpx2.AsyncClient(timeout=PATIENCE) as http:
                while True:
                    try:
                        assert (await http.get(f"http://{address}/healthz")).status_code == 200
                        break
                    except httpx2.TransportError:
                        pass


@pytest.mark.anyio
async def test_a_proxy_has_as_many_connections_as_it_likes(tmp_path: Path, web: Path) -> None:
    limits = replace(FREE, connections=Cap(1))
    async with server(tmp_path, web, limits, proxies=("127.0.0.0/8",)) as (_, address):
        async with asyncio.timeout(PATIENCE):
            for _ in range(3):
                reader, writer = await line(address)
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                assert (await reader.readline()).startswith(b"HTTP/1.1 200")
                writer.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    "frame", [masked(0x89), masked(0x8A), masked(0x00)], ids=["ping", "pong", "part"]
)
async def test_a_flood_of_frames_that_are_no_messages_ends_with_the_socket(
    tmp_path: Path, web: Path, frame: bytes
) -> None:
    limits = replace(FREE, control_frames=Rate(0.001, 20))
    async with server(tmp_path, web, limits) as (_, address), asyncio.timeout(PATIENCE):
        opened = await open_table(address)
        async with connect(
            f"ws://{address}/api/tables/{opened['id']}/socket", **PATIENT_SOCKET
        ) as there:
            await there.send(json.dumps({"t": "hello", "d": {}}))
            if frame[0] == 0:
                there.transport.write(masked(0x01, b"x"))
            there.transport.write(frame * 15)
            if frame[0]:
                await there.send('{"t": "ping"}')
                while json.loads(await there.recv())["t"] != "pong":
                    pass
            there.transport.write(frame * 10)
            with suppress(ConnectionClosed):
                while True:
                    await there.recv()
            assert there.close_code == 4420


@pytest.mark.anyio
async def test_nothing_is_read_from_a_client_that_does_not_read(tmp_path: Path, web: Path) -> None:
    async with server(tmp_path, web) as (running, address), asyncio.timeout(PATIENCE):
        opened = await open_table(address)
        writer = await stuck(address, opened["id"])
        ping = masked(0x89, b"x" * 125)
        while writer.transport.get_write_buffer_size() < 1_000_000:
            writer.write(ping * 100)
            await asyncio.sleep(0)
        for _ in range(200):
            await asyncio.sleep(0.001)
        # it was not taken: the server's own buffers are full, and no more than that
        assert writer.transport.get_write_buffer_size() > 0
        (wire,) = sockets_of(running)
        assert wire.transport.get_write_buffer_size() < 200_000
        assert len(wire._unparsed) < 600_000
        writer.transport.abort()


@pytest.mark.anyio
async def test_messages_that_wait_are_not_parsed_before_their_turn(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handling, handle_on = asyncio.Event(), asyncio.Event()

    async def handle(*_: object) -> str:
        handling.set()
        await handle_on.wait()
        return "handled"

    monkeypatch.setattr(sockets.TableConnection, "_handle", handle)
    async with server(tmp_path, web) as (running, address), asyncio.timeout(PATIENCE):
        opened = await open_table(address)
        async with connect(
            f"ws://{address}/api/tables/{opened['id']}/socket", **PATIENT_SOCKET
        ) as there:
            await there.send(json.dumps({"t": "hello", "d": {}}))
            there.transport.write(masked(0x81, b'{"t": "ping"}') * 400)
            await handling.wait()
            (wire,) = sockets_of(running)
            assert wire.queue.qsize() < 60
            handle_on.set()
            answers = 0
            while answers < 400:
                answers += await there.recv() == "handled"


@pytest.mark.anyio
async def test_messages_are_understood_however_they_are_cut(tmp_path: Path, web: Path) -> None:
    spoken = masked(0x81, b'{"t":"ping"}') + masked(0x81, b'{"t": "ping"}')
    # in two parts, with a control frame between them, which is answered too
    spoken += masked(0x01, b'{"t": "pi') + masked(0x89, b"!") + masked(0x80, b'ng"}')
    async with server(tmp_path, web) as (_, address), asyncio.timeout(PATIENCE):
        opened = await open_table(address)
        async with connect(
            f"ws://{address}/api/tables/{opened['id']}/socket", **PATIENT_SOCKET
        ) as there:
            await there.send(json.dumps({"t": "hello", "d": {}}))
            for size in (1, 2, 3, 5, 7, 20, len(spoken), 3 * len(spoken)):
                said = spoken * 3
                for at in range(0, len(said), size):
                    there.transport.write(said[at : at + size])
                    await asyncio.sleep(0)
                pongs = 0
                while pongs < 9:
                    pongs += json.loads(await there.recv())["t"] == "pong"


async def answer_of(there: Any) -> Any:
    while (answer := json.loads(await there.recv())["t"]) not in ("pong", "refused"):
        pass
    return answer


@pytest.mark.anyio
async def test_who_only_sends_heartbeats_is_alive(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, passed = asyncio.get_running_loop(), 0.0
    really = loop.time
    monkeypatch.setattr(loop, "time", lambda: really() + passed)
    async with server(tmp_path, web) as (_, address):
        opened = await open_table(address)
        path = f"ws://{address}/api/tables/{opened['id']}/socket"
        async with connect(path, **PATIENT_SOCKET) as there:
            await there.send(json.dumps({"t": "hello", "d": {}}))
            for _ in range(5):
                passed += 0.7 * HEARTBEAT
                await there.send('{"t":"ping"}')
                assert await answer_of(there) == "pong"
            passed += 1.1 * HEARTBEAT
            with pytest.raises(ConnectionClosed):
                await answer_of(there)
            assert there.close_code == CloseCode.HEARTBEAT_TIMEOUT


@pytest.mark.anyio
async def test_heartbeats_are_counted_as_messages(tmp_path: Path, web: Path) -> None:
    limits = replace(FREE, messages=Rate(0.001, 30))
    async with server(tmp_path, web, limits) as (_, address), asyncio.timeout(PATIENCE):
        opened = await open_table(address)
        async with connect(
            f"ws://{address}/api/tables/{opened['id']}/socket", **PATIENT_SOCKET
        ) as there:
            await there.send(json.dumps({"t": "hello", "d": {}}))
            for _ in range(32):
                await there.send('{"t":"ping"}')
            answers = [await answer_of(there) for _ in range(32)]
            assert answers == ["pong"] * 30 + ["refused"] * 2


@pytest.mark.anyio
async def test_messages_beyond_the_rate_of_their_address_are_handled_later(
    tmp_path: Path, web: Path
) -> None:
    limits = replace(FREE, address_messages=Rate(500, 3))
    async with server(tmp_path, web, limits) as (_, address), asyncio.timeout(PATIENCE):
        opened = await open_table(address)
        path = f"ws://{address}/api/tables/{opened['id']}/socket"
        async with connect(path, **PATIENT_SOCKET) as one, connect(path, **PATIENT_SOCKET) as other:
            for there in (one, other):
                await there.send(json.dumps({"t": "hello", "d": {}}))
                for _ in range(20):
                    await there.send('{"t":"ping"}')
            for there in (one, other):
                assert [await answer_of(there) for _ in range(20)] == ["pong"] * 20


@pytest.mark.anyio
async def test_what_waits_for_a_slow_reader_is_copied_only_as_it_reads(
    tmp_path: Path, web: Path
) -> None:
    async with server(tmp_path, web) as (running, address), asyncio.timeout(PATIENCE):
        opened = await open_table(address)
        path = f"ws://{address}/api/tables/{opened['id']}/socket"
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        host, _, port = address.partition(":")
        narrow.connect((host, int(port)))
        async with (
            connect(path, sock=narrow, max_queue=1, compression=None, **PATIENT_SOCKET) as slow,
            connect(path, **PATIENT_SOCKET) as player,
        ):
            await slow.send(json.dumps({"t": "hello", "d": {}}))
            n = json.loads(await slow.recv())["d"]["n"]
            await player.send(json.dumps({"t": "hello", "d": {"secret": opened["secret"]}}))
            (wire,) = (
                one for one in sockets_of(running) if one.client[1] == narrow.getsockname()[1]
            )
            wire.transport.set_write_buffer_limits(8_192)
            last = n
            while sum(map(len, wire._waiting)) < 100_000:
                seat = {"id": f"reaction-{last:04}", "seat": last % 2}
                action = {**seat, "kind": "react", "reaction": "cheer"}
                await player.send(json.dumps({"t": "act", "d": action}))
                while (told := json.loads(await player.recv()))["t"] != "ack":
                    pass
                last = told["d"]["n"]
            most = 0
            while n < last:
                message = json.loads(await slow.recv())
                if message["t"] == "event":
                    n += 1
                    assert message["d"]["n"] == n
                most = max(most, wire.transport.get_write_buffer_size())
            assert most < 50_000


class TestFrames:
    @pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 125, 126, 127, 1000, 4096])
    def test_are_read_as_a_library_writes_them(self, size: int) -> None:
        text = ("Grüße, 名! " * 500).encode()[:size].decode(errors="ignore")
        frame = bytes(Frame(Opcode.TEXT, text.encode()).serialize(mask=True))
        assert transport.masked_text(frame) == text
        data = b"before" + frame + b"\x81\x80"
        assert transport.frame_end(data, 6) == 6 + len(frame)
        assert all(transport.frame_end(frame[:cut], 0) > cut for cut in range(len(frame)))

    def test_that_are_no_messages_of_this_protocol_are_left_to_the_library(self) -> None:
        def frame(data: bytes, *, mask: bool = True) -> bytes:
            return bytes(Frame(Opcode.TEXT, data).serialize(mask=mask))

        for one in (
            frame(b"x", mask=False),
            frame(b"x" * 200, mask=False),
            frame(b"\xff"),
            frame(b"x" * 4097),
            frame(b"x" * 4097)[:100],  # and it is not waited for
            frame(b"x" * 70_000)[:100],
        ):
            assert transport.frame_end(one, 0) == len(one)
            assert transport.masked_text(one) is None


def test_the_log_tells_when_open_files_run_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from cantstop.server.limits.limiter import RateLimiter

    gate = transport.ConnectionGate(RateLimiter(FREE), ())
    monkeypatch.setattr(transport, "max_open_files", lambda: 1000)
    for count, lines in ((700, 0), (801, 1), (900, 1), (500, 1), (850, 2)):
        monkeypatch.setattr(transport, "open_files", lambda count=count: count)
        gate.watch_open_files()
        assert len(caplog.records) == lines
    monkeypatch.setattr(transport, "max_open_files", lambda: transport.RESERVED_FILES + 2)
    assert [gate.enter("192.0.2.1") for _ in range(3)] == ["192.0.2.1", "192.0.2.1", None]


def test_this_process_has_files_open() -> None:
    with socket.socket():
        assert 0 < transport.open_files() < transport.max_open_files()
