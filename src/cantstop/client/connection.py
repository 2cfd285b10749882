"""The connection to a table: reconnects by itself, retries actions until they are answered."""

import asyncio
import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from cantstop.client.links import TableLink
from cantstop.client.requests import (
    MALFORMED,
    Refused,
    Unreachable,
    another_server,
    is_same_server,
    unexpected_answer,
)
from cantstop.client.salts import SeatSalts
from cantstop.client.table import RemoteTable
from cantstop.rules import CantStopError
from cantstop.wire.actions import Commit, Reveal, TableAction
from cantstop.wire.codec import NotJson, WrongField, decode, encode
from cantstop.wire.errors import Problem
from cantstop.wire.messages import (
    PING_TEXT,
    Ack,
    Act,
    ClientMessage,
    ClockView,
    Greeting,
    Hello,
    Pace,
    PaceRequest,
    Refusal,
    SetPace,
)
from cantstop.wire.seen import SeenEvent, SeenMessage, SeenState

_CHANCE = random.SystemRandom()
"""Not the global one: a bot's author may have seeded that."""

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

ConnectionMessage = SeenState | SeenEvent | ClockView | None
"""What a connection passes on: None for a message that says nothing of the table."""


class _MissingEvent(Exception):
    """There is a gap in the events: reconnect to get what is missing."""


class _SameServerConnect(connect):
    """Follows redirects within the server of a link only: the hello has the secret of a seat."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Where to connect instead, or the error."""
        before = self.uri
        found = super().process_redirect(exc)
        if isinstance(found, str) and not is_same_server(before, found):
            return another_server(before, found)
        return found


@dataclass
class Connection:
    """One seat's, or one watcher's, connection to a table.

    ``on_message`` is called with every message: a state, then each event after it once and in
    order, whatever happens to the socket; ``table`` is the table by then. ``on_disconnect`` is
    called whenever that closes.
    """

    link: TableLink
    secret: str | None
    language: str
    on_message: Callable[[ConnectionMessage], None]
    on_disconnect: Callable[[], None]
    timeout: float = math.inf
    """After how many seconds without a message from the server to stop reconnecting."""
    pace: Pace = Pace.NORMAL
    table: RemoteTable | None = field(default=None, init=False)
    """The table after the last event received."""
    _socket: ClientConnection | None = None
    _retry_delay: float = FIRST_RETRY_DELAY
    _last_received: float = 0.0
    _pending: dict[str, tuple[TableAction, asyncio.Future[int]]] = field(default_factory=dict)
    """Actions without an answer, by their ids."""
    _refusal: Problem | None = None
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
                await asyncio.sleep(self._retry_delay * _CHANCE.uniform(0.75, 1.25))
                self._retry_delay = min(2 * self._retry_delay, MAX_RETRY_DELAY)
        except Exception as failure:
            for _, answer in self._pending.values():
                if not answer.done():
                    answer.set_exception(failure)
            raise

    def _check_end(self, code: int | None, reason: object) -> None:
        """Raise why there is no use in reconnecting, if there is none."""
        if code in FINAL_CODES:
            raise Refused(self._refusal or Problem(str(code), ""))
        if _now() - self._last_received > self.timeout:
            raise Unreachable(
                "{server} cannot be reached: {reason}.", server=self.link.server, reason=reason
            )

    async def _connect_once(self) -> tuple[int | None, object]:
        """Connect, until the socket closes; returns the closing code, if any, and the reason."""
        try:
            async with _SameServerConnect(
                self._address, open_timeout=HEARTBEAT_TIMEOUT, ping_interval=None
            ) as socket:
                await self._exchange(socket)
                return socket.close_code, socket.close_reason or socket.close_code
        except (OSError, TimeoutError, InvalidHandshake, WebSocketException) as error:
            return None, str(error) or type(error).__name__

    @property
    def _address(self) -> str:
        after = "" if self.table is None else f"&after={self.table.n}"
        return f"{self.link.socket}?lang={self.language}{after}"

    async def _exchange(self, socket: ClientConnection) -> None:
        """Send hello and all pending actions, then receive until the socket closes."""
        commitment = None if self.salts is None else self.salts.commitment
        greeting = Greeting(self.secret, salt_commitment=commitment, pace=self.pace)
        await _send(socket, Hello(greeting))
        self._socket = socket
        for action, _ in list(self._pending.values()):
            await _send(socket, Act(action))
        heartbeat = asyncio.create_task(_ping(socket))
        try:
            while True:
                async with asyncio.timeout(HEARTBEAT_TIMEOUT):
                    text = await socket.recv()
                self._last_received, self._retry_delay = _now(), FIRST_RETRY_DELAY
                self._receive(_parse(text, self.link))
        except WebSocketException:
            await socket.close()
        except (TimeoutError, _MissingEvent):
            socket.transport.abort()  # nobody would answer a closing handshake
        except asyncio.CancelledError:
            socket.transport.abort()  # leave without waiting for the closing handshake
            raise
        finally:
            heartbeat.cancel()

    def _receive(self, message: ConnectionMessage | Ack | Refusal) -> None:
        match message:
            case Ack(id=id) | Refusal(id=str() as id) if id in self._pending:
                _, answer = self._pending.pop(id)
                if answer.done():
                    return  # nobody waits for it any more
                if isinstance(message, Ack):
                    answer.set_result(message.n)
                else:
                    answer.set_exception(Refused(message.error))
            case Refusal():
                self._refusal = message.error
            case SeenEvent():
                self._receive_event(message)
            case SeenState():
                with self._checked():
                    self.table = RemoteTable.from_state(message)
                self.on_message(message)
                self._send_salts(self.table, connecting=True)
            case Ack():
                self.on_message(None)
            case _:
                self.on_message(message)

    def _receive_event(self, event: SeenEvent) -> None:
        if self.table is None or event.n > self.table.n + 1:
            raise _MissingEvent
        if event.n == self.table.n + 1:
            with self._checked():
                self.table = self.table.after_event(event)
            self.on_message(event)
            self._send_salts(self.table)

    @contextmanager
    def _checked(self) -> Iterator[None]:
        """Raise Unreachable for an answer that a Can't Stop server does not give."""
        try:
            yield
        except MALFORMED:
            raise unexpected_answer(self.link.server) from None

    def _send_salts(self, table: RemoteTable | None, *, connecting: bool = False) -> None:
        if self.salts is None or table is None:
            return
        actions = self.salts.due(table, connecting=connecting)
        for action in actions:
            task = asyncio.create_task(self._send_salt(action))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _send_salt(self, action: Commit | Reveal) -> None:
        # refused where another device of ours was faster, or all draw again: events say so
        with suppress(CantStopError):
            await self.act(action)

    async def reveal_salt(self) -> None:
        """Reveal the salt of the seat in turn, where that is due before it rolls."""
        reveal = None
        if self.salts is not None and self.table is not None:
            reveal = self.salts.before_roll(self.table)
        if reveal is not None:
            with suppress(Refused):  # another device of ours was faster
                await self.act(reveal)

    async def set_pace(self, pace: Pace) -> None:
        """Ask for another pace of the bots; a later connection asks for the same."""
        if pace is not self.pace:
            self.pace = pace
            if self._socket is not None:
                with suppress(WebSocketException):  # the next hello says it
                    await _send(self._socket, SetPace(PaceRequest(pace)))

    async def act(self, action: TableAction) -> int:
        """Send an action and return the number of its event; the same id is never done twice."""
        while True:
            try:
                return await self._request(action)
            except Refused as refused:
                if refused.code != "too-many":
                    raise
            await asyncio.sleep(RATE_LIMIT_DELAY)

    async def _request(self, action: TableAction) -> int:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pending[action.id] = (action, answer)
        if self._socket is not None:
            with suppress(WebSocketException):  # it is sent again after reconnecting
                await _send(self._socket, Act(action))
        return await answer


def _now() -> float:
    return asyncio.get_running_loop().time()


_MESSAGE = msgspec.json.Decoder(SeenMessage)
_DATA: dict[str, msgspec.json.Decoder[Ack | Refusal | SeenState | SeenEvent | ClockView]] = {
    "ack": msgspec.json.Decoder(Ack),
    "refused": msgspec.json.Decoder(Refusal),
    "state": msgspec.json.Decoder(SeenState),
    "event": msgspec.json.Decoder(SeenEvent),
    "clock": msgspec.json.Decoder(ClockView),
}


def _parse(text: str | bytes, link: TableLink) -> ConnectionMessage | Ack | Refusal:
    """A message of the server; one of a kind that we do not read is None."""
    try:
        message = decode(text, _MESSAGE)
        decoder = _DATA.get(message.t)
        return None if decoder is None else decode(bytes(message.d), decoder)
    except (NotJson, WrongField):
        raise unexpected_answer(link.server) from None


async def _send(socket: ClientConnection, message: ClientMessage) -> None:
    await socket.send(encode(message).decode())


async def _ping(socket: ClientConnection) -> None:
    with suppress(WebSocketException):  # the receiving side notices too
        while True:
            await asyncio.sleep(PING_INTERVAL)
            await socket.send(PING_TEXT)
