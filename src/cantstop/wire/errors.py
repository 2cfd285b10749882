"""Why something was not done: a stable code with its HTTP status, and one sentence for a person."""

from enum import StrEnum
from typing import Annotated, Self

from msgspec import Meta

from cantstop.wire.types import Wire


class ErrorCode(StrEnum):
    """Every error code of the protocol, with its HTTP status and what it means.

    Schemas, OpenAPI and the table in docs/protocol.md follow from this one.
    """

    status: int
    meaning: str

    def __new__(cls, code: str, status: int, meaning: str) -> Self:
        """A member is its code; the rest are attributes."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.status = status
        member.meaning = meaning
        return member

    MALFORMED = "malformed", 400, "The request cannot be read."
    NAME = "name", 400, "The name cannot be used."
    WRONG_SECRET = "wrong-secret", 403, "The secret holds no seat at this table."
    NOT_YOUR_SEAT = "not-your-seat", 403, "The secret does not hold this seat."
    WRONG_KEY = "wrong-key", 403, "No player has the key of this device."
    WRONG_CODE = (
        "wrong-code",
        403,
        "The code, the words or the passkey are not valid, or not any more.",
    )
    PROFILE_NEEDED = "profile-needed", 403, "Only players with a profile can do this."
    TABLE_UNKNOWN = "table-unknown", 404, "There is no such table."
    PLAYER_UNKNOWN = "player-unknown", 404, "There is no such player, or they keep to themselves."
    NOT_FOUND = "not-found", 404, "There is nothing at this address."
    METHOD = "method", 405, "The address takes another kind of request."
    TABLE_FULL = "table-full", 409, "Every seat of this table is taken."
    NAME_TAKEN = "name-taken", 409, "Another player has this name, or one that looks like it."
    NOT_YOUR_TURN = "not-your-turn", 409, "Another seat is to act."
    STALE = "stale", 409, "The game has gone on since the event that the player saw last."
    SALT_NEEDED = "salt-needed", 409, "The seat has to reveal its salt before it rolls."
    NOT_NOW = "not-now", 409, "It is not possible as things are."
    TABLE_EXPIRED = "table-expired", 410, "The table was left alone for too long and is gone."
    TOO_LARGE = (
        "too-large",
        413,
        "The request has more than 64 kB, or more than 256 kB where it holds a progress of drills.",
    )
    ILLEGAL = (
        "illegal",
        422,
        "There is no such game: settings that no rules have, or no such bot.",
    )
    TOO_MANY = (
        "too-many",
        429,
        "Too many requests from this address; `Retry-After` says when to try again.",
    )
    UNAVAILABLE = (
        "unavailable",
        503,
        "The database does not answer just now; try again in a moment.",
    )
    INTERNAL = "internal", 500, "The server's own fault; its log says more."


Code = Annotated[str, Meta(extra_json_schema={"enum": [code.value for code in ErrorCode]})]
"""Text, so that a client can read the codes of a newer server."""


class Problem(Wire, frozen=True):
    """Why something was not done."""

    code: Code
    """For programs: it never changes."""
    message: str
    """For people: one sentence in the language that was asked for."""


class ErrorAnswer(Wire, frozen=True):
    """The response to every refused request; nothing has changed."""

    error: Problem
