"""The rate limiter of one worker: applies the policy to addresses, sockets, seats and tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from cantstop.language import message
from cantstop.server.errors import LimitExceeded
from cantstop.server.limits.policy import FLOOD_COST, SOCKET_COST, Limits
from cantstop.server.limits.token_buckets import ConnectionCaps, TokenBucket, TokenBuckets
from cantstop.wire.actions import React, TableAction

_OF_ADDRESS = message("Too many connections from your address.")
_OF_TABLE = message("Too many people are already watching this table.")
_OF_SEAT = message("Too many connections to this seat.")


class SocketLimiter:
    """The rate limit of one socket's messages, and the share that it has in its address's."""

    def __init__(self, limits: Limits, address: str, of_address: TokenBuckets) -> None:
        self._messages = TokenBucket(limits.messages)
        self._refusals = TokenBucket(limits.refusals)
        self._address = address
        self._of_address = of_address

    def delay(self) -> float:
        """Count one more message of the address; the seconds until it is due."""
        return self._of_address.reserve(self._address, monotonic())

    def is_answered_at_once(self) -> bool:
        """Count one more message, unless it has to wait or the rate is exceeded."""
        return not self._of_address.take(self._address, monotonic()) and self.has_room()

    def check_message(self) -> None:
        """Count one more message; refuse it if the rate is exceeded."""
        if not self.has_room():
            raise LimitExceeded("Too many messages at once: nothing was done.", "messages")

    def has_room(self) -> bool:
        """Count one more message, unless the rate is exceeded."""
        return not self._messages.take(monotonic())

    def is_flooding(self) -> bool:
        """Count one more refused message; whether the socket is to be closed for it."""
        return self._refusals.take(monotonic()) > 0


class RateLimiter:
    """Counts requests, tables, connections and actions, and refuses what exceeds the limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._requests = TokenBuckets(limits.requests)
        self._refused_requests = TokenBuckets(limits.refused_requests)
        self._monitoring = TokenBuckets(limits.monitoring)
        self._tables = TokenBuckets(limits.tables)
        self._tables_a_day = TokenBuckets(limits.tables_a_day)
        self._new_players = TokenBuckets(limits.new_players)
        self._guesses = TokenBuckets(limits.guesses)
        self._contacts = TokenBuckets(limits.contacts)
        self._actions = TokenBuckets(limits.actions)
        self._address_actions = TokenBuckets(limits.address_actions)
        self._address_actions_a_day = TokenBuckets(limits.address_actions_a_day)
        self._address_messages = TokenBuckets(limits.address_messages)
        self._pieces = TokenBuckets(limits.pieces)
        self._bot_actions = TokenBuckets(limits.bot_actions)
        self._bot_actions_a_day = TokenBuckets(limits.bot_actions_a_day)
        self._reactions = TokenBuckets(limits.reactions)
        self._connections = ConnectionCaps(limits.connections)
        self._sockets = ConnectionCaps(limits.sockets)
        self._silent_sockets = ConnectionCaps(limits.silent_sockets)
        self._address_watchers = ConnectionCaps(limits.address_watchers)
        self._watchers = ConnectionCaps(limits.watchers)
        self._seat_sockets = ConnectionCaps(limits.seat_sockets)

    # Requests

    def check_request(self, address: str) -> None:
        """Count one more request from an address."""
        self._check_rate(self._requests, address, "requests")

    def check_monitoring(self, address: str) -> None:
        """Count one more look at the health or the metrics from an address."""
        self._check_rate(self._monitoring, address, "monitoring")

    def _check_rate(self, buckets: TokenBuckets, address: str, limit: str) -> None:
        now = monotonic()
        if wait := buckets.take(address, now):
            self._refused_requests.take(address, now)
            raise LimitExceeded(
                "Too many requests from your address: try again in {seconds} s.", limit, wait
            )

    def charge_malformed(self, address: str) -> None:
        """Count what is not an HTTP request; with too many an address gets no connections."""
        now = monotonic()
        if self._requests.take(address, now):
            self._refused_requests.take(address, now)

    def charge_request(self, address: str, requests: float) -> None:
        """Count an answered request as several more, because of what it cost."""
        self._requests.charge(address, requests, monotonic())

    def charge_flood(self, address: str) -> None:
        """A socket of the address was closed as a flood: the next ones come less quickly."""
        self.charge_request(address, FLOOD_COST)

    def check_opening(self, address: str) -> None:
        """Count one more table opened from an address."""
        for buckets in (self._tables, self._tables_a_day):
            if wait := buckets.take(address, monotonic()):
                raise LimitExceeded(
                    "Too many tables opened from your address: try again in {seconds} s.",
                    "tables",
                    wait,
                )

    def check_beginning(self, address: str) -> None:
        """Count one more player begun from an address."""
        if wait := self._new_players.take(address, monotonic()):
            raise LimitExceeded(
                "Too many profiles begun from your address: try again in {seconds} s.",
                "new_players",
                wait,
            )

    def take_guess(self, address: str) -> None:
        """Count a code or words before they are looked at; refuse an address with too many."""
        if wait := self._guesses.take(address, monotonic()):
            raise LimitExceeded(
                "Too many wrong codes from your address: try again in {seconds} s.",
                "guesses",
                wait,
            )

    def check_contact(self, address: str) -> None:
        """Count one more contact added from an address, or tried."""
        if wait := self._contacts.take(address, monotonic()):
            raise LimitExceeded(
                "Too many requests from your address: try again in {seconds} s.",
                "contacts",
                wait,
            )

    def give_back_guess(self, address: str) -> None:
        """A code or words that were counted were not wrong."""
        self._guesses.charge(address, -1, monotonic())

    def is_flooding(self, address: str) -> bool:
        """Whether an address goes on sending requests that are refused."""
        return self._refused_requests.is_empty(address, monotonic())

    def enter_connection(self, address: str) -> bool:
        """Count one more TCP connection of an address; False if it may not have another one."""
        return not self.is_flooding(address) and self._connections.enter(address)

    def leave_connection(self, address: str) -> None:
        """A TCP connection that was counted has ended."""
        self._connections.leave(address)

    def is_piecemeal(self, address: str) -> bool:
        """Count one more read that completed nothing; whether there are too many of them.

        A proxy is not counted: its clients are, where they are known.
        """
        return bool(address) and self._pieces.take(address, monotonic()) > 0

    @contextmanager
    def socket(self, address: str) -> Iterator[SocketLimiter]:
        """Count one more socket of an address while it is open."""
        self.check_request(address)
        self.charge_request(address, SOCKET_COST - 1)
        with self._sockets.connection(address, _OF_ADDRESS, "sockets"):
            yield SocketLimiter(self.limits, address, self._address_messages)

    @contextmanager
    def silence(self, address: str) -> Iterator[None]:
        """Count one more socket of an address that has not said hello yet."""
        with self._silent_sockets.connection(address, _OF_ADDRESS, "silent_sockets"):
            yield

    @contextmanager
    def place(
        self, address: str, table_id: str, seats: frozenset[int], watchers_elsewhere: int
    ) -> Iterator[None]:
        """Count one more socket at a table while it is open, once its hello has been read.

        Whoever holds a seat is not counted with the watchers: they cannot keep a player out.
        """
        if seats:
            seat = f"{table_id} {min(seats)}"
            with self._seat_sockets.connection(seat, _OF_SEAT, "seat_sockets"):
                yield
            return
        if watchers_elsewhere + self._watchers.open(table_id) >= self.limits.watchers.most:
            raise LimitExceeded(_OF_TABLE, "watchers")
        with (
            self._address_watchers.connection(address, _OF_ADDRESS, "address_watchers"),
            self._watchers.connection(table_id, _OF_TABLE, "watchers"),
        ):
            yield

    # Actions

    def bot_delay(self, address: str) -> float:
        """Count one more action of a bot at a table of an address; the seconds until it is due."""
        now = monotonic()
        return max(
            buckets.reserve(address, now)
            for buckets in (self._bot_actions, self._bot_actions_a_day)
        )

    def check_action(self, address: str, table_id: str, action: TableAction) -> None:
        """Count one more action of a seat, whichever socket it comes over, and of its address."""
        seat, now = f"{table_id} {action.seat}", monotonic()
        for buckets in (self._address_actions, self._address_actions_a_day):
            if wait := buckets.take(address, now):
                raise LimitExceeded(
                    "Too many requests from your address: try again in {seconds} s.",
                    "address_actions",
                    wait,
                )
        if self._actions.take(seat, now):
            raise LimitExceeded("Too many messages at once: nothing was done.", "actions")
        if isinstance(action, React) and self._reactions.take(seat, now):
            raise LimitExceeded("Too many messages at once: nothing was done.", "reactions")
