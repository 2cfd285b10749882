"""The file of a SQLite database: one server at a time, and still the file that was opened.

SQLite goes on writing to a file that was deleted or replaced, and nobody would find those events.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from cantstop.server.database.connections import UnusableDatabase

_MAGIC = b"SQLite format 3\0"


class FileLost(Exception):
    """The file of the database is not the one that was opened."""


class SqliteFile:
    """The file behind an open database; ``check`` costs microseconds."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # kept open: closing it would release the locks that SQLite has on the file (POSIX)
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._identity = self._identify(os.fstat(self._descriptor))

    def check(self) -> None:
        """Raise ``FileLost`` if the file was deleted, replaced or overwritten."""
        try:
            there = self._identify(os.stat(self._path))  # noqa: PTH116 - in every transaction
        except OSError as error:
            raise FileLost(f"the file of the database is gone ({error.strerror})") from None
        if there != self._identity:
            raise FileLost("the file of the database is another one now")
        if sys.platform != "win32":
            begin = os.pread(self._descriptor, len(_MAGIC), 0)
            if begin and begin != _MAGIC:  # a new file is empty
                raise FileLost("the file of the database was overwritten")

    def close(self) -> None:
        """Close the file, once the database is."""
        os.close(self._descriptor)

    @staticmethod
    def _identify(found: os.stat_result) -> tuple[int, int]:
        return found.st_dev, found.st_ino


@contextmanager
def only_server(path: Path) -> Iterator[None]:
    """Lock a database for one server; backups and ``cantstop tables`` need no lock."""
    lock = path.with_name(f"{path.name}-lock")
    with ExitStack() as stack:
        try:
            file = stack.enter_context(lock.open("ab"))
        except OSError as error:
            raise UnusableDatabase(
                "The database {path} cannot be used: {reason}.", path=path, reason=error.strerror
            ) from None
        try:
            _lock(file.fileno())
        except OSError:
            raise UnusableDatabase(
                "Another server already uses the database {path}: SQLite allows only one.",
                path=path,
            ) from None
        with suppress(OSError):
            lock.chmod(0o600)
        yield


def _lock(descriptor: int) -> None:
    """Lock a file until it is closed, however that happens; an error if it is locked."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
