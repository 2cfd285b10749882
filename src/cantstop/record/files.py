"""Records from files and into them: by their names, or as open files."""

from collections.abc import Iterator
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from cantstop.files import write_atomically
from cantstop.record.errors import RecordError
from cantstop.rules import InvalidText, WrongType
from cantstop.untrusted import MAX_TEXT_BYTES, open_regular, read_bounded


class _Readable(Protocol):
    """A file that is open for reading, as text or as bytes."""

    def read(self, size: int = ..., /) -> str | bytes: ...
    def readline(self, size: int = ..., /) -> str | bytes: ...


class _Writable(Protocol):
    """A file that is open for writing, as text or as bytes."""

    def write(self, text: Any, /) -> object: ...  # noqa: ANN401


Source = str | PathLike[str] | _Readable
"""The name of a file, or one that is open for reading."""

Target = str | PathLike[str] | _Writable
"""The name of a file, or one that is open for writing."""

_PIECE = 1 << 16


def check_is_file(value: object, ability: str) -> None:
    """Raise ``WrongType`` for what is neither the name of a file nor can ``read`` or ``write``."""
    if not isinstance(value, str | PathLike) and not hasattr(value, ability):
        raise WrongType(
            "{value} is not the name of a file, such as “game.cantstop”.", value=repr(value)
        )


def read_text(file: Source) -> str:
    """All of a file, which has at most 16 MiB."""
    check_is_file(file, "read")
    if isinstance(file, str | PathLike):
        return _decoded(read_bounded(Path(file)), file)
    data = file.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise _too_large(1)
    return _decoded(data, file)


def lines(file: Source) -> Iterator[str]:
    """The lines of a file of any size, each with its end."""
    opened = open_regular(Path(file)) if isinstance(file, str | PathLike) else nullcontext(file)
    with opened as source:
        number = 0
        while line := _line(source, number := number + 1):
            yield _decoded(line, file)


def _line(source: _Readable, number: int) -> str | bytes:
    """The next line, which is no larger than a whole record may be."""
    line = source.readline(_PIECE)
    if len(line) < _PIECE:
        return line
    pieces, size = [line], len(line)
    while len(line) == _PIECE:
        line = source.readline(_PIECE)
        pieces.append(line)
        size += len(line)
        if size > MAX_TEXT_BYTES:
            raise _too_large(number)
    return pieces[0][:0].join(pieces)  # type: ignore[arg-type]


def _decoded(data: str | bytes, file: Source) -> str:
    if isinstance(data, str):
        return data
    try:
        return data.decode()
    except UnicodeDecodeError:
        name = file if isinstance(file, str | PathLike) else getattr(file, "name", "-")
        raise InvalidText("{name} cannot be read: it is not text in UTF-8.", name=name) from None


def check_size(size: int, line: int) -> None:
    """Refuse a record that is larger than a file of records may be."""
    if size > MAX_TEXT_BYTES:
        raise _too_large(line)


def _too_large(line: int) -> RecordError:
    return RecordError(
        line, InvalidText("A record cannot be larger than {most} MiB.", most=MAX_TEXT_BYTES >> 20)
    )


def write_text(file: Target, text: str) -> None:
    """Write a file, which is whole at any time, or into an open one."""
    check_is_file(file, "write")
    if isinstance(file, str | PathLike):
        write_atomically(Path(file), text)
        return
    try:
        file.write(text)
    except TypeError:  # it takes bytes
        file.write(text.encode())
