"""WebSocket frames by hand: what no library would send."""

import asyncio
import base64
import os
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FIN = 0x80
_TIMEOUT = 30.0


def frame(
    payload: bytes, opcode: int = TEXT, *, flags: int = FIN, masked: bool = True, claim: int = 0
) -> bytes:
    """One frame; ``claim`` is a length that it does not have."""
    length = claim or len(payload)
    mask = 0x80 if masked else 0
    head = bytes([flags | opcode])
    if length < 126:
        head += bytes([mask | length])
    elif length < 2**16:
        head += bytes([mask | 126]) + struct.pack(">H", length)
    else:
        head += bytes([mask | 127]) + struct.pack(">Q", length)
    if not masked:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(byte ^ key[at % 4] for at, byte in enumerate(payload))


@dataclass
class RawSocket:
    """A connection that may say anything."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def connect(cls, port: int, path: str, *headers: str) -> Self:
        """Ask for an upgrade; whether it was granted is ``status``'s answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *headers,
        )
        writer.write("\r\n".join((*lines, "", "")).encode())
        return cls(reader, writer)

    async def status(self) -> int:
        """The status of the answer to the upgrade."""
        async with asyncio.timeout(_TIMEOUT):
            head = await self.reader.readuntil(b"\r\n\r\n")
        return int(head.split()[1])

    def say(self, *frames: bytes) -> None:
        """Send frames, or anything."""
        self.writer.write(b"".join(frames))

    async def closing_code(self) -> int | None:
        """Listen until the server closes; its code, or None if it just went."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            async with asyncio.timeout(_TIMEOUT):
                while True:
                    opcode, payload = await self._hear()
                    if opcode == CLOSE:
                        return int.from_bytes(payload[:2], "big")
        return None

    async def _hear(self) -> tuple[int, bytes]:
        first, second = await self.reader.readexactly(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", await self.reader.readexactly(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", await self.reader.readexactly(8))
        return first & 0x0F, await self.reader.readexactly(length)

    async def hang_up(self) -> None:
        """Go without a word."""
        self.writer.transport.abort()
        with suppress(ConnectionError):
            await self.writer.wait_closed()
