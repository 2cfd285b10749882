"""The line to a table: comes back by itself, and sends every action until it is answered."""

import asyncio
import json
import math
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from cantstop.client.links import TableLink
from cantstop.client.requests import Refused, Unreachable, strange

PING_EVERY = 2.5
GIVE_UP_AFTER = 9.0
FIRST_RETRY = 0.25
LONGEST_RETRY = 4.0
BREATHER = 1.0
"""Seconds to wait when the server finds that a seat asks for too much."""

FINAL = (4400, 4403, 4404, 4410)
"""The closing codes after which trying again is no use."""

TOO_MANY = 4420
"""The closing code where too much was asked for: asking again at once would make it worse."""

Message = dict[str, Any]


class _Gap(Exception):
    """An event is missing: it has to be asked for."""


@dataclass
class Line:
    """One seat's, or one watcher's, connection to a table.

    ``heard`` is given every message with its kind: a state, then each event after it once and in
    order, whatever happens to the connection. ``lost`` is called whenever the line breaks.
    """

    link: TableLink
    secret: str | None
    language: str
    heard: Callable[[str, Message], None]
    lost: Callable[[], None]
    patience: float = math.inf
    """After how many seconds without a word from the server there is no use in trying on."""
    salt: str = field(default_factory=lambda: secrets.token_hex(8))
    _n: int | None = None
    _socket: ClientConnection | None = None
    _retry: float = FIRST_RETRY
    _last_word: float = 0.0
    _unanswered: dict[str, tuple[Message, asyncio.Future[int]]] = field(default_factory=dict)
    _refusal: Message | None = None

    async def stay(self) -> None:
        """Stay connected until the table does not want us: then that is a ``Refused``."""
        self._last_word = _now()
        try:
            while True:
                code, reason = await self._visit()
                self._socket = None
                self.lost()
                self._check(code, reason)
                if code == TOO_MANY:
                    self._retry = LONGEST_RETRY
                # a server that was down is not asked by everybody at the same moment
                await asyncio.sleep(self._retry * random.uniform(0.75, 1.25))  # noqa: S311
                self._retry = min(2 * self._retry, LONGEST_RETRY)
        except Exception as failure:
            for _, answer in self._unanswered.values():
                if not answer.done():
                    answer.set_exception(failure)
            raise

    def _check(self, code: int | None, reason: object) -> None:
        """Raise why there is no use in coming back, if there is none."""
        if code in FINAL:
            raise Refused(self._refusal or {"code": str(code)})
        if _now() - self._last_word > self.patience:
            raise Unreachable(
                "{server} cannot be reached: {reason}.", server=self.link.server, reason=reason
            )

    async def _visit(self) -> tuple[int | None, object]:
        """Be connected once; returns the closing code, if there was one, and what ended it."""
        try:
            async with connect(
                self._address, open_timeout=GIVE_UP_AFTER, ping_interval=None
            ) as socket:
                await self._converse(socket)
                return socket.close_code, socket.close_reason or socket.close_code
        except (OSError, TimeoutError, InvalidHandshake, WebSocketException) as error:
            return None, str(error) or type(error).__name__

    @property
    def _address(self) -> str:
        after = "" if self._n is None else f"&after={self._n}"
        return f"{self.link.socket}?lang={self.language}{after}"

    async def _converse(self, socket: ClientConnection) -> None:
        """Say hello, what is still unanswered, and then listen until the line breaks."""
        await _tell(socket, "hello", {"secret": self.secret, "salt": self.salt})
        self._socket = socket
        for action, _ in list(self._unanswered.values()):
            await _tell(socket, "act", action)
        pulse = asyncio.create_task(_ping(socket))
        try:
            while True:
                async with asyncio.timeout(GIVE_UP_AFTER):
                    text = await socket.recv()
                self._last_word, self._retry = _now(), FIRST_RETRY
                self._hear(*_read(text, self.link))
        except WebSocketException:
            await socket.close()
        except (TimeoutError, _Gap):
            socket.transport.abort()  # nobody there would answer a goodbye
        except asyncio.CancelledError:
            socket.transport.abort()  # whoever leaves waits for nobody
            raise
        finally:
            pulse.cancel()

    def _hear(self, kind: str, data: Message) -> None:
        if kind in ("ack", "refused") and data["id"] in self._unanswered:
            _, answer = self._unanswered.pop(data["id"])
            if answer.done():
                return  # nobody waits for it any more
            if kind == "ack":
                answer.set_result(data["n"])
            else:
                answer.set_exception(Refused(data["error"]))
        elif kind == "refused":
            self._refusal = data["error"]
        elif kind == "event":
            self._hear_event(data)
        else:
            if kind == "state":
                self._n = data["n"]
            self.heard(kind, data)

    def _hear_event(self, event: Message) -> None:
        if self._n is None or event["n"] > self._n + 1:
            raise _Gap
        if event["n"] == self._n + 1:
            self._n = event["n"]
            self.heard("event", event)

    async def act(self, kind: str, seat: int, **fields: object) -> int:
        """Ask for an action and return the number of its event; the same id is never done twice."""
        action = {"id": secrets.token_hex(12), "kind": kind, "seat": seat, **fields}
        while True:
            try:
                return await self._ask(action)
            except Refused as refused:
                if refused.code != "too-many":
                    raise
            await asyncio.sleep(BREATHER)

    async def _ask(self, action: Message) -> int:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._unanswered[str(action["id"])] = (action, answer)
        if self._socket is not None:
            with suppress(WebSocketException):  # it is sent again when the line is up again
                await _tell(self._socket, "act", action)
        return await answer


def _now() -> float:
    return asyncio.get_running_loop().time()


def _read(text: str | bytes, link: TableLink) -> tuple[str, Message]:
    try:
        message = json.loads(text)
        return message["t"], message["d"]
    except (ValueError, KeyError, TypeError):
        raise strange(link.server) from None


async def _tell(socket: ClientConnection, kind: str, data: Message) -> None:
    await socket.send(json.dumps({"t": kind, "d": data}))


async def _ping(socket: ClientConnection) -> None:
    with suppress(WebSocketException):  # whoever listens notices too
        while True:
            await asyncio.sleep(PING_EVERY)
            await _tell(socket, "ping", {})
