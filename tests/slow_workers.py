"""Workers of slow tables by a clock that a test turns, each with a connection of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from cantstop.rules import Phase
from cantstop.server.cluster.peers import SingleWorker
from cantstop.server.database import days, schema
from cantstop.server.database.hours import add_away, set_hours
from cantstop.server.database.sql import Database, open_database
from cantstop.server.runtime.absences import StoredAbsences
from cantstop.server.runtime.bot_player import BotPlayer
from cantstop.server.runtime.master import Master
from cantstop.server.runtime.presence import Clocks, Presence
from cantstop.server.runtime.turn_clocks import TurnClocks
from cantstop.server.tables import turns
from cantstop.server.tables.decisions import Caller
from cantstop.server.tables.hours import Away, Hours
from cantstop.server.tables.opening import open_table
from cantstop.server.work.pool import WorkPool, open_pool
from cantstop.table.events import Substituted, SubstituteReason
from cantstop.table.table import Table
from cantstop.wire.actions import Drop, MakeMove, Resign, Roll, Stop, TableAction, new_action_id
from cantstop.wire.requests import OpenTable, TakeSeat
from table_client import OPEN

Json = dict[str, Any]


def utc(text: str) -> datetime:
    """A moment of the simulated year."""
    return datetime.strptime(f"2026 {text}", "%Y %b %d %H:%M").replace(tzinfo=UTC)


class Turned:
    """A clock that is turned by hand."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


class Worker:
    """A worker, without HTTP: its own database connection, cache, bots and sweep."""

    def __init__(self, database: Database, pool: WorkPool, clock: Turned) -> None:
        self.database = database
        absences = StoredAbsences(database)
        self.presence = Presence(absences, Clocks(), clock, SingleWorker(), "worker")
        self.master = Master(database, self.presence.at_table, shared=True, clock=clock)
        self.bots = BotPlayer(self.master, pool, self.presence.is_attended, pace=0)
        self.clocks = TurnClocks(database, self.master, self.bots, self.presence, clock)


class Servers:
    """Several workers over one database, and the time."""

    def __init__(self, workers: list[Worker], clock: Turned, step: timedelta) -> None:
        self.workers = workers
        self.clock = clock
        self._step = step
        self.are_up = True

    @property
    def database(self) -> Database:
        return self.workers[0].database

    @property
    def master(self) -> Master:
        return self.workers[0].master

    async def until(self, moment: str) -> None:
        """Let time pass, with all workers sweeping at every step if they are up."""
        end = utc(moment)
        assert end >= self.clock.now
        while self.clock.now < end:
            self.clock.now = min(self.clock.now + self._step, end)
            if self.are_up:
                await self.sweep()

    async def sweep(self) -> None:
        """All workers at the same time."""
        await asyncio.gather(*(worker.clocks.sweep() for worker in self.workers))

    async def go_down(self) -> None:
        self.are_up = False

    async def come_up(self) -> None:
        """All start at the same moment."""
        self.are_up = True
        await self.sweep()

    # Players and tables

    async def add_player(self, player: str, hours: Hours | None = None) -> None:
        row = {
            "id": player,
            "name": player,
            "shape": player,
            "mark": 0,
            "public": False,
            "created_at": self.clock.now,
        }
        await self.database.write(lambda made: made.execute(schema.players.insert(), row))
        if hours is not None:
            write = partial(set_hours, player_id=player, hours=hours, now=self.clock.now)
            await self.database.write(write)

    async def be_away(self, player: str, first: str, last: str) -> None:
        away = Away(utc(first), utc(last))
        await self.database.write(
            partial(add_away, player_id=player, away=away, now=self.clock.now)
        )

    async def open(self, players: list[str | None], bots: int = 0, **more: Any) -> str:
        """A slow table of these players; None for guests."""
        seats = [OPEN] * len(players) + [{"kind": "bot", "bot": "careful"}] * bots
        settings = {"edition": "custom", "start": "first-seat", "win": 8, **more}
        request = msgspec.convert({"mode": "online", "seats": seats, **settings}, OpenTable)
        new = open_table(request, self.clock()).new_table
        table_id = (await self.master.open(new)).id
        for number, player in enumerate(players):
            secret = f"secret-of-a-guest-{number:04}"
            await self.master.take_seat(table_id, TakeSeat(name=f"P{number}"), secret, player)
        return table_id

    async def table(self, table_id: str, worker: int = 0) -> Table:
        return (await self.workers[worker].master.stored(table_id)).table

    async def row(self, table_id: str) -> Any:
        query = sa.select(schema.turns).where(schema.turns.c.table_id == table_id)
        return await self.database.read(lambda made: made.execute(query).mappings().one_or_none())

    async def act(self, table_id: str, action: TableAction, worker: int = 0) -> None:
        caller = Caller(frozenset({action.seat}))
        await self.workers[worker].master.act(table_id, caller, action)

    async def end(self, table_id: str) -> None:
        """Resign at a table of two."""
        await self.act(table_id, Resign(id=new_action_id(), seat=0))

    async def drop(self, table_id: str, seat: int, absent: int) -> None:
        await self.act(table_id, Drop(id=new_action_id(), seat=seat, absent=absent))

    async def play(self, table_id: str, seat: int, worker: int = 0) -> None:
        """The whole turn of a person: one roll, which cannot bust, a move, and a stop."""
        while (table := await self.table(table_id, worker)).position.seat == seat:
            position = table.position
            action: TableAction
            match position.phase:
                case Phase.MOVE:
                    move = str(next(iter(position.legal_moves)))
                    action = MakeMove(id=new_action_id(), seat=seat, move=move)
                case Phase.CHOICE:
                    action = Stop(id=new_action_id(), seat=seat)
                case _:
                    action = Roll(id=new_action_id(), seat=seat)
            await self.act(table_id, action, worker)


def missed_turns(table: Table) -> list[tuple[int, datetime]]:
    """Seats that a bot played for because their time was up, and when it said so."""
    return [
        (entry.seat or 0, entry.at)
        for entry in table.log
        if isinstance(entry.event, Substituted) and entry.event.reason is SubstituteReason.TIME
    ]


@asynccontextmanager
async def slow_servers(
    url: str, begin: str, *, workers: int = 2, step: timedelta = timedelta(hours=1)
) -> AsyncIterator[Servers]:
    """Workers over one database whose heartbeats are a step of the simulation apart."""
    clock = Turned(utc(begin))
    with pytest.MonkeyPatch.context() as patch:
        gap = step * 1.5
        patch.setattr(turns, "LONGEST_GAP", gap)
        patch.setattr(days, "LONGEST_GAP", gap)
        async with AsyncExitStack() as stack:
            pool = await stack.enter_async_context(open_pool(1, []))
            made = [
                Worker(await stack.enter_async_context(open_database(url)), pool, clock)
                for _ in range(workers)
            ]
            yield Servers(made, clock, step)
