"""What an operator does while servers run: lists tables or results, closes or deletes one."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, date, datetime

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.connections import open_engine, unusable_where_it_fails
from cantstop.server.database.sql import entries_of, open_database
from cantstop.server.database.storage import Conflict
from cantstop.server.errors import NotFound, Refused, UnknownTable
from cantstop.server.tables.decisions import close
from cantstop.server.tables.tries import DailyEntry
from cantstop.table.events import Seated
from cantstop.table.table import Stage, Table

_CLOSER = "operator"
"""The name of the worker that closes tables, in the notices to the others."""


@dataclass(frozen=True)
class ListedTable:
    """A table in a few words."""

    id: str
    stage: Stage
    players: tuple[str, ...]
    """The names of those who have sat down, in the order in which they did."""
    events: int
    opened: datetime
    touched: datetime
    """When something happened last."""
    ended: str | None
    """Why the game ended without a winner, if it did."""


def list_tables(url: str, most: int | None = None) -> list[ListedTable]:
    """The tables of a database, that with the latest event first."""
    tables = schema.tables.c
    newest = sa.select(tables.id, tables.opened_at).order_by(tables.touched_at.desc(), tables.id)
    engine = open_engine(url, must_exist=True)
    try:
        with unusable_where_it_fails(), engine.connect() as connection:
            rows = list(connection.execute(newest.limit(most)))
            listed = [_listed(connection, *row) for row in rows]
            # what the rows say of it is exact to the minute
            return sorted(listed, key=lambda table: table.touched, reverse=True)
    finally:
        engine.dispose()


def _listed(connection: sa.Connection, table_id: str, opened: datetime) -> ListedTable:
    table = Table.from_log(table_id, entries_of(connection, {table_id: 0})[table_id])
    seated = (entry.event for entry in table.log if isinstance(entry.event, Seated))
    return ListedTable(
        table_id,
        table.stage,
        tuple(event.name for event in seated),
        table.n,
        opened,
        table.touched,
        table.ended,
    )


def close_table(url: str, table_id: str) -> Table:
    """End the game of a table; servers tell whoever is there."""

    async def closed() -> Table:
        async with open_database(url, _CLOSER, must_exist=True) as database:
            while True:
                stored = await database.load(table_id)
                if stored is None:
                    raise UnknownTable("There is no such table.")
                change = close(stored, max(datetime.now(UTC), stored.table.touched))
                try:
                    await database.commit(change)
                except Conflict:  # a player has acted meanwhile
                    continue
                return change.table

    return asyncio.run(closed())


def delete_table(url: str, table_id: str) -> None:
    """Delete a table with its names; a game that goes on is closed first, which its players see."""
    try:
        close_table(url, table_id)
    except UnknownTable:
        raise
    except Refused:
        pass  # its game is over already

    async def deleted() -> None:
        async with open_database(url, _CLOSER, must_exist=True) as database:
            await database.delete_table(table_id)

    asyncio.run(deleted())


def list_results(url: str, day: date) -> list[DailyEntry]:
    """The results of a daily game, the best first."""

    async def listed() -> list[DailyEntry]:
        async with open_database(url, must_exist=True) as database:
            return (await database.daily_results(day, None))[0]

    return asyncio.run(listed())


def remove_result(url: str, table_id: str) -> DailyEntry:
    """Delete a result with its name and its table, and return it as it was."""

    async def removed() -> DailyEntry:
        async with open_database(url, must_exist=True) as database:
            entry = await database.daily_result(table_id)
            if entry is None:
                raise NotFound("No daily game was finished at a table {table}.", table=table_id)
            await database.delete_table(table_id)
            return entry

    return asyncio.run(removed())
