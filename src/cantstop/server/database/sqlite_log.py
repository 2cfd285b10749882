"""The write-ahead log beside a SQLite file: whether it belongs to this copy of the database.

SQLite applies whatever log lies there. Beside an older copy, restored after a power cut, the log of
the newer one would silently damage it. So every run of a server writes an id into the database's
own file and into the lock file: with a log, both have to be the same.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

MAGIC = b"SQLite format 3\0"
_ID_AT, HEAD_BYTES = 60, 64
"""Where the file has ``user_version``, which is the application's own."""


def lock_path(path: Path) -> Path:
    """The file that a server locks, beside the database itself whatever link leads there."""
    path = path.resolve()
    return path.with_name(f"{path.name}-lock")


def log_paths(path: Path) -> tuple[Path, Path]:
    """The write-ahead log and its index."""
    path = path.resolve()
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def run_id(path: Path) -> int | None:
    """The id of the last run, as the file itself has it; None where it is no database."""
    try:
        with path.open("rb") as file:
            return id_in(file.read(HEAD_BYTES))
    except OSError:
        return None


def id_in(head: bytes) -> int | None:
    """The id in the first bytes of a file."""
    if not head.startswith(MAGIC):
        return None
    return int.from_bytes(head[_ID_AT:HEAD_BYTES])


def write_run_ids(path: Path, ids: Sequence[int | None]) -> None:
    """Note which ids the file may have while the log is there."""
    text = " ".join(str(one) for one in ids if one is not None)
    with lock_path(path).open("r+b") as file:
        file.write(f"{text}\n".encode())
        file.truncate()


def log_is_strange(path: Path) -> bool:
    """Whether a log lies beside the file that is of another copy of the database."""
    log, _ = log_paths(path)
    known: list[int] = []
    with suppress(OSError, ValueError):
        if not log.stat().st_size:
            return False
        known = [int(word) for word in lock_path(path).read_text("utf-8").split()]
    return bool(known) and run_id(path) not in known
