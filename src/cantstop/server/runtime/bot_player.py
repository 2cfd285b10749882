"""Plays the seats of bots, and those of absent players, at a pace that people can follow."""

import asyncio
import logging
from secrets import token_hex

import anyio

from cantstop.bots import PACE, Bot, Choice, bot_named, decide
from cantstop.server.cluster.peers import Peers, SingleWorker
from cantstop.server.database.storage import Unavailable
from cantstop.server.errors import Refused, TableExpired
from cantstop.server.ops import logs, metrics
from cantstop.server.runtime.master import Master
from cantstop.server.tables.actions import MakeMove, Play, Roll, Stop
from cantstop.server.tables.decisions import SUBSTITUTE_BOT, Caller
from cantstop.server.tables.table import Table

_log = logging.getLogger(__name__)


class BotPlayer:
    """One task for each table where it is a bot's turn; a lock keeps other workers out."""

    def __init__(self, master: Master, pace: float = PACE, peers: Peers | None = None) -> None:
        self._master = master
        self._pace = pace
        self._peers = peers or SingleWorker()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def on_change(self, versions: tuple[Table, ...]) -> None:
        """A table has changed: if it is a bot's turn now, play it."""
        table = versions[-1]
        if table.bot_to_act is not None:
            self.play(table.id)

    def play(self, table_id: str) -> None:
        """Start to play at a table, until no bot is to act there any more."""
        if table_id not in self._tasks:
            task = asyncio.create_task(self._run(table_id))
            self._tasks[table_id] = task

    def cancel_all(self) -> list[asyncio.Task[None]]:
        """Cancel the tasks of all tables: whichever worker gets the lock goes on."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        return tasks

    async def close(self) -> None:
        """Cancel all tasks, and wait for their end."""
        await asyncio.gather(*self.cancel_all(), return_exceptions=True)

    async def _run(self, table_id: str) -> None:
        logs.bind_table(table_id)
        try:
            while await self._peers.claim(table_id):
                try:
                    await self._play_turns(table_id)
                finally:
                    with anyio.CancelScope(shield=True):
                        await self._peers.release(table_id)
                # another worker may have failed to claim it between our last look and the release
                if await self._waiting_table(table_id) is None:
                    break
        except Unavailable:
            _log.warning("The bot at table %s pauses: the database is unavailable.", table_id)
        except Exception:
            _log.exception("The bot at table %s cannot go on.", table_id)
        finally:
            if self._tasks.get(table_id) is asyncio.current_task():
                del self._tasks[table_id]

    async def _play_turns(self, table_id: str) -> None:
        bots: dict[str, Bot] = {}
        while await self._act(table_id, bots):
            pass

    async def _waiting_table(self, table_id: str) -> Table | None:
        """The table, if a bot is to act there."""
        try:
            table = (await self._master.stored(table_id)).table
        except TableExpired:
            return None
        return None if table.bot_to_act is None else table

    async def _act(self, table_id: str, bots: dict[str, Bot]) -> bool:
        """Take one action; False if no bot is to act. ``bots`` caches those that play here."""
        await asyncio.sleep(self._pace)
        table = await self._waiting_table(table_id)
        if table is None or table.bot_to_act is None:
            return False
        action = await anyio.to_thread.run_sync(_decide, table.bot_to_act, bots, table)
        # refused if the owner came back while the bot was thinking: then look again
        try:
            with metrics.action("bot", action.kind):
                await self._master.act(table_id, Caller(frozenset({action.seat}), bot=True), action)
        except Unavailable:
            raise
        except Refused:
            pass
        return True


def _decide(name: str, bots: dict[str, Bot], table: Table) -> Play:
    """A bot's next action; if the bot fails, the substitute bot plays its turns here."""
    try:
        if name not in bots:
            bots[name] = bot_named(name)
        return _choose(bots[name], table)
    except Exception:
        _log.exception("The bot %s fails at table %s: %s plays on.", name, table.id, SUBSTITUTE_BOT)
        bots[name] = bot_named(SUBSTITUTE_BOT)
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
