"""One socket's connection: reading its messages with a heartbeat timeout, and sending others.

Connections end without reference cycles, so that the garbage collector has nothing to do.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from cantstop.server.http.transport import DIRECT, QUEUE_LIMIT, SocketProtocol
from cantstop.wire.messages import CloseCode


class ConnectionEnded(Exception):
    """The connection was closed by the client, or is to be closed with a code."""

    def __init__(self, code: int | None = None) -> None:
        self.code = code


class SocketReader:
    """Receives a socket's messages for one task, with a heartbeat timeout.

    A task group and a timeout for each message would do the same at a higher cost: here one timer
    checks now and then how long the client has been silent.
    """

    def __init__(self, socket: WebSocket, timeout: float) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._socket = socket
        self._timeout = timeout
        self._loop = asyncio.get_running_loop()
        self._direct: SocketProtocol | None = socket.scope.get(DIRECT)
        self._waiting_since: float | None = None
        """Since when the task waits for a message; None while it handles one."""
        self._ended = False
        self._code: int | None = None
        self._timer = self._loop.call_later(timeout, self._check_heartbeat)

    async def receive(self) -> str | bytes:
        """The client's next message; raises ``ConnectionEnded`` when there is none."""
        if self._ended:
            raise ConnectionEnded(self._code)
        self._waiting_since = self._loop.time()
        try:
            message = await self._next_message()
        except asyncio.CancelledError:
            if not self._ended:
                raise
            self._task.uncancel()
            raise ConnectionEnded(self._code) from None
        finally:
            self._waiting_since = None
        if message["type"] == "websocket.disconnect":
            flood = message.get("code") == CloseCode.TOO_MANY  # of control frames: not seen here
            raise ConnectionEnded(CloseCode.TOO_MANY if flood else None)
        return message.get("text") or message.get("bytes") or ""

    async def _next_message(self) -> Any:  # noqa: ANN401 - as ASGI has it
        if self._direct is None:
            return await self._socket.receive()
        coming: asyncio.Future[Any] = self._loop.create_future()

        def came(message: Any) -> None:  # noqa: ANN401
            if not coming.done():  # or cancelled a moment ago
                coming.set_result(message)

        self._direct.next_message(came)
        try:
            return await coming
        finally:
            self._direct.inbox.waiting = None

    def answer_at_once(self, answer: Callable[[str], bool]) -> None:
        """Have messages answered by ``answer``, where it can, without waking the task."""

        def answered(text: str) -> bool:
            if self._ended or not answer(text):
                return False
            self._waiting_since = self._loop.time()
            return True

        if self._direct is not None:
            self._direct.answer_at_once = answered

    def end(self, code: int | None = None) -> None:
        """Have ``receive`` raise, once the message being handled is done with."""
        if self._ended:
            return
        self._ended, self._code = True, code
        if self._waiting_since is not None:
            self._task.cancel()

    def close(self) -> None:
        """Stop the heartbeat timer."""
        self._ended = True
        self._timer.cancel()
        if self._direct is not None:
            self._direct.answer_at_once = None

    def _check_heartbeat(self) -> None:
        now = self._loop.time()
        since = now if self._waiting_since is None else self._waiting_since
        left = since + self._timeout - now
        if left <= 0:
            self.end(CloseCode.HEARTBEAT_TIMEOUT)
        else:
            self._timer = self._loop.call_later(left, self._check_heartbeat)


class SocketSender:
    """Sends a socket's messages without waiting for the client to read them.

    Our own server writes them at once (``transport.SocketProtocol``). Any other one gets them from
    a task with a queue, as ASGI wants it.
    """

    def __init__(self, socket: WebSocket, reader: SocketReader) -> None:
        self._socket = socket
        self._reader = reader
        self._too_slow = partial(reader.end, CloseCode.TOO_SLOW)
        self._direct: SocketProtocol | None = socket.scope.get(DIRECT)
        self._queue: asyncio.Queue[str] = asyncio.Queue(QUEUE_LIMIT)

    def send(self, text: str) -> None:
        """Send a message soon; a client that lets too many wait is closed as too slow."""
        if self._direct is not None:
            self._direct.send_soon(text, self._too_slow)
            return
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self._too_slow()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send what is queued; if that fails, reading ends too."""
        if self._direct is not None:
            yield
            return
        writing = asyncio.create_task(self._write())
        writing.add_done_callback(lambda _: self._reader.end())
        try:
            yield
        finally:
            writing.cancel()
            with suppress(asyncio.CancelledError):
                await writing

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(await self._queue.get())
