"""The runtime of one worker: storage, master, presence, bots and housekeeping, wired together."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from cantstop.bots import PACE
from cantstop.server.calls.options import CallOptions
from cantstop.server.cluster.peers import Peers, SingleWorker, TurnMoved, new_worker_id
from cantstop.server.database.connections import is_postgresql, postgresql_dsn
from cantstop.server.database.sql import Database, open_database
from cantstop.server.runtime.absences import StoredAbsences
from cantstop.server.runtime.bot_player import BotPlayer
from cantstop.server.runtime.call_dispatcher import CallDispatcher
from cantstop.server.runtime.calls import PlayerCalls
from cantstop.server.runtime.club import Club
from cantstop.server.runtime.daily import DailyGames
from cantstop.server.runtime.decision_clocks import DecisionClocks
from cantstop.server.runtime.history import History
from cantstop.server.runtime.hours import Availability
from cantstop.server.runtime.housekeeping import Cleanup, Housekeeping
from cantstop.server.runtime.insight import Insight
from cantstop.server.runtime.lobby import Lobby
from cantstop.server.runtime.master import KEEP, Master
from cantstop.server.runtime.pages import EventPages
from cantstop.server.runtime.pictures import Pictures
from cantstop.server.runtime.presence import DEFAULT_CLOCKS, Clocks, Presence
from cantstop.server.runtime.ratings import RatingsPublisher
from cantstop.server.runtime.steady_clock import BelievedClock, SteadyClock, now
from cantstop.server.runtime.turn_clocks import TurnClocks
from cantstop.server.runtime.turn_lists import TurnLists
from cantstop.server.work.bot_decisions import prepare_engine, register_bots
from cantstop.server.work.pool import WorkPool, open_pool
from cantstop.server.work.turns import FairThread, ShareLocks


@dataclass(frozen=True)
class Runtime:
    """What all requests to a worker share."""

    storage: Database
    master: Master
    presence: Presence
    pages: EventPages
    pictures: Pictures
    thread: FairThread
    loading: ShareLocks
    """One table at a time is loaded for an address: a long one takes the interpreter's lock."""
    pool: WorkPool
    insight: Insight
    daily: DailyGames
    club: Club
    lobby: Lobby
    turns: TurnLists
    availability: Availability
    turn_clocks: TurnClocks
    calls: PlayerCalls
    history: History
    ratings: RatingsPublisher
    bots: BotPlayer
    decisions: DecisionClocks
    clocks: Clocks
    clock: Callable[[], datetime]
    believed: BelievedClock
    worker: str


_NO_CALLS = CallOptions()


@asynccontextmanager
async def open_runtime(
    database: str,
    *,
    pace: float = PACE,
    keep: timedelta = KEEP,
    clocks: Clocks = DEFAULT_CLOCKS,
    clock: Callable[[], datetime] = now,
    own_bots: tuple[str, ...] = (),
    processes: int = 1,
    warm: bool = False,
    daily_secret: bytes | None = None,
    keep_names: timedelta | None = None,
    clock_is_right: bool = True,
    lobby: bool = False,
    calls: CallOptions = _NO_CALLS,
) -> AsyncIterator[Runtime]:
    """A worker's runtime: its database is open, its bots play and its housekeeping runs.

    ``processes`` are for heavy work; with ``warm`` they start at once, and load the turn solver.
    ``daily_secret`` is the operator's own for the daily game, instead of the database's;
    ``keep_names`` is how long its results keep their names. Unless ``clock_is_right``, a clock that
    is far ahead of what the database has seen is not believed. ``lobby`` is whether players find
    each other here.
    """
    worker = new_worker_id()
    if clock is now:
        clock = SteadyClock(clock)
    prepare: list[Callable[[], None]] = [partial(register_bots, own_bots)]
    if warm:
        prepare.append(prepare_engine)
    async with (
        open_database(database, worker, serve=True) as storage,
        _open_peers(database, worker) as peers,
        open_pool(processes, prepare, start=warm) as pool,
    ):
        believed = BelievedClock(clock, await storage.believed_time(), is_right=clock_is_right)
        await storage.record_time(believed())
        absences = StoredAbsences(storage)
        presence = Presence(absences, clocks, clock, peers, worker)
        decisions = DecisionClocks(storage, presence, clock, clocks.idle)
        master = Master(
            storage,
            presence.at_table,
            shared=peers.is_shared,
            keep=keep,
            clock=clock,
            believed=believed,
            thinking_time=decisions.thinking_time,
        )
        bots = BotPlayer(
            master,
            pool,
            presence.is_attended,
            pace,
            presence.is_first,
            presence.pace_at,
            presence.bot_delay,
        )
        master.subscribe(presence.broadcast)
        master.subscribe(bots.on_change)
        master.subscribe(decisions.on_change)
        turn_clocks = TurnClocks(storage, master, bots, presence, believed)
        master.subscribe(turn_clocks.on_change)
        presence.subscribe(turn_clocks.on_arrival)
        presence.subscribe(bots.play)
        presence.subscribe_pace(bots.on_pace)
        presence.subscribe(decisions.on_arrival)
        decisions.subscribe(master.run_out)
        await decisions.adopt()
        housekeeping = Housekeeping(
            master,
            presence,
            bots,
            decisions,
            peers,
            worker,
            Cleanup(storage, keep, believed, keep_names),
        )
        peers.subscribe(housekeeping.on_notice, housekeeping.on_reconnect)
        peers.subscribe(turn_clocks.on_notice, turn_clocks.on_reconnect)
        housekeeping.start()
        await turn_clocks.start()
        pages, thread = EventPages(), FairThread()
        insight = Insight(pool, master, thread)
        daily = DailyGames(storage, master, insight, clock, believed, daily_secret)
        club = Club(storage, master, clock)
        turns = TurnLists(storage, master, keep, clock, believed)
        player_calls = PlayerCalls(storage, clock, calls, turns.of)
        dispatcher = CallDispatcher(storage, player_calls, presence, clock, believed, calls.times)
        master.subscribe(dispatcher.on_change, own=True)
        await dispatcher.start(alone=not peers.is_shared)
        ratings = RatingsPublisher(database, storage, club.forget_leaders)
        await ratings.start()
        history = History(storage, master, insight, ratings.publish_soon)
        await history.start()

        def on_moved(table_id: str) -> None:
            turn_clocks.on_moved(table_id)
            peers.send(TurnMoved(worker, table_id))

        try:
            yield Runtime(
                storage,
                master,
                presence,
                pages,
                Pictures(thread),
                thread,
                ShareLocks(),
                pool,
                insight,
                daily,
                club,
                Lobby(storage, master, presence, club, clock, is_open=lobby),
                turns,
                Availability(storage, believed, on_moved),
                turn_clocks,
                player_calls,
                history,
                ratings,
                bots,
                decisions,
                clocks,
                clock,
                believed,
                worker,
            )
        finally:
            await turn_clocks.close()
            await daily.close()
            await history.close()
            await ratings.close()
            await dispatcher.close()
            await housekeeping.close()
            await bots.close()
            await absences.close()
            await decisions.close()


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
