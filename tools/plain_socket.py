"""A WebSocket client that costs as little as it can: a load is to measure the server, not itself.

It sends masked text frames, and gives every text frame of the server to a callback as bytes.
"""

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from random import getrandbits
from typing import cast

_TEXT, _CLOSE = 0x81, 0x88


def masked(text: bytes) -> bytes:
    """A text as the frame that a client sends."""
    size, key = len(text), getrandbits(32)
    head = struct.pack("!BB", _TEXT, 0x80 | size) if size < 126 else _long_head(size)
    words = -(-size // 4)
    repeated = int.from_bytes(key.to_bytes(4) * words) >> 8 * (4 * words - size)
    return head + key.to_bytes(4) + (int.from_bytes(text) ^ repeated).to_bytes(size)


def _long_head(size: int) -> bytes:
    return struct.pack("!BBH", _TEXT, 0xFE, size)


class PlainSocket(asyncio.Protocol):
    """One connection; ``hear`` is called with each message, and ``lost`` if the server ends it."""

    def __init__(self, hear: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._hear = hear
        self._lost = lost
        self._data = b""
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def connect(
        cls,
        port: int,
        path: str,
        hear: Callable[[bytes], None],
        lost: Callable[[str], None],
    ) -> "PlainSocket":
        """A connection whose handshake is done."""
        loop = asyncio.get_running_loop()
        transport, one = await loop.create_connection(lambda: cls(hear, lost), "127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await one.opened
        return one

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The TCP connection is there."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by class

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, whoever wanted it."""
        self._transport = None
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(f"no handshake: {exc}"))
        elif self._is_open:
            self._is_open = False
            self._lost(f"connection lost: {exc}")

    def data_received(self, data: bytes) -> None:
        """Cut what came into messages."""
        data = self._data + data if self._data else data
        if not self._is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._data = head
                return
            if b" 101 " not in head[:20]:
                self.opened.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self._is_open = True
            self.opened.set_result(None)
        at, size = 0, len(data)
        while size - at >= 2:
            start, length = at + 2, data[at + 1]
            if length == 126:
                start, length = at + 4, int.from_bytes(data[at + 2 : at + 4])
            elif length == 127:
                start, length = at + 10, int.from_bytes(data[at + 2 : at + 10])
            if start + length > size:
                break
            if data[at] == _TEXT:
                self._hear(data[start : start + length])
            elif data[at] == _CLOSE and self._is_open:
                self._is_open = False
                code = int.from_bytes(data[start : start + 2])
                self._lost(f"closed by the server with {code}")
            at = start + length
        self._data = data[at:]

    def send(self, text: bytes) -> None:
        """Send a message."""
        if self._transport is not None:
            self._transport.write(masked(text))

    def close(self) -> None:
        """Go, without a word of ``lost``."""
        self._is_open = False
        if self._transport is not None:
            self._transport.abort()
