"""The WebSocket of a table: hello, then actions in and events out."""

import asyncio
import re
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial

import anyio
from fastapi import APIRouter, WebSocket
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocketDisconnect

from cantstop.language import Translator
from cantstop.rules import CantStopError
from cantstop.server.database.storage import Unavailable
from cantstop.server.errors import (
    LimitExceeded,
    Malformed,
    Refused,
    TooLarge,
    WrongSecret,
    problem,
)
from cantstop.server.http.connections import ConnectionEnded, SocketReader, SocketSender
from cantstop.server.http.messages import action_id, close_code, read_message
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import charge_loading
from cantstop.server.limits.limiter import RateLimiter, SocketLimiter
from cantstop.server.limits.policy import read_cost
from cantstop.server.ops import metrics
from cantstop.server.runtime.presence import Subscriber
from cantstop.server.runtime.runtime import Runtime
from cantstop.server.static.languages import translator_for
from cantstop.server.tables.decisions import Caller
from cantstop.table.table import Table
from cantstop.wire.actions import Rematch
from cantstop.wire.messages import (
    PING_TEXT,
    PONG_TEXT,
    Ack,
    Act,
    CloseCode,
    Greeting,
    Hello,
    Refusal,
    SetPace,
    encode_message,
    encoded_event,
    encoded_state,
)

MAX_CATCH_UP = 64
"""If more events than this were missed, a state is sent instead: it is shorter."""

_CLOSE_SECONDS = 1.0
_EVENT_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
"""A browser leaves them out; a proxy may not."""

router = APIRouter()


@router.websocket("/api/tables/{table_id}/socket")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    """Everything that happens at a table, as it happens."""
    if not is_same_origin(socket):
        await socket.close()
        return
    await socket.accept()
    state = socket.app.state
    with metrics.SOCKETS.track_inprogress():
        connection = TableConnection(
            socket, state.runtime, state.limiter, table_id, translator_for(socket)
        )
        # a task of its own: every message would else wake each layer between it and the server
        await asyncio.create_task(connection.serve())


def is_same_origin(connection: HTTPConnection) -> bool:
    """Whether the Origin is this server's own; programs other than browsers send none."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    scheme, _, host = origin.lower().partition("://")
    if scheme == "http" and connection.scope["scheme"] == "wss":
        return False  # a page sent without encryption may have been changed on its way
    port = _DEFAULT_PORTS.get(scheme, "")
    ours = connection.headers.get("host", "").lower()
    return host.removesuffix(port) == ours.removesuffix(port) != ""


@dataclass(frozen=True)
class TableConnection:
    """One client's connection to one table, from hello to the close code."""

    socket: WebSocket
    runtime: Runtime
    limiter: RateLimiter
    table_id: str
    words: Translator

    async def serve(self) -> None:
        """Serve the connection until either side closes it."""
        try:
            with self.limiter.socket(client_address(self.socket)) as limiter:
                await self._serve(limiter)
        except Unavailable:
            await self._close(CloseCode.RESTARTING)
        except Refused as refused:
            if isinstance(refused, LimitExceeded):
                metrics.LIMITED.labels(refused.limit).inc()
            with suppress(ConnectionEnded):
                await self._send(self._refusal(refused))
            await self._close(close_code(refused))
        except ConnectionEnded as ended:
            if ended.code == CloseCode.TOO_MANY:
                self.limiter.charge_flood(client_address(self.socket))
            await self._close(ended.code)

    async def _serve(self, limiter: SocketLimiter) -> None:
        with closing(SocketReader(self.socket, self.runtime.clocks.heartbeat)) as reader:
            greeting = await self._read_hello(reader)
            sender = SocketSender(self.socket, reader)
            async with sender.running():
                with ExitStack() as place:
                    table, subscriber = await self._join(greeting, sender, place)
                    try:
                        with self.runtime.master.following(table.id):
                            await self.runtime.master.take_reserved_seats(
                                table.id,
                                subscriber.seats,
                                greeting.salt,
                                greeting.salt_commitment,
                            )
                            await self._exchange(subscriber, limiter, reader)
                    finally:
                        self.runtime.presence.disconnect(table, subscriber)

    async def _close(self, code: int | None) -> None:
        if code is None:
            return
        metrics.CLOSED.labels(str(int(code))).inc()
        # a client that does not read may not take even this, or may be gone already
        with anyio.move_on_after(_CLOSE_SECONDS), suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.close(code)

    # Hello

    async def _read_hello(self, reader: SocketReader) -> Greeting:
        with self.limiter.silence(client_address(self.socket)):
            hello = read_message(await reader.receive())
        if not isinstance(hello, Hello):
            raise Malformed("The first message has to be a hello.")
        return hello.d

    async def _join(
        self, greeting: Greeting, sender: SocketSender, place: ExitStack
    ) -> tuple[Table, Subscriber]:
        """Take a place, queue the state or the missed events, and subscribe to what follows."""
        await charge_loading(self.socket)
        async with self.runtime.master.locked(self.table_id) as stored:
            held = await self.runtime.master.seats_held(stored, greeting.secret)
            if greeting.secret is not None and not held:
                raise WrongSecret("This link does not hold a seat at this table.")
            place.enter_context(
                self.limiter.place(
                    client_address(self.socket),
                    self.table_id,
                    held,
                    self.runtime.presence.watchers_elsewhere(self.table_id),
                )
            )
            bot_delay = partial(self.limiter.bot_delay, client_address(self.socket))
            subscriber = Subscriber(held, sender.send, greeting.pace, bot_delay)
            for text in await self._catch_up(stored.table, held):
                subscriber.send(text)
            await self.runtime.presence.connect(stored.table, subscriber)
            return stored.table, subscriber

    async def _catch_up(self, table: Table, held: frozenset[int]) -> list[str]:
        pages, given = self.runtime.pages, self.socket.query_params.get("after", "")
        after = int(given) if _EVENT_NUMBER.fullmatch(given) else table.n + 1
        share = client_address(self.socket)
        if 0 <= table.n - after <= MAX_CATCH_UP:
            self._charge(pages.missing(table, after, table.n), table.n - after)
            missed = [page async for page in pages.events(table, after, table.n, share)]
            return [encoded_event(event) for page in missed for event in page]
        self._charge(0, table.n)
        present = self.runtime.presence.at_table(table.id).present | held
        return [encoded_state(await pages.state(table, present, held))]

    def _charge(self, built: int, sent: int) -> None:
        """Count the socket as several requests, because of what it has read."""
        self.limiter.charge_request(client_address(self.socket), read_cost(built, sent))

    # Actions in, events out

    async def _exchange(
        self, subscriber: Subscriber, limiter: SocketLimiter, reader: SocketReader
    ) -> None:
        """Handle what the client sends until one side closes the connection."""

        def answer_ping(text: str) -> bool:
            if text != PING_TEXT or not limiter.is_answered_at_once():
                return False
            subscriber.send(PONG_TEXT)
            return True

        reader.answer_at_once(answer_ping)
        while True:
            text = await reader.receive()
            if delay := limiter.delay():
                await asyncio.sleep(delay)  # nothing more is read from the client meanwhile
            reply = await self._handle(subscriber, limiter, text)
            if reply is not None:
                subscriber.send(reply)

    async def _send(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError):
            # uvicorn raises the latter on a socket that it has just closed itself, because what
            # came over it was not a WebSocket message
            raise ConnectionEnded from None

    async def _handle(
        self, subscriber: Subscriber, limiter: SocketLimiter, text: str | bytes
    ) -> str | None:
        """The reply to a client's message; None where it needs none."""
        try:
            limiter.check_message()
            message = read_message(text)
            if isinstance(message, SetPace):
                self.runtime.presence.set_pace(self.table_id, subscriber, message.d.pace)
                return None
            if not isinstance(message, Act):
                return PONG_TEXT
            action = message.d
            if action.seat in subscriber.seats:  # else anybody could use up another seat's rate
                self.limiter.check_action(client_address(self.socket), self.table_id, action)
                if isinstance(action, Rematch):
                    self.limiter.check_opening(client_address(self.socket))
            with metrics.action("player", action.kind):
                n = await self.runtime.master.act(self.table_id, Caller(subscriber.seats), action)
            return encode_message(Ack(action.id, n))
        except TooLarge:
            raise ConnectionEnded(CloseCode.TOO_LARGE) from None
        except Unavailable:  # maybe committed, maybe not: a retry with the same id will tell
            raise ConnectionEnded(CloseCode.RESTARTING) from None
        except LimitExceeded as refused:
            metrics.LIMITED.labels(refused.limit).inc()
            if limiter.is_flooding():
                raise ConnectionEnded(CloseCode.TOO_MANY) from None
            return self._refusal(refused, action_id(text))
        except CantStopError as error:
            return self._refusal(error, action_id(text))

    def _refusal(self, error: CantStopError, action: str | None = None) -> str:
        return encode_message(Refusal(action, problem(error, self.words)))
