"""A wire between a browser and a server, for tests: it counts what the server sends."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Wire:
    """Passes on every byte of all connections: pages, sockets, and a service worker's requests."""

    server_port: int
    port: int = 0
    sent: int = 0
    """Bytes that have come from the server, headers and all."""
    _ends: set[asyncio.StreamWriter] = field(default_factory=set)
    _connections: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def stay(self, ready: threading.Event, leave: asyncio.Event) -> None:
        """Be there until the browser has gone."""

        def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._connections.add(asyncio.create_task(self._connect(reader, writer)))

        async with await asyncio.start_server(connect, "127.0.0.1", 0) as listening:
            self.port = listening.sockets[0].getsockname()[1]
            ready.set()
            await leave.wait()
            for end in self._ends:
                end.transport.abort()
            await asyncio.gather(*self._connections)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far, near = await asyncio.open_connection("127.0.0.1", self.server_port)
        self._ends |= {writer, near}
        await asyncio.gather(self._pass_on(reader, near), self._pass_on(far, writer, counts=True))
        for end in (writer, near):
            with suppress(ConnectionError):
                await end.wait_closed()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, counts: bool = False
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                self.sent += len(data) if counts else 0
                writer.write(data)
                await writer.drain()
        writer.close()


@contextmanager
def counting_wire(server_port: int) -> Iterator[Wire]:
    """A wire in a thread of its own."""
    wire, ready = Wire(server_port), threading.Event()
    loop, leave = asyncio.new_event_loop(), asyncio.Event()

    def work() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(wire.stay(ready, leave))

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    try:
        yield wire
    finally:
        loop.call_soon_threadsafe(leave.set)
        thread.join()
