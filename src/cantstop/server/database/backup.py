"""Backup and restore: a database as one file of gzipped JSON lines, for either database.

Every line is one object with one key. The first says what the file is, the others are rows, the
last one has the row counts and a SHA-256 checksum. Rows are those of the schema revision that the
database has: restoring runs the migrations since.
"""

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, NamedTuple, cast

import sqlalchemy as sa

from cantstop import __version__
from cantstop.rules import CantStopError
from cantstop.server.database import schema
from cantstop.server.database.connections import (
    UNAVAILABLE,
    UnusableDatabase,
    is_postgresql,
    open_engine,
    sqlite_path,
    unusable_where_it_fails,
)
from cantstop.server.database.migrations.upgrade import check_known, is_known, revision_of, upgrade
from cantstop.server.database.sqlite_file import only_server
from cantstop.server.database.sqlite_log import log_paths, write_run_ids

VERSION = 1
"""Version of the file format; the columns of its rows follow from the schema's revision."""

_HEADER, _END = "cantstop-backup", "end"
_NAMES = [table.name for table in schema.metadata.sorted_tables]
"""In the order of their foreign keys."""
_BATCH_SIZE = 500
_MAX_LINE_BYTES = 1 << 20
_MAX_RATIO = 200
"""How many times its size a backup may unpack to; dice, ids and times pack to a twentieth."""

_BAD_VALUES = (
    sa.exc.IntegrityError,
    sa.exc.DataError,
    sa.exc.ProgrammingError,
    sa.exc.StatementError,
    KeyError,
    OverflowError,
    TypeError,
    ValueError,
)

Counts = Mapping[str, int]
Progress = Callable[[int], None]
"""Called now and then with the number of rows so far."""


class BadBackup(CantStopError):
    """A file that cannot be restored; nothing was."""


class NotEmpty(CantStopError):
    """A database that holds something already."""


@contextmanager
def _opened(url: str, *, must_exist: bool = False) -> Iterator[sa.Engine]:
    engine = open_engine(url, must_exist=must_exist)
    try:
        with unusable_where_it_fails():
            yield engine
    finally:
        engine.dispose()


# Writing


def back_up(url: str, file: IO[bytes], progress: Progress) -> Counts:
    """Write a snapshot of a database, while servers go on working with it.

    Returns how many rows of each table there are.
    """
    with _opened(url, must_exist=True) as engine, _snapshot(engine) as connection:
        revision = revision_of(connection)
        if revision is None:
            raise UnusableDatabase("The database has no Can't Stop tables.")
        check_known(revision)
        with _LineWriter(file) as lines:
            lines.write(_HEADER, _header(revision))
            counts = _write_rows(connection, lines, progress)
            lines.write(_END, {"rows": counts, "sha256": lines.sha256})
    return counts


@contextmanager
def _snapshot(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction with snapshot isolation, which SQLite always has."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
    with engine.begin() as connection:
        yield connection


class _LineWriter:
    """Writes the lines of a backup, and their checksum."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zipped = gzip.GzipFile("", "wb", fileobj=file, mtime=0)
        self._sum = hashlib.sha256()

    def __enter__(self) -> "_LineWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self._zipped.close()

    @property
    def sha256(self) -> str:
        """The checksum of all lines so far."""
        return self._sum.hexdigest()

    def write(self, kind: str, value: object) -> None:
        text = json.dumps({kind: value}, ensure_ascii=False, separators=(",", ":"))
        line = text.encode() + b"\n"
        self._sum.update(line)
        self._zipped.write(line)


def _header(revision: str) -> Mapping[str, object]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"version": VERSION, "program": __version__, "schema": revision, "at": now}


def _write_rows(connection: sa.Connection, lines: _LineWriter, progress: Progress) -> Counts:
    counts = Counter(dict.fromkeys(_NAMES, 0))
    for name, table in _tables(connection).items():
        query = sa.select(table).order_by(*table.primary_key.columns)
        with connection.execute(query, execution_options={"yield_per": _BATCH_SIZE}) as found:
            for row in found.mappings():
                lines.write(name, {column: _written(value) for column, value in row.items()})
                counts[name] += 1
                if counts.total() % _BATCH_SIZE == 0:
                    progress(counts.total())
    return dict(counts)


def _tables(connection: sa.Connection) -> dict[str, sa.Table]:
    """Our tables with the columns that they have at the database's own revision."""
    there, metadata = sa.inspect(connection), sa.MetaData()
    return {
        name: sa.Table(name, metadata, autoload_with=connection)
        for name in _NAMES
        if there.has_table(name)
    }


def _written(value: object) -> object:
    match value:
        case datetime():
            return schema.in_utc(value).isoformat()
        case bytes():
            return value.hex()
    return value


# Reading


def restore(url: str, file: IO[bytes], progress: Progress, *, replace: bool = False) -> Counts:
    """Fill an empty database with what ``back_up`` wrote, in one transaction.

    With ``replace``, whatever the database holds gives way to it, however damaged it is: a SQLite
    file, with its log, once the new one is complete. No server may use it then.
    """
    if replace and not is_postgresql(url):
        return _replace_file(sqlite_path(url), file, progress)
    return _restore(url, file, progress, replace=replace)


def _replace_file(path: Path, file: IO[bytes], progress: Progress) -> Counts:
    path = path.resolve()
    with only_server(path), TemporaryDirectory(dir=path.parent, prefix="restoring-") as folder:
        new = Path(folder) / path.name
        counts = _restore(f"sqlite:///{new}", file, progress, replace=False)
        # a log that was left would be applied to the new file
        for old in log_paths(path):
            old.unlink(missing_ok=True)
        new.replace(path)
        write_run_ids(path, [])
    return counts


def _restore(url: str, file: IO[bytes], progress: Progress, *, replace: bool) -> Counts:
    lines = _read_lines(file)
    revision = _read_header(lines)
    with _opened(url) as engine, engine.execution_options(writes=True).begin() as connection:
        _clear(connection, replace=replace)
        upgrade(connection, revision)
        counts = _insert_rows(connection, lines, progress)
        upgrade(connection)
    return counts


class _Line(NamedTuple):
    kind: str
    value: Mapping[str, object]
    above: str
    """The checksum of all lines above."""


class _Damaged(BadBackup):
    def __init__(self) -> None:
        super().__init__("The backup is damaged, and nothing was restored.")


class _CutOff(BadBackup):
    def __init__(self) -> None:
        super().__init__("The backup is cut off: its end is missing, and nothing was restored.")


class _CountedReads:
    """A file that counts what is read from it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.count += len(data)
        return data


def _read_lines(file: IO[bytes]) -> Iterator[_Line]:
    above, packed, unpacked = hashlib.sha256(), _CountedReads(file), 0
    try:
        with gzip.GzipFile(fileobj=cast("IO[bytes]", packed)) as unzipped:
            while text := unzipped.readline(_MAX_LINE_BYTES):
                unpacked += len(text)
                if unpacked > _MAX_LINE_BYTES + _MAX_RATIO * packed.count:
                    raise _Damaged  # rows without end, packed into a small file
                if not text.endswith(b"\n"):
                    unzipped.read(1)  # where the file is cut off, it says so now
                    raise _Damaged
                ((kind, value),) = json.loads(text).items()
                yield _Line(kind, dict(value), above.hexdigest())
                above.update(text)
    except EOFError:
        raise _CutOff from None
    except (gzip.BadGzipFile, zlib.error, AttributeError, RecursionError, *_BAD_VALUES):
        raise _Damaged from None


def _read_header(lines: Iterator[_Line]) -> str:
    """The revision that the rows are of."""
    try:
        header = next(lines, None)
    except _Damaged:
        header = None
    if header is None or header.kind != _HEADER:
        raise BadBackup("This is not a Can't Stop backup.")
    revision = str(header.value.get("schema"))
    if header.value.get("version") != VERSION or not is_known(revision):
        raise BadBackup(
            "The backup is from a newer version ({version}) than this program: update cantstop.",
            version=header.value.get("program"),
        )
    return revision


def _clear(connection: sa.Connection, *, replace: bool) -> None:
    """Drop empty tables, so that they can be created at the revision of the backup."""
    upgrade(connection)
    tables = schema.metadata.sorted_tables
    if connection.dialect.name == "postgresql":  # or a server could use them just now
        connection.execute(sa.text(f"LOCK TABLE {', '.join(_NAMES)}"))
    if not replace and any(
        connection.scalar(sa.select(sa.exists().select_from(table))) for table in tables
    ):
        raise NotEmpty(
            "The database already holds tables: a backup can only be restored into an empty one."
        )
    schema.metadata.drop_all(connection)
    schema.unsaved.drop_all(connection)
    connection.execute(sa.text("DROP TABLE alembic_version"))


def _insert_rows(connection: sa.Connection, lines: Iterator[_Line], progress: Progress) -> Counts:
    """Insert all rows in batches, and verify their counts and checksum."""
    counts = Counter(dict.fromkeys(_NAMES, 0))
    tables, end = _tables(connection), None
    try:
        for kind, group in groupby(lines, lambda line: line.kind):
            if kind == _END:
                (end,) = group
                continue
            table = tables[kind]
            while rows := [_row(table, line.value) for line in islice(group, _BATCH_SIZE)]:
                connection.execute(table.insert(), rows)
                counts[kind] += len(rows)
                progress(counts.total())
    except (BadBackup, *UNAVAILABLE):
        raise
    except _BAD_VALUES:
        raise _Damaged from None
    if end is None:
        raise _CutOff
    # a backup from before some of the tables does not count their rows
    row_counts = end.value.get("rows")
    known = row_counts if isinstance(row_counts, dict) else {}
    due = {name: count for name, count in counts.items() if count or name in known}
    if end.value != {"rows": due, "sha256": end.above}:
        raise _Damaged
    return counts


def _row(table: sa.Table, value: Mapping[str, object]) -> Mapping[str, object]:
    if value.keys() != set(table.columns.keys()):
        raise _Damaged
    return {column.name: _read(column, value[column.name]) for column in table.columns}


def _read(column: sa.Column[Any], value: Any) -> Any:  # noqa: ANN401
    match column.type:
        case _ if value is None:
            return None
        case sa.DateTime():
            return schema.in_utc(datetime.fromisoformat(value))
        case sa.LargeBinary():
            return bytes.fromhex(value)
    return value
