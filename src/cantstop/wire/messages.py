"""The messages of a socket: kinds, close codes, the client's types, encoding the server's."""

from enum import IntEnum, StrEnum
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from cantstop.wire.actions import TableAction
from cantstop.wire.codec import encode
from cantstop.wire.errors import Problem
from cantstop.wire.types import Salt, SaltCommitment, SeatNumber, Time, Wire

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


class Presence(Wire, frozen=True):
    """Who is connected."""

    seats: tuple[bool, ...]
    """For each seat, whether its player is there."""
    expected: tuple[SeatNumber, ...]
    """Absent seats that a bot may not play for yet."""
    watchers: int
    bot_in: dict[str, float] | UnsetType = UNSET
    """Seconds until a bot may play for each of them; left out where there is none."""
    idle: tuple[SeatNumber, ...] | UnsetType = UNSET
    """Seats whose decision waits for so long that a bot may be asked; left out for none."""


class ClockView(Wire, frozen=True):
    """The clock of a table that has one."""

    seconds: int
    """For each decision; at a slow table, for each turn."""
    seat: SeatNumber | None
    """Whose time runs."""
    left: float | None
    """Seconds that are left for the decision, or the turn, the bank included; ``null`` in a state.
    At a slow table only those are in it that count."""
    banks: tuple[float, ...]
    """Seconds that each seat may still think longer than ``seconds``."""
    ends_at: Time | UnsetType | None = UNSET
    """At a slow table: when the turn that runs is over, as it is now; ``null`` in a state, and
    where no person has the turn. This and what follows is left out elsewhere."""
    missed: tuple[int, ...] | UnsetType = UNSET
    """Turns in a row that the player of each seat has let pass."""
    drop: tuple[SeatNumber, ...] | UnsetType = UNSET
    """The seats that others may give up for it."""
    away: tuple[Time | None, ...] | UnsetType = UNSET
    """Until when the player of each seat is away; ``null`` where they are not. Not in a state."""


class Ack(Wire, frozen=True):
    """An action was accepted."""

    id: str
    n: int
    """The number of its event."""


class Refusal(Wire, frozen=True):
    """A message was refused; nothing has changed."""

    id: str | None
    """The action's id; ``null`` if the message had none."""
    error: Problem


class Pong(Wire, frozen=True):
    """The answer to a ping."""


_KINDS = {
    Presence: ServerMessage.PRESENCE,
    ClockView: ServerMessage.CLOCK,
    Ack: ServerMessage.ACK,
    Refusal: ServerMessage.REFUSED,
    Pong: ServerMessage.PONG,
}


def encode_message(data: Presence | ClockView | Ack | Refusal | Pong) -> str:
    """A message as JSON; a broadcast is encoded once for all its receivers."""
    return _message(_KINDS[type(data)].value, encode(data))


def encoded_event(event: bytes) -> str:
    """The message of an event that is JSON already."""
    return _message("event", event)


def encoded_state(state: bytes) -> str:
    """The message of a state that is JSON already."""
    return _message("state", state)


def _message(kind: str, data: bytes) -> str:
    return f'{{"t":"{kind}","d":{data.decode()}}}'


PONG_TEXT = encode_message(Pong())


# From the client


class Pace(StrEnum):
    """How fast bots are to play, for one connection."""

    NORMAL = "normal"
    FAST = "fast"
    """Twice as fast."""
    AT_ONCE = "at-once"
    """Without any pause."""


class Greeting(Struct, frozen=True, omit_defaults=True):
    """The client's credentials: the secret of its seats, and what reserved ones are taken with."""

    secret: Annotated[str, Meta(max_length=128)] | None = None
    salt: Salt | None = None
    salt_commitment: SaltCommitment | None = None
    pace: Pace = Pace.NORMAL


class Hello(Struct, frozen=True, tag_field="t", tag="hello"):
    """The first message."""

    d: Greeting


class Act(Struct, frozen=True, tag_field="t", tag="act"):
    """A request for an action."""

    d: TableAction


class PaceRequest(Struct, frozen=True):
    """Another pace for the bots: what it was, or a turn to be skipped."""

    pace: Pace


class SetPace(Struct, frozen=True, tag_field="t", tag="pace"):
    """A request for another pace of the bots."""

    d: PaceRequest


class Ping(Struct, frozen=True, tag_field="t", tag="ping"):
    """The client's heartbeat."""


ClientMessage = Hello | Act | SetPace | Ping

PING_TEXT = '{"t":"ping"}'
"""A heartbeat as clients write it; one that is written in another way is parsed."""
