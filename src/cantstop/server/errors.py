"""Why a request is refused: a code that never changes, and one sentence for a person."""

from collections.abc import Sequence
from math import ceil
from typing import Any, ClassVar

from cantstop.language import Translator
from cantstop.rules import CantStopError, InvalidText


class Refused(CantStopError):
    """A request that is not granted; nothing has changed."""

    code: ClassVar[str] = "not-now"
    status: ClassVar[int] = 409


class Malformed(Refused):
    """It cannot be read."""

    code = "malformed"
    status = 400


class BadName(Malformed):
    """A name that cannot be shown."""

    code = "name"


class WrongSecret(Refused):
    """The secret holds no seat here."""

    code = "wrong-secret"
    status = 403


class NotYourSeat(Refused):
    """The secret holds another seat, or none."""

    code = "not-your-seat"
    status = 403


class NotFound(Refused):
    """There is nothing at this address."""

    code = "not-found"
    status = 404


class UnknownTable(NotFound):
    """There never was such a table."""

    code = "table-unknown"


class WrongMethod(Refused):
    """The address is right, the verb is not."""

    code = "method"
    status = 405


class TableExpired(Refused):
    """The table was left alone for too long."""

    code = "table-expired"
    status = 410


class TableFull(Refused):
    """Nobody else can sit down."""

    code = "table-full"


class NotYourTurn(Refused):
    """Somebody else is to act."""

    code = "not-your-turn"


class Stale(Refused):
    """The game went on since."""

    code = "stale"


class TooLarge(Refused):
    """More than anybody needs to say."""

    code = "too-large"
    status = 413


class TooMany(Refused):
    """More at once than one address, socket or table may ask for; ``limit`` says which."""

    code = "too-many"
    status = 429

    def __init__(self, template: str, limit: str, wait: float = 1) -> None:
        self.limit = limit
        self.seconds = max(1, ceil(wait))
        super().__init__(template, seconds=self.seconds)


def malformed(errors: Sequence[Any]) -> Malformed:
    """The first of Pydantic's errors, by the name of its field."""
    place = [str(part) for part in errors[0]["loc"]]
    return Malformed("“{field}” is missing or cannot be read.", field=".".join(place) or "body")


class Internal(Refused):
    """The server's own fault; its log says more."""

    code = "internal"
    status = 500


def code_of(error: CantStopError) -> str:
    """The code of an error: the server's own, or of what the rules say."""
    if isinstance(error, Refused):
        return error.code
    return "malformed" if isinstance(error, InvalidText) else "illegal"


def status_of(error: CantStopError) -> int:
    """The HTTP status that fits an error."""
    if isinstance(error, Refused):
        return error.status
    return 400 if isinstance(error, InvalidText) else 422


def error_json(error: CantStopError, words: Translator) -> dict[str, str]:
    """An error as every answer writes it."""
    return {"code": code_of(error), "message": words.error(error)}
