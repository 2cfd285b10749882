"""Why a request is refused: a stable code with its HTTP status, and one sentence for a person."""

from collections.abc import Sequence
from enum import StrEnum
from math import ceil
from typing import Any, ClassVar, Self

from cantstop.language import Translator
from cantstop.record import RecordError
from cantstop.rules import CantStopError, InvalidText


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
    TABLE_UNKNOWN = "table-unknown", 404, "There is no such table."
    NOT_FOUND = "not-found", 404, "There is nothing at this address."
    METHOD = "method", 405, "The address takes another kind of request."
    TABLE_FULL = "table-full", 409, "Every seat of this table is taken."
    NOT_YOUR_TURN = "not-your-turn", 409, "Another seat is to act."
    STALE = "stale", 409, "The game has gone on since the event that the player saw last."
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


class Refused(CantStopError):
    """A request that is not granted; nothing has changed."""

    code: ClassVar[ErrorCode] = ErrorCode.NOT_NOW


class Malformed(Refused):
    """The request cannot be parsed."""

    code = ErrorCode.MALFORMED


class BadName(Malformed):
    """A player's name that cannot be shown."""

    code = ErrorCode.NAME


class WrongSecret(Refused):
    """The secret holds no seat at this table."""

    code = ErrorCode.WRONG_SECRET


class NotYourSeat(Refused):
    """The secret holds another seat, or none."""

    code = ErrorCode.NOT_YOUR_SEAT


class NotFound(Refused):
    """There is nothing at this address."""

    code = ErrorCode.NOT_FOUND


class UnknownTable(NotFound):
    """There never was such a table."""

    code = ErrorCode.TABLE_UNKNOWN


class MethodNotAllowed(Refused):
    """The address is right, the HTTP method is not."""

    code = ErrorCode.METHOD


class TableExpired(Refused):
    """The table was left alone for too long."""

    code = ErrorCode.TABLE_EXPIRED


class TableFull(Refused):
    """Every seat is taken."""

    code = ErrorCode.TABLE_FULL


class NotYourTurn(Refused):
    """Another seat is to act."""

    code = ErrorCode.NOT_YOUR_TURN


class Stale(Refused):
    """The game has gone on since the event that the player saw last."""

    code = ErrorCode.STALE


class TooLarge(Refused):
    """The body or message exceeds its size limit."""

    code = ErrorCode.TOO_LARGE


class LimitExceeded(Refused):
    """A rate limit or a cap on connections was exceeded; ``limit`` names it."""

    code = ErrorCode.TOO_MANY

    def __init__(self, template: str, limit: str, wait: float = 1, **fields: object) -> None:
        self.limit = limit
        self.seconds = max(1, ceil(wait))
        """When to try again, for the header Retry-After."""
        super().__init__(template, seconds=self.seconds, **fields)


class InternalError(Refused):
    """The server's own fault; its log says more."""

    code = ErrorCode.INTERNAL


def malformed(errors: Sequence[Any]) -> Malformed:
    """The first of Pydantic's errors, by the name of its field."""
    place = [str(part) for part in errors[0]["loc"]]
    return Malformed("“{field}” is missing or cannot be read.", field=".".join(place) or "body")


def code_of(error: CantStopError) -> ErrorCode:
    """The code of an error: the server's own, or the one for an error of the rules."""
    if isinstance(error, Refused):
        return error.code
    if isinstance(error, RecordError):
        return code_of(error.problem)
    return ErrorCode.MALFORMED if isinstance(error, InvalidText) else ErrorCode.ILLEGAL


def error_json(error: CantStopError, words: Translator) -> dict[str, str]:
    """The error object of responses and socket messages."""
    return {"code": code_of(error).value, "message": words.error(error)}
