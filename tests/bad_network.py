"""A bad network between a client and a server, for tests: slow, lossy, cut, and silent."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from random import Random


class Fault(Enum):
    """What happens to a connection after a number of bytes."""

    CUT = "cut"  # it breaks, in the middle of what the server says
    SILENT = "silent"  # the client's words are lost, nothing comes back, and no error is raised
    DEAF = "deaf"  # the client's words arrive; no answer does


@dataclass
class BadNetwork:
    """Passes on what client and server say, late and in pieces; sockets meet their faults in turn.

    A pause now and then is what a lost packet looks like from above. After the last fault the
    network is only slow.
    """

    server_port: int
    faults: Iterable[tuple[Fault, int]]
    seed: int = 2026
    port: int = 0
    met: list[Fault] = field(default_factory=list)
    quiet: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released whenever a line has gone dead without an error on either side."""

    _meetings: set["asyncio.Task[None]"] = field(default_factory=set)
    _writers: list[asyncio.StreamWriter] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)
        self._coming: Iterator[tuple[Fault, int]] = iter(self.faults)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def stay(self, ready: threading.Event, leave: asyncio.Event) -> None:
        """Be there until everybody is to leave."""

        def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._meetings.add(asyncio.create_task(self._meet(reader, writer)))

        async with await asyncio.start_server(meet, "127.0.0.1", 0) as listening:
            self.port = listening.sockets[0].getsockname()[1]
            ready.set()
            await leave.wait()
            listening.close()
            # also those that were being accepted just now: a socket left open fails a later test
            while others := asyncio.all_tasks() - {asyncio.current_task()}:
                for writer in self._writers:
                    writer.transport.abort()
                await asyncio.wait(others, timeout=0.1)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its first byte to its end."""
        writers = [writer]
        self._writers.append(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            first = await reader.readuntil(b"\r\n")
            far, near = await asyncio.open_connection("127.0.0.1", self.server_port)
            writers.append(near)
            self._writers.append(near)
            near.write(first)
            fault, limit = next(self._coming, (None, 0)) if b"/socket" in first else (None, 0)
            line = _Line(self._chance, fault, limit, writers, self._note)
            await asyncio.gather(line.up(reader, near), line.down(far, writer))
            if fault is not None and line.broken is None:  # a client that gave up before it
                self._coming = chain([(fault, limit)], self._coming)
        for one in writers:
            one.transport.abort()
            with suppress(ConnectionError):
                await one.wait_closed()

    def _note(self, fault: Fault) -> None:
        self.met.append(fault)
        if fault is not Fault.CUT:
            self.quiet.release()


@dataclass
class _Line:
    chance: Random
    fault: Fault | None
    limit: int
    writers: list[asyncio.StreamWriter]
    note: Callable[[Fault], None]
    broken: Fault | None = None

    async def up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """What the client says."""
        await self._pass_on(reader, writer, {Fault.SILENT}, {Fault.SILENT})

    async def down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """What the server says."""
        await self._pass_on(reader, writer, {Fault.CUT, Fault.DEAF}, set(Fault))

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        begins: set[Fault],
        swallowed_by: set[Fault],
    ) -> None:
        """Pass on what comes, up to the fault if it begins in this direction."""
        passed = 0
        while data := await self._piece(reader):
            passed += len(data)
            if self.broken is None and self.fault in begins and passed > self.limit:
                writer.write(data[: self.limit - passed])
                self.broken = self.fault
                self.note(self.fault)
                if self.fault is Fault.CUT:
                    break
            elif self.broken not in swallowed_by:
                writer.write(data)
        self._end()

    async def _piece(self, reader: asyncio.StreamReader) -> bytes:
        """The next few bytes, late."""
        try:
            data = await reader.read(self.chance.choice([50, 500, 5000]))
        except ConnectionError:
            return b""
        lost = self.chance.random() < 0.01
        await asyncio.sleep(0.2 if lost else self.chance.uniform(0, 0.004))
        return data

    def _end(self) -> None:
        for writer in self.writers:
            writer.close()


@contextmanager
def bad_network(server_port: int, faults: Iterable[tuple[Fault, int]]) -> Iterator[BadNetwork]:
    """A bad network in a thread of its own."""
    network, ready = BadNetwork(server_port, faults), threading.Event()
    loop, leave = asyncio.new_event_loop(), asyncio.Event()

    def work() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(network.stay(ready, leave))

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    try:
        yield network
    finally:
        loop.call_soon_threadsafe(leave.set)
        thread.join()
