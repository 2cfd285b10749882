"""Who sends which call now: a contact is claimed before anything is sent to it.

A worker claims a contact, gives the message an id, sends it, and notes the outcome. Where it dies
in between, the claim ends and another worker sends the same message, with the same id: whether the
first one was taken cannot be known.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.contacts import Contact, contact_by_id
from cantstop.server.database.hours import calendar_of
from cantstop.server.database.outbox import OVER, note_result, rows_of
from cantstop.server.database.waiting import MOST_TURNS, Waiting, waiting_at
from cantstop.server.tables.hours import Calendar, Hours, zone_named
from cantstop.server.tables.seating import new_table_id
from cantstop.wire.calls import CallResult, ChannelName, ContactState

_OUTBOX, _CONTACTS, _TURNS = schema.outbox.c, schema.contacts.c, schema.turns.c
_KEY = tuple(schema.outbox.primary_key)

_PRESENT, _SEEN = "present", "seen"
"""Its player was at the table when it was looked at first; and still was the second time."""


# What is due


class Lane(Enum):
    """What is sent beside each other: whoever is slow in one delays nobody in another."""

    PUSH = "push"
    HOOKS = "hooks"
    """ntfy and webhooks: servers that players name."""
    MAIL = "mail"
    FAILING = "failing"
    """Contacts where the last message was not taken, of any channel but mail."""

    @property
    def contacts(self) -> sa.ColumnElement[bool]:
        """Which contacts these are."""
        fails = _CONTACTS.state == ContactState.FAILS.value
        match self:
            case Lane.MAIL:
                return _CONTACTS.channel == ChannelName.MAIL.value
            case Lane.PUSH:
                return (_CONTACTS.channel == ChannelName.PUSH.value) & ~fails
            case Lane.HOOKS:
                hooks = (ChannelName.NTFY.value, ChannelName.WEBHOOK.value)
                return _CONTACTS.channel.in_(hooks) & ~fails
        return (_CONTACTS.channel != ChannelName.MAIL.value) & fails


@dataclass(frozen=True)
class DueContact:
    """A contact to which something is to be sent now, and the seats that it is about."""

    id: str
    seats: frozenset[tuple[str, int]]
    """Tables, with the player's seat."""


def _is_free(at: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(
        sa.or_(_CONTACTS.not_before.is_(None), _CONTACTS.not_before <= at),
        sa.or_(_CONTACTS.claimed_until.is_(None), _CONTACTS.claimed_until <= at),
    )


def due_by_lane(
    connection: sa.Connection, at: datetime, most: Mapping[Lane, int]
) -> dict[Lane, list[DueContact]]:
    """What is to be sent now in each lane, up to a number of contacts."""
    return {lane: due_contacts(connection, lane, at, count) for lane, count in most.items()}


def due_contacts(
    connection: sa.Connection, lane: Lane, at: datetime, most: int
) -> list[DueContact]:
    """The contacts of a lane to which something is to be sent, the longest waiting first."""
    first = (
        sa.select(_OUTBOX.contact_id)
        .join(schema.contacts, _CONTACTS.id == _OUTBOX.contact_id)
        .where(_OUTBOX.due_at <= at, lane.contacts, _is_free(at))
        .group_by(_OUTBOX.contact_id)
        .order_by(sa.func.min(_OUTBOX.due_at))
        .limit(most)
    )
    ids = list(connection.scalars(first))
    if not ids:
        return []
    rows = connection.execute(
        sa.select(_OUTBOX.contact_id, _OUTBOX.table_id, _TURNS.seat)
        .join(schema.turns, _this_turn(), isouter=True)
        .where(_OUTBOX.contact_id.in_(ids), _OUTBOX.due_at <= at)
    )
    seats: dict[str, set[tuple[str, int]]] = {contact_id: set() for contact_id in ids}
    for row in rows:
        if row.seat is not None:
            seats[row.contact_id].add((row.table_id, row.seat))
    return [DueContact(contact_id, frozenset(found)) for contact_id, found in seats.items()]


def _this_turn() -> sa.ColumnElement[bool]:
    return sa.and_(_TURNS.table_id == _OUTBOX.table_id, _TURNS.since == _OUTBOX.since, ~_TURNS.bot)


# Claiming


@dataclass(frozen=True)
class Claimed:
    """A message that only this worker may send, until its claim ends."""

    contact: Contact
    message_id: str
    turns: tuple[Waiting, ...]
    """What it is about; nothing for the question whether a mail address wants calls."""
    hours: int
    """Of a reminder, how many hours before the end it was to come."""
    due_at: datetime
    """Since when it was to be sent."""


@dataclass(frozen=True)
class Claim:
    """What a worker claims, and what it knows about it."""

    token: str
    at: datetime
    until: Callable[[ChannelName], datetime]
    """When the claim ends, by channel."""
    look_again: datetime
    """When whoever is at the table now is looked for again."""
    present: frozenset[tuple[str, int]]
    """Seats whose players are at the table."""


def claim_contact(connection: sa.Connection, due: DueContact, claim: Claim) -> Claimed | None:
    """Claim a contact, and decide what is sent to it now; None where that is nothing.

    In a transaction of its own, and so is every change of a contact that changes its rows: first
    the contact is locked, then its rows in their order, which is that of whoever writes events.
    """
    contact = contact_by_id(connection, due.id)
    if contact is None or not _take(connection, contact, claim):
        return None
    chosen = _choose(connection, contact, due, claim)
    if chosen is None:
        _release(connection, contact.id)
    return chosen


def _take(connection: sa.Connection, contact: Contact, claim: Claim) -> bool:
    taken = connection.execute(
        schema.contacts.update()
        .where(_CONTACTS.id == contact.id, _is_free(claim.at))
        .values(claim=claim.token, claimed_until=claim.until(contact.channel))
    )
    return taken.rowcount == 1


def _release(connection: sa.Connection, contact_id: str) -> None:
    connection.execute(
        schema.contacts.update()
        .where(_CONTACTS.id == contact_id)
        .values(claim=None, claimed_until=None)
    )


def _choose(
    connection: sa.Connection, contact: Contact, due: DueContact, claim: Claim
) -> Claimed | None:
    """What is sent to a contact now; the rest is put off, or not said at all."""
    mine = _OUTBOX.contact_id == contact.id, _OUTBOX.due_at <= claim.at
    rows: Sequence[sa.Row[Any]] = connection.execute(rows_of(*mine)).all()
    if contact.state is ContactState.UNCONFIRMED:
        asked = [row for row in rows if row.table_id == ""]
        return _claimed(connection, contact, asked, {}) if asked else None
    begun = [row for row in rows if row.message_id is not None]
    if begun:  # a message of which it is not known whether it was taken: just that one again
        rows = [row for row in begun if row.message_id == begun[0].message_id]
    rows = rows[:MOST_TURNS]
    turns = waiting_at(connection, contact.player_id, [row.table_id for row in rows])
    calendar = calendar_of(connection, contact.player_id)
    sent = []
    for row in rows:
        turn = turns.get(row.table_id)
        if turn is None or turn.since != row.since:
            _change(connection, row, due_at=None, result=OVER)
        elif (turn.table_id, turn.seat) not in due.seats:
            continue  # it has become due just now: whether its player is there was not asked
        elif (held := _held(contact, row, calendar, claim.at)) > claim.at:
            _change(connection, row, due_at=held)
        elif (turn.table_id, turn.seat) not in claim.present:
            sent.append(row)
        elif row.result == _PRESENT:
            _change(connection, row, due_at=None, result=_SEEN)
        else:
            _change(connection, row, due_at=claim.look_again, result=_PRESENT)
    return _claimed(connection, contact, sent, turns) if sent else None


def _claimed(
    connection: sa.Connection,
    contact: Contact,
    rows: Sequence[sa.Row[Any]],
    turns: Mapping[str, Waiting],
) -> Claimed:
    message_id = rows[0].message_id or _message_id(rows)
    for row in rows:
        _change(connection, row, message_id=message_id)
    about = [turns[row.table_id] for row in rows if row.table_id]
    return Claimed(
        contact,
        message_id,
        tuple(dict.fromkeys(sorted(about, key=lambda turn: (turn.ends_at, turn.table_id)))),
        max(row.hours for row in rows),
        min(row.due_at for row in rows),
    )


def _message_id(rows: Sequence[sa.Row[Any]]) -> str:
    """The id of a message, new or not: by what it is about, where that is one thing."""
    if len(rows) > 1:
        return f"turns.{new_table_id()}"
    (row,) = rows
    if not row.table_id:
        return f"question.{row.contact_id}"
    what = f"{row.hours}h" if row.hours else "turn"
    return f"{row.table_id}.{row.since}.{what}"


def _change(connection: sa.Connection, row: sa.Row[Any], **values: object) -> None:
    which = [getattr(_OUTBOX, one.name) == getattr(row, one.name) for one in _KEY]
    connection.execute(schema.outbox.update().where(*which).values(values))


# When something is not sent at once

DIGEST_HOUR = 8
"""When turns come to those who want them once a day: at eight, where the player is."""


def _held(contact: Contact, row: sa.Row[Any], calendar: Calendar, at: datetime) -> datetime:
    """When something may be sent: not in quiet hours, and turns once a day where that was asked."""
    if contact.digest and not row.hours and row.message_id is None:
        at = max(at, digest_time(row.created_at, calendar.hours))
    return calendar.held_back(at)


def digest_time(created: datetime, hours: Hours) -> datetime:
    """When a turn that began at a moment is announced to those who want them once a day.

    >>> from datetime import UTC
    >>> digest_time(datetime(2026, 11, 19, 7, 30, tzinfo=UTC), Hours("Europe/Berlin")).isoformat()
    '2026-11-20T07:00:00+00:00'
    """
    local = created.astimezone(zone_named(hours.zone))
    day = local.date() + timedelta(days=local.hour >= DIGEST_HOUR)
    told = datetime(day.year, day.month, day.day, DIGEST_HOUR, tzinfo=local.tzinfo)
    return told.astimezone(UTC)


# What became of it


def settle(
    connection: sa.Connection,
    claimed: Claimed,
    token: str,
    result: CallResult,
    retry: float | None,
    at: datetime,
    gap: timedelta,
) -> None:
    """Note what became of a message; ``retry`` is when the other side wants to be asked again."""
    contact_id = claimed.contact.id
    contact = note_result(connection, contact_id, result, retry, at, gap)
    if contact is None:
        return
    rows = connection.execute(
        rows_of(
            _OUTBOX.contact_id == contact_id,
            _OUTBOX.message_id == claimed.message_id,
            _OUTBOX.due_at.is_not(None),
        )
    ).all()
    for row in rows:
        if result is CallResult.LATER:
            _change(connection, row, due_at=contact.not_before)
        else:
            _change(connection, row, due_at=None, result=result.value)
    connection.execute(
        schema.contacts.update()
        .where(_CONTACTS.id == contact_id, _CONTACTS.claim == token)
        .values(claim=None, claimed_until=None)
    )
    # nothing else is sent there before that: what waits is not looked at again and again
    waits = _OUTBOX.contact_id == contact_id, _OUTBOX.due_at < contact.not_before
    for row in connection.execute(rows_of(*waits)).all():
        _change(connection, row, due_at=contact.not_before)


def release_all(connection: sa.Connection) -> None:
    """All claims are of workers that are gone: this is the only one."""
    connection.execute(
        schema.contacts.update()
        .where(_CONTACTS.claim.is_not(None))
        .values(claim=None, claimed_until=None)
    )
