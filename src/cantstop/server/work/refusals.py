"""Errors of the pool's processes as plain data: a server that reads one loads no engine for it."""

from collections.abc import Mapping
from typing import Literal

from cantstop.rules import CantStopError, Phrase
from cantstop.server.errors import Illegal, Malformed, code_of
from cantstop.wire.errors import ErrorCode

FieldData = tuple[Literal["plain", "phrase"], object] | tuple[Literal["error"], "ErrorData"]
ErrorData = tuple[str, str, Mapping[str, FieldData]]
"""The code of an error, its template, and its fields; of a field that is an error, the same."""


class WorkRefused(Exception):
    """The function has raised an error for whoever asked; its text is for a log."""

    def __init__(self, text: str, error: CantStopError) -> None:
        super().__init__(text)
        self.error = error


class WorkFailed(Exception):
    """The function has raised something else; the text says what."""


def error_data(error: CantStopError) -> ErrorData:
    """An error as plain data."""
    return (
        code_of(error).value,
        error.template,
        {
            name: ("error", error_data(value))
            if isinstance(value, CantStopError)
            else ("phrase" if isinstance(value, Phrase) else "plain", _plain(value))
            for name, value in error.fields.items()
        },
    )


def _plain(value: object) -> object:
    return value if isinstance(value, int) else str(value)


def error_from(data: ErrorData) -> CantStopError:
    """The error that such data describes: with the same code, and the same words."""
    code, template, fields = data
    kind = Malformed if code == ErrorCode.MALFORMED.value else Illegal
    return kind(template, **{name: _field(field) for name, field in fields.items()})


def _field(data: FieldData) -> object:
    if data[0] == "error":
        return error_from(data[1])
    return Phrase(str(data[1])) if data[0] == "phrase" else data[1]
