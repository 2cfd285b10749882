"""Attacks over the sockets of tables: messages, frames, and clients that read little or nothing."""

import asyncio
import itertools
import json
import time
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress

from websockets.asyncio.client import ClientConnection

from .attacks import LOST, UPGRADE, Attack, Target
from .players import PING_EVERY, Json, connect_socket

_SOCKETS, _CONNECTIONS = 200, 500
"""As many as an address may have; some of the connections are being closed."""
_TABLES = 10
_SEATS = 4
_WATCHERS, _WITH_SEATS = 118, 32
"""Of these: those that may hold no seat, at two tables with 20 sockets for a seat."""
_BUSY = "127.0.9.1"
_LARGEST = 4096
"""Bytes of a message."""
_TEXT, _PART, _LAST_PART, _PACKED = 0x81, 0x01, 0x80, 0xC1
_PING = b'{"t":"ping"}'
_MOST_MESSAGES = 38
"""A second over one socket: 20 are handled, and 20 may be refused before it is closed."""
_BOT_ACTIONS = 1000, 100
"""Actions of bots at the tables of one address, at once and a second."""
_LITTLE = 30_000
"""Bytes that a slow reader reads at a time: the server may then send it a little more."""
_MASK = bytes(4)
"""Masks nothing, and takes no time to apply."""


def _path(table: str, after: int | None = None) -> str:
    return f"/api/tables/{table}/socket" + ("" if after is None else f"?after={after}")


def _frame(payload: bytes, kind: int = _TEXT) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes([kind, 0x80 | size]) + _MASK + payload
    if size < 1 << 16:
        return bytes([kind, 0xFE]) + size.to_bytes(2) + _MASK + payload
    return bytes([kind, 0xFF]) + size.to_bytes(8) + _MASK + payload


class RawSocket:
    """A socket that sends any bytes, and reads only on request."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer

    @classmethod
    async def open(
        cls, target: Target, path: str, secret: str | None = None, extensions: str = ""
    ) -> "RawSocket":
        """A socket that has said hello, from the attacker's address."""
        line = await asyncio.to_thread(target.raw)
        line.settimeout(0)
        reader, writer = await asyncio.open_connection(sock=line, limit=4096)
        asked = UPGRADE.format(path=path, port=target.port, more=extensions)
        writer.write(asked.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head[:20]:
            writer.transport.abort()
            raise ConnectionError(head.decode(errors="replace"))
        opened = cls(reader, writer)
        opened.send(_frame(json.dumps({"t": "hello", "d": {"secret": secret}}).encode()))
        return opened

    def send(self, data: bytes) -> None:
        """Send bytes; lost where the server has closed the connection."""
        if self._writer.is_closing() or self.reader.at_eof():
            raise ConnectionError
        self._writer.write(data)

    async def send_all(self, data: bytes) -> None:
        """Send bytes, no more of them at a time than the server takes."""
        self.send(data)
        await self._writer.drain()

    async def read_all(self) -> None:
        """Read whatever comes, until the server closes the connection."""
        with suppress(*LOST):
            while await self.reader.read(1 << 16):
                pass

    def close(self) -> None:
        """Go without a word."""
        self._writer.transport.abort()


async def _open_tables(target: Target) -> list[Json]:
    """Tables of the attacker's, each with four seats behind one secret."""
    seats = [{"kind": "human", "name": name, "salt": name} for name in "ABCD"[:_SEATS]]
    body = {"mode": "hotseat", "seats": seats}
    async with target.http() as http:
        return [(await http.post("/api/tables", json=body)).json() for _ in range(_TABLES)]


async def _again_and_again(
    target: Target, sockets: int, attack: Callable[[int], Awaitable[object]]
) -> None:
    """What a number of sockets do, each of them once more when its connection is lost."""

    async def repeat(number: int) -> None:
        while not target.is_over:
            with suppress(*LOST, TimeoutError):
                await attack(number)
            await asyncio.sleep(0.5)

    await asyncio.gather(*map(repeat, range(sockets)))


async def _flood(target: Target, message: Callable[[int], bytes], a_second: float) -> None:
    """Send messages over 200 sockets at a fixed rate for each, whatever is answered."""
    tables = await _open_tables(target)
    await target.begin()

    async def flood(socket: int) -> None:
        table = tables[socket % _TABLES]
        one = await RawSocket.open(target, _path(table["id"]), table["secret"])
        reading = asyncio.create_task(one.read_all())
        due = time.monotonic()
        try:
            for number in itertools.count():
                if target.is_over:
                    break
                one.send(_frame(message(number)))
                due = max(due + 1 / a_second, time.monotonic() - 0.5)
                await asyncio.sleep(max(0, due - time.monotonic()))
        finally:
            reading.cancel()
            one.close()

    await _again_and_again(target, _SOCKETS, flood)


_INVALID = [
    b"{" * _LARGEST,
    b'{"t":"act","d":{"id":"invalid-00","seat":9,"kind":"roll"}}',
    b'{"t":"act","d":{"id":"invalid-01","seat":0,"kind":"' + b"x" * 4000 + b'"}}',
    b'{"t":"act","d":{"id":"invalid-02","seat":0,"kind":"move","move":"99"}}',
    b'{"t":"act","d":' + b"[" * 1000 + b"]" * 1000 + b"}",
    b'{"t":"unknown"}',
]


async def invalid_messages(target: Target) -> list[str]:
    """13: messages that are refused, over 200 sockets, as many as do not close them."""
    await _flood(target, lambda number: _INVALID[number % len(_INVALID)], _MOST_MESSAGES)
    return []


async def blind_actions(target: Target) -> list[str]:
    """13: rolls and stops of the own seats over 200 sockets, without a look at the answers."""

    def action(number: int) -> bytes:
        kind, name = ("roll", "stop")[number % 2], f"blind-{time.monotonic_ns()}"
        act = {"id": name, "seat": number % _SEATS, "kind": kind}
        return json.dumps({"t": "act", "d": act}).encode()

    await _flood(target, action, _MOST_MESSAGES)
    return []


async def pinging_sockets(target: Target) -> list[str]:
    """13: heartbeats over 200 sockets, as many as do not close them."""
    await _flood(target, lambda _: _PING, _MOST_MESSAGES)
    return []


async def closed_floods(target: Target) -> list[str]:
    """13: 1,000 messages a second over each of 200 sockets, opened again when they are closed."""
    await _flood(target, lambda number: _INVALID[number % len(_INVALID)], 1000)
    return []


async def huge_frames(target: Target) -> list[str]:
    """13: frames of 16 MB, and frames that say that they will have more than any memory."""
    await target.begin()
    boundless = bytes([_TEXT, 0xFF]) + (1 << 62).to_bytes(8) + _MASK

    async def send(number: int) -> None:
        one = await RawSocket.open(target, _path(target.table))
        try:
            if number % 2:
                one.send(boundless)
            else:
                one.send(bytes([_TEXT, 0xFF]) + (16_000_000).to_bytes(8) + _MASK)
            while not target.is_over:
                await one.send_all(b"x" * (1 << 16))
        finally:
            one.close()

    await _again_and_again(target, 20, send)
    return []


async def tiny_fragments(target: Target) -> list[str]:
    """13: messages in fragments of one byte, and frames that come byte by byte."""
    await target.begin()
    fragments = _frame(b"{", _PART) + _frame(b" ", 0) * 4_000 + _frame(b"}", _LAST_PART)
    slow = _frame(b" " * (_LARGEST - len(_PING)) + _PING)

    async def send(number: int) -> None:
        one = await RawSocket.open(target, _path(target.table))
        reading = asyncio.create_task(one.read_all())
        try:
            if number % 2:
                while not target.is_over:
                    await one.send_all(fragments)
            for byte in itertools.cycle(slow):
                if target.is_over:
                    break
                await one.send_all(bytes([byte]))
                await asyncio.sleep(0)
        finally:
            reading.cancel()
            one.close()

    await _again_and_again(target, 40, send)
    return []


async def trickled_requests(target: Target) -> list[str]:
    """13: heads and bodies of requests that come byte by byte, over 200 connections."""
    await target.begin()
    line = f"POST /api/review HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\n"
    starts = [f"{line}X-Slow: ".encode(), f"{line}Content-Length: 60000\r\n\r\n".encode()]

    async def send(number: int) -> None:
        connection = await asyncio.to_thread(target.raw)
        connection.settimeout(0)
        one = RawSocket(*await asyncio.open_connection(sock=connection, limit=4096))
        reading = asyncio.create_task(one.read_all())
        try:
            await one.send_all(starts[number % 2])
            while not target.is_over:
                await one.send_all(b"x")
                await asyncio.sleep(0)
        finally:
            reading.cancel()
            one.close()

    await _again_and_again(target, _SOCKETS, send)
    return []


async def packed_frames(target: Target) -> list[str]:
    """13: frames that unpack to 10 MB, over sockets that ask for compression."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packing.compress(b" " * 10_000_000) + packing.flush(zlib.Z_SYNC_FLUSH)
    bomb = bomb.removesuffix(b"\x00\x00\xff\xff")
    await target.begin()
    extension = "Sec-WebSocket-Extensions: permessage-deflate\r\n"

    async def send(_: int) -> None:
        one = await RawSocket.open(target, _path(target.table), extensions=extension)
        reading = asyncio.create_task(one.read_all())
        try:
            while not target.is_over:
                await one.send_all(_frame(bomb, _PACKED))
        finally:
            reading.cancel()
            one.close()

    await _again_and_again(target, 20, send)
    return []


class _BusyTable:
    """A table whose four seats make as many events as they may."""

    def __init__(self, target: Target, opened: Json) -> None:
        self._target = target
        self._view: Json = opened["state"]["view"]
        self.id, self.secret, self.n = str(opened["id"]), str(opened["secret"]), 0

    async def play(self) -> None:
        """Act, at once after each event."""
        sockets = [
            await connect_socket(self._target.port, _BUSY, self.id, self.secret) for _ in range(3)
        ]
        hearing = [asyncio.create_task(self._hear(one)) for one in sockets]
        with suppress(*LOST):
            for number in itertools.count():
                if self._target.is_over or self._view["outcome"] is not None:
                    break
                view = self._view
                action = {"id": f"busy-{number:06}", "seat": view["seat"], "kind": "roll"}
                if view["phase"] == "move":
                    action |= {"kind": "move", "move": view["moves"][0]["move"]}
                elif view["may_stop"]:
                    action["kind"] = "stop"
                await sockets[number % 3].send(json.dumps({"t": "act", "d": action}))
                await asyncio.sleep(1 / 40)
        for task in hearing:
            task.cancel()
        for one in sockets:
            one.transport.abort()

    async def _hear(self, one: ClientConnection) -> None:
        with suppress(*LOST):
            async for text in one:
                message = json.loads(text)
                if message["t"] == "event" and message["d"]["n"] > self.n:
                    self.n, self._view = message["d"]["n"], message["d"]["view"]


async def _among_events(
    target: Target, attack: Callable[[RawSocket], Awaitable[object]]
) -> list[str]:
    """What sockets do, as many as an address may have, at two tables with many events."""
    tables = [_BusyTable(target, opened) for opened in (await _open_tables(target))[:2]]
    await target.begin()
    playing = [asyncio.create_task(table.play()) for table in tables]

    async def follow(number: int) -> None:
        table = tables[number % 2]
        after = max(0, table.n - 60)
        secret = table.secret if number < _WITH_SEATS else None
        one = await RawSocket.open(target, _path(table.id, after), secret)
        try:
            await attack(one)
        finally:
            one.close()

    await _again_and_again(target, _WITH_SEATS + _WATCHERS, follow)
    for task in playing:
        task.cancel()
    return []


async def slow_readers(target: Target) -> list[str]:
    """13: 150 sockets at tables where much happens; each reads just enough not to be dropped."""

    async def read(one: RawSocket) -> None:
        while not target.is_over:
            one.send(_frame(_PING))
            await asyncio.sleep(PING_EVERY)
            with suppress(TimeoutError):
                await asyncio.wait_for(one.reader.readexactly(_LITTLE), 0.5)

    return await _among_events(target, read)


async def unread_sockets(target: Target) -> list[str]:
    """13: 150 sockets at tables where much happens, which ask for more, and read nothing."""

    async def never_read(one: RawSocket) -> None:
        while not target.is_over:
            await one.send_all(_frame(_PING) * 10)
            await asyncio.sleep(0.5)

    return await _among_events(target, never_read)


async def many_sockets(target: Target) -> list[str]:
    """13: thousands of sockets from one address, at ten tables."""
    tables = await _open_tables(target)
    await target.begin()
    opened: list[RawSocket] = []
    numbers = itertools.count()

    async def subscribe() -> None:
        table = tables[next(numbers) % _TABLES]
        opened.append(await RawSocket.open(target, _path(table["id"])))

    await target.every(1 / 200, subscribe)
    reading = [asyncio.create_task(one.read_all()) for one in opened]
    await asyncio.sleep(1)
    still_open = sum(not task.done() for task in reading)
    for one in opened:
        one.close()
    return [f"{still_open} sockets were left open"] if still_open > _CONNECTIONS else []


async def hurried_bots(target: Target) -> list[str]:
    """13: 55 tables of a person and three bots that never stop, hurried as much as possible."""
    seats = [{"kind": "human", "name": "A", "salt": "a"}, *[{"kind": "bot", "bot": "bold:99"}] * 3]
    body = {"mode": "online", "edition": "custom", "win": 11, "seats": seats}
    async with target.http() as http:
        tables = [(await http.post("/api/tables", json=body)).json() for _ in range(55)]
    await target.begin()
    began, heard = time.monotonic(), 0

    async def play(number: int) -> None:
        nonlocal heard
        opened = tables[number]
        view: Json = {"seat": -1}
        async with await target.table_socket(opened["id"], opened["secret"]) as one:
            await one.send('{"t":"pace","d":{"pace":"at-once"}}')
            while not target.is_over:
                if view["seat"] == 0 and view["phase"] != "bust":
                    action: Json = {"id": f"hurry-{time.monotonic_ns()}", "seat": 0, "kind": "roll"}
                    if view["phase"] == "move":
                        action |= {"kind": "move", "move": view["moves"][0]["move"]}
                    elif view["may_stop"]:
                        action["kind"] = "stop"
                    await one.send(json.dumps({"t": "act", "d": action}))
                await one.send(_PING.decode())
                message: Json = {"t": ""}
                while message["t"] != "pong":
                    message = json.loads(await one.recv())
                    if message["t"] in ("state", "event"):
                        view = message["d"]["view"]
                    heard += message["t"] == "event" and message["d"]["seat"] != 0
                await asyncio.sleep(0.05)

    await _again_and_again(target, 55, play)
    at_once, a_second = _BOT_ACTIONS
    allowed = 2 * (at_once + a_second * (time.monotonic() - began))  # a roll may be a bust besides
    return [f"{heard} events of bots, not {allowed:.0f}"] if heard > allowed else []


MESSAGES = [
    Attack(invalid_messages),
    Attack(blind_actions),
    Attack(pinging_sockets),
    Attack(closed_floods),
    Attack(huge_frames),
    Attack(tiny_fragments),
    Attack(trickled_requests),
    Attack(packed_frames),
    Attack(slow_readers),
    Attack(unread_sockets),
    Attack(many_sockets),
    Attack(hurried_bots),
]
