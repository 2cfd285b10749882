"""The statements that every action costs, for a batch of changes, in each database's own words.

SQLAlchemy looks at every value on its own; here a batch goes to the driver as it is, which takes a
fifth of that. What is written is the same, to the letter that the schema's types read.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import sqlalchemy as sa
from pydantic_core import to_json

from cantstop.server.tables.changes import Change
from cantstop.server.tables.events import event_data, event_text

_COLUMNS = "table_id, n, at, kind, seat, data, action_id"
_INSERT = f"INSERT INTO events ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
# one statement for the whole batch, which PostgreSQL takes apart
_INSERT_POSTGRESQL = f"""
    INSERT INTO events ({_COLUMNS})
    SELECT {_COLUMNS} FROM json_to_recordset(%s) AS event (
        table_id text, n integer, at timestamptz, kind text, seat integer, data json, action_id text
    )
"""  # noqa: S608
_TOUCH = "UPDATE tables SET bot_to_act = ?, touched_at = ? WHERE id = ?"


def insert_events(connection: sa.Connection, changes: Iterable[Change]) -> None:
    """Write all new events; an event that is there already is an ``IntegrityError``."""
    if connection.dialect.name == "postgresql":
        rows = [
            {
                "table_id": change.table.id,
                "n": entry.n,
                "at": entry.at,
                "kind": entry.kind,
                "seat": entry.seat,
                "data": event_data(entry.event),
                "action_id": entry.action,
            }
            for change in changes
            for entry in change.entries
        ]
        connection.exec_driver_sql(_INSERT_POSTGRESQL, (to_json(rows).decode(),))
        return
    connection.exec_driver_sql(
        _INSERT,
        [
            (
                change.table.id,
                entry.n,
                _text(entry.at),
                entry.kind,
                entry.seat,
                event_text(entry.event),
                entry.action,
            )
            for change in changes
            for entry in change.entries
        ],
    )


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
