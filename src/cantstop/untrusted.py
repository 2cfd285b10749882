"""What comes from outside: files are read up to a bound, and text is shown without control codes.

Whoever wrote a record, a table or a server's answer may mean harm. A reader takes no more than its
bound, checks sizes before it allocates, and says in one sentence what is wrong; what it quotes is
cut, and cannot steer the terminal that shows it. docs/security.md lists the bounds of all readers.
"""

import errno
import os
import re
import stat
import sys
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

MAX_TEXT_BYTES = 16 << 20
"""Records, and whatever else a command reads as text."""

MAX_QUOTE = 200
"""Characters of foreign text that a sentence quotes."""

# control codes, marks that change the direction of text, line separators, halves of characters
_STEERING = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_LINES = re.compile(f"[{_STEERING}]")
_IN_ONE_LINE = re.compile(f"[\t\n{_STEERING}]")

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def printable(text: str) -> str:
    r"""Lines of text with a mark in the place of whatever would steer a terminal.

    >>> printable("one\ntwo\x1b[31m")
    'one\ntwo�[31m'
    """
    return _IN_LINES.sub(REPLACEMENT, text)


def quoted(text: str, most: int = MAX_QUOTE) -> str:
    r"""Foreign text for a sentence: one line without control codes, cut where it is long.

    >>> quoted("Anne\r\n"), quoted("0123456789", 5)
    ('Anne��', '0123…')
    """
    if len(text) > most:
        text = text[: most - 1] + "…"
    return text if text.isprintable() else _IN_ONE_LINE.sub(REPLACEMENT, text)


def escaped(json: str) -> str:
    r"""JSON with escapes for what would steer a terminal: the same to a program that reads it.

    >>> escaped('"\x9b31m"')
    '"\\u009b31m"'
    """
    return _IN_LINES.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def open_regular(path: Path) -> BufferedReader:
    """Open a file for reading: no folder, no device, and no pipe that nobody may write to.

    What is wrong with it is an ``OSError`` with a reason.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        file = open(path, "rb", opener=lambda name, _: os.open(name, flags))  # noqa: SIM115
    except ValueError:  # a null character in the name
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL)) from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
    return file


def read_bounded(path: Path, most: int = MAX_TEXT_BYTES) -> bytes:
    """All of a regular file, which has at most so many bytes; more is an ``OSError``."""
    with open_regular(path) as file:
        return _read(file, most)


def read_input(name: str, most: int = MAX_TEXT_BYTES) -> bytes:
    """All of a file or pipe that a person named, or of standard input for “-”."""
    if name == "-":
        return _read(sys.stdin.buffer, most)
    try:
        with Path(name).open("rb") as file:
            return _read(file, most)
    except ValueError:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL)) from None


def _read(file: BinaryIO, most: int) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data
