"""The rate-limit policy: how much one address, one socket or one table may ask for."""

from dataclasses import dataclass, fields, replace
from math import inf
from typing import Self

MAX_BODY_BYTES = 64 * 1024

DRILLS_PATH = "/api/drills/"
MAX_PROGRESS_BYTES = 256 * 1024
"""Of a body that holds a progress of drills: with all of the package's it has 84,000."""


def max_body_bytes(path: str) -> int:
    """The most bytes that a body has at an address.

    >>> max_body_bytes("/api/tables")
    65536
    """
    return MAX_PROGRESS_BYTES if path.startswith(DRILLS_PATH) else MAX_BODY_BYTES


@dataclass(frozen=True)
class Rate:
    """The rate limit of a token bucket: sustained rate and burst."""

    per_second: float
    burst: float

    def times(self, factor: float) -> Self:
        """The rate multiplied."""
        return type(self)(self.per_second * factor, max(1, self.burst * factor))


@dataclass(frozen=True)
class Cap:
    """At most this many at the same time."""

    most: float

    def times(self, factor: float) -> Self:
        """The cap multiplied."""
        return type(self)(max(1, self.most * factor))


SMALLEST_SHARE = 0.1
"""Of an address's limits, what each of many workers allows at least: a browser that loads a page
over one connection meets one worker only."""


@dataclass(frozen=True)
class Limits:
    """What a server allows."""

    requests: Rate = Rate(50, 600)
    """HTTP requests, and sockets opened, from one address; one that has much read counts as several
    (``read_cost``). A page makes 12 requests when it is first loaded: a class of 30 that opens it
    at the same moment, behind one address, makes 360."""
    refused_requests: Rate = Rate(20, 200)
    """Requests from one address refused by the limit above; beyond this its connections are closed,
    and no new ones accepted."""
    monitoring: Rate = Rate(5, 60)
    """Requests for ``/healthz`` and ``/metrics`` from one address: several monitors of a site."""
    tables: Rate = Rate(1, 60)
    """Tables opened from one address, rematches among them."""
    tables_a_day: Rate = Rate(2000 / 86_400, 2000)
    """The same over a day: each is kept for two months, and takes 3 kB or more."""
    new_players: Rate = Rate(1 / 60, 40)
    """Players begun from one address: a class of 30 begins at the same moment."""
    guesses: Rate = Rate(1 / 60, 10)
    """Codes and recovery words from one address that were wrong; beyond this none is looked at."""
    contacts: Rate = Rate(1 / 60, 30)
    """Contacts added, and test messages sent, from one address: each has this server ask others."""
    connections: Cap = Cap(500)
    """TCP connections from one address, sockets among them."""
    sockets: Cap = Cap(200)
    """Sockets from one address."""
    silent_sockets: Cap = Cap(60)
    """Sockets from one address that have not said hello."""
    address_watchers: Cap = Cap(120)
    """Sockets from one address that hold no seat: the rest of its sockets is for players."""
    watchers: Cap = Cap(100)
    """Sockets at one table that hold no seat."""
    seat_sockets: Cap = Cap(20)
    """Sockets that hold one seat."""
    actions: Rate = Rate(10, 60)
    """Actions of one seat, over all of its sockets."""
    address_actions: Rate = Rate(100, 2000)
    """Actions from one address, over all of its sockets: a hall of 200 players behind one address
    makes 50 a second."""
    address_actions_a_day: Rate = Rate(300_000 / 86_400, 300_000)
    """The same over a day: an event takes 150 bytes on disk for two months."""
    address_messages: Rate = Rate(200, 400)
    """Messages from one address, over all of its sockets; those beyond wait until they are due, and
    nothing is read from their senders meanwhile. That hall of 200 players sends 130 a second, with
    its heartbeats."""
    pieces: Rate = Rate(200, 1000)
    """Reads from one address that complete no request and no frame; beyond this its connections
    are read from twice a second (``transport.REST_SECONDS``). A class of 30 that sends its progress
    of drills at the same moment makes about that many."""
    bot_actions: Rate = Rate(100, 1000)
    """Actions of bots at tables where one address is; those beyond wait until they are due. At 80
    tables bots take as many at their usual pace."""
    bot_actions_a_day: Rate = Rate(1_000_000 / 86_400, 1_000_000)
    """The same over a day: a class of 30 that plays against bots for six hours has 400,000."""
    reactions: Rate = Rate(0.5, 10)
    """Reactions of one seat."""
    messages: Rate = Rate(20, 60)
    """Messages on one socket; those beyond are refused."""
    refusals: Rate = Rate(20, 200)
    """Messages on one socket refused by the limit above; beyond this it is closed as a flood."""
    control_frames: Rate = Rate(2, 40)
    """Pings, pongs and fragments on one socket; beyond this it is closed as a flood. The heartbeat
    of this protocol is a message."""

    def times(self, factor: float) -> "Limits":
        """All limits multiplied; 0 switches them off.

        >>> Limits().times(2).messages
        Rate(per_second=40, burst=120)
        >>> Limits().times(0).sockets
        Cap(most=inf)
        """
        wider = factor or inf
        return Limits(**{one.name: getattr(self, one.name).times(wider) for one in fields(self)})

    def shared_by(self, workers: int) -> "Limits":
        """What each of several workers allows, so that all of them together allow this much.

        Only what is counted by address is divided: a socket has one worker to itself, and the
        watchers of a table are counted over all workers.

        >>> Limits().shared_by(2).sockets
        Cap(most=100.0)
        """
        share = max(1 / workers, SMALLEST_SHARE)
        return replace(
            self,
            requests=self.requests.times(share),
            refused_requests=self.refused_requests.times(share),
            monitoring=self.monitoring.times(share),
            tables=self.tables.times(share),
            tables_a_day=self.tables_a_day.times(share),
            new_players=self.new_players.times(share),
            guesses=self.guesses.times(share),
            contacts=self.contacts.times(share),
            address_actions=self.address_actions.times(share),
            address_actions_a_day=self.address_actions_a_day.times(share),
            address_messages=self.address_messages.times(share),
            pieces=self.pieces.times(share),
            bot_actions=self.bot_actions.times(share),
            bot_actions_a_day=self.bot_actions_a_day.times(share),
            connections=self.connections.times(share),
            sockets=self.sockets.times(share),
            silent_sockets=self.silent_sockets.times(share),
            address_watchers=self.address_watchers.times(share),
        )


SOCKET_COST = 3
"""What it costs to open a socket, in requests."""

FLOOD_COST = 100
"""What it costs an address, in requests, that one of its sockets was closed as a flood."""


WRITE_COST = 4
"""What a request beside the games costs that writes: another transaction, with its own wait for the
disk, while the changes of many tables share one."""

SEEK_COST = 2
"""What it costs to look for others in the lobby, in requests: a transaction that writes."""

WORDS_COST = 20
"""What recovery words cost, in requests: their slow hash takes 40 ms."""


def moved_cost(turns: int) -> float:
    """What it costs to change one's hours, in requests: the turns that they may move are read."""
    return turns / 50


def export_cost(games: int) -> float:
    """What it costs to export a player, in requests: by the games that they have played."""
    return games / 20


def profile_cost(games: int) -> float:
    """What it costs to sum up a player's games, in requests: a thousand of them take 20 ms."""
    return games / 100


def head_cost(size: int) -> float:
    """What a long request head costs, in requests: its parameters and languages are parsed.

    >>> head_cost(1_500), head_cost(16_000)
    (0.0, 7.0)
    """
    return max(0.0, size / 2_000 - 1)


def read_cost(built: int, sent: int) -> float:
    """What it costs to have events read, in requests: those built now, and those sent."""
    return built / 50 + sent / 100


def unpacked_cost(size: int) -> float:
    """What it costs to unpack an answer for a client that takes none compressed, in requests."""
    return size / 100_000


def progress_cost(size: int) -> float:
    """What it costs to have a progress of drills read, in requests: by its bytes."""
    return size / 4_000
