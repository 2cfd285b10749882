"""One worker's count of what every address, socket and table asks for."""

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from starlette.requests import HTTPConnection

from cantstop.server.errors import TooMany
from cantstop.server.limits.policy import Limits
from cantstop.server.limits.token_buckets import Bucket, Buckets, Places
from cantstop.server.tables.actions import Action, React

_NETWORK = 64
"""As many bits of an IPv6 address name a household; the rest it may choose as it likes."""


def address_of(connection: HTTPConnection) -> str:
    """Whose request it is: an IPv4 address, or the network of an IPv6 one.

    Without an address (a Unix socket), it is everybody's.
    """
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _NETWORK), strict=False))


class Pace:
    """How fast one socket talks."""

    def __init__(self, limits: Limits) -> None:
        self._messages = Bucket(limits.messages)
        self._refusals = Bucket(limits.refusals)

    def check(self) -> None:
        """One more message: refused if it came too soon."""
        if self._messages.take(monotonic()):
            raise TooMany("Too many messages at once: nothing was done.", "messages")

    def is_a_flood(self) -> bool:
        """One more message was refused: whether it goes on like that for too long."""
        return self._refusals.take(monotonic()) > 0


class Gate:
    """Lets in what is within the limits and refuses the rest."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._requests = Buckets(limits.requests)
        self._tables = Buckets(limits.tables)
        self._actions = Buckets(limits.actions)
        self._reactions = Buckets(limits.reactions)
        self._sockets = Places(limits.sockets)
        self._guests = Places(limits.guests)

    def check_request(self, address: str) -> None:
        """One more request from an address."""
        if wait := self._requests.take(address, monotonic()):
            raise TooMany(
                "Too many requests from your address: try again in {seconds} s.", "requests", wait
            )

    def check_opening(self, address: str) -> None:
        """One more table from an address."""
        if wait := self._tables.take(address, monotonic()):
            raise TooMany(
                "Too many tables opened from your address: try again in {seconds} s.",
                "tables",
                wait,
            )

    def check_action(self, table_id: str, action: Action) -> None:
        """One more action of a seat, by whoever holds it."""
        seat, now = f"{table_id} {action.seat}", monotonic()
        if self._actions.take(seat, now):
            raise TooMany("Too many messages at once: nothing was done.", "actions")
        if isinstance(action, React) and self._reactions.take(seat, now):
            raise TooMany("Too many messages at once: nothing was done.", "reactions")

    @contextmanager
    def socket(self, address: str, table_id: str) -> Iterator[Pace]:
        """One more socket from an address, at a table, for as long as it is open."""
        self.check_request(address)
        crowd = TooMany("Too many connections from your address.", "sockets")
        full = TooMany("Too many people are at this table already.", "guests")
        with self._sockets.place(address, crowd), self._guests.place(table_id, full):
            yield Pace(self._limits)
