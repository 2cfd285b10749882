"""The runtime of one worker: storage, master, presence, bots and housekeeping, wired together."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from cantstop.bots import PACE
from cantstop.server.cluster.peers import Peers, SingleWorker, new_worker_id
from cantstop.server.database.connections import is_postgresql, postgresql_dsn
from cantstop.server.database.sql import Database, open_database
from cantstop.server.runtime.bot_player import BotPlayer
from cantstop.server.runtime.housekeeping import Cleanup, Housekeeping
from cantstop.server.runtime.master import KEEP, Master, now
from cantstop.server.runtime.pages import EventPages
from cantstop.server.runtime.presence import DEFAULT_CLOCKS, Clocks, Presence


@dataclass(frozen=True)
class Runtime:
    """What all requests to a worker share."""

    storage: Database
    master: Master
    presence: Presence
    pages: EventPages
    clocks: Clocks
    clock: Callable[[], datetime]
    worker: str


@asynccontextmanager
async def open_runtime(
    database: str,
    *,
    pace: float = PACE,
    keep: timedelta = KEEP,
    clocks: Clocks = DEFAULT_CLOCKS,
    clock: Callable[[], datetime] = now,
) -> AsyncIterator[Runtime]:
    """A worker's runtime: its database is open, its bots play and its housekeeping runs."""
    worker = new_worker_id()
    async with (
        open_database(database, worker) as storage,
        _open_peers(database, worker) as peers,
    ):
        presence = Presence(clocks, peers, worker)
        master = Master(storage, presence.at_table, shared=peers.is_shared, keep=keep, clock=clock)
        bots = BotPlayer(master, pace, peers)
        master.subscribe(presence.broadcast)
        master.subscribe(bots.on_change, own=True)
        housekeeping = Housekeeping(
            storage, master, presence, bots, peers, worker, Cleanup(storage, keep, clock)
        )
        peers.subscribe(housekeeping.on_notice, housekeeping.on_reconnect)
        housekeeping.start()
        try:
            yield Runtime(storage, master, presence, EventPages(), clocks, clock, worker)
        finally:
            await housekeeping.close()
            await bots.close()


@asynccontextmanager
async def _open_peers(database: str, worker: str) -> AsyncIterator[Peers]:
    if not is_postgresql(database):
        yield SingleWorker()
        return
    # imported here: psycopg is only installed where PostgreSQL is used
    from cantstop.server.cluster.postgresql import PostgresPeers

    peers = PostgresPeers(postgresql_dsn(database), worker)
    async with peers.connected():
        yield peers
