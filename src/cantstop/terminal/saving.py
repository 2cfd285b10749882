"""Saves: never overwrite somebody's file, never leave half of one."""

from datetime import datetime
from pathlib import Path

from cantstop.files import write_atomically
from cantstop.record import Record, record_text
from cantstop.rules import CantStopError

SUFFIX = ".cantstop"


class SaveError(CantStopError):
    """A save that the file system refuses."""


class FileExists(CantStopError):
    """A file that would have to be overwritten, and is not."""


def home_path(name: str) -> Path:
    """The path that somebody means; ``~`` is their home, where they have one."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def check_new(path: Path) -> None:
    """Refuse a file that is there already."""
    if path.exists():
        raise _taken(path)


def claim(path: Path) -> None:
    """Make a new, empty file; one that is there already is refused, not touched."""
    try:
        path.open("x").close()
    except FileExistsError:
        raise _taken(path) from None
    except (OSError, ValueError) as error:  # no file name has a null character in it
        raise _refused(path, error) from None


def claim_in(folder: Path, now: datetime) -> Path:
    """Make a new file in a folder, named after the date and time, and the folder if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refused(folder, error) from None
    name = now.strftime("%Y-%m-%d-%H%M%S")
    path, number = folder / f"{name}{SUFFIX}", 1
    while True:
        try:
            claim(path)
        except FileExists:
            number += 1
            path = folder / f"{name}-{number}{SUFFIX}"
        else:
            return path


def write_save(path: Path, record: Record) -> None:
    """Replace a save at one stroke: whatever happens, the old one or the new one is there."""
    try:
        write_atomically(path, record_text(record))
    except OSError as error:
        raise _refused(path, error) from None


def _taken(path: Path) -> FileExists:
    return FileExists("{path} exists already; go on with it by --resume.", path=path)


def _refused(path: Path, error: OSError | ValueError) -> SaveError:
    reason = error.strerror if isinstance(error, OSError) else error
    return SaveError("{path} cannot be written: {reason}.", path=path, reason=reason)
