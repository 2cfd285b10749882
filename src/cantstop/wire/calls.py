"""Calls as JSON: where a player is notified that a table waits for them, and how often.

Nothing here holds a secret, but for the answer that tells one when it is made.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from cantstop.wire.types import Request, Time, Wire

MOST_CONTACTS = 12
"""How many contacts a player has at most."""

LONGEST_SITE = 300
"""Of the address of a server."""

ContactId = Annotated[str, Meta(pattern=r"^[0-9A-Za-z]{12}$(?!\n)")]
Url = Annotated[str, Meta(min_length=1, max_length=1000)]
MailAddress = Annotated[str, Meta(min_length=3, max_length=254)]
Base64 = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,128}={0,2}$(?!\n)")]
"""As browsers write keys: base64 for addresses."""


class ChannelName(StrEnum):
    """The ways in which a call is sent."""

    PUSH = "push"
    """To a browser, by the push service of its maker."""
    MAIL = "mail"
    NTFY = "ntfy"
    WEBHOOK = "webhook"


class FeedName(StrEnum):
    """What is fetched from a secret address, rather than sent."""

    FEED = "feed"
    """Atom, for a feed reader."""
    CALENDAR = "calendar"
    """ICS, for a calendar."""


REMINDER_HOURS = (1, 3, 6, 12, 24, 48)
"""How many hours before the time for a turn is over a reminder can come."""
Hours = Annotated[int, Meta(extra_json_schema={"enum": list(REMINDER_HOURS)})]


class ContactState(StrEnum):
    """Whether messages reach a contact."""

    UNCONFIRMED = "unconfirmed"
    """A mail address whose owner has not said yes: nothing but the question is sent there."""
    NEW = "new"
    """Nothing was sent there yet."""
    WORKS = "works"
    """The last message was taken."""
    FAILS = "fails"
    """The last message was not taken, or not yet."""


# What comes out


class CallOffers(Wire, frozen=True):
    """What this server can do; the feed and the calendar are always there."""

    push: str | None
    """The server's public key, for ``applicationServerKey``; ``null`` where pages are not safe."""
    mail: bool
    ntfy: bool
    webhook: bool


class ContactView(Wire, frozen=True, kw_only=True):
    """Where a player's calls go."""

    id: ContactId
    channel: ChannelName
    address: str
    """The mail address, the topic or the webhook; of a browser only its push service."""
    name: str
    """The device that it was added by."""
    this: bool
    """Whether it is the browser's whose key asks."""
    state: ContactState
    digest: bool
    """Whether turns come once a day, in one message; reminders still come at once."""
    created_at: Time
    sent_at: Time | None
    """When a message was tried last."""


class FeedView(Wire, frozen=True):
    """A feed or calendar that is fetched from a secret address; the address is not kept."""

    kind: FeedName
    created_at: Time


class Calls(Wire, frozen=True, kw_only=True):
    """How a player is notified that a table waits for them."""

    offers: CallOffers
    contacts: tuple[ContactView, ...]
    """The oldest first."""
    reminders: tuple[int, ...]
    """Hours before the time for a turn is over, the most first."""
    feeds: tuple[FeedView, ...]


class CallsExport(Wire, frozen=True):
    """What a server knows of how a player is called, without what is secret."""

    contacts: tuple[ContactView, ...]
    reminders: tuple[int, ...]
    feeds: tuple[FeedView, ...]


class NewWebhook(Wire, frozen=True):
    """A webhook, with what its requests are signed with: it is shown once."""

    contact: ContactView
    secret: str
    """In the form of Standard Webhooks: ``whsec_…``."""


class FeedAddress(Wire, frozen=True):
    """The secret address of a feed or calendar, which is shown once; the one before it ends."""

    kind: FeedName
    url: str


class CallResult(StrEnum):
    """What came of a test message."""

    SENT = "sent"
    LATER = "later"
    """Its service does not answer, or is busy."""
    GONE = "gone"
    """There is nobody any more: the contact is removed."""
    FAILED = "failed"


class TestedCall(Wire, frozen=True):
    """What came of a test message."""

    result: CallResult
    contact: ContactView | None
    """As it is now; ``null`` where it was removed."""


# What comes in


class AddPush(Request, frozen=True):
    """A browser's subscription, as ``PushSubscription.toJSON()`` has it in ``keys``."""

    endpoint: Url
    p256dh: Base64
    auth: Base64


class AddMail(Request, frozen=True):
    """A mail address; the question whether its owner wants calls is sent there."""

    address: MailAddress


class AddNtfy(Request, frozen=True):
    """A topic of ntfy."""

    url: Url
    """Such as ``https://ntfy.sh/my-turns``."""


class AddWebhook(Request, frozen=True):
    """A program of the player's."""

    url: Url


class ChangeContact(Request, frozen=True):
    """What is changed of a contact; what is left out stays."""

    digest: bool | UnsetType = UNSET


class SetReminders(Request, frozen=True):
    """When a turn that still waits is called for again."""

    hours: Annotated[tuple[Hours, ...], Meta(max_length=len(REMINDER_HOURS))]
    """Hours before its time is over: some of 1, 3, 6, 12, 24 and 48."""
