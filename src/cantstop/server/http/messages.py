"""What comes in: messages of sockets and bodies of requests, read into the wire's types."""

import re
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import UNSET, Raw, UnsetType
from msgspec.json import Decoder
from starlette.requests import Request
from starlette.responses import Response

from cantstop.server.errors import Malformed, Refused, TooLarge
from cantstop.wire.codec import NotJson, WrongField, decode, encode
from cantstop.wire.errors import ErrorCode
from cantstop.wire.messages import (
    MAX_MESSAGE_BYTES,
    PING_TEXT,
    ClientMessage,
    CloseCode,
    Ping,
)
from cantstop.wire.requests import OpenLesson, OpenTable
from cantstop.wire.types import Wire

Body = TypeVar("Body")

_JSON = re.compile(r"application/(?:[\w.-]+\+)?json(?:\s*;.*)?", re.IGNORECASE)
_MESSAGE: Decoder[ClientMessage] = Decoder(ClientMessage)
_PING = Ping()


class _NamedData(Wire, frozen=True):
    id: str | UnsetType = UNSET


class _NamedMessage(Wire, frozen=True):
    d: _NamedData


class _Opening(Wire, frozen=True):
    lesson: Raw | UnsetType = UNSET


_NAMED = Decoder(_NamedMessage)
_OPENING, _TABLE, _LESSON = Decoder(_Opening), Decoder(OpenTable), Decoder(OpenLesson)


def read_message(text: str | bytes) -> ClientMessage:
    """Parse a client's message; one that is too large or malformed is refused."""
    if text == PING_TEXT:  # most messages are: people think, and their clients go on pinging
        return _PING
    if isinstance(text, bytes):
        raise Malformed("A message is text, not bytes.")
    data = text.encode(errors="surrogatepass")
    if len(data) > MAX_MESSAGE_BYTES:
        raise TooLarge("A message can have {most} bytes at most.", most=MAX_MESSAGE_BYTES)
    try:
        return decode(data, _MESSAGE)
    except WrongField as error:
        raise Malformed(error.template, **error.fields) from None
    except NotJson:
        raise Malformed("The message is not JSON.") from None


def action_id(text: str | bytes) -> str | None:
    """The action id in a malformed message, so that the refusal can name it."""
    try:
        found = decode(text, _NAMED).d.id
    except (NotJson, WrongField, TypeError):
        return None
    return found if isinstance(found, str) and len(found) <= 64 else None


def close_code(error: Refused) -> int:
    """The code that a socket is closed with when its hello is refused."""
    match error.code:
        case ErrorCode.TOO_LARGE:
            return CloseCode.TOO_LARGE
        case ErrorCode.TOO_MANY:
            return CloseCode.TOO_MANY
    return 4000 + error.code.status


def body_of(kind: type[Body]) -> Callable[[Request], Awaitable[Body]]:
    """A dependency that reads the body of a request into a type."""
    decoder = Decoder(kind)

    async def body(request: Request) -> Body:
        return decode(await _json_body(request), decoder)

    return body


async def opening(request: Request) -> OpenTable | OpenLesson:
    """The body that opens a table: one with ``lesson`` asks for a tutorial table."""
    data = await _json_body(request)
    is_lesson = decode(data, _OPENING).lesson is not UNSET
    return decode(data, _LESSON) if is_lesson else decode(data, _TABLE)


async def _json_body(request: Request) -> bytes:
    data = await request.body()  # one that is too large says so first
    # a page of another site can send any text without being asked, but not as JSON
    if not _JSON.fullmatch(request.headers.get("content-type", "")):
        raise NotJson
    return data


def answer(value: object, status: int = 200) -> Response:
    """A response with a value of the wire's types."""
    return Response(encode(value), status, media_type="application/json")
