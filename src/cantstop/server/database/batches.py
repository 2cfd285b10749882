"""Statements for many tables at once, in each database's own words: every action costs them.

SQLAlchemy would look at every value on its own, and a driver would run a statement for every row,
each time giving up the interpreter's lock and waiting to get it back from the event loop. Here a
batch is one JSON text and one statement, and the database takes it apart.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from cantstop.server.tables.changes import Change
from cantstop.wire.codec import encode
from cantstop.wire.events import encode_row

_COLUMNS = "table_id, n, at, kind, seat, data, action_id"
_VALUES = """
    json_extract(value, '$[0]'), json_extract(value, '$[2].n'),
    replace(rtrim(json_extract(value, '$[2].at'), 'Z'), 'T', ' ') || '000',
    json_extract(value, '$[2].kind'), json_extract(value, '$[2].seat'),
    json_extract(value, '$[2].data'), json_extract(value, '$[1]')
"""  # timestamps as SQLAlchemy writes them into SQLite
_INSERT_SQLITE = f"INSERT INTO events ({_COLUMNS}) SELECT {_VALUES} FROM json_each(?)"  # noqa: S608
_INSERT_POSTGRESQL = f"""
    INSERT INTO events ({_COLUMNS})
    SELECT value->>0, (value->2->>'n')::integer, (value->2->>'at')::timestamptz,
        value->2->>'kind', (value->2->>'seat')::integer, value->2->'data', value->>1
    FROM json_array_elements(%s)
"""  # noqa: S608
# one look into the index for each table; a group would be counted event by event
_HEAD = "(SELECT max(n) FROM events WHERE table_id = known.value)"
_HEADS_SQLITE = f"SELECT value, {_HEAD} FROM json_each(?) AS known"  # noqa: S608
_HEADS_POSTGRESQL = f"""
    SELECT value, {_HEAD} FROM json_array_elements_text(%s) AS known (value)
"""  # noqa: S608
_TOUCH = "UPDATE tables SET bot_to_act = ?, touched_at = ? WHERE id = ?"


def insert_events(connection: sa.Connection, changes: Iterable[Change]) -> None:
    """Write all new events; an event that is there already is an ``IntegrityError``."""
    rows = (encode_row(change.table.id, entry) for change in changes for entry in change.entries)
    is_postgresql = connection.dialect.name == "postgresql"
    insert = _INSERT_POSTGRESQL if is_postgresql else _INSERT_SQLITE
    connection.exec_driver_sql(insert, (f"[{b','.join(rows).decode()}]",))


def heads_of(connection: sa.Connection, table_ids: Sequence[str]) -> dict[str, int]:
    """The numbers of the last events of those tables that there are."""
    is_postgresql = connection.dialect.name == "postgresql"
    query = _HEADS_POSTGRESQL if is_postgresql else _HEADS_SQLITE
    rows = connection.exec_driver_sql(query, (encode(table_ids).decode(),))
    return {table_id: n for table_id, n in rows if n is not None}


def touch_tables(connection: sa.Connection, changes: Sequence[Change]) -> None:
    """Bring up to date what a table's row says of its events, where it does not say so yet."""
    rows = [
        (change.table.bot_to_act is not None, change.table.touched, change.table.id)
        for change in changes
        if not _is_touched(change)
    ]
    if not rows:
        return
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_TOUCH.replace("?", "%s"), rows)
    else:
        connection.exec_driver_sql(_TOUCH, [(bot, _text(at), table) for bot, at, table in rows])


def _is_touched(change: Change) -> bool:
    """Whether the event before has left the table's row as this one would.

    When something happened last is kept to the minute: it is there to find tables that were left
    alone for weeks, and both columns have an index to be kept.
    """
    before, after = change.before, change.table
    return (
        before is not None
        and (before.bot_to_act is None) == (after.bot_to_act is None)
        and before.touched.replace(second=0, microsecond=0)
        == after.touched.replace(second=0, microsecond=0)
    )


def _text(at: datetime) -> str:
    """A timestamp as SQLAlchemy writes it into SQLite."""
    return at.astimezone(UTC).isoformat(" ", "microseconds")[:26]
