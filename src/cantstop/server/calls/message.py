"""A call as it is sent, whichever channel it takes, and what came of sending it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class Message:
    """What a player is sent.

    A worker that is killed between sending and noting it sends again: every channel is given the
    same ``id``, so that the copy replaces the first or is known to be one.
    """

    id: str
    """The same for every copy of the message, and for no other to this contact."""
    topic: str
    """What it is about: a newer message about it takes the place of this one."""
    title: str
    text: str
    url: str
    """The page that it is about, on this server."""
    waiting: int
    """How many games wait for the player, in their list of games: what the app's icon shows."""
    at: datetime
    until: datetime | None = None
    """When it is of no use any more."""
    link: str = "Can’t Stop"
    """What is written on the link to that page, where there is room for words."""
    unsubscribe: str | None = None
    """A page where these messages are ended; no more can be done there."""
    unsubscribe_text: str = ""


@dataclass(frozen=True)
class Target:
    """Where a contact's messages go, with what it takes to send them."""

    address: str
    secret: bytes = b""
    """Known to the server, and to whoever reads a webhook."""
    public_key: bytes = b""
    """What a browser's messages are encrypted for."""
    auth: bytes = b""


@dataclass(frozen=True)
class Sent:
    """The other side has taken it."""


@dataclass(frozen=True)
class Later:
    """It may be taken later."""

    reason: str
    seconds: float | None = None
    """When the other side wants to be asked again, if it says so."""


@dataclass(frozen=True)
class Gone:
    """There is nobody at this address any more: the contact can be removed."""

    reason: str


@dataclass(frozen=True)
class Failed:
    """This message will never be taken; others may be."""

    reason: str


Outcome = Sent | Later | Gone | Failed


class Channel(Protocol):
    """One way in which messages are sent."""

    async def send(self, target: Target, message: Message) -> Outcome:
        """Send a message; whatever the other side does, this returns in bounded time."""
