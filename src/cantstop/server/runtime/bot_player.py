"""Plays the seats of bots, and of those who are away, at a pace that people can follow."""

import asyncio
import logging
from secrets import token_hex

import anyio

from cantstop.bots import PACE, Bot, Choice, bot_named, decide
from cantstop.server.cluster.peers import Alone, Neighbours
from cantstop.server.database.storage import Unavailable
from cantstop.server.errors import Refused, TableExpired
from cantstop.server.ops import logs, metrics
from cantstop.server.runtime.master import Master
from cantstop.server.tables.actions import MakeMove, Play, Roll, Stop
from cantstop.server.tables.decisions import Caller
from cantstop.server.tables.steps import Step
from cantstop.server.tables.substitutes import STAND_IN
from cantstop.server.tables.table import Table

_log = logging.getLogger(__name__)


class Driver:
    """One task for each table where it is a bot's turn and no other worker plays it."""

    def __init__(
        self, master: Master, pace: float = PACE, neighbours: Neighbours | None = None
    ) -> None:
        self._master = master
        self._pace = pace
        self._neighbours = neighbours or Alone()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def look(self, steps: tuple[Step, ...]) -> None:
        """Something happened at a table: maybe a bot is to act now."""
        table = steps[-1].table
        if table.bot_to_act is not None:
            self.take_up(table.id)

    def take_up(self, table_id: str) -> None:
        """Play at a table for as long as it is a bot's turn there."""
        if table_id not in self._tasks:
            task = asyncio.create_task(self._play(table_id))
            self._tasks[table_id] = task

    def drop(self) -> list[asyncio.Task[None]]:
        """Leave all tables as they are, for whoever takes them up next."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        return tasks

    async def close(self) -> None:
        """Leave all tables, and wait until that is done."""
        await asyncio.gather(*self.drop(), return_exceptions=True)

    async def _play(self, table_id: str) -> None:
        logs.bind_table(table_id)
        try:
            while await self._neighbours.claim(table_id):
                try:
                    await self._play_on(table_id)
                finally:
                    with anyio.CancelScope(shield=True):
                        await self._neighbours.release(table_id)
                # another worker may have wanted it while we had looked but not let go
                if await self._table(table_id) is None:
                    break
        except Unavailable:
            _log.warning("The bot at table %s waits for the database.", table_id)
        except Exception:
            _log.exception("No bot can play at table %s.", table_id)
        finally:
            if self._tasks.get(table_id) is asyncio.current_task():
                del self._tasks[table_id]

    async def _play_on(self, table_id: str) -> None:
        bots: dict[str, Bot] = {}
        while await self._act(table_id, bots):
            pass

    async def _table(self, table_id: str) -> Table | None:
        """The table, if a bot is to act there."""
        try:
            table = (await self._master.stored(table_id)).table
        except TableExpired:
            return None
        return None if table.bot_to_act is None else table

    async def _act(self, table_id: str, bots: dict[str, Bot]) -> bool:
        """Take one action; False if no bot is to act any more. ``bots`` are those that play."""
        await asyncio.sleep(self._pace)
        table = await self._table(table_id)
        if table is None or table.bot_to_act is None:
            return False
        action = await anyio.to_thread.run_sync(_decide, table.bot_to_act, bots, table)
        # the owner may have come back while the bot was thinking: then look again
        try:
            with metrics.action("bot", action.kind):
                await self._master.act(table_id, Caller(frozenset({action.seat}), bot=True), action)
        except Unavailable:
            raise
        except Refused:
            pass
        return True


def _decide(name: str, bots: dict[str, Bot], table: Table) -> Play:
    """What a bot does; one that fails has its turn played to the end by another."""
    try:
        if name not in bots:
            bots[name] = bot_named(name)
        return _choose(bots[name], table)
    except Exception:
        _log.exception("The bot %s fails at table %s: %s plays on.", name, table.id, STAND_IN)
        bots[name] = bot_named(STAND_IN)
        return _choose(bots[name], table)


def _choose(bot: Bot, table: Table) -> Play:
    # a bot gets the position and nothing else: the dice's secret stays with the master
    decision = decide(bot, table.position, table.moves_in_turn)
    new_id, seat, n = token_hex(16), table.position.seat, table.n
    match decision:
        case Choice.STOP:
            return Stop(id=new_id, seat=seat, n=n)
        case Choice.ROLL:
            return Roll(id=new_id, seat=seat, n=n)
    return MakeMove(id=new_id, seat=seat, n=n, move=str(decision))
