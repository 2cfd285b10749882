"""The socket of a table: hello, then actions in and events out."""

import asyncio
import re
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial

import anyio
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from cantstop.language import Translator
from cantstop.rules import CantStopError
from cantstop.server.database.storage import Unavailable
from cantstop.server.errors import (
    Malformed,
    Refused,
    TooLarge,
    TooMany,
    WrongSecret,
    error_json,
)
from cantstop.server.http.security_headers import is_same_origin
from cantstop.server.http.socket_reader import Hearing, Over
from cantstop.server.limits.limiter import Gate, Pace, address_of
from cantstop.server.ops import metrics
from cantstop.server.protocol.messages import Act, Greeting, Hello, action_id, read_message
from cantstop.server.protocol.views import events_after, state_json
from cantstop.server.runtime.presence import Subscriber, frame
from cantstop.server.runtime.runtime import Runtime
from cantstop.server.static.languages import words_for
from cantstop.server.tables.decisions import Caller
from cantstop.server.tables.seating import seats_held
from cantstop.server.tables.table import Table

MOST_MISSED = 64
"""More missed events than this are told as a state, which is shorter."""

TOO_LARGE = 1009
COME_BACK = 1012
TOO_MANY = 4420
TOO_SLOW = 4429

_CLOSING_SECONDS = 1.0
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)

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
        await Visit(socket, state.runtime, state.gate, table_id, words_for(socket)).stay()


@dataclass(frozen=True)
class Visit:
    """One connection to one table, from hello to the end."""

    socket: WebSocket
    runtime: Runtime
    gate: Gate
    table_id: str
    words: Translator

    async def stay(self) -> None:
        """Serve the connection until one side has had enough of it."""
        try:
            with self.gate.socket(address_of(self.socket), self.table_id) as pace:
                await self._visit(pace)
        except Unavailable:
            await self._close(COME_BACK)
        except Refused as refused:
            if isinstance(refused, TooMany):
                metrics.LIMITED.labels(refused.limit).inc()
            with suppress(Over):
                await self._send(self._refusal(refused))
            await self._close(_closing_code(refused))
        except Over as over:
            await self._close(over.code)

    async def _visit(self, pace: Pace) -> None:
        with closing(Hearing(self.socket, self.runtime.clocks.heartbeat)) as hearing:
            greeting = await self._greeting(hearing)
            table, subscriber = await self._enter(greeting, hearing)
            try:
                with self.runtime.master.following(table.id):
                    await self.runtime.master.take_reserved_seats(
                        table.id, subscriber.seats, greeting.salt
                    )
                    await self._converse(subscriber, pace, hearing)
            finally:
                self.runtime.presence.disconnect(table, subscriber)

    async def _close(self, code: int | None) -> None:
        if code is None:
            return
        metrics.CLOSED.labels(str(code)).inc()
        # a client that is too slow may not even take this, or be gone already
        with anyio.move_on_after(_CLOSING_SECONDS), suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.close(code)

    # Coming

    async def _greeting(self, hearing: Hearing) -> Greeting:
        hello = read_message(await hearing.next())
        if not isinstance(hello, Hello):
            raise Malformed("The first message has to be a hello.")
        return hello.d

    async def _enter(self, greeting: Greeting, hearing: Hearing) -> tuple[Table, Subscriber]:
        """Be told what there is, and from then on everything that happens."""
        async with self.runtime.master.locked(self.table_id) as stored:
            held = seats_held(greeting.secret, stored.holders)
            if greeting.secret is not None and not held:
                raise WrongSecret("This link does not hold a seat at this table.")
            subscriber = Subscriber(held, partial(hearing.end, TOO_SLOW))
            for text in self._missed(stored.table, held):
                subscriber.send(text)
            self.runtime.presence.connect(stored.table, subscriber)
            return stored.table, subscriber

    def _missed(self, table: Table, held: frozenset[int]) -> list[str]:
        after = self.socket.query_params.get("after", "")
        if _NUMBER.fullmatch(after) and 0 <= table.n - int(after) <= MOST_MISSED:
            return [frame("event", event) for event in events_after(table, int(after))]
        present = self.runtime.presence.at_table(table.id).present | held
        return [frame("state", state_json(table, present, held))]

    # Staying

    async def _converse(self, subscriber: Subscriber, pace: Pace, hearing: Hearing) -> None:
        """Listen and talk at the same time; what ends first ends the conversation."""
        talking = asyncio.create_task(self._talk(subscriber))
        talking.add_done_callback(lambda _: hearing.end())
        try:
            while True:
                subscriber.send(await self._answer(subscriber, pace, await hearing.next()))
        finally:
            talking.cancel()
            with suppress(asyncio.CancelledError):
                await talking

    async def _talk(self, subscriber: Subscriber) -> None:
        with suppress(Over):
            while True:
                await self._send(await subscriber.next_message())

    async def _send(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError):
            # the latter is what uvicorn says of a socket that it has just closed by itself, because
            # what came over it was no message
            raise Over from None

    async def _answer(self, subscriber: Subscriber, pace: Pace, text: str | bytes) -> str:
        try:
            pace.check()
            said = read_message(text)
            if not isinstance(said, Act):
                return frame("pong", {})
            if said.d.seat in subscriber.seats:  # else somebody could use up what another one has
                self.gate.check_action(self.table_id, said.d)
            with metrics.action("player", said.d.kind):
                n = await self.runtime.master.act(self.table_id, Caller(subscriber.seats), said.d)
            return frame("ack", {"id": said.d.id, "n": n})
        except TooLarge:
            raise Over(TOO_LARGE) from None
        except Unavailable:  # it may be done or not: who asks again with the same id will know
            raise Over(COME_BACK) from None
        except TooMany as refused:
            metrics.LIMITED.labels(refused.limit).inc()
            if pace.is_a_flood():
                raise Over(TOO_MANY) from None
            return self._refusal(refused, action_id(text))
        except CantStopError as error:
            return self._refusal(error, action_id(text))

    def _refusal(self, error: CantStopError, action: str | None = None) -> str:
        return frame("refused", {"id": action, "error": error_json(error, self.words)})


def _closing_code(refused: Refused) -> int:
    match refused:
        case TooLarge():
            return TOO_LARGE
        case TooMany():
            return TOO_MANY
    return 4000 + refused.status
