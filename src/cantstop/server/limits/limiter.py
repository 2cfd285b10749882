"""The rate limiter of one worker: applies the policy to addresses, sockets, seats and tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from cantstop.server.errors import LimitExceeded
from cantstop.server.limits.policy import Limits
from cantstop.server.limits.token_buckets import ConnectionCaps, TokenBucket, TokenBuckets
from cantstop.server.tables.actions import Action, React


class SocketLimiter:
    """The rate limit of one socket's messages."""

    def __init__(self, limits: Limits) -> None:
        self._messages = TokenBucket(limits.messages)
        self._refusals = TokenBucket(limits.refusals)

    def check_message(self) -> None:
        """Count one more message; refuse it if the rate is exceeded."""
        if self._messages.take(monotonic()):
            raise LimitExceeded("Too many messages at once: nothing was done.", "messages")

    def is_flooding(self) -> bool:
        """Count one more refused message; whether the socket is to be closed for it."""
        return self._refusals.take(monotonic()) > 0


class RateLimiter:
    """Counts requests, tables, connections and actions, and refuses what exceeds the limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._requests = TokenBuckets(limits.requests)
        self._tables = TokenBuckets(limits.tables)
        self._actions = TokenBuckets(limits.actions)
        self._reactions = TokenBuckets(limits.reactions)
        self._sockets = ConnectionCaps(limits.sockets)
        self._guests = ConnectionCaps(limits.guests)

    def check_request(self, address: str) -> None:
        """Count one more request from an address."""
        if wait := self._requests.take(address, monotonic()):
            raise LimitExceeded(
                "Too many requests from your address: try again in {seconds} s.", "requests", wait
            )

    def check_opening(self, address: str) -> None:
        """Count one more table opened from an address."""
        if wait := self._tables.take(address, monotonic()):
            raise LimitExceeded(
                "Too many tables opened from your address: try again in {seconds} s.",
                "tables",
                wait,
            )

    def check_action(self, table_id: str, action: Action) -> None:
        """Count one more action of a seat, whichever socket it comes over."""
        seat, now = f"{table_id} {action.seat}", monotonic()
        if self._actions.take(seat, now):
            raise LimitExceeded("Too many messages at once: nothing was done.", "actions")
        if isinstance(action, React) and self._reactions.take(seat, now):
            raise LimitExceeded("Too many messages at once: nothing was done.", "reactions")

    @contextmanager
    def socket(self, address: str, table_id: str) -> Iterator[SocketLimiter]:
        """Count one more socket of an address and a table while it is open."""
        self.check_request(address)
        of_address = LimitExceeded("Too many connections from your address.", "sockets")
        of_table = LimitExceeded("Too many people are at this table already.", "guests")
        with (
            self._sockets.connection(address, of_address),
            self._guests.connection(table_id, of_table),
        ):
            yield SocketLimiter(self._limits)
