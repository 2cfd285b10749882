"""A real server in the test's own process, and clients that behave badly."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import uvicorn

from cantstop.server.http.transport import HttpProtocol, SocketProtocol
from cantstop.server.run import listen
from table_client import human

HELLO = {"t": "hello", "d": {"secret": None}}


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[tuple[uvicorn.Server, str]]:
    """A real server in this process, and where it is."""
    listening = listen("127.0.0.1", 0)
    # the system would keep megabytes for a client that does not read
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 32768)
    config = uvicorn.Config(
        app, log_config=None, http=HttpProtocol, ws=SocketProtocol, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield server, f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


def sockets_of(server: uvicorn.Server) -> list[Any]:
    return [wire for wire in server.server_state.connections if isinstance(wire, SocketProtocol)]


async def open_table(address: str) -> Any:
    seats = [human(salt="a"), human("Bob", salt="b")]
    async with httpx2.AsyncClient() as http:
        request = {"mode": "hotseat", "seats": seats}
        return (await http.post(f"http://{address}/api/tables", json=request)).json()


async def stuck(address: str, table: Any) -> Any:
    """Somebody who says hello and reads nothing, over a line that takes little."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.setblocking(False)
    host, _, port = address.partition(":")
    await asyncio.get_running_loop().sock_connect(line, (host, int(port)))
    reader, writer = await asyncio.open_connection(sock=line, limit=1024)
    writer.write(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    hello, mask = json.dumps(HELLO).encode(), os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(hello))
    writer.write(bytes([0x81, 0x80 | len(hello)]) + mask + masked)
    await writer.drain()
    return writer
