"""The line to a table: comes back by itself, and sends every action until it is answered."""

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from cantstop.client.links import TableLink
from cantstop.client.requests import Refused

PING_EVERY = 2.5
GIVE_UP_AFTER = 9.0
FIRST_RETRY = 0.25
LONGEST_RETRY = 4.0

FINAL = (4400, 4403, 4404, 4410)
"""The closing codes after which trying again is no use."""

Message = dict[str, Any]


@dataclass
class Line:
    """One seat's, or one watcher's, connection to a table.

    ``heard`` is given every message with its kind; ``lost`` is called whenever the line breaks.
    """

    link: TableLink
    secret: str | None
    language: str
    heard: Callable[[str, Message], None]
    lost: Callable[[], None]
    salt: str = field(default_factory=lambda: secrets.token_hex(8))
    _socket: ClientConnection | None = None
    _unanswered: dict[str, tuple[Message, asyncio.Future[int]]] = field(default_factory=dict)
    _refusal: Message | None = None

    async def stay(self) -> None:
        """Stay connected until the table does not want us: then that is a ``Refused``."""
        retry = FIRST_RETRY
        while True:
            try:
                async with connect(
                    f"{self.link.socket}?lang={self.language}", open_timeout=GIVE_UP_AFTER
                ) as socket:
                    retry = FIRST_RETRY
                    await self._converse(socket)
                    code = socket.close_code
            except (OSError, TimeoutError, InvalidHandshake, WebSocketException):
                code = None
            self._socket = None
            self.lost()
            if code in FINAL:
                raise Refused(self._refusal or {"code": str(code)})
            await asyncio.sleep(retry)
            retry = min(2 * retry, LONGEST_RETRY)

    async def _converse(self, socket: ClientConnection) -> None:
        """Say hello, what is still unanswered, and then listen until the line breaks."""
        await _tell(socket, "hello", {"secret": self.secret, "salt": self.salt})
        for action, _ in self._unanswered.values():
            await _tell(socket, "act", action)
        self._socket = socket
        pulse = asyncio.create_task(_ping(socket))
        try:
            while True:
                async with asyncio.timeout(GIVE_UP_AFTER):
                    text = await socket.recv()
                self._hear(json.loads(text))
        except (TimeoutError, WebSocketException):
            await socket.close()
        except asyncio.CancelledError:
            socket.transport.abort()  # whoever leaves waits for nobody
            raise
        finally:
            pulse.cancel()

    def _hear(self, message: Message) -> None:
        kind, data = message["t"], message["d"]
        if kind in ("ack", "refused") and data["id"] in self._unanswered:
            _, answer = self._unanswered.pop(data["id"])
            if kind == "ack":
                answer.set_result(data["n"])
            else:
                answer.set_exception(Refused(data["error"]))
        elif kind == "refused":
            self._refusal = data["error"]
        else:
            self.heard(kind, data)

    async def act(self, kind: str, seat: int, **fields: object) -> int:
        """Ask for an action and return the number of its event; the same id is never done twice."""
        action = {"id": secrets.token_hex(12), "kind": kind, "seat": seat, **fields}
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._unanswered[str(action["id"])] = (action, answer)
        if self._socket is not None:
            with suppress(WebSocketException):  # it is sent again when the line is up again
                await _tell(self._socket, "act", action)
        return await answer


async def _tell(socket: ClientConnection, kind: str, data: Message) -> None:
    await socket.send(json.dumps({"t": kind, "d": data}))


async def _ping(socket: ClientConnection) -> None:
    with suppress(WebSocketException):  # whoever listens notices too
        while True:
            await asyncio.sleep(PING_EVERY)
            await _tell(socket, "ping", {})
