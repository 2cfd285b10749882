"""The connection to a table: reconnects by itself, retries actions until they are answered."""

import asyncio
import json
import math
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from cantstop.client.links import TableLink
from cantstop.client.requests import MALFORMED, Refused, Unreachable, unexpected_answer
from cantstop.client.salts import SaltAction, SeatSalts
from cantstop.rules import CantStopError

PING_INTERVAL = 2.5
HEARTBEAT_TIMEOUT = 9.0
FIRST_RETRY_DELAY = 0.25
MAX_RETRY_DELAY = 4.0
RATE_LIMIT_DELAY = 1.0
"""Seconds until an action is retried that the server's rate limit refused."""

FINAL_CODES = (4400, 4403, 4404, 4410)
"""The closing codes after which reconnecting is no use."""

TOO_MANY_CODE = 4420
"""The closing code of the rate limit: reconnecting at once would make it worse."""

_ESSENTIAL = ("ack", "refused", "state", "event")
"""The kinds of messages whose form matters here."""

Message = dict[str, Any]


class Pace(StrEnum):
    """How fast we want a server's bots to play; it follows where nobody else is hurried by it."""

    NORMAL = "normal"
    FAST = "fast"
    AT_ONCE = "at-once"


class _MissingEvent(Exception):
    """There is a gap in the events: reconnect to get what is missing."""


@dataclass
class Connection:
    """One seat's, or one watcher's, connection to a table.

    ``on_message`` is called with every message and its kind: a state, then each event after it once
    and in order, whatever happens to the socket. ``on_disconnect`` is called whenever that closes.
    """

    link: TableLink
    secret: str | None
    language: str
    on_message: Callable[[str, Message], None]
    on_disconnect: Callable[[], None]
    timeout: float = math.inf
    """After how many seconds without a message from the server to stop reconnecting."""
    pace: Pace = Pace.NORMAL
    _n: int | None = None
    """The number of the last event received."""
    _socket: ClientConnection | None = None
    _retry_delay: float = FIRST_RETRY_DELAY
    _last_received: float = 0.0
    _pending: dict[str, tuple[Message, asyncio.Future[int]]] = field(default_factory=dict)
    """Actions without an answer, by their ids."""
    _refusal: Message | None = None
    _background: set[asyncio.Task[None]] = field(default_factory=set)
    salts: SeatSalts | None = field(init=False)
    """What our seats add to the dice; None for a watcher."""

    def __post_init__(self) -> None:
        secret = self.secret
        self.salts = None if secret is None else SeatSalts.of_seat(self.link.table, secret)

    async def run(self) -> None:
        """Stay connected, until the server refuses us: then that is a ``Refused``."""
        self._last_received = _now()
        try:
            while True:
                code, reason = await self._connect_once()
                self._socket = None
                self.on_disconnect()
                self._check_end(code, reason)
                if code == TOO_MANY_CODE:
                    self._retry_delay = MAX_RETRY_DELAY
                # jitter: clients of a server that was down do not all reconnect at the same moment
                await asyncio.sleep(self._retry_delay * random.uniform(0.75, 1.25))  # noqa: S311
                self._retry_delay = min(2 * self._retry_delay, MAX_RETRY_DELAY)
        except Exception as failure:
            for _, answer in self._pending.values():
                if not answer.done():
                    answer.set_exception(failure)
            raise

    def _check_end(self, code: int | None, reason: object) -> None:
        """Raise why there is no use in reconnecting, if there is none."""
        if code in FINAL_CODES:
            raise Refused(self._refusal or {"code": str(code)})
        if _now() - self._last_received > self.timeout:
            raise Unreachable(
                "{server} cannot be reached: {reason}.", server=self.link.server, reason=reason
            )

    async def _connect_once(self) -> tuple[int | None, object]:
        """Connect, until the socket closes; returns the closing code, if any, and the reason."""
        try:
            async with connect(
                self._address, open_timeout=HEARTBEAT_TIMEOUT, ping_interval=None
            ) as socket:
                await self._exchange(socket)
                return socket.close_code, socket.close_reason or socket.close_code
        except (OSError, TimeoutError, InvalidHandshake, WebSocketException) as error:
            return None, str(error) or type(error).__name__

    @property
    def _address(self) -> str:
        after = "" if self._n is None else f"&after={self._n}"
        return f"{self.link.socket}?lang={self.language}{after}"

    async def _exchange(self, socket: ClientConnection) -> None:
        """Send hello and all pending actions, then receive until the socket closes."""
        hello: Message = {"secret": self.secret}
        if self.salts is not None:
            hello["salt_commitment"] = self.salts.commitment
        if self.pace is not Pace.NORMAL:  # what older servers do not know is said only if it counts
            hello["pace"] = self.pace
        await _send(socket, "hello", hello)
        self._socket = socket
        for action, _ in list(self._pending.values()):
            await _send(socket, "act", action)
        heartbeat = asyncio.create_task(_ping(socket))
        try:
            while True:
                async with asyncio.timeout(HEARTBEAT_TIMEOUT):
                    text = await socket.recv()
                self._last_received, self._retry_delay = _now(), FIRST_RETRY_DELAY
                self._receive(*_parse(text, self.link))
        except WebSocketException:
            await socket.close()
        except (TimeoutError, _MissingEvent):
            socket.transport.abort()  # nobody would answer a closing handshake
        except asyncio.CancelledError:
            socket.transport.abort()  # leave without waiting for the closing handshake
            raise
        finally:
            heartbeat.cancel()

    def _receive(self, kind: str, data: Message) -> None:
        if kind in ("ack", "refused") and data["id"] in self._pending:
            _, answer = self._pending.pop(data["id"])
            if answer.done():
                return  # nobody waits for it any more
            if kind == "ack":
                answer.set_result(data["n"])
            else:
                answer.set_exception(Refused(data["error"]))
        elif kind == "refused":
            self._refusal = data["error"]
        elif kind == "event":
            self._receive_event(data)
        else:
            if kind == "state":
                self._n = data["n"]
            self.on_message(kind, data)
            if kind == "state" and self.salts is not None:
                self._send_salts(self.salts.after_state, data)

    def _receive_event(self, event: Message) -> None:
        if self._n is None or event["n"] > self._n + 1:
            raise _MissingEvent
        if event["n"] == self._n + 1:
            self._n = event["n"]
            self.on_message("event", event)
            if self.salts is not None:
                self._send_salts(self.salts.after_event, event)

    def _send_salts(self, due: Callable[[Message], list[SaltAction]], data: Message) -> None:
        try:
            actions = due(data)
        except CantStopError:
            raise
        except MALFORMED:
            raise unexpected_answer(self.link.server) from None
        for action in actions:
            task = asyncio.create_task(self._send_salt(action))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _send_salt(self, action: SaltAction) -> None:
        # refused where another device of ours was faster, or all draw anew: events tell
        with suppress(CantStopError):
            await self.act(action.kind, action.seat, **action.fields)

    async def set_pace(self, pace: Pace) -> None:
        """Ask for another pace of the bots; a later connection asks for the same."""
        if pace is not self.pace:
            self.pace = pace
            if self._socket is not None:
                with suppress(WebSocketException):  # the next hello says it
                    await _send(self._socket, "pace", {"pace": pace})

    async def act(self, kind: str, seat: int, **fields: object) -> int:
        """Send an action and return the number of its event; the same id is never done twice."""
        action = {"id": secrets.token_hex(12), "kind": kind, "seat": seat, **fields}
        while True:
            try:
                return await self._request(action)
            except Refused as refused:
                if refused.code != "too-many":
                    raise
            await asyncio.sleep(RATE_LIMIT_DELAY)

    async def _request(self, action: Message) -> int:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pending[str(action["id"])] = (action, answer)
        if self._socket is not None:
            with suppress(WebSocketException):  # it is sent again after reconnecting
                await _send(self._socket, "act", action)
        return await answer


def _now() -> float:
    return asyncio.get_running_loop().time()


def _parse(text: str | bytes, link: TableLink) -> tuple[str, Message]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    match message:
        case (
            {"t": "ack", "d": {"id": str(), "n": int()}}
            | {"t": "refused", "d": {"id": str() | None, "error": dict()}}
            | {"t": "state" | "event", "d": {"n": int()}}
        ):
            return message["t"], message["d"]
        case {"t": str(kind), "d": dict(data)} if kind not in _ESSENTIAL:
            return kind, data
    raise unexpected_answer(link.server)


async def _send(socket: ClientConnection, kind: str, data: Message) -> None:
    await socket.send(json.dumps({"t": kind, "d": data}))


async def _ping(socket: ClientConnection) -> None:
    with suppress(WebSocketException):  # the receiving side notices too
        while True:
            await asyncio.sleep(PING_INTERVAL)
            await _send(socket, "ping", {})
