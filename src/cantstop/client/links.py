"""The address of a table, as people send it to each other, and the stored secrets of seats."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, quote, urlsplit

from cantstop.files import open_atomically
from cantstop.rules import InvalidText, check_is_text

_TABLE = re.compile(r"/t/([A-Za-z0-9_-]{1,64})/?")
_LONGEST = 300
_SEAT = re.compile(r"seat=([A-Za-z0-9_-]{1,128})")


@dataclass(frozen=True)
class TableLink:
    """A table on a server, and the secret of a seat where the link has one.

    >>> TableLink.parse("https://example.org/t/k7Qm")
    TableLink(server='https://example.org', table='k7Qm', secret=None)
    """

    server: str
    table: str
    secret: str | None = None

    @classmethod
    def parse(cls, text: str) -> "TableLink":
        """Read a link such as the browser shows.

        Raises:
            InvalidText: If it is not a link to a table.
        """
        check_is_text(text, "http://localhost:8000/t/k7Qm")
        parts = _address(text)
        table = None if parts is None else _TABLE.fullmatch(parts.path)
        if parts is None or table is None:
            raise InvalidText(
                "“{text}” is not a link to a table; they look like {example}.",
                text=text,
                example="http://localhost:8000/t/k7Qm",
            )
        secret = _SEAT.fullmatch(parts.fragment)
        return cls(f"{parts.scheme}://{parts.netloc}", table[1], secret[1] if secret else None)

    @classmethod
    def of(cls, link: "TableLink | str") -> "TableLink":
        """The link itself, parsed if it is a text."""
        return link if isinstance(link, TableLink) else cls.parse(link)

    def __str__(self) -> str:
        return f"{self.server}/t/{self.table}"

    @property
    def private(self) -> str:
        """The link with the secret of the seat: whoever has it sits there."""
        return str(self) if self.secret is None else f"{self}#seat={self.secret}"

    @property
    def api(self) -> str:
        """The address of the table for programs."""
        return f"{self.server}/api/tables/{quote(self.table, safe='')}"

    @property
    def socket(self) -> str:
        """The address of the table's socket."""
        return self.api.replace("http", "ws", 1) + "/socket"


def _address(text: str) -> SplitResult | None:
    """The parts of an address of a server, or None if it cannot be one."""
    try:
        parts = urlsplit(text.strip() if "://" in text else f"http://{text.strip()}")
        host, _ = parts.hostname, parts.port
    except ValueError:  # such as an open bracket, or a port that is not a number
        return None
    known = parts.scheme in ("http", "https") and host is not None
    return parts if known and parts.netloc.isprintable() and len(parts.netloc) < _LONGEST else None


def server_address(text: str) -> str:
    """The address of a server, as links have it.

    >>> server_address("localhost:8000/")
    'http://localhost:8000'
    """
    check_is_text(text, "http://localhost:8000")
    parts = _address(text)
    if parts is None or parts.path not in ("", "/"):
        raise InvalidText(
            "“{text}” is not the address of a server; they look like {example}.",
            text=text,
            example="http://localhost:8000",
        )
    return f"{parts.scheme}://{parts.netloc}"


@dataclass(frozen=True)
class SeatSecrets:
    """The secrets of one's seats, to come back to them: a file a table, readable by its owner."""

    folder: Path

    def find(self, link: TableLink) -> str | None:
        """The secret of one's seat at a table: the one in the link, or else the stored one."""
        if link.secret is not None:
            return link.secret
        try:
            return self._file(link).read_text("ascii").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    def save(self, link: TableLink, secret: str) -> None:
        """Store the secret of a seat."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open_atomically(self._file(link), private=True) as file:
            file.write(f"{secret}\n".encode("ascii"))

    def forget(self, link: TableLink) -> None:
        """Delete a secret that does not hold a seat any more."""
        self._file(link).unlink(missing_ok=True)

    def _file(self, link: TableLink) -> Path:
        server = hashlib.sha256(link.server.encode()).hexdigest()[:12]
        return self.folder / f"{server}-{link.table}.seat"
