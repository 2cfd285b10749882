"""Storage on a SQL database: SQLAlchemy Core, the same statements for SQLite and PostgreSQL.

Statements run in a thread pool, where they cost a third of what an asynchronous driver takes.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager
from datetime import UTC, date, datetime
from functools import partial
from itertools import chain
from operator import methodcaller
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import DatabaseError, IntegrityError, SQLAlchemyError

from cantstop.server.cluster.peers import CHANNEL, commit_notices
from cantstop.server.database import schema
from cantstop.server.database.batches import heads_of, insert_events, touch_tables
from cantstop.server.database.connections import (
    is_postgresql,
    migrate,
    open_engine,
    sqlite_path,
)
from cantstop.server.database.days import running_turn, write_turns
from cantstop.server.database.games import write_games
from cantstop.server.database.lobby import renew_seek
from cantstop.server.database.players import (
    REWRITTEN,
    keep_players,
    rewritten_since,
    seat_of_key,
)
from cantstop.server.database.results import (
    clear_result,
    counts_of,
    delete_tries,
    forget_name,
    forget_names,
    place_of,
    result_at,
    results_of,
    secret_of,
    try_of,
    write_grade,
    write_secret,
    write_tries,
)
from cantstop.server.database.sqlite_file import FileLost, SqliteFile, only_server
from cantstop.server.database.storage import Conflict, News, PendingDecision, Unavailable
from cantstop.server.database.writer import Changes, Outcome, Writer
from cantstop.server.errors import Refused
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import RepeatedLog
from cantstop.server.tables.changes import Change, NewTable, StoredTable
from cantstop.server.tables.pairing import Seek
from cantstop.server.tables.seating import Absence
from cantstop.server.tables.tries import DailyEntry
from cantstop.server.tables.turns import RunningTurn
from cantstop.table.events import Entry, Seated
from cantstop.table.table import Table
from cantstop.wire.events import event_from

Found = TypeVar("Found")

_log = logging.getLogger(__name__)
_outages = RepeatedLog(_log)
"""An outage fails every request and every bot: one line each would fill a disk."""

READER_THREADS = 8
_MAX_ABSENCES = 200
"""Absences in one transaction: others want to write too."""
_MAX_IDS, _PAUSE_SECONDS = 200, 0.05
"""Tables in one statement, and the pause after it: others want to be served too."""

_PROBE_EVENTS = 100
"""Events that a ping reads: of one table after the other."""
_DAMAGED = ("malformed", "not a database")
"""What SQLite says of a file that no request can repair."""

_FAILURES = (SQLAlchemyError, FileLost, OSError)
"""Whatever goes wrong with a database: a client has to try again, and never gets a success."""

_ABSENT = (
    schema.holders.update()
    .where(
        schema.holders.c.table_id == sa.bindparam("table"),
        schema.holders.c.seat == sa.bindparam("number"),
    )
    .values(left_at=sa.bindparam("left"), absence_over=sa.bindparam("over"))
)
_NOT_ABSENT = (
    schema.holders.update()
    .where(
        schema.holders.c.table_id == sa.bindparam("table"),
        schema.holders.c.seat == sa.bindparam("number"),
        schema.holders.c.left_at.is_not(None),
    )
    .values(left_at=None, absence_over=False)
)
_PENDING = (
    schema.tables.update()
    .where(schema.tables.c.id == sa.bindparam("table"))
    .values(clock_n=sa.bindparam("since"), clock_left=sa.bindparam("left"))
)
_EVENTS = sa.select(
    schema.events.c.table_id,
    schema.events.c.n,
    schema.events.c.at,
    schema.events.c.seat,
    schema.events.c.kind,
    schema.events.c.data,
    schema.events.c.action_id,
).order_by(schema.events.c.table_id, schema.events.c.n)
_EVENTS_OF_ONE = _EVENTS.where(
    schema.events.c.table_id == sa.bindparam("id"), schema.events.c.n > sa.bindparam("n")
)
_KNOWN = (
    sa.func.unnest(
        sa.bindparam("ids", type_=ARRAY(sa.Text)), sa.bindparam("ns", type_=ARRAY(sa.Integer))
    )
    .table_valued("id", "n")
    .render_derived(name="known")
)
_EVENTS_OF_MANY = _EVENTS.join_from(
    _KNOWN,
    schema.events,
    (schema.events.c.table_id == _KNOWN.c.id) & (schema.events.c.n > _KNOWN.c.n),
)
"""The same for a batch of tables in one statement, where the database has arrays."""

_NOTIFY = sa.text(
    "SELECT pg_notify(:channel, notice) FROM unnest(CAST(:notices AS text[])) AS notice"
).bindparams(channel=CHANNEL)


class Database:
    """Tables in a SQL database."""

    def __init__(self, engine: sa.Engine, worker: str = "", file: SqliteFile | None = None) -> None:
        self._engine = engine
        self._file = file
        """The file of a SQLite database, which every transaction checks."""
        self._worker = worker
        """Sent with every notice, so that a worker can ignore its own."""
        self._writing = engine.execution_options(writes=True)
        self._reading = engine
        if engine.dialect.name == "postgresql":  # no BEGIN and COMMIT: half the round trips
            self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._writer = Writer(self._write_batch)
        self._readers = ThreadPoolExecutor(READER_THREADS, "reader")
        self._alone = asyncio.Lock()
        """Held by whoever writes beside the games: tables wait for one such at most."""
        self._notifies = engine.dialect.name == "postgresql"
        self._damage: str | None = None
        """What was found to be wrong with the file, once something was."""
        self._last_read = ""
        """The table that the last ping read: they take turns."""

    async def _read(self, read: Callable[[sa.Connection], Found]) -> Found:
        def reading() -> Found:
            try:
                self._check_file()
                with self._reading.connect() as connection:
                    return read(connection)
            except Refused:
                raise
            except Exception as error:  # also of rows that cannot be read: the file is corrupt
                raise self._unavailable(error) from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, reading)

    def _check_file(self) -> None:
        if self._file is not None:
            self._file.check()

    async def load(self, table_id: str) -> StoredTable | None:
        """The table of that id, if there is one."""

        def read(connection: sa.Connection) -> StoredTable | None:
            secret = sa.select(schema.tables.c.dice_secret).where(schema.tables.c.id == table_id)
            found = connection.execute(secret).one_or_none()
            if found is None:
                return None
            # events first: the holders then include everybody who is seated
            entries = entries_of(connection, {table_id: 0})[table_id]
            holders = _holders(connection, table_id)
            return StoredTable(Table.from_log(table_id, entries), holders, found.dice_secret)

        return await self._read(read)

    async def news(self, after: Mapping[str, int]) -> Mapping[str, News]:
        """What happened at each of these tables after the event of this number."""

        def read(connection: sa.Connection) -> dict[str, News]:
            news = {}
            for table_id, entries in entries_of(connection, after).items():
                seated = any(isinstance(entry.event, Seated) for entry in entries)
                news[table_id] = News(entries, _holders(connection, table_id) if seated else None)
            return news

        return await self._read(read)

    async def heads(self, table_ids: Sequence[str]) -> Mapping[str, int]:
        """The numbers of these tables' last events."""
        found: dict[str, int] = {}
        for first in range(0, len(table_ids), _MAX_IDS):
            if first:
                await asyncio.sleep(_PAUSE_SECONDS)
            some = table_ids[first : first + _MAX_IDS]
            found.update(await self._read(partial(heads_of, table_ids=some)))
        return found

    async def commit(self, *changes: Change) -> None:
        """Write all of the changes or, with a ``Conflict``, none of them."""
        try:
            await self._writer.commit(changes)
        except Conflict:
            metrics.CONFLICTS.inc()
            raise
        metrics.committed(entry.kind for change in changes for entry in change.entries)

    async def absences(self, table_id: str) -> Mapping[int, Absence]:
        """The seats of a table whose players are absent."""
        holders = schema.holders.c
        query = sa.select(holders.seat, holders.left_at, holders.absence_over).where(
            holders.table_id == table_id, holders.left_at.is_not(None)
        )

        def read(connection: sa.Connection) -> dict[int, Absence]:
            return {seat: Absence(left, over) for seat, left, over in connection.execute(query)}

        return await self._read(read)

    async def record_absences(self, absences: Mapping[tuple[str, int], Absence | None]) -> None:
        """Write which seats, by table and number, are absent; None for those that are not."""
        # sorted: workers that lock rows in different orders could deadlock
        rows = sorted(absences)
        for first in range(0, len(rows), _MAX_ABSENCES):
            some = {key: absences[key] for key in rows[first : first + _MAX_ABSENCES]}
            await self._written(partial(_write_absences, absences=some))

    async def pending_decisions(self) -> Mapping[str, PendingDecision]:
        """The decisions whose time was recorded, by table."""
        tables = schema.tables.c
        query = sa.select(tables.id, tables.clock_n, tables.clock_left).where(
            tables.clock_n.is_not(None)
        )

        def read(connection: sa.Connection) -> dict[str, PendingDecision]:
            return {
                table_id: PendingDecision(since, left)
                for table_id, since, left in connection.execute(query)
            }

        return await self._read(read)

    async def record_decisions(self, decisions: Mapping[str, PendingDecision | None]) -> None:
        """Write what time is left for decisions, by table; None for those that were taken."""
        rows = [
            {
                "table": table_id,
                "since": pending and pending.since,
                "left": pending and pending.left,
            }
            for table_id, pending in sorted(decisions.items())
        ]
        for first in range(0, len(rows), _MAX_ABSENCES):
            some = rows[first : first + _MAX_ABSENCES]
            await self._written(methodcaller("execute", _PENDING, some))

    async def running_turn(self, table_id: str) -> RunningTurn | None:
        """The turn that a person has at a slow table, if one runs there."""
        return await self._read(partial(running_turn, table_id=table_id))

    async def seat_of_key(self, table_id: str, key_hash: str) -> int | None:
        """The seat at a table of the player whose device has a key, by the key's hash."""
        return await self._read(partial(seat_of_key, table_id=table_id, key_hash=key_hash))

    # The time

    async def believed_time(self) -> datetime | None:
        """The newest time that a server has believed; None for a database that is new.

        One from before this was written down has the newest event instead.
        """

        def read(connection: sa.Connection) -> datetime | None:
            found: datetime | None = connection.scalar(sa.select(schema.clock.c.believed_at))
            if found is None:
                found = connection.scalar(sa.select(sa.func.max(schema.tables.c.touched_at)))
            return found

        return await self._read(read)

    async def record_time(self, believed: datetime) -> None:
        """Write the time that this server believes, unless another one was further."""

        def write(connection: sa.Connection) -> None:
            clock = schema.clock
            found = connection.execute(sa.select(clock.c.believed_at)).scalar_one_or_none()
            if found is None:
                connection.execute(clock.insert(), {"id": 1, "believed_at": believed})
            elif found < believed:
                connection.execute(clock.update().values(believed_at=believed))

        try:
            await self._written(write)
        except IntegrityError:
            _log.info("Another worker has written the time.")

    # The daily game

    async def daily_secret(self, new: bytes) -> bytes:
        """The secret of the daily dice: the stored one, or else this new one from now on."""
        if (found := await self._read(secret_of)) is not None:
            return found
        try:
            await self._written(partial(write_secret, secret=new))
        except IntegrityError:
            _log.info("Another worker has drawn the secret of the daily game.")
        found = await self._read(secret_of)
        assert found is not None
        return found

    async def daily_try(self, day: date, device: str) -> DailyEntry | None:
        """The one try of a device on a day."""
        return await self._read(partial(try_of, day=day, device=device))

    async def daily_results(self, day: date, limit: int | None) -> tuple[list[DailyEntry], int]:
        """The results of a day, the best first, up to a limit; and how many there are."""
        return await self._read(partial(results_of, day=day, limit=limit))

    async def daily_counts(self, since: date) -> Mapping[date, int]:
        """How many results each day since then has."""
        return await self._read(partial(counts_of, since=since))

    async def daily_place(self, entry: DailyEntry) -> int:
        """The place of a result on its day."""
        return await self._read(partial(place_of, entry=entry))

    async def record_grade(self, table_id: str, luck: float, skill: float) -> None:
        """Write what luck and skill a daily game had."""
        await self._written(partial(write_grade, table_id=table_id, luck=luck, skill=skill))

    async def daily_result(self, table_id: str) -> DailyEntry | None:
        """The result of a table's game, if it is in the ranking of its day."""
        return await self._read(partial(result_at, table_id=table_id))

    # The club: what its modules read and write

    async def read(self, read: Callable[[sa.Connection], Found]) -> Found:
        """What is read from the database, by one of the functions of this package."""
        return await self._read(read)

    async def write(self, write: Callable[[sa.Connection], Found]) -> Found:
        """Write in a transaction of its own; with an error, nothing is written.

        Two that want the same row at once are one after the other: the second decides again.
        """
        try:
            return await self._written(write)
        except IntegrityError:
            return await self._written(write)

    async def rewritten(self, at: datetime) -> list[str]:
        """Tables whose events a name was taken out of lately: servers have to read them again."""
        return await self._read(partial(rewritten_since, at=at - REWRITTEN))

    async def renew_seek(
        self, asked: Seek, at: datetime, *, with_bot: bool = False
    ) -> tuple[Seek, int]:
        """Look for others, and seat who can be seated: in one transaction."""
        return await self.write(
            partial(renew_seek, asked=asked, at=at, insert=self._insert, with_bot=with_bot)
        )

    async def _written(self, write: Callable[[sa.Connection], Found]) -> Found:
        def writing() -> Found:
            try:
                with self._transaction() as connection:
                    return write(connection)
            except (IntegrityError, Refused):
                raise
            except _FAILURES as error:
                raise self._unavailable(error) from error

        if self._engine.dialect.name == "sqlite":  # where one writes at a time
            async with self._alone:
                return await self._writer.run(writing)
        return await asyncio.get_running_loop().run_in_executor(self._readers, writing)

    async def delete_table(self, table_id: str) -> None:
        """Delete a table with all that is known of who played there.

        The try of a daily game stays, without name and result: the device gets no other.
        """

        def delete(connection: sa.Connection) -> None:
            clear_result(connection, table_id)
            forget_name(connection, table_id)
            _delete_tables(connection, [table_id])

        await self._written(delete)

    async def forget_daily_names(self, before: date) -> None:
        """Remove the names from the results of days before this one."""
        await self._written(partial(forget_names, before=before))

    async def delete_untouched(self, before: datetime, limit: int) -> int:
        """Delete up to ``most`` tables without events since then; returns how many."""
        old = sa.select(schema.tables.c.id).where(*_untouched(before)).limit(limit)

        def delete(connection: sa.Connection) -> int:
            found = list(connection.scalars(old))
            delete_tries(connection, found)
            _delete_tables(connection, found)
            return len(found)

        return await self._written(delete)

    async def count_untouched(self, before: datetime) -> tuple[int, int]:
        """How many tables ``delete_untouched`` would delete in all, and how many there are."""
        old = sa.select(sa.func.count()).where(*_untouched(before))
        every = sa.select(sa.func.count()).select_from(schema.tables)
        return await self._read(
            lambda connection: (connection.scalar(old) or 0, connection.scalar(every) or 0)
        )

    async def ping(self) -> None:
        """Return if the database can be written and read."""
        await asyncio.get_running_loop().run_in_executor(self._readers, self._ping)

    def _ping(self) -> None:
        """Do what players need, with nothing left of it: write a table and its events, read others.

        The one row that every database has is written for good: that waits for the disk.
        """
        if self._damage is not None:
            raise Unavailable
        try:
            with self._transaction() as connection:
                probe = connection.begin_nested()
                _write_probe(connection, f"health-{self._worker}")
                probe.rollback()
                connection.execute(sa.text("UPDATE alembic_version SET version_num = version_num"))
            with self._reading.connect() as connection:
                connection.execute(sa.text("SELECT version_num FROM alembic_version")).one()
                self._last_read = _read_next_table(connection, self._last_read)
        except Exception as error:  # also of rows that cannot be read: the file is corrupt
            raise self._unavailable(error) from error

    def _unavailable(self, error: Exception) -> Unavailable:
        """Log a failure; a file that was found to be damaged stays so until it is replaced."""
        if isinstance(error, DatabaseError) and any(words in str(error.orig) for words in _DAMAGED):
            self._damage = str(error.orig)
        return _unavailable(error)

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        """A transaction that writes; nothing is written to a file that nobody will find."""
        self._check_file()
        with self._writing.begin() as connection:
            yield connection

    def free_bytes(self) -> int | None:
        """What room the disk of a SQLite file has left; None where that is not for us to know."""
        return None if self._file is None else self._file.free_bytes()

    def close(self) -> None:
        """Wait for statements in progress and close all connections."""
        self._writer.close()
        self._readers.shutdown()
        self._engine.dispose()
        if self._file is not None:
            self._file.close()

    # Writing

    def _write_batch(self, batch: Sequence[Changes]) -> Sequence[Outcome]:
        try:
            self._write(list(chain.from_iterable(batch)))
        except IntegrityError as error:
            if len(batch) > 1:  # retry one by one: only the conflicting changes are to fail
                return [self._write_batch([changes])[0] for changes in batch]
            _log.info("Conflict, another worker was faster: %s", error.orig)
            return [Conflict()]
        except _FAILURES as error:
            failure = self._unavailable(error)
            return [failure for _ in batch]
        return [None] * len(batch)

    def _write(self, changes: list[Change]) -> None:
        with self._transaction() as connection:
            self._insert(connection, changes)

    def _insert(self, connection: sa.Connection, changes: Sequence[Change]) -> None:
        # sorted: workers that lock rows in different orders could deadlock
        changes = sorted(changes, key=lambda change: change.table.id)
        new = [change for change in changes if isinstance(change, NewTable)]
        old = [change for change in changes if not isinstance(change, NewTable)]
        held = [
            {
                "table_id": change.table.id,
                "seat": seat,
                "secret_hash": secret,
                "player_id": change.players.get(seat),
            }
            for change in changes
            for seat, secret in change.holders.items()
        ]
        if new:
            connection.execute(schema.tables.insert(), list(map(_table_row, new)))
        touch_tables(connection, old)
        insert_events(connection, changes)
        if held:
            connection.execute(schema.holders.insert(), held)
        write_tries(connection, changes)
        keep_players(connection, new)
        write_turns(connection, changes)
        write_games(connection, changes)
        if self._notifies and old:  # no other worker has a new table in its cache
            notices = list(commit_notices(self._worker, old))
            connection.execute(_NOTIFY, {"notices": notices})


def _untouched(before: datetime) -> tuple[sa.ColumnElement[bool], ...]:
    """What holds of tables without events since then; ``touched_at`` is exact to the minute."""
    tables, events = schema.tables.c, schema.events.c
    later = sa.exists().where(events.table_id == tables.id, events.at >= before)
    # a turn that runs comes to its end: the sweep sees to it
    runs = sa.exists().where(schema.turns.c.table_id == tables.id)
    return tables.touched_at < before, ~later, ~runs


def _write_absences(
    connection: sa.Connection, absences: Mapping[tuple[str, int], Absence | None]
) -> None:
    for (table_id, seat), absence in absences.items():
        row = {"table": table_id, "number": seat}
        if absence is None:
            connection.execute(_NOT_ABSENT, row)
        else:
            left = {"left": absence.left_at, "over": absence.is_over}
            connection.execute(_ABSENT, {**row, **left})


def _delete_tables(connection: sa.Connection, ids: Sequence[str]) -> None:
    for table in (schema.events, schema.holders, schema.turns, schema.outbox):
        connection.execute(table.delete().where(table.c.table_id.in_(ids)))
    connection.execute(schema.tables.delete().where(schema.tables.c.id.in_(ids)))


def _write_probe(connection: sa.Connection, name: str) -> None:
    """A table with an event and a seat, to be rolled back."""
    at = datetime.now(UTC)
    table = {"id": name, "opened_at": at, "touched_at": at, "bot_to_act": False}
    connection.execute(schema.tables.insert(), table)
    event = {"table_id": name, "n": 1, "at": at, "kind": "health", "data": {}}
    connection.execute(schema.events.insert(), event)
    holder = {"table_id": name, "seat": 0, "secret_hash": ""}
    connection.execute(schema.holders.insert(), holder)


def _read_next_table(connection: sa.Connection, after: str) -> str:
    """Read the beginning of the table that comes after another; returns its id, "" at the end."""
    tables, events = schema.tables.c, schema.events.c
    following = sa.select(tables.id).where(tables.id > after).order_by(tables.id).limit(1)
    found: str | None = connection.scalar(following)
    if found is None:
        return ""
    few = sa.select(schema.events).where(events.table_id == found).limit(_PROBE_EVENTS)
    connection.execute(few).all()
    return found


def _unavailable(error: Exception) -> Unavailable:
    if not isinstance(error, Unavailable):
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        _outages.log(logging.ERROR, "The database is unavailable: %s", reason)
    return Unavailable()


def entries_of(connection: sa.Connection, after: Mapping[str, int]) -> dict[str, list[Entry]]:
    """The events of tables, for each of them those after a number."""
    found: dict[str, list[Entry]] = {table_id: [] for table_id in after}
    if connection.dialect.name == "postgresql":
        known = {"ids": list(after), "ns": list(after.values())}
        rows: Iterable[Sequence[Any]] = connection.execute(_EVENTS_OF_MANY, known)
    else:
        rows = chain.from_iterable(
            connection.execute(_EVENTS_OF_ONE, {"id": table_id, "n": n})
            for table_id, n in after.items()
        )
    for table_id, n, at, seat, kind, data, action in rows:
        found[table_id].append(Entry(n, at, seat, event_from(kind, data), action))
    return found


def _holders(connection: sa.Connection, table_id: str) -> dict[int, str]:
    holders = schema.holders.c
    rows = connection.execute(
        sa.select(holders.seat, holders.secret_hash).where(holders.table_id == table_id)
    )
    return {row.seat: row.secret_hash for row in rows}


def _table_row(change: NewTable) -> Mapping[str, object]:
    return {
        "id": change.table.id,
        "opened_at": change.entries[0].at,
        "touched_at": change.table.touched,
        "dice_secret": change.dice_secret,
        "bot_to_act": change.table.bot_to_act is not None,
    }


@asynccontextmanager
async def open_database(
    url: str, worker: str = "", *, must_exist: bool = False, serve: bool = False
) -> AsyncIterator[Database]:
    """The database at a URL such as ``sqlite:///games.db``, with all migrations run.

    ``serve`` is for servers: SQLite allows only one of them.
    """
    with ExitStack() as stack:
        file = None
        engine = await asyncio.to_thread(open_engine, url, must_exist=must_exist, patient=False)
        if not is_postgresql(url):
            if serve:
                stack.enter_context(only_server(sqlite_path(url)))
            file = SqliteFile(sqlite_path(url))
        database = Database(engine, worker, file)
        stack.callback(database.close)
        await asyncio.to_thread(migrate, engine)
        if serve and file is not None:
            await asyncio.to_thread(file.tie_log)
        yield database
