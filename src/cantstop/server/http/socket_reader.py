"""What a client says over its socket, until it is silent for too long or somebody ends it."""

import asyncio

from starlette.websockets import WebSocket

SILENT = 4408


class Over(Exception):
    """The connection is at its end: closed by the client, or to be closed with a code."""

    def __init__(self, code: int | None = None) -> None:
        self.code = code


class Hearing:
    """Waits for messages, for one task.

    A task group and a timeout for every message would do the same at a higher price: here one timer
    looks now and then whether the client has been silent too long.
    """

    def __init__(self, socket: WebSocket, seconds: float) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._socket = socket
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._waiting_since: float | None = None
        """Since when the task waits for a message; None while it has one to deal with."""
        self._ended = False
        self._code: int | None = None
        self._timer = self._loop.call_later(seconds, self._look)

    async def next(self) -> str | bytes:
        """The next thing the client says; raises ``Over`` when there is none."""
        if self._ended:
            raise Over(self._code)
        self._waiting_since = self._loop.time()
        try:
            said = await self._socket.receive()
        except asyncio.CancelledError:
            if not self._ended:
                raise
            self._task.uncancel()
            raise Over(self._code) from None
        finally:
            self._waiting_since = None
        if said["type"] == "websocket.disconnect":
            raise Over
        return said.get("text") or said.get("bytes") or ""

    def end(self, code: int | None = None) -> None:
        """Hear no more; what is being dealt with is dealt with first."""
        if self._ended:
            return
        self._ended, self._code = True, code
        if self._waiting_since is not None:
            self._task.cancel()

    def close(self) -> None:
        """Nobody listens any more."""
        self._ended = True
        self._timer.cancel()

    def _look(self) -> None:
        now = self._loop.time()
        since = now if self._waiting_since is None else self._waiting_since
        left = since + self._seconds - now
        if left <= 0:
            self.end(SILENT)
        else:
            self._timer = self._loop.call_later(left, self._look)
