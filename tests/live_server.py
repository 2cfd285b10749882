"""A real server in the test's own process, and clients that behave badly."""

import asyncio
import json
import os
import pickle
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

import httpx2
import pytest
import uvicorn
from anyio.from_thread import start_blocking_portal

from cantstop.client import requests
from cantstop.server import ServerOptions, create_app
from cantstop.server.database import connections as engines
from cantstop.server.http.transport import SocketProtocol
from cantstop.server.limits.policy import Limits
from cantstop.server.run import listen, uvicorn_config
from cantstop.server.runtime import bot_player, insight
from cantstop.server.runtime.presence import Clocks
from cantstop.server.work import pool, process
from cantstop.server.work.process import Prepare, WorkProcess
from patience import PATIENCE
from table_client import human

PATIENT = Clocks(heartbeat=600, presence=0, absence=0)
"""Test machines may be slow to send a heartbeat; who leaves is absent at once."""
HELLO = {"t": "hello", "d": {"secret": None}}


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[tuple[uvicorn.Server, str]]:
    """A real server in this process, and where it is."""
    listening = listen("127.0.0.1", 0)
    # the system would keep megabytes for a client that does not read
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 32768)
    server = uvicorn.Server(uvicorn_config(app, log_config=None))
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield server, f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


@dataclass(frozen=True)
class LiveServer:
    """A server in a thread of the test's own process."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def live_server(database: str, *, limits: float = 0, **options: Any) -> Iterator[LiveServer]:
    """A server for clients that are not async: it starts at once, and its engine when asked for."""
    given = {"pace": 0, "clocks": PATIENT, "limits": Limits().times(limits), **options}
    app = create_app(ServerOptions(database, **given))
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(serving(app)) as (_, address),
    ):
        yield LiveServer(int(address.rpartition(":")[2]))


class SparedProcess(WorkProcess):
    """A process for heavy work that the next server takes over: its engine is loaded.

    It ends with the thread that started it, which therefore is not one of the pool's.
    """

    def __init__(
        self, prepare: Prepare, spared: "list[SparedProcess]", starter: ThreadPoolExecutor
    ) -> None:
        super().__init__(prepare)
        self.is_idle = False
        self._spared = spared
        self._starter = starter

    def start(self) -> None:
        self._starter.submit(super().start).result()

    def call(self, *args: Any) -> Any:
        self.is_idle = False
        result = super().call(*args)
        self.is_idle = True
        return result

    def close(self) -> None:
        if self.is_idle:
            self._spared.append(self)
        else:
            super().close()


@pytest.fixture(scope="session", autouse=True)
def quick_server() -> Iterator[None]:
    """Servers in this process do not wait for the disk, and their pools not for other programs.

    What a disk does when the power fails is not what these tests are about. Beside other programs
    that keep all cores busy, a process of low priority would take minutes to load the engine, and
    a new installation longer to compile it than a request may take.
    """
    spared: defaultdict[Any, list[SparedProcess]] = defaultdict(list)
    starter = ThreadPoolExecutor(1)

    def work_process(prepare: Prepare) -> WorkProcess:
        if not prepare:  # of a pool that is itself what is tested
            return WorkProcess(prepare)
        environment = {**os.environ, "PYTEST_CURRENT_TEST": ""}
        alike = spared[pickle.dumps(tuple(prepare)), frozenset(environment.items())]
        return alike.pop() if alike else SparedProcess(prepare, alike, starter)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "_PRAGMAS", (*engines._PRAGMAS, "synchronous = OFF"))
        patch.setattr(process, "NICENESS", 0)
        patch.setattr(process, "SILENT_SECONDS", 600.0)
        patch.setattr(insight, "WORK_SECONDS", 600.0)
        patch.setattr(bot_player, "DECISION_SECONDS", 600.0)
        patch.setattr(requests, "THINKING_TIMEOUT", 600)
        patch.setattr(pool, "WorkProcess", work_process)
        yield
    for one in chain.from_iterable(spared.values()):
        WorkProcess.close(one)
    starter.shutdown()


def sockets_of(server: uvicorn.Server) -> list[Any]:
    return [wire for wire in server.server_state.connections if isinstance(wire, SocketProtocol)]


async def open_table(address: str) -> Any:
    seats = [human(salt="a"), human("Bob", salt="b")]
    async with httpx2.AsyncClient(timeout=PATIENCE) as http:
        request = {"mode": "hotseat", "seats": seats}
        return (await http.post(f"http://{address}/api/tables", json=request)).json()


async def stuck(address: str, table: Any) -> Any:
    """A client that says hello and reads nothing, over a line that takes little."""
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
