"""The file of a SQLite database: one server at a time, and still the file that was opened.

SQLite goes on writing to a file that was deleted or replaced, and nobody would find those events.
"""

import os
import secrets
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO

from cantstop.server.database.connections import UnusableDatabase
from cantstop.server.database.sqlite_log import (
    HEAD_BYTES,
    MAGIC,
    id_in,
    lock_path,
    run_id,
    write_run_ids,
)


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
            begin = os.pread(self._descriptor, len(MAGIC), 0)
            if begin and begin != MAGIC:  # a new file is empty
                raise FileLost("the file of the database was overwritten")

    def tie_log(self) -> None:
        """Give this run an id, in the database's own file and beside it (``sqlite_log``).

        To be called by the one server that has the database locked.
        """
        before, now = self._run_id(), secrets.randbelow((1 << 31) - 1) + 1
        with closing(sqlite3.connect(self._path, timeout=10)) as connection:
            connection.execute(f"PRAGMA user_version = {now}")
            connection.commit()
            # into the file itself; if another connection reads just now, that happens later
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        write_run_ids(self._path, [now] if self._run_id() == now else [before, now])

    def _run_id(self) -> int | None:
        """As the file has it now: read here, where no lock is lost by closing it."""
        if sys.platform == "win32":
            return run_id(self._path)
        return id_in(os.pread(self._descriptor, HEAD_BYTES, 0))

    def free_bytes(self) -> int | None:
        """What room is left on its disk; None where the system does not tell."""
        with suppress(OSError):
            return shutil.disk_usage(self._path.resolve().parent).free
        return None

    def close(self) -> None:
        """Close the file, once the database is."""
        os.close(self._descriptor)

    @staticmethod
    def _identify(found: os.stat_result) -> tuple[int, int]:
        return found.st_dev, found.st_ino


@contextmanager
def only_server(path: Path) -> Iterator[None]:
    """Lock a database for one server; backups and ``cantstop tables`` need no lock.

    Two names of one file are one database: the lock is beside the file itself, and where the
    system keeps such locks apart from SQLite's own, on the file too.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(lock_path(path).open("a+b"))
            _lock_or_refuse(file, path)
            if sys.platform == "linux" and path.exists():
                _lock_or_refuse(stack.enter_context(path.open("rb")), path)
        except OSError as error:
            raise UnusableDatabase(
                "The database {path} cannot be used: {reason}.", path=path, reason=error.strerror
            ) from None
        with suppress(OSError):
            lock_path(path).chmod(0o600)
        yield


def _lock_or_refuse(file: IO[bytes], path: Path) -> None:
    try:
        _lock(file.fileno())
    except OSError:
        raise UnusableDatabase(
            "Another server already uses the database {path}: SQLite allows only one.",
            path=path,
        ) from None


def _lock(descriptor: int) -> None:
    """Lock a file until it is closed, however that happens; an error if it is locked."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
