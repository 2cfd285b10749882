"""Database connections: the engine for an SQLite file or a PostgreSQL, and its migrations."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from cantstop.extras import require
from cantstop.files import make_private_file
from cantstop.rules import CantStopError
from cantstop.server.database.migrations.upgrade import upgrade
from cantstop.server.database.sqlite_log import log_is_strange, log_paths

_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",  # durable before visible, also when the power fails
    "foreign_keys = ON",
    "busy_timeout = 10000",  # milliseconds that a writer waits for the lock of another process
)
_CONNECT_TIMEOUT = 5
_STATEMENT_SECONDS = {
    "lock_timeout": 5,
    "statement_timeout": 15,
    "idle_in_transaction_session_timeout": 60,
}
"""How long a server waits for PostgreSQL: far longer than any statement of ours takes."""

UNAVAILABLE = (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.InternalError)
"""Errors of a database that does not answer, rather than of what it was given."""
_log = logging.getLogger(__name__)


class UnusableDatabase(CantStopError):
    """A database that cannot be opened."""


def is_postgresql(url: str) -> bool:
    """Whether a URL names a database that several workers can share."""
    return url.partition(":")[0] in ("postgresql", "postgres")


def postgresql_dsn(url: str) -> str:
    """The URL for psycopg itself, which only knows the scheme ``postgresql``."""
    return "postgresql" + url[url.index("://") :]


def open_engine(url: str, *, must_exist: bool = False, patient: bool = True) -> sa.Engine:
    """The database at a URL such as ``sqlite:///games.db``; one that cannot be used is refused.

    With ``patient``, statements may take as long as they need.
    """
    if is_postgresql(url):
        return _postgresql(url, patient=patient)
    path = sqlite_path(url)
    if must_exist and not path.exists():
        raise UnusableDatabase("There is no database {path}.", path=path)
    return _sqlite(path)


def migrate(engine: sa.Engine) -> None:
    """Run the migrations that the database has not seen."""
    with engine.execution_options(writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":  # a migration takes as long as it needs
            connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
            connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
        upgrade(connection)


def check_integrity(url: str) -> None:
    """Refuse a SQLite file that is damaged, in one sentence; reads all of it once."""
    if is_postgresql(url):
        return
    path = sqlite_path(url)
    if not path.exists() or not path.stat().st_size:
        return
    _check_log(path)
    try:
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError:
        return  # it cannot be opened, or is locked: whoever opens it says so
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        reason = " ".join(str(found).split())
        raise UnusableDatabase(
            "The database {path} is damaged ({reason}): restore a backup with “cantstop restore "
            "--replace”.",
            path=path,
            reason=reason,
        )


def _check_log(path: Path) -> None:
    if log_is_strange(path):
        raise UnusableDatabase(
            "{log} is not the log of this copy of the database {path} and would damage it: move "
            "it away, or restore a backup with “cantstop restore --replace”.",
            log=log_paths(path)[0],
            path=path,
        )


def _postgresql(url: str, *, patient: bool) -> sa.Engine:
    require("postgresql")
    try:
        parsed = sa.make_url(url).set(drivername="postgresql+psycopg")
    except ArgumentError:
        raise _unknown_url(url) from None
    engine = sa.create_engine(
        parsed,
        pool_size=8,
        max_overflow=8,
        pool_timeout=_CONNECT_TIMEOUT,
        hide_parameters=True,
        connect_args={"connect_timeout": _CONNECT_TIMEOUT, "application_name": "cantstop"},
    )
    if not patient:
        sa.event.listen(engine, "connect", _limit_statements)
    try:
        engine.connect().close()
    except sa.exc.OperationalError as error:
        shown = parsed.render_as_string(hide_password=True).replace("+psycopg", "")
        raise UnusableDatabase(
            "The database {path} cannot be used: {reason}.",
            path=shown,
            reason=reason_of(error),
        ) from None
    return engine


def reason_of(failed: sa.exc.DBAPIError) -> str:
    """What a driver says is wrong, in one line."""
    lines = str(failed.orig).strip().splitlines()
    reason = lines[0] if lines else "it does not answer"
    return reason.removeprefix("connection failed: ").rstrip(".")


@contextmanager
def unusable_where_it_fails() -> Iterator[None]:
    """One sentence for a database that fails under a command."""
    try:
        yield
    except UNAVAILABLE as error:
        raise UnusableDatabase(
            "The database has failed: {reason}.", reason=reason_of(error)
        ) from None


def _limit_statements(connection: Any, _record: object) -> None:  # noqa: ANN401
    """Have PostgreSQL give up: a table that is locked would hold requests for ever."""
    connection.autocommit = True
    for setting, seconds in _STATEMENT_SECONDS.items():
        connection.execute(f"SET {setting} = '{seconds}s'")
    connection.autocommit = False


def _sqlite(path: Path) -> sa.Engine:
    _check_log(path)
    _check_writable(path)
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        hide_parameters=True,  # an error in a log tells no secret
    )
    sa.event.listen(engine, "connect", _configure)
    sa.event.listen(engine, "begin", _begin)
    return engine


def sqlite_path(url: str) -> Path:
    """The file that a URL such as ``sqlite:///games.db`` names."""
    scheme, slashes, path = url.partition(":///")
    if scheme != "sqlite" or not slashes or path in ("", ":memory:") or "?" in path:
        raise _unknown_url(url)
    return Path(path)


def _unknown_url(url: str) -> UnusableDatabase:
    return UnusableDatabase(
        "“{url}” is not a database URL; they look like {example}.",
        url=url,
        example="sqlite:///games.db",
    )


def _check_writable(path: Path) -> None:
    """Take the write lock once, so that a file that cannot be used is an error at once."""
    try:
        _make_private(path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
    except (OSError, sqlite3.Error) as error:
        raise UnusableDatabase(
            "The database {path} cannot be used: {reason}.",
            path=path,
            reason=getattr(error, "strerror", None) or error,
        ) from None


def _make_private(path: Path) -> None:
    """The file holds the secrets of running games' dice: only its owner may read it.

    SQLite gives the write-ahead log and its index the permissions of the database file.
    """
    logs = [path.with_name(path.name + end) for end in ("-wal", "-shm")]
    for file in (path, *(log for log in logs if log.exists())):
        if make_private_file(file):
            _log.warning("Others could read %s, which holds the secrets of dice.", file)


def _configure(connection: Any, _record: object) -> None:  # noqa: ANN401
    # transactions begin explicitly: Python's driver would begin some of them too late
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    # IMMEDIATE takes the write lock now: a lock upgrade in the middle could fail at once
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
