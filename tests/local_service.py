"""A service on this machine that answers POSTs as it is set up to, and keeps what it was sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Posted:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class LocalService:
    """Answers by path: ``/429`` with that status, ``/hang`` never; others with 201."""

    port: int = 0
    posted: list[Posted] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    """Of every answer."""
    answers: dict[str, str] = field(default_factory=dict)
    """What is answered at a path besides those, word for word."""
    most_bytes: int | None = None
    """Longer bodies are answered with 413."""
    connections: int = 0

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = head.strip().split("\r\n")
            path = first.split(" ")[1]
            headers = {
                name.lower(): value for name, value in (line.split(": ", 1) for line in lines)
            }
            body = await reader.readexactly(int(headers["content-length"]))
            self.posted.append(Posted(path, headers, body))
            await self._answer(path, body, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, path: str, body: bytes, writer: asyncio.StreamWriter) -> None:
        if path.startswith("/hang"):
            await asyncio.Event().wait()
        status = path[1:4] if path[1:4].isdigit() else "201"
        if self.most_bytes is not None and len(body) > self.most_bytes:
            status = "413"
        lines = [f"{name}: {value}" for name, value in self.headers.items()]
        head = "\r\n".join([f"HTTP/1.1 {status} As set", *lines, "Content-Length: 0"])
        writer.write(self.answers.get(path, f"{head}\r\n\r\n").encode())
        await writer.drain()


@asynccontextmanager
async def local_service() -> AsyncIterator[LocalService]:
    service = LocalService()
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        await service.serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    try:
        yield service
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
