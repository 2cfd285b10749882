"""TCP connections: who may have one, how long a request may take, and who has to be read from.

Uvicorn's protocols answer whoever asks for as long as they ask. Here a connection that sends half a
request, reads no answers or floods the server with control frames costs a bounded amount of memory
and time, and then ends.
"""

import asyncio
import logging
import os
import struct
import sys
from collections import deque
from collections.abc import Callable, MutableMapping, Sequence
from contextlib import suppress
from functools import lru_cache
from math import inf
from typing import Any, cast

import h11
from fastapi import FastAPI
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame

from cantstop.server.http.proxies import address_key, is_proxy
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.token_buckets import TokenBucket
from cantstop.server.ops import metrics
from cantstop.wire.messages import MAX_MESSAGE_BYTES, CloseCode

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library could not be compiled
    from websockets.utils import apply_mask

REQUEST_SECONDS = 15.0
"""Time for a whole request to arrive, counted from the connection or from its first byte."""

WRITE_SECONDS = 30.0
"""A client that reads nothing of an answer for this long is disconnected."""

ABORT_SECONDS = 5.0
"""Time to complete the closing handshake, before the TCP connection is aborted."""

PIECE_BYTES = 2048
"""What is parsed in one round of the event loop: a client that sends much waits for its next round,
and nobody else does."""

REST_SECONDS = 0.5
"""For so long nothing is read from a connection whose address sends too many pieces: what comes
collects in the system's buffer, which is bounded, and is read at once."""

HEADER_BYTES = 16 * 1024
HEADER_LINES = 100
"""Of the head of a request, and of what follows a chunked body."""

MOST_CHUNKS = 500
"""Chunks of one body: each costs the parser as much as a thousand bytes in one piece."""

CHUNKS_PER_REQUEST = 50
"""Chunks that are charged as one request."""

QUEUE_LIMIT = 512
"""Messages that may wait for one client to read before it is dropped as too slow: a whole game has
fewer."""

TEXT_FRAME = 0x81
"""The first byte of a whole text."""

DIRECT = "cantstop.protocol"
"""Where the scope of a socket has its protocol."""

RESERVED_FILES = 100
"""Open files that are not connections: the database, the bots' processes, the log."""

WARN_SHARE = 0.8
"""From this share of the open files allowed on, the log says so."""

_log = logging.getLogger(__name__)


class ConnectionGate:
    """Admits connections: a limit for each address, and never more than the system has files."""

    def __init__(self, limiter: RateLimiter, proxies: Sequence[str]) -> None:
        self.limiter = limiter
        self._proxies = tuple(proxies)
        self._open = 0
        self._warned = False

    def enter(self, host: str) -> str | None:
        """Count one more connection; returns what ``leave`` needs, or None if it is refused.

        A trusted proxy has as many connections as it likes: its clients are counted by request.
        """
        if self._open >= max_open_files() - RESERVED_FILES:
            metrics.LIMITED.labels("open_files").inc()
            return None
        key = "" if is_proxy(host, self._proxies) else address_key(host)
        if key and not self.limiter.enter_connection(key):
            metrics.LIMITED.labels("connections").inc()
            return None
        self._open += 1
        return key

    def leave(self, key: str) -> None:
        """A connection that was admitted has ended."""
        self._open -= 1
        if key:
            self.limiter.leave_connection(key)

    def watch_open_files(self) -> None:
        """Measure how many files are open; the first time that there are many, log it."""
        count, most = open_files(), max_open_files()
        metrics.OPEN_FILES.set(count)
        if count < WARN_SHARE * most:
            self._warned = False
        elif not self._warned:
            self._warned = True
            _log.warning(
                "%d of %.0f open files are in use, %d of them connections; beyond that no new "
                "connections are accepted.",
                count,
                most,
                self._open,
            )


def _gate_of(config: Config) -> ConnectionGate:
    assert isinstance(config.app, FastAPI)
    gate: ConnectionGate = config.app.state.gate
    return gate


class BoundedParser(h11.Connection):
    """Parses requests that have a bounded number of header lines and of chunks."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, HEADER_BYTES)
        self.chunks = 0
        """Chunks of the body that is being read."""

    def next_event(self) -> Any:  # noqa: ANN401 - h11's own types
        """The next event; an error where a client sends more than anybody needs."""
        event = super().next_event()
        if isinstance(event, h11.Data):
            self.chunks += event.chunk_start
            if self.chunks > MOST_CHUNKS:
                raise h11.RemoteProtocolError("too many chunks")
        elif isinstance(event, h11.Request):
            self.chunks = 0
            if len(event.headers) > HEADER_LINES:
                raise h11.RemoteProtocolError("too many header lines")
        elif event is h11.NEED_DATA and self.trailing_data[0].count(b"\n") > HEADER_LINES:
            # of a body nothing is left here: these are lines that the parser waits to have all of
            raise h11.RemoteProtocolError("too many header lines")
        return event


class HttpProtocol(H11Protocol):
    """Uvicorn's HTTP protocol, with a cap on connections, with timeouts, parsed piece by piece."""

    _key: str | None = None
    """What the gate counts this connection by."""
    _request_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _rest_timer: asyncio.TimerHandle | None = None
    """Runs while nothing is read because of too many pieces."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - uvicorn's own types
        super().__init__(*args, **options)
        self.conn = self._parser = BoundedParser()
        self._unparsed = b""
        self._next_piece: asyncio.Handle | None = None
        """The round of the event loop in which the next piece is parsed."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or abort it."""
        super().connection_made(transport)
        self._gate = _gate_of(self.config)
        self._key = self._gate.enter(self.client[0] if self.client else "")
        if self._key is None:
            transport.abort()
        else:
            self._request_timer = self.loop.call_later(REQUEST_SECONDS, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        self._stop_timers()
        if self._key is not None:
            self._gate.leave(self._key)
            self._key = None

    def data_received(self, data: bytes) -> None:
        """Parse a piece of what came; the rest, and the client, wait for their next round."""
        self._unparsed += data
        if self._next_piece is None:
            self._parse()
        if self._is_waiting_for_more() and self._gate.limiter.is_piecemeal(self._sender()):
            self.transport.pause_reading()
            self._rest_timer = self.loop.call_later(REST_SECONDS, self._end_rest)

    def _is_waiting_for_more(self) -> bool:
        """Whether all that came is parsed, and was not a whole request."""
        return (
            self._key is not None
            and not self._unparsed
            and not self.flow.read_paused
            and not self.transport.is_closing()
            and self._is_request_incomplete()
        )

    def _sender(self) -> str:
        """Whose request it is: a proxy sends whole heads, and a body in its client's pieces."""
        client = self.scope["client"] if self.conn.their_state is h11.SEND_BODY else None
        return self._key or (address_key(client[0]) if client else "")

    def _end_rest(self) -> None:
        self._rest_timer = None
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def _parse(self) -> None:
        self._next_piece = None
        if self.transport.is_closing() or self._key is None:  # refused, or handed over
            self._unparsed = b""
            return
        if not self._may_parse():
            self.transport.pause_reading()  # until the answer to the request before is written
            return
        piece, self._unparsed = self._unparsed[:PIECE_BYTES], self._unparsed[PIECE_BYTES:]
        chunks = self._parser.chunks
        super().data_received(piece)
        if self._parser.chunks > chunks and self._key:
            self._gate.limiter.charge_request(
                self._key, (self._parser.chunks - chunks) / CHUNKS_PER_REQUEST
            )
        self._watch_request()
        if self._key is None:
            return  # handed over
        if self._unparsed:
            self.transport.pause_reading()
            self._next_piece = self.loop.call_soon(self._parse)
        elif not self.flow.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def _may_parse(self) -> bool:
        """Whether the request before is answered: one that was sent ahead of that waits."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _watch_request(self) -> None:
        """Start the timer of a request that is not complete; stop that of one that is."""
        if self._key is None:
            return  # refused, or handed over
        if self._is_request_incomplete():
            if self._request_timer is None:
                self._request_timer = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)
        elif self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _is_request_incomplete(self) -> bool:
        state = self.conn.their_state
        if state is h11.IDLE:  # nothing came, or a part of the headers
            return bool(self.conn.trailing_data[0])
        return state is h11.SEND_BODY

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over, and its place at the gate with it."""
        self._stop_timers()
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        assert isinstance(protocol, SocketProtocol)
        protocol.key, self._key = self._key, None
        if protocol.close_sent and protocol.key:  # refused before the app has seen it
            self._gate.limiter.charge_malformed(protocol.key)

    def pause_writing(self) -> None:
        """The client reads slower than it is sent to: wait, but not for ever."""
        super().pause_writing()
        if self._write_timer is None:
            self._write_timer = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read on."""
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def on_response_complete(self) -> None:
        """The next request may come; who is to close the connection has to read the answer."""
        super().on_response_complete()
        self._watch_request()  # a part of it may have come already
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self.loop.call_later(WRITE_SECONDS, self.transport.abort)
        if self._unparsed and self._next_piece is None:
            self._next_piece = self.loop.call_soon(self._parse)

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request, and end the connection: it is charged like any request."""
        if self._key:
            self._gate.limiter.charge_malformed(self._key)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:  # its answer has begun already
            self.transport.abort()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if its last answer was never read."""
        super().timeout_keep_alive_handler()
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _stop_timers(self) -> None:
        for timer in (self._request_timer, self._write_timer, self._rest_timer):
            if timer is not None:
                timer.cancel()
        self._request_timer = self._write_timer = self._rest_timer = None
        if self._next_piece is not None:
            self._next_piece.cancel()
            self._next_piece = None
        self._unparsed = b""


@lru_cache(maxsize=1)
def text_frame(text: str) -> bytes:
    """A message as a WebSocket frame; what many are sent is made into one once."""
    data = text.encode()
    if len(data) < 126:
        return struct.pack("!BB", 0x81, len(data)) + data
    if len(data) < 1 << 16:
        return struct.pack("!BBH", 0x81, 126, len(data)) + data
    return struct.pack("!BBQ", 0x81, 127, len(data)) + data


def frame_end(data: bytes, at: int) -> int:
    """Where the frame that begins at ``at`` ends; beyond the data, if not all of it has come.

    A frame that is longer than any message may be ends with what there is of it.
    """
    size = len(data) - at
    if size < 2:
        return len(data) + 1
    length, head = data[at + 1] & 0x7F, 2
    if length >= 126:
        head = 4 if length == 126 else 10
        if size < head:
            return len(data) + 1
        length = int.from_bytes(data[at + 2 : at + head])
        if length > MAX_MESSAGE_BYTES:
            return len(data)
    return at + head + 4 * (data[at + 1] >> 7) + length


def masked_text(frame: bytes) -> str | None:
    """The text in a client's frame; None where the library has to judge it."""
    length, head = frame[1] - 0x80, 2
    if length == 126:
        length, head = int.from_bytes(frame[2:4]), 4
    if len(frame) != head + 4 + length or length > MAX_MESSAGE_BYTES:  # or it has no mask
        return None
    try:
        return bytes(apply_mask(frame[head + 4 :], frame[head : head + 4])).decode()
    except UnicodeDecodeError:
        return None


class Inbox(asyncio.Queue[Any]):
    """What has come over a socket: handed to whoever waits for it, else queued."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: Callable[[Any], None] | None = None
        """Called with the next message, once."""

    def put_nowait(self, item: Any) -> None:  # noqa: ANN401 - uvicorn's own types
        """Hand a message over, or queue it."""
        if self.waiting is None:
            super().put_nowait(item)
        else:
            waiting, self.waiting = self.waiting, None
            waiting(item)


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, with backpressure, and without a limitless close.

    Almost all frames are short whole texts: those are read here, for a fifth of what the library
    takes for them. It gets every other frame, whole and in its place, and judges it.
    """

    key: str | None = None
    """What the gate counts this connection by."""
    answer_at_once: Callable[[str], bool] | None = None
    """Answers a message that needs no waiting, and whose sender waits for nothing else."""

    def __init__(self, config: Config, *args: Any, **options: Any) -> None:  # noqa: ANN401
        super().__init__(config, *args, **options)
        self._gate = _gate_of(config)
        self._control_frames = TokenBucket(self._gate.limiter.limits.control_frames)
        self.queue = self.inbox = Inbox()
        self.read_paused = True  # or uvicorn would pause reading for every message
        self._unparsed = b""
        self._parsed = 0
        """How much of it was parsed."""
        self._in_message = False
        """Whether the library has got a part of a message and waits for the rest."""
        self._is_held = False
        """Whether reading is paused until all that came is parsed."""
        self._rest_timer: asyncio.TimerHandle | None = None
        """Runs while nothing is read because of too many pieces."""
        self._frames: list[bytes] = []
        """What is written at the end of this round of the event loop."""
        self._waiting: deque[bytes] = deque()
        """What is written once the client has read more."""

    async def run_asgi(self) -> None:
        """Serve the socket, then abort it if the closing handshake takes too long."""
        scope = cast("MutableMapping[str, object]", self.scope)
        scope[DIRECT] = self
        await super().run_asgi()
        del scope[DIRECT]  # no reference cycle
        self.loop.call_later(ABORT_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the parser: it would otherwise hold a reference cycle."""
        super().connection_lost(exc)
        self.conn.parser.close()
        self._unparsed = b""
        self._waiting.clear()
        if self._rest_timer is not None:
            self._rest_timer.cancel()
            self._rest_timer = None
        if self.key is not None:
            self._gate.leave(self.key)
            self.key = None

    # Reading: no more than the app has handled, and nothing while the client does not read

    def data_received(self, data: bytes) -> None:
        """Parse what came; what the app cannot handle yet waits, and so does the client."""
        if not self.handshake_initiated:
            super().data_received(data)
            return
        if self._unparsed:
            data = self._unparsed[self._parsed :] + data
        self._unparsed, self._parsed = data, 0
        self._parse()
        if self._is_waiting_for_more() and self._gate.limiter.is_piecemeal(self._sender()):
            self._hold()
            self._rest_timer = self.loop.call_later(REST_SECONDS, self._end_rest)

    def _is_waiting_for_more(self) -> bool:
        """Whether the last of what came is no whole frame."""
        return bool(self._unparsed) and not self._is_held and not self.transport.is_closing()

    def _sender(self) -> str:
        """Whose socket it is: the app has put a proxy's client in the proxy's place."""
        client = self.scope["client"]
        return address_key(client[0]) if client else ""

    def _end_rest(self) -> None:
        self._rest_timer = None
        self._parse()

    def _parse(self) -> None:
        data = self._unparsed
        while self._parsed < len(data) and self._may_parse():
            start, end = self._parsed, frame_end(data, self._parsed)
            if end > len(data):
                break
            self._parsed = end
            self._take_frame(data[start:end])
        if self._parsed == len(data):
            self._unparsed, self._parsed = b"", 0
        if self.transport.is_closing():
            return
        if not self._may_parse():
            self._hold()
        elif self._is_held and self._rest_timer is None:
            self._is_held = False
            self.transport.resume_reading()

    def _may_parse(self) -> bool:
        return (
            (self.close_sent or self.inbox.empty())  # at the end only the client's close counts
            and self.writable.is_set()
            and not self.transport.is_closing()
        )

    def _hold(self) -> None:
        if not self._is_held:
            self._is_held = True
            self.transport.pause_reading()

    def _take_frame(self, frame: bytes) -> None:
        """One whole frame, or the beginning of one that is too large to be waited for."""
        if frame[0] == TEXT_FRAME and not self._in_message and not self.close_sent:
            text = masked_text(frame)
            if text is not None:
                self._take_text(text)
                return
        if not frame[0] & 0x80:
            self._in_message = True
        elif not frame[0] & 0x0F:
            self._in_message = False
        super().data_received(frame)

    def _take_text(self, text: str) -> None:
        inbox, at_once = self.inbox, self.answer_at_once
        if inbox.waiting is None or at_once is None or not at_once(text):
            inbox.put_nowait({"type": "websocket.receive", "text": text})

    def next_message(self, waiting: Callable[[Any], None]) -> None:
        """Call this with the next message, as soon as there is one."""
        self.inbox.waiting = waiting
        if not self.inbox.empty():
            self.inbox.put_nowait(self.inbox.get_nowait())
        if self._unparsed or self._is_held:
            self._parse()

    async def receive(self) -> Any:  # noqa: ANN401 - uvicorn's own types
        """The next message for the app, as ASGI has it."""
        message = await self.inbox.get()
        if self._unparsed or self._is_held:
            self._parse()
        return message

    def pause_writing(self) -> None:
        """The client does not read: do not read from it either, or its pings would fill memory."""
        super().pause_writing()
        if not self.transport.is_closing():
            self._hold()

    def resume_writing(self) -> None:
        """The client has read on."""
        super().resume_writing()
        self._parse()
        self._write_frames()
        while self._waiting and self._may_write():
            # one by one, until the buffer is full: in one write all of them would be copied
            self.transport.write(self._waiting.popleft())

    # Writing: no task and no queue for each socket, and all messages of a round in one write

    def send_soon(self, text: str, too_slow: Callable[[], None]) -> None:
        """Send a message; a client that does not read is closed as too slow, in the end."""
        if self.close_sent or self.disconnected:
            return
        frame = text_frame(text)
        if self.writable.is_set() and not self._waiting:
            self._write_frame(frame)
        elif len(self._waiting) < QUEUE_LIMIT:
            self._waiting.append(frame)
        else:
            too_slow()

    def _write_frame(self, frame: bytes) -> None:
        if not self._frames:
            self.loop.call_soon(self._write_frames)
        self._frames.append(frame)

    def _write_frames(self) -> None:
        frames, self._frames = self._frames, []
        if frames and not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(frames))

    def _may_write(self) -> bool:
        return self.writable.is_set() and not self.close_sent and not self.transport.is_closing()

    def shutdown(self) -> None:
        """Close the socket because the server shuts down, after everything that was sent."""
        self._write_frames()
        super().shutdown()

    async def send(self, message: Any) -> None:  # noqa: ANN401 - uvicorn's own types
        """Send what the app sends by the protocol's own way, after everything before it."""
        self._write_frames()
        await super().send(message)
        if self.close_sent and self._is_held:
            self._parse()

    # Frames without a message

    def handle_ping(self) -> None:
        """Answer a ping."""
        super().handle_ping()
        self._count_frame()

    def handle_pong(self, event: Frame) -> None:
        """Ignore a pong: the server sends no pings."""
        super().handle_pong(event)
        self._count_frame()

    def handle_cont(self, event: Frame) -> None:
        """Add a fragment to its message."""
        super().handle_cont(event)
        self._count_frame()

    def send_receive_event_to_app(self) -> None:
        """Queue a message; those after the closing code are dropped, and count too."""
        super().send_receive_event_to_app()
        if self.close_sent:
            self._count_frame()

    def _count_frame(self) -> None:
        if not self._control_frames.take(self.loop.time()) or self.transport.is_closing():
            return
        metrics.LIMITED.labels("control_frames").inc()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.TOO_MANY})
        with suppress(InvalidState):
            self.conn.send_close(CloseCode.TOO_MANY)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()


# Open files


def raise_open_file_limit() -> None:
    """Allow this process as many connections as the system permits: often only 1024 by default."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # where “unlimited” cannot be set as a number
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def max_open_files() -> float:
    """How many files this process may open, connections among them."""
    if sys.platform == "win32":
        return inf
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return inf if soft == resource.RLIM_INFINITY else soft


def open_files() -> int:
    """How many files this process has open; 0 where the system does not tell."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return len(os.listdir(folder))  # noqa: PTH208 - a path for each would cost far more
    return 0
