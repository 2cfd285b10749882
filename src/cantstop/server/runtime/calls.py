"""How players are called: their contacts, reminders and feeds, and what this server offers."""

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache, partial
from urllib.parse import urlsplit

from msgspec import UNSET

from cantstop.language import Translator
from cantstop.server.calls import sentences
from cantstop.server.calls.channels import calendar, feed
from cantstop.server.calls.channels.mail import Mail, is_address
from cantstop.server.calls.channels.ntfy import Ntfy, topic_address
from cantstop.server.calls.channels.webhook import Webhook, shown_secret
from cantstop.server.calls.channels.webpush import (
    BadSubscription,
    ServerKey,
    WebPush,
    check_keys,
    decoded,
)
from cantstop.server.calls.guard import Forbidden, Guard
from cantstop.server.calls.message import (
    Failed,
    Gone,
    Later,
    Message,
    Outcome,
    Sent,
    Target,
)
from cantstop.server.calls.options import CallOptions
from cantstop.server.database import contacts, outbox, waiting
from cantstop.server.database.contacts import Contact, Feed
from cantstop.server.database.players import Known
from cantstop.server.database.sql import Database
from cantstop.server.errors import Malformed, NotFound, Refused
from cantstop.server.ops import metrics
from cantstop.server.tables.seating import hashed, new_table_id
from cantstop.wire.calls import (
    REMINDER_HOURS,
    AddMail,
    AddNtfy,
    AddPush,
    AddWebhook,
    CallOffers,
    CallResult,
    Calls,
    ChangeContact,
    ChannelName,
    ContactState,
    ContactView,
    FeedAddress,
    FeedName,
    NewWebhook,
    TestedCall,
)
from cantstop.wire.turns import TurnList

_SECRET_BYTES = 32
_TEST_SECONDS = 15.0
"""How long a player waits for what comes of a test message."""
_FILES = {FeedName.FEED: "turns.atom", FeedName.CALENDAR: "turns.ics"}


@dataclass(frozen=True)
class Visit:
    """How a request came: what follows from it for whoever is called later."""

    site: str
    """The address of this server, as whoever asks has it."""
    words: Translator

    @property
    def is_safe(self) -> bool:
        """Whether browsers take the site's pages for safe: there is no push elsewhere."""
        parts = urlsplit(self.site)
        host = parts.hostname or ""
        is_local = host in ("localhost", "127.0.0.1", "::1") or host.endswith(".localhost")
        return parts.scheme == "https" or is_local


@dataclass(frozen=True)
class FeedPage:
    """What is at the secret address of a feed."""

    content: bytes
    media_type: str


class MailLink(StrEnum):
    """What the owner of a mail address decides by a link in a mail."""

    CONFIRM = "confirm"
    STOP = "stop"


def link_key(contact: Contact, link: MailLink) -> str:
    """What proves that a link is from a mail to this contact: another one for each purpose."""
    return hmac.digest(contact.secret, link.value.encode(), "sha256").hex()[:40]


def mail_link(contact: Contact, link: MailLink) -> str:
    """The address of a page where the owner of a mail address decides something."""
    return f"{contact.site}/calls/mail/{contact.id}/{link.value}?key={link_key(contact, link)}"


def stop_link(contact: Contact) -> str | None:
    """Where messages to a contact are ended, for whoever has no player: the owner of a mailbox."""
    return mail_link(contact, MailLink.STOP) if contact.channel is ChannelName.MAIL else None


translator = cache(Translator)


class _Guards:
    """A guard for each kind of contact: names that resolve slowly delay only others of the kind."""

    def __init__(self, options: CallOptions) -> None:
        self._push = Guard(options.allowed)
        self.hooks = Guard(options.allowed)
        self._failing = Guard(options.allowed)

    def of(self, contact: Contact) -> Guard:
        """The guard that requests to a contact go through."""
        if contact.state is ContactState.FAILS:
            return self._failing
        return self._push if contact.channel is ChannelName.PUSH else self.hooks


class PlayerCalls:
    """What players set up, and the channels that their calls take."""

    def __init__(
        self,
        storage: Database,
        clock: Callable[[], datetime],
        options: CallOptions,
        turns_of: Callable[[str], Awaitable[TurnList]],
    ) -> None:
        """``turns_of`` is the list of games of the player of an id, as they see it."""
        self._storage = storage
        self._clock = clock
        self._options = options
        self._key: ServerKey | None = None
        self._guards = _Guards(options)
        self._mail = None if options.mail is None else Mail(options.mail)
        self.turns_of = turns_of

    async def key(self) -> ServerKey:
        """The key by which push services know this server: drawn when it is needed first.

        It is read every time: a backup may have been restored under a running server.
        """
        private = await self._storage.read(contacts.server_key)
        if private is None:
            new = ServerKey.new().private
            private = await self._storage.write(partial(contacts.keep_server_key, new=new))
        if self._key is None or self._key.private != private:
            self._key = ServerKey(private)
        return self._key

    # What there is

    async def _offers(self, visit: Visit) -> CallOffers:
        has_url = self._options.public_url is not None
        return CallOffers(
            (await self.key()).public if visit.is_safe else None,
            self._mail is not None,
            ntfy=has_url,
            webhook=has_url,
        )

    async def view(self, known: Known, visit: Visit) -> Calls:
        """How a player is called."""
        mine = known.player.id
        found = await self._storage.read(partial(contacts.contacts_of, player_id=mine))
        hours = await self._storage.read(partial(contacts.reminders_of, player_id=mine))
        feeds = await self._storage.read(partial(contacts.feeds_of, player_id=mine))
        return Calls(
            offers=await self._offers(visit),
            contacts=tuple(contacts.contact_view(one, known.device.id) for one in found),
            reminders=hours,
            feeds=tuple(contacts.feed_view(one) for one in feeds),
        )

    # Contacts

    async def add_push(self, known: Known, asked: AddPush, visit: Visit) -> ContactView:
        """Call a browser; one that has another subscription now has that one only."""
        if not visit.is_safe:
            raise Refused("Browsers take no messages from pages that are not encrypted.")
        self._check(asked.endpoint)
        try:
            public_key, auth = decoded(asked.p256dh), decoded(asked.auth)
            check_keys(public_key, auth)
        except BadSubscription:
            raise Malformed("This is not a subscription of a browser.") from None
        new = self._new(known, ChannelName.PUSH, asked.endpoint, visit)
        key = await self.key()
        new = replace(new, public_key=public_key, auth=auth, server_key=key.fingerprint)
        return await self._add(known, new)

    async def add_mail(self, known: Known, asked: AddMail, visit: Visit) -> ContactView:
        """Call by mail, once the owner of the address has said yes."""
        if self._mail is None:
            raise Refused("This server sends no mail.")
        if not is_address(asked.address):
            raise Malformed("“{text}” is not an e-mail address.", text=asked.address[:80])
        new = self._new(known, ChannelName.MAIL, asked.address, visit)
        return await self._add(known, replace(new, state=ContactState.UNCONFIRMED))

    async def add_ntfy(self, known: Known, asked: AddNtfy, visit: Visit) -> ContactView:
        """Call at a topic of ntfy."""
        self._check_public()
        self._check(asked.url)
        if topic_address(asked.url) is None:
            raise Malformed("This is not the address of a topic of ntfy.")
        return await self._add(known, self._new(known, ChannelName.NTFY, asked.url, visit))

    async def add_webhook(self, known: Known, asked: AddWebhook, visit: Visit) -> NewWebhook:
        """Call a program; one that is known gets a new secret."""
        self._check_public()
        self._check(asked.url)
        new = self._new(known, ChannelName.WEBHOOK, asked.url, visit)
        return NewWebhook(await self._add(known, new), shown_secret(new.secret))

    def _check_public(self) -> None:
        if self._options.public_url is None:
            raise Refused("This server does not know its own address: its operator can say it.")

    def _check(self, url: str) -> None:
        try:
            self._guards.hooks.read(url)
        except Forbidden:
            raise Malformed("This server sends nothing to such an address.") from None

    def _new(self, known: Known, channel: ChannelName, address: str, visit: Visit) -> Contact:
        return Contact(
            id=new_table_id(),
            player_id=known.player.id,
            channel=channel,
            address=address,
            device_id=known.device.id,
            name=known.device.name,
            language=visit.words.language,
            site=self._options.public_url or visit.site,
            created_at=self._clock(),
            secret=secrets.token_bytes(_SECRET_BYTES),
        )

    async def _add(self, known: Known, new: Contact) -> ContactView:
        added = await self._storage.write(partial(contacts.add_contact, new=new))
        return contacts.contact_view(added, known.device.id)

    async def change(
        self, known: Known, contact_id: str, asked: ChangeContact, visit: Visit
    ) -> ContactView:
        """Change how a contact is written to."""
        changed = await self._storage.write(
            partial(
                contacts.change_contact,
                player_id=known.player.id,
                contact_id=contact_id,
                language=visit.words.language,
                digest=None if asked.digest is UNSET else asked.digest,
            )
        )
        return contacts.contact_view(changed, known.device.id)

    async def remove(self, known: Known, contact_id: str) -> None:
        """Call a player there no more."""
        await self._storage.write(
            partial(contacts.remove_contact, player_id=known.player.id, contact_id=contact_id)
        )

    async def set_reminders(self, known: Known, hours: tuple[int, ...]) -> None:
        """Remind a player these hours before the end of a turn."""
        if not set(hours) <= set(REMINDER_HOURS):
            raise Malformed("“{field}” is missing or cannot be read.", field="hours")
        await self._storage.write(
            partial(contacts.set_reminders, player_id=known.player.id, hours=hours)
        )

    # Trying one

    async def test(self, known: Known, contact_id: str) -> TestedCall:
        """Send a test message; it counts as one, so that there are no more in a minute."""
        mine = known.player.id
        contact = await self._storage.read(
            partial(contacts.contact_of_player, player_id=mine, contact_id=contact_id)
        )
        if contact.state is ContactState.UNCONFIRMED:
            raise Refused("The owner of this address has not said yes yet.")
        now = self._clock()
        until = now + self._options.times.gap
        taken = await self._storage.write(
            partial(contacts.take_turn, contact_id=contact_id, at=now, until=until)
        )
        if not taken:
            raise Refused("Something was sent there a moment ago: try again in a minute.")
        title, text = sentences.trial(words_of(contact))
        message = Message(
            id=f"test.{new_table_id()}",
            topic="test",
            title=title,
            text=text,
            url=f"{contact.site}/turns",
            waiting=(await self.turns_of(mine)).waiting,
            at=now,
            unsubscribe=stop_link(contact),
            unsubscribe_text=sentences.stop_text(words_of(contact)),
        )
        try:
            async with asyncio.timeout(_TEST_SECONDS):
                outcome = await self.send(contact, message)
        except TimeoutError:
            outcome = Later("no answer in time")
        result, retry = result_of(outcome)
        found = await self._storage.write(
            partial(
                outbox.note_result,
                contact_id=contact_id,
                result=result,
                retry=retry,
                at=self._clock(),
                gap=self._options.times.gap,
            )
        )
        view = None if found is None else contacts.contact_view(found, known.device.id)
        return TestedCall(result, view)

    async def send(self, contact: Contact, message: Message) -> Outcome:
        """Send a message to a contact; whatever the other side does, this returns in a while."""
        outcome = await self._send(contact, message)
        result, _ = result_of(outcome)
        metrics.CALLS.labels(contact.channel.value, result.value).inc()
        return outcome

    async def _send(self, contact: Contact, message: Message) -> Outcome:
        target = Target(contact.address, contact.secret, contact.public_key, contact.auth)
        guard = self._guards.of(contact)
        match contact.channel:
            case ChannelName.PUSH:
                key = await self.key()
                if contact.server_key != key.fingerprint:
                    return Failed("another key")  # its push service would refuse it
                mail = self._options.mail
                operator = self._options.public_url if mail is None else f"mailto:{mail.sender}"
                return await WebPush(guard, key, operator, self._clock).send(target, message)
            case ChannelName.NTFY:
                return await Ntfy(guard, self._clock).send(target, message)
            case ChannelName.WEBHOOK:
                return await Webhook(guard, self._clock).send(target, message)
            case ChannelName.MAIL:
                if self._mail is None:
                    return Later("no mail server")
                return await self._mail.send(target, message)

    # Links in mails

    async def mail_contact(self, contact_id: str, link: MailLink, key: str) -> Contact | None:
        """The contact whose owner has opened a link; None where it is gone, or the link wrong."""
        found = await self._storage.read(partial(contacts.contact_by_id, contact_id=contact_id))
        if found is None or found.channel is not ChannelName.MAIL:
            return None
        return (
            found
            if hmac.compare_digest(link_key(found, link).encode(), key.encode("utf-8", "replace"))
            else None
        )

    async def confirm(self, contact: Contact) -> None:
        """The owner of a mail address wants calls."""
        await self._storage.write(partial(contacts.confirm_contact, contact_id=contact.id))

    async def stop(self, contact: Contact) -> None:
        """The owner of a mail address wants no more."""
        await self._storage.write(partial(contacts.stop_contact, contact=contact, at=self._clock()))

    # Feeds

    async def add_feed(self, known: Known, kind: FeedName, visit: Visit) -> FeedAddress:
        """A feed at a new secret address; the one before it ends."""
        key = secrets.token_urlsafe(24)
        new = Feed(known.player.id, kind, visit.words.language, self._clock())
        await self._storage.write(partial(contacts.replace_feed, feed=new, key_hash=hashed(key)))
        return FeedAddress(kind, feed_address(self._options.public_url or visit.site, kind, key))

    async def remove_feed(self, known: Known, kind: FeedName) -> None:
        """End a feed."""
        await self._storage.write(
            partial(contacts.remove_feed, player_id=known.player.id, kind=kind)
        )

    async def feed(self, kind: FeedName, key: str, visit: Visit) -> FeedPage:
        """What is at a secret address: the turns that wait for its player."""
        found = await self._storage.read(
            partial(contacts.feed_of_key, kind=kind, key_hash=hashed(key))
        )
        if found is None:
            raise NotFound("There is no feed at this address, or not any more.")
        turns = await self._storage.read(partial(waiting.waiting_turns, player_id=found.player_id))
        words, site = translator(found.language), self._options.public_url or visit.site
        title, shown = sentences.feed_title(words), sentences.feed_turns(words, turns, site)
        # the same until something changes: readers then know it already
        changed = max((turn.began for turn in shown), default=found.created_at)
        if kind is FeedName.CALENDAR:
            return FeedPage(calendar.ics(title, shown, changed), calendar.TYPE)
        address = feed_address(site, kind, key)
        return FeedPage(feed.atom(title, address, shown, changed), feed.TYPE)


def feed_address(site: str, kind: FeedName, key: str) -> str:
    """Where a feed is fetched. The secret is in the query, which no log has."""
    return f"{site}/calls/{_FILES[kind]}?key={key}"


def words_of(contact: Contact) -> Translator:
    """The language that a contact is written to in."""
    return translator(contact.language)


def result_of(outcome: Outcome) -> tuple[CallResult, float | None]:
    """What came of a message, and when the other side wants to be asked again."""
    match outcome:
        case Sent():
            return CallResult.SENT, None
        case Later(_, seconds):
            return CallResult.LATER, seconds
        case Gone():
            return CallResult.GONE, None
        case Failed():
            return CallResult.FAILED, None
