"""The storage on a SQL database: SQLAlchemy Core, every change one transaction."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from cantstop.rules import CantStopError
from cantstop.server import schema
from cantstop.server.events import Entry, event_data, event_from
from cantstop.server.migrations.upgrade import upgrade
from cantstop.server.storage import Change, Conflict, NewTable, Stored
from cantstop.server.tables import Table

_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",  # durable before visible, also when the power fails
    "foreign_keys = ON",
    "busy_timeout = 10000",
)


class UnusableDatabase(CantStopError):
    """A database that cannot be opened."""


class Database:
    """Tables in a SQL database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writing = engine.execution_options(writes=True)

    async def load(self, table_id: str) -> Stored | None:
        """The table of that id, if there is one."""
        async with self._engine.connect() as connection:
            found = (
                await connection.execute(
                    sa.select(schema.tables.c.dice_secret).where(schema.tables.c.id == table_id)
                )
            ).one_or_none()
            if found is None:
                return None
            entries = await _entries(connection, table_id)
            held = await connection.execute(
                sa.select(schema.holders.c.seat, schema.holders.c.secret_hash).where(
                    schema.holders.c.table_id == table_id
                )
            )
            holders = {row.seat: row.secret_hash for row in held}
        return Stored(Table.from_log(table_id, entries), holders, found.dice_secret)

    async def commit(self, *changes: Change) -> None:
        """Write all of the changes or, with a ``Conflict``, none of them."""
        try:
            async with self._writing.begin() as connection:
                for change in changes:
                    await _write(connection, change)
        except IntegrityError as error:
            raise Conflict from error

    async def tables_waiting_for_bots(self) -> list[str]:
        """The ids of the tables where it is a bot's turn."""
        async with self._engine.connect() as connection:
            found = await connection.scalars(
                sa.select(schema.tables.c.id).where(schema.tables.c.bot_to_act)
            )
            return list(found)


async def _entries(connection: AsyncConnection, table_id: str) -> list[Entry]:
    events = schema.events.c
    rows = await connection.execute(
        sa.select(events.n, events.at, events.seat, events.kind, events.data, events.action_id)
        .where(events.table_id == table_id)
        .order_by(events.n)
    )
    return [
        Entry(n, at, seat, event_from(kind, data), action)
        for n, at, seat, kind, data, action in rows
    ]


async def _write(connection: AsyncConnection, change: Change) -> None:
    if isinstance(change, NewTable):
        await connection.execute(
            schema.tables.insert().values(
                id=change.table_id,
                opened_at=change.entries[0].at,
                dice_secret=change.dice_secret,
                bot_to_act=change.bot_to_act,
            )
        )
    else:
        await connection.execute(
            schema.tables.update()
            .where(schema.tables.c.id == change.table_id)
            .values(bot_to_act=change.bot_to_act)
        )
    await connection.execute(schema.events.insert(), _event_rows(change))
    if change.holders:
        await connection.execute(
            schema.holders.insert(),
            [
                {"table_id": change.table_id, "seat": seat, "secret_hash": secret}
                for seat, secret in change.holders.items()
            ],
        )


def _event_rows(change: Change) -> Sequence[dict[str, Any]]:
    return [
        {
            "table_id": change.table_id,
            "n": entry.n,
            "at": entry.at,
            "kind": entry.kind,
            "seat": entry.seat,
            "data": event_data(entry.event),
            "action_id": entry.action,
        }
        for entry in change.entries
    ]


@asynccontextmanager
async def open_database(url: str) -> AsyncIterator[Database]:
    """The database at a URL such as ``sqlite:///games.db``, brought up to date."""
    path = _sqlite_path(url)
    _try_out(path)
    engine = create_async_engine(sa.URL.create("sqlite+aiosqlite", database=str(path)))
    sa.event.listen(engine.sync_engine, "connect", _prepare)
    sa.event.listen(engine.sync_engine, "begin", _begin)
    try:
        async with engine.execution_options(writes=True).begin() as connection:
            await connection.run_sync(upgrade)
        yield Database(engine)
    finally:
        await engine.dispose()


def _sqlite_path(url: str) -> Path:
    scheme, slashes, path = url.partition(":///")
    if scheme != "sqlite" or not slashes or path in ("", ":memory:") or "?" in path:
        raise UnusableDatabase(
            "“{url}” is not a database that tables can be kept in; it looks like {example}.",
            url=url,
            example="sqlite:///games.db",
        )
    return Path(path)


def _try_out(path: Path) -> None:
    """Open the file and get ready to write, so that what is wrong with it is said at once."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
    except (OSError, sqlite3.Error) as error:
        raise UnusableDatabase(
            "The database {path} cannot be used: {reason}.",
            path=path,
            reason=getattr(error, "strerror", None) or error,
        ) from None


def _prepare(connection: Any, _record: object) -> None:  # noqa: ANN401
    # transactions are begun by hand: Python's driver would begin some of them too late
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    # one that is going to write waits for its turn here: in the middle it would be too late
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
