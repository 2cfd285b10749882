"""The outbox: what is to be sent to whom, and what became of it.

A call is a row that is written in the transaction of the event that it follows from, one for each
contact, and goes with the turn that it is about.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.contacts import (
    Contact,
    contact_by_id,
    delete_contact,
    delete_unconfirmed,
    update_contact,
)
from cantstop.wire.calls import REMINDER_HOURS, CallResult, ChannelName, ContactState

_OUTBOX, _CONTACTS, _TURNS = schema.outbox.c, schema.contacts.c, schema.turns.c
_REMINDERS = schema.call_reminders.c

LONGEST_BACKOFF = timedelta(hours=1)
LONGEST_MAIL_BACKOFF = timedelta(minutes=10)
"""The server that takes mail is the operator's own: where it fails, it is not the contact."""
LONGEST_RETRY = timedelta(days=1)
"""Whatever the other side says."""
KEPT_FAILING = timedelta(days=30)
"""A contact where nothing was taken for so long is removed."""
_MOST_DUE = 1000
OVER = "over"
"""What became of a call that had nothing to say any more."""


# Written with the event


def end_calls(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Turns are over: what was to be said of them is not said any more."""
    of_tables = _OUTBOX.table_id.in_(tables)
    if connection.dialect.name == "postgresql":
        connection.execute(rows_of(of_tables))
    connection.execute(schema.outbox.delete().where(of_tables))


def write_calls(
    connection: sa.Connection, table_id: str, since: int, player_id: str, at: datetime
) -> None:
    """A turn of a player has begun: it is announced at each of their contacts."""
    is_later = _CONTACTS.not_before > at
    moment = sa.literal(at, schema.UtcTime)
    rows = sa.select(
        sa.literal(table_id),
        sa.literal(since),
        sa.literal(0),
        _CONTACTS.id,
        moment,
        sa.case((is_later, _CONTACTS.not_before), else_=moment),
    ).where(_CONTACTS.player_id == player_id, _CONTACTS.state != ContactState.UNCONFIRMED.value)
    columns = ["table_id", "since", "hours", "contact_id", "created_at", "due_at"]
    connection.execute(schema.outbox.insert().from_select(columns, rows))


def rows_of(*which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Rows to be changed, locked in one order everywhere: no two transactions wait for each other.

    SQLite has one writer.
    """
    query = sa.select(schema.outbox).where(*which).order_by(*schema.outbox.primary_key)
    return query.with_for_update()


# What became of it


def note_result(
    connection: sa.Connection,
    contact_id: str,
    result: CallResult,
    retry: float | None,
    at: datetime,
    gap: timedelta,
) -> Contact | None:
    """Note whether a contact takes messages; None where it is there no more."""
    contact = contact_by_id(connection, contact_id)
    if contact is None:
        return None
    since = contact.failing_since or at
    if result is CallResult.GONE or (result is not CallResult.SENT and at - since > KEPT_FAILING):
        delete_contact(connection, contact_id)
        return None
    noted = replace(contact, sent_at=at, not_before=at + gap)
    if result is CallResult.SENT:
        noted = replace(noted, state=ContactState.WORKS, failing_since=None, failures=0)
    else:
        failures = contact.failures + 1
        noted = replace(noted, state=ContactState.FAILS, failing_since=since, failures=failures)
    if result is CallResult.LATER:
        noted = replace(noted, not_before=at + _backoff(contact, retry, gap))
    if contact.state is ContactState.UNCONFIRMED:
        noted = replace(noted, state=contact.state)
    update_contact(connection, noted)
    return noted


def _backoff(contact: Contact, retry: float | None, gap: timedelta) -> timedelta:
    """How long nothing is tried: twice as long every time, or as the other side says."""
    is_mail = contact.channel is ChannelName.MAIL
    most = LONGEST_MAIL_BACKOFF if is_mail else LONGEST_BACKOFF
    waits: timedelta = min(gap * (1 << min(contact.failures, 16)), max(most, gap))
    return min(max(waits, timedelta(seconds=retry or 0.0)), LONGEST_RETRY)


# Reminders


def write_reminders(connection: sa.Connection, at: datetime) -> int:
    """Have players reminded whose time is soon over, at each contact; returns how many rows.

    Of several that are due at once only the last one is sent, and none where the turn had less
    time from the beginning, or where most of the time of the reminder has passed.
    """
    rows = connection.execute(_due_reminders(at)).all()
    if len(rows) == _MOST_DUE:  # the last turn's may be incomplete
        last = rows[-1].table_id
        rows = [row for row in rows if row.table_id != last] or rows
    told: set[tuple[str, str]] = set()
    written = []
    for row in rows:
        before_end = timedelta(hours=row.hours)
        moment = row.ends_at - before_end
        is_told = (row.table_id, row.contact_id) in told
        is_late = at - moment > before_end / 2 or max(row.began_at, row.created_at) >= moment
        if not is_told and not is_late:
            told.add((row.table_id, row.contact_id))
        is_sent = not is_told and not is_late
        written.append(
            {
                "table_id": row.table_id,
                "since": row.since,
                "hours": row.hours,
                "contact_id": row.contact_id,
                "created_at": at,
                "due_at": at if is_sent else None,
                "result": None if is_sent else OVER,
            }
        )
    if written:
        connection.execute(schema.outbox.insert(), written)
    return len(written)


def _due_reminders(at: datetime) -> sa.Select[Any]:
    is_due = sa.or_(
        *(
            (_REMINDERS.hours == hours) & (_TURNS.ends_at <= at + timedelta(hours=hours))
            for hours in REMINDER_HOURS
        )
    )
    is_written = sa.exists().where(
        _OUTBOX.table_id == _TURNS.table_id,
        _OUTBOX.since == _TURNS.since,
        _OUTBOX.hours == _REMINDERS.hours,
        _OUTBOX.contact_id == _CONTACTS.id,
    )
    return (
        sa.select(
            _TURNS.table_id,
            _TURNS.since,
            _TURNS.began_at,
            _TURNS.ends_at,
            _REMINDERS.hours,
            _CONTACTS.id.label("contact_id"),
            _CONTACTS.created_at,
        )
        .join_from(schema.turns, schema.call_reminders, _REMINDERS.player_id == _TURNS.player_id)
        .join(schema.contacts, _CONTACTS.player_id == _TURNS.player_id)
        .where(
            ~_TURNS.bot,
            _TURNS.ends_at > at,
            is_due,
            _CONTACTS.state != ContactState.UNCONFIRMED.value,
            ~is_written,
        )
        .order_by(_TURNS.table_id, _CONTACTS.id, _REMINDERS.hours)
        .limit(_MOST_DUE)
    )


def is_reminder_due(connection: sa.Connection, at: datetime) -> bool:
    """Whether there is anything for ``write_reminders`` to do."""
    return connection.execute(_due_reminders(at).limit(1)).first() is not None


# Cleaning up


def clean_outbox(connection: sa.Connection, at: datetime) -> None:
    """Delete what no contact is to be sent any more, and addresses that nobody has confirmed."""
    delete_unconfirmed(connection, at)
    known = sa.exists().where(_CONTACTS.id == _OUTBOX.contact_id)
    asked = (_OUTBOX.table_id == "") & _OUTBOX.due_at.is_(None)
    connection.execute(rows_of(~known | asked))
    connection.execute(schema.outbox.delete().where(~known | asked))
