"""Where players are called, in the database: contacts, reminders, feeds, and this server's key."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.errors import NotFound, Refused
from cantstop.server.tables.seating import hashed
from cantstop.wire.calls import (
    MOST_CONTACTS,
    CallsExport,
    ChannelName,
    ContactState,
    ContactView,
    FeedName,
    FeedView,
)
from cantstop.wire.events import time_text

CONFIRM_TIME = timedelta(days=1)
"""How long a mail address is known without its owner's yes."""
ASKED_TIME = timedelta(days=1)
MOST_ASKED = 2
"""How often a mail address is asked in that time, whoever wants to be called there."""
REFUSED_TIME = timedelta(days=365)
"""How long an address is not asked again whose owner has said so."""

_CONTACTS, _FEEDS, _ASKED = schema.contacts.c, schema.feeds.c, schema.asked_addresses.c
_OUTBOX, _REMINDERS = schema.outbox.c, schema.call_reminders.c


@dataclass(frozen=True, kw_only=True)
class Contact:
    """Where a player is called."""

    id: str
    player_id: str
    channel: ChannelName
    address: str
    device_id: str
    """Of the device that it was added by."""
    name: str
    language: str
    """What it is written to in: that of the request which added or changed it last."""
    site: str
    """The address of this server, as whoever added it had it."""
    created_at: datetime
    secret: bytes = field(repr=False)
    public_key: bytes = b""
    auth: bytes = field(default=b"", repr=False)
    server_key: str = ""
    """Which key of this server a browser has subscribed with."""
    digest: bool = False
    state: ContactState = ContactState.NEW
    sent_at: datetime | None = None
    failing_since: datetime | None = None
    failures: int = 0
    not_before: datetime | None = None


_COLUMNS = [schema.contacts.c[one.name] for one in fields(Contact)]


def contact_of(row: sa.Row[Any] | sa.RowMapping) -> Contact:
    """The contact in a row that has all of its columns."""
    found = row if isinstance(row, sa.RowMapping) else row._mapping  # noqa: SLF001
    values = {one.name: found[one.name] for one in fields(Contact)}
    values |= {"channel": ChannelName(values["channel"]), "state": ContactState(values["state"])}
    return Contact(**values)


def _values(contact: Contact) -> Mapping[str, object]:
    found = {one.name: getattr(contact, one.name) for one in fields(contact)}
    return found | {"channel": contact.channel.value, "state": contact.state.value}


def contacts_of(connection: sa.Connection, player_id: str) -> list[Contact]:
    """The contacts of a player, the oldest first."""
    query = (
        sa.select(*_COLUMNS)
        .where(_CONTACTS.player_id == player_id)
        .order_by(_CONTACTS.created_at, _CONTACTS.id)
    )
    return [contact_of(row) for row in connection.execute(query)]


def contact_by_id(connection: sa.Connection, contact_id: str) -> Contact | None:
    """The contact with an id, whoever it belongs to."""
    query = sa.select(*_COLUMNS).where(_CONTACTS.id == contact_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else contact_of(row)


def contact_of_player(connection: sa.Connection, player_id: str, contact_id: str) -> Contact:
    """One of a player's contacts; refused where it is none of theirs."""
    found = contact_by_id(connection, contact_id)
    if found is None or found.player_id != player_id:
        raise NotFound("You have no such contact.")
    return found


def contact_view(contact: Contact, device_id: str = "") -> ContactView:
    """A contact as its player sees it, on one of their devices."""
    is_push = contact.channel is ChannelName.PUSH
    return ContactView(
        id=contact.id,
        channel=contact.channel,
        address=urlsplit(contact.address).netloc if is_push else contact.address,
        name=contact.name,
        this=is_push and contact.device_id == device_id,
        state=contact.state,
        digest=contact.digest,
        created_at=time_text(contact.created_at),
        sent_at=None if contact.sent_at is None else time_text(contact.sent_at),
    )


def calls_export(connection: sa.Connection, player_id: str) -> CallsExport:
    """What is known of how a player is called, without what is secret."""
    return CallsExport(
        tuple(contact_view(one) for one in contacts_of(connection, player_id)),
        reminders_of(connection, player_id),
        tuple(feed_view(one) for one in feeds_of(connection, player_id)),
    )


# Adding, changing, removing


def add_contact(connection: sa.Connection, new: Contact) -> Contact:
    """Add a contact; one that the player has at this address already is brought up to date.

    A browser has one subscription, and is called for the player who has it now.
    """
    mine = sa.select(schema.players.c.id).where(schema.players.c.id == new.player_id)
    connection.execute(mine.with_for_update())  # several at once count one after the other
    found = _at_address(connection, new)
    if new.channel is ChannelName.PUSH:
        _remove_subscriptions(connection, new, found)
    if found is not None:
        return _renew(connection, found, new)
    count = sa.select(sa.func.count()).where(_CONTACTS.player_id == new.player_id)
    if (connection.scalar(count) or 0) >= MOST_CONTACTS:
        raise Refused(
            "You can be called at {most} places at most: remove one first.", most=MOST_CONTACTS
        )
    if new.channel is ChannelName.MAIL:
        _ask(connection, new)
    connection.execute(schema.contacts.insert(), dict(_values(new)))
    return new


def _at_address(connection: sa.Connection, new: Contact) -> Contact | None:
    query = sa.select(*_COLUMNS).where(
        _CONTACTS.player_id == new.player_id,
        _CONTACTS.channel == new.channel.value,
        _CONTACTS.address == new.address,
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else contact_of(row)


def _remove_subscriptions(connection: sa.Connection, new: Contact, kept: Contact | None) -> None:
    """Remove what the browser had before: another player's subscription, or one that it lost."""
    query = sa.select(_CONTACTS.id).where(
        _CONTACTS.channel == new.channel.value,
        (_CONTACTS.address == new.address)
        | ((_CONTACTS.player_id == new.player_id) & (_CONTACTS.device_id == new.device_id)),
    )
    for contact_id in connection.scalars(query).all():
        if kept is None or contact_id != kept.id:
            delete_contact(connection, contact_id)


def _renew(connection: sa.Connection, found: Contact, new: Contact) -> Contact:
    """The same contact, with the keys and in the language of today."""
    renewed = replace(
        found,
        device_id=new.device_id,
        name=new.name,
        language=new.language,
        site=new.site,
        public_key=new.public_key,
        auth=new.auth,
        server_key=new.server_key,
        secret=new.secret if found.channel is ChannelName.WEBHOOK else found.secret,
    )
    if found.server_key != new.server_key:  # nothing could be sent to the one before
        renewed = replace(
            renewed, state=ContactState.NEW, failing_since=None, failures=0, not_before=None
        )
    update_contact(connection, renewed)
    return renewed


def _ask(connection: sa.Connection, new: Contact) -> None:
    """Have the question sent whether the owner of a mail address wants calls, if it may be asked.

    The answer is no for all who would have others written to.
    """
    address, at = address_hash(new.address), new.created_at
    row = connection.execute(
        sa.select(schema.asked_addresses).where(_ASKED.address_hash == address).with_for_update()
    ).one_or_none()
    times = 1
    if row is not None:
        if row.refused:
            raise Refused("The owner of this address wants no mail from here.")
        is_today = row.since > at - ASKED_TIME
        times = row.times + 1 if is_today else 1
        if times > MOST_ASKED:
            raise Refused("This address was asked already: try again tomorrow.")
        connection.execute(
            schema.asked_addresses.update()
            .where(_ASKED.address_hash == address)
            .values(times=times, since=row.since if is_today else at)
        )
    else:
        asked = {"address_hash": address, "since": at, "times": times, "refused": False}
        connection.execute(schema.asked_addresses.insert(), asked)
    question = {"table_id": "", "since": 0, "hours": 0, "contact_id": new.id}
    connection.execute(schema.outbox.insert(), question | {"created_at": at, "due_at": at})


def update_contact(connection: sa.Connection, contact: Contact) -> None:
    """Write what is known of a contact."""
    connection.execute(
        schema.contacts.update().where(_CONTACTS.id == contact.id).values(**_values(contact))
    )


def address_hash(address: str) -> str:
    """What is kept of a mail address that was asked."""
    return hashed(f"cantstop-mail-1 {address.lower()}")


def change_contact(
    connection: sa.Connection, player_id: str, contact_id: str, language: str, digest: bool | None
) -> Contact:
    """Change how a contact is written to."""
    found = contact_of_player(connection, player_id, contact_id)
    changed = replace(found, language=language, digest=found.digest if digest is None else digest)
    update_contact(connection, changed)
    return changed


def remove_contact(connection: sa.Connection, player_id: str, contact_id: str) -> None:
    """Call a player there no more."""
    contact_of_player(connection, player_id, contact_id)
    delete_contact(connection, contact_id)


def delete_contact(connection: sa.Connection, contact_id: str) -> None:
    """Delete a contact with what waits to be sent there."""
    connection.execute(schema.contacts.delete().where(_CONTACTS.id == contact_id))
    mine = _OUTBOX.contact_id == contact_id
    _lock_rows(connection, mine)
    connection.execute(schema.outbox.delete().where(mine))


def _lock_rows(connection: sa.Connection, which: sa.ColumnElement[bool]) -> None:
    """Lock what waits to be sent in the order of whoever writes events: no deadlock."""
    rows = sa.select(_OUTBOX.table_id).where(which).order_by(*schema.outbox.primary_key)
    connection.execute(rows.with_for_update())


def delete_contacts_of_device(connection: sa.Connection, device_id: str) -> None:
    """A device is locked out: its browser is called no more."""
    query = sa.select(_CONTACTS.id).where(
        _CONTACTS.device_id == device_id, _CONTACTS.channel == ChannelName.PUSH.value
    )
    for contact_id in connection.scalars(query).all():
        delete_contact(connection, contact_id)


def delete_calls_of(connection: sa.Connection, player_id: str) -> None:
    """Delete all that is known of how a player is called."""
    ids = sa.select(_CONTACTS.id).where(_CONTACTS.player_id == player_id).order_by(_CONTACTS.id)
    mine = list(connection.scalars(ids.with_for_update()))
    _lock_rows(connection, _OUTBOX.contact_id.in_(mine))
    for contact_id in mine:
        delete_contact(connection, contact_id)
    for table in (schema.call_reminders, schema.feeds):
        connection.execute(table.delete().where(table.c.player_id == player_id))


def delete_unconfirmed(connection: sa.Connection, at: datetime) -> None:
    """Delete mail addresses whose owners have not said yes in a day, and old questions."""
    query = sa.select(_CONTACTS.id).where(
        _CONTACTS.state == ContactState.UNCONFIRMED.value,
        _CONTACTS.created_at < at - CONFIRM_TIME,
    )
    for contact_id in connection.scalars(query).all():
        delete_contact(connection, contact_id)
    old = (_ASKED.since < at - ASKED_TIME) & ~_ASKED.refused
    very_old = _ASKED.since < at - REFUSED_TIME
    connection.execute(schema.asked_addresses.delete().where(old | very_old))


# What the owner of a mail address decides


def confirm_contact(connection: sa.Connection, contact_id: str) -> None:
    """The owner of a mail address wants calls."""
    connection.execute(
        schema.contacts.update()
        .where(_CONTACTS.id == contact_id, _CONTACTS.state == ContactState.UNCONFIRMED.value)
        .values(state=ContactState.NEW.value)
    )


def stop_contact(connection: sa.Connection, contact: Contact, at: datetime) -> None:
    """The owner of a mail address wants no more calls; who never did is not asked again."""
    delete_contact(connection, contact.id)
    if contact.state is ContactState.UNCONFIRMED:
        address = address_hash(contact.address)
        connection.execute(schema.asked_addresses.delete().where(_ASKED.address_hash == address))
        refused = {"address_hash": address, "since": at, "times": 0, "refused": True}
        connection.execute(schema.asked_addresses.insert(), refused)


# Test messages


def take_turn(connection: sa.Connection, contact_id: str, at: datetime, until: datetime) -> bool:
    """Whether something may be sent to a contact now; then nothing else is until then."""
    taken = connection.execute(
        schema.contacts.update()
        .where(
            _CONTACTS.id == contact_id,
            sa.or_(_CONTACTS.not_before.is_(None), _CONTACTS.not_before <= at),
            sa.or_(_CONTACTS.claimed_until.is_(None), _CONTACTS.claimed_until <= at),
        )
        .values(not_before=until)
    )
    return taken.rowcount == 1


# Reminders


def reminders_of(connection: sa.Connection, player_id: str) -> tuple[int, ...]:
    """How many hours before the end of a turn a player is reminded, the most first."""
    query = (
        sa.select(_REMINDERS.hours)
        .where(_REMINDERS.player_id == player_id)
        .order_by(_REMINDERS.hours.desc())
    )
    return tuple(connection.scalars(query))


def set_reminders(connection: sa.Connection, player_id: str, hours: tuple[int, ...]) -> None:
    """Remind a player these hours before the end of a turn."""
    connection.execute(schema.call_reminders.delete().where(_REMINDERS.player_id == player_id))
    rows = [{"player_id": player_id, "hours": one} for one in sorted(set(hours))]
    if rows:
        connection.execute(schema.call_reminders.insert(), rows)


# Feeds


@dataclass(frozen=True)
class Feed:
    """A feed or calendar that is fetched from a secret address."""

    player_id: str
    kind: FeedName
    language: str
    created_at: datetime


def _feed(row: sa.Row[Any]) -> Feed:
    return Feed(row.player_id, FeedName(row.kind), row.language, row.created_at)


def feeds_of(connection: sa.Connection, player_id: str) -> list[Feed]:
    """The feeds of a player."""
    query = sa.select(schema.feeds).where(_FEEDS.player_id == player_id).order_by(_FEEDS.kind)
    return [_feed(row) for row in connection.execute(query)]


def feed_view(feed: Feed) -> FeedView:
    """A feed as its player sees it."""
    return FeedView(feed.kind, time_text(feed.created_at))


def feed_of_key(connection: sa.Connection, kind: FeedName, key_hash: str) -> Feed | None:
    """The feed at a secret address."""
    query = sa.select(schema.feeds).where(_FEEDS.key_hash == key_hash, _FEEDS.kind == kind.value)
    row = connection.execute(query).one_or_none()
    return None if row is None else _feed(row)


def replace_feed(connection: sa.Connection, feed: Feed, key_hash: str) -> None:
    """A feed at a new address; the one before it ends."""
    remove_feed(connection, feed.player_id, feed.kind)
    row = {
        "player_id": feed.player_id,
        "kind": feed.kind.value,
        "key_hash": key_hash,
        "language": feed.language,
        "created_at": feed.created_at,
    }
    connection.execute(schema.feeds.insert(), row)


def remove_feed(connection: sa.Connection, player_id: str, kind: FeedName) -> None:
    """End a feed: its address is nobody's."""
    connection.execute(
        schema.feeds.delete().where(_FEEDS.player_id == player_id, _FEEDS.kind == kind.value)
    )


# The key by which push services know this server


def server_key(connection: sa.Connection) -> bytes | None:
    """The stored key."""
    found: bytes | None = connection.scalar(sa.select(schema.server_key.c.private))
    return found


def keep_server_key(connection: sa.Connection, new: bytes) -> bytes:
    """The stored key, or else this new one from now on."""
    found = server_key(connection)
    if found is None:
        connection.execute(schema.server_key.insert(), {"id": 1, "private": new})
    return found or new
