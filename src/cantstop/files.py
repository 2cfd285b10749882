"""Where a user's files are, and files that are whole at any time.

A new version of a file takes the old one's place at one stroke.
"""

import csv
import errno
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, TextIO

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""Permissions of what only its owner may read."""

_FOLDER = "cantstop"


_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet takes text that begins with one of these for a formula, and runs it."""


def _plain_text(cell: str) -> str:
    mark = "'" if len(cell) > 1 and cell.startswith(_FORMULA_STARTS) else ""
    return mark + cell.replace("\r", " ")  # not every Python's writer quotes a carriage return


def write_csv(file: TextIO, rows: Iterable[Iterable[object]]) -> None:
    r"""Write rows as CSV. Numbers stay numbers; a quote before other text keeps it from being run.

    >>> import sys
    >>> write_csv(sys.stdout, [["=HYPERLINK()", "Anne", -0.5, None]])
    '=HYPERLINK(),Anne,-0.5,
    """
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        writer.writerow(_plain_text(cell) if isinstance(cell, str) else cell for cell in row)


def user_data_folder() -> Path:
    """Where a user's games and tables are kept, as their system has it."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / _FOLDER
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _FOLDER
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / _FOLDER


def user_cache_folder() -> Path:
    """The folder for caches: everything in it can be made again."""
    if sys.platform == "win32":
        return user_data_folder() / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / _FOLDER
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / _FOLDER


def make_private_file(path: Path) -> bool:
    """Make a file, and the folders above it, for its owner alone; tighten one that is there.

    Nobody else can open it at any moment: it is made with its permissions, whatever the umask is.
    Returns whether others could have read it until now, or still can, if it is not ours.
    """
    path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY, PRIVATE_FILE))
    if os.name != "posix" or not path.stat().st_mode & 0o077:
        return False
    with suppress(PermissionError):
        path.chmod(path.stat().st_mode & 0o700)
    return True


def write_atomically(path: Path, data: str | bytes) -> None:
    """Write a file whose old content, or new content, is there whatever happens."""
    with open_atomically(path) as file:
        file.write(data.encode() if isinstance(data, str) else data)


@contextmanager
def open_atomically(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """A file beside ``path`` to write to, which replaces it when all is written.

    An exception leaves the old file as it was. A private file can be read by its owner only; any
    other has the permissions of the file that it replaces, or the usual ones.
    """
    target = path.resolve()  # a link stays a link, to the new content
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not target.parent.is_dir():  # otherwise the error would be about the file beside it
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    fresh = target.with_name(f".{target.name}.{token_hex(4)}.new")
    mode = 0o600 if private else 0o666  # less what the umask takes away
    try:
        with open(fresh, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists() and not private:
            shutil.copymode(target, fresh)
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
