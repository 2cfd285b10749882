"""Why a request is refused: the errors of the server, each with its code on the wire."""

from math import ceil
from typing import ClassVar

from cantstop.language import Translator
from cantstop.record import RecordError
from cantstop.rules import CantStopError, IllegalAction, InvalidText
from cantstop.wire.errors import ErrorCode, Problem


class Refused(CantStopError):
    """A request that is not granted; nothing has changed."""

    code: ClassVar[ErrorCode] = ErrorCode.NOT_NOW


class Malformed(Refused):
    """The request cannot be parsed."""

    code = ErrorCode.MALFORMED


class Illegal(Refused):
    """There is no such game, or none that this server can deal with."""

    code = ErrorCode.ILLEGAL


class BadName(Malformed):
    """A player's name that cannot be shown."""

    code = ErrorCode.NAME


class WrongSecret(Refused):
    """The secret holds no seat at this table."""

    code = ErrorCode.WRONG_SECRET


class NotYourSeat(Refused):
    """The secret holds another seat, or none."""

    code = ErrorCode.NOT_YOUR_SEAT


class WrongKey(Refused):
    """No player has this key."""

    code = ErrorCode.WRONG_KEY

    def __init__(self) -> None:
        super().__init__("Nobody here is known by this device: its profile was removed or erased.")


class WrongCode(Refused):
    """A code, words or a passkey that are nobody's."""

    code = ErrorCode.WRONG_CODE


class ProfileNeeded(Refused):
    """What only players with a profile can do."""

    code = ErrorCode.PROFILE_NEEDED


class NameTaken(Refused):
    """Another player has the name, or one that looks like it."""

    code = ErrorCode.NAME_TAKEN


class NotFound(Refused):
    """There is nothing at this address."""

    code = ErrorCode.NOT_FOUND


class UnknownPlayer(NotFound):
    """There is no such player, or none that shows themselves."""

    code = ErrorCode.PLAYER_UNKNOWN

    def __init__(self) -> None:
        super().__init__("There is no such player here, or they keep to themselves.")


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


class SaltNeeded(Refused):
    """The seat rolls for the first time, and has not revealed its salt."""

    code = ErrorCode.SALT_NEEDED


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


def check_permission(reason: IllegalAction | None) -> None:
    """Refuse what there is a reason against: see ``cantstop.table.permissions``."""
    if reason is not None:
        raise Refused(reason.template, **reason.fields)


def code_of(error: CantStopError) -> ErrorCode:
    """The code of an error: the server's own, or the one for an error of the rules."""
    if isinstance(error, Refused):
        return error.code
    if isinstance(error, RecordError):
        return code_of(error.problem)
    return ErrorCode.MALFORMED if isinstance(error, InvalidText) else ErrorCode.ILLEGAL


def problem(error: CantStopError, words: Translator) -> Problem:
    """The error of responses and socket messages."""
    # a sentence may repeat what a client wrote, and lone surrogates cannot be encoded
    message = words.error(error).encode(errors="replace").decode()
    return Problem(code=code_of(error).value, message=message)
