"""The messages of a socket: kinds, close codes, reading the client's, encoding the server's."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from cantstop.server.errors import ErrorCode, Malformed, Refused, TooLarge, malformed
from cantstop.server.tables.actions import AnyAction, Salt, SaltCommitment

MAX_MESSAGE_BYTES = 4096


class CloseCode(IntEnum):
    """Every code that the server closes a socket with."""

    GOING_AWAY = 1001
    PROTOCOL_ERROR = 1002
    INVALID_UTF8 = 1007
    TOO_LARGE = 1009
    RESTARTING = 1012
    """The server shuts down, or cannot reach its database: reconnect."""
    BAD_HELLO = 4400
    WRONG_SECRET = 4403
    TABLE_UNKNOWN = 4404
    HEARTBEAT_TIMEOUT = 4408
    TABLE_EXPIRED = 4410
    TOO_MANY = 4420
    TOO_SLOW = 4429
    """The client reads slower than messages are sent."""


def close_code(error: Refused) -> int:
    """The code that a socket is closed with when its hello is refused."""
    match error.code:
        case ErrorCode.TOO_LARGE:
            return CloseCode.TOO_LARGE
        case ErrorCode.TOO_MANY:
            return CloseCode.TOO_MANY
    return 4000 + error.code.status


# From the server


class ServerMessage(StrEnum):
    """The kinds of the server's messages: ``t``."""

    STATE = "state"
    EVENT = "event"
    PRESENCE = "presence"
    CLOCK = "clock"
    ACK = "ack"
    REFUSED = "refused"
    PONG = "pong"


def encode_message(kind: ServerMessage, data: Mapping[str, Any]) -> str:
    """A message as JSON; a broadcast is encoded once for all its receivers."""
    return to_json({"t": kind.value, "d": data}).decode()  # four times as fast as the enum


PONG_TEXT = encode_message(ServerMessage.PONG, {})


def encoded_event(event: bytes) -> str:
    """The message of an event that is JSON already."""
    return f'{{"t":"event","d":{event.decode()}}}'


def encoded_state(state: bytes) -> str:
    """The message of a state that is JSON already."""
    return f'{{"t":"state","d":{state.decode()}}}'


# From the client


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True)


class Pace(StrEnum):
    """How fast bots are to play, for one connection."""

    NORMAL = "normal"
    FAST = "fast"
    """Twice as fast."""
    AT_ONCE = "at-once"
    """Without any pause."""


class Greeting(_Message):
    """The client's credentials: the secret of its seats, and what reserved ones are taken with."""

    secret: Annotated[str, StringConstraints(max_length=128)] | None = None
    salt: Salt | None = None
    salt_commitment: SaltCommitment | None = None
    pace: Pace = Pace.NORMAL


class Hello(_Message):
    """The first message."""

    t: Literal["hello"]
    d: Greeting


class Act(_Message):
    """A request for an action."""

    t: Literal["act"]
    d: AnyAction


class PaceRequest(_Message):
    """Another pace for the bots: what it was, or a turn to be skipped."""

    pace: Pace


class SetPace(_Message):
    """A request for another pace of the bots."""

    t: Literal["pace"]
    d: PaceRequest


class Ping(_Message):
    """The client's heartbeat."""

    t: Literal["ping"]


ClientMessage = Hello | Act | SetPace | Ping

CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="t")]
)


PING_TEXT = '{"t":"ping"}'
"""A heartbeat as clients write it; one that is written in another way is parsed."""
_PING = Ping(t="ping")


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
        return CLIENT_MESSAGE.validate_python(from_json(data, allow_inf_nan=False))
    except ValidationError as error:
        raise malformed(error.errors()) from None
    except ValueError:
        raise Malformed("The message is not JSON.") from None


def action_id(text: str | bytes) -> str | None:
    """The action id in a malformed message, so that the refusal can name it."""
    try:
        found: Any = from_json(text)
    except (ValueError, TypeError):  # not JSON, or not even text
        return None
    for key in ("d", "id"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) and len(found) <= 64 else None
