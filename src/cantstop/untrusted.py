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
from dataclasses import dataclass
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

MAX_TEXT_BYTES = 16 << 20
"""Records, and whatever else a command reads as text."""

MAX_QUOTE = 240
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
    """All of a regular file; ``OSError`` if it has more bytes than ``most``."""
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


class BadFile(Exception):
    """Why a packed file cannot be used: a sentence about its ``{name}``, and what else is in it."""

    def __init__(self, template: str, **fields: object) -> None:
        super().__init__(template)
        self.template = template
        self.fields = fields


@dataclass(frozen=True)
class PackedFormat:
    """A file of the package: what it is, its version, a checksum, a line each; XZ streams."""

    magic: bytes
    """The first line, with its end."""
    version: int
    max_file: int
    max_content: int
    """Bytes of the file, and of what it unpacks to."""
    max_unpacker: int = 128 << 20
    """Bytes of memory that unpacking may take besides."""

    def pack(self, content: bytes) -> bytes:
        """The whole file for a content."""
        return self.seal(self.stream(content))

    def stream(self, content: bytes) -> bytes:
        """A content as an XZ stream."""
        import lzma

        return lzma.compress(content, preset=lzma.PRESET_DEFAULT | lzma.PRESET_EXTREME)

    def seal(self, packed: bytes) -> bytes:
        """The whole file for its streams."""
        digest = sha256(packed).hexdigest().encode()
        return b"%s%d\n%s\n%s" % (self.magic, self.version, digest, packed)

    def read(self, path: Path, foreign: str) -> bytes:
        """What a file of one stream unpacks to; ``foreign`` is the sentence for another program's.

        Raises:
            BadFile: If it cannot be used.
        """
        content, rest = self.read_first(path, foreign)
        if rest:
            raise BadFile("{name} cannot be unpacked.")
        return content

    def read_first(self, path: Path, foreign: str) -> tuple[bytes, bytes]:
        """What the first stream of a file unpacks to, and the other streams as they are."""
        try:
            data = read_bounded(path, self.max_file)
        except OSError as error:
            raise BadFile("{name} cannot be read: {reason}.", reason=error.strerror) from None
        if not data.startswith(self.magic):
            raise BadFile(foreign)
        version, _, rest = data[len(self.magic) :].partition(b"\n")
        if version != b"%d" % self.version:
            raise BadFile(
                "{name} has version {version} of its format; this program reads version {known}.",
                version=version[:8].decode("ascii", "replace"),
                known=self.version,
            )
        digest, _, packed = rest.partition(b"\n")
        if sha256(packed).hexdigest().encode() != digest:
            raise BadFile("{name} is damaged: its checksum does not match.")
        return self.unpack(packed, self.max_content)

    def unpack(self, packed: bytes, most: int) -> tuple[bytes, bytes]:
        """What an XZ stream unpacks to, and whatever lies behind it.

        Raises:
            BadFile: If it is damaged, or unpacks to more bytes than ``most``.
        """
        import lzma  # most readers do without, and so may a Python

        try:
            stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=self.max_unpacker)
            content = stream.decompress(packed, most + 1)
        except lzma.LZMAError:
            raise BadFile("{name} cannot be unpacked.") from None
        if not stream.eof or len(content) > most:
            raise BadFile("{name} cannot be unpacked.")
        return content, stream.unused_data
