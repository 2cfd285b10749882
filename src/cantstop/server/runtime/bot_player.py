"""Plays the seats of bots, and those of absent players, at a pace that people can follow.

Bots play only where a person is connected, or has just left: else tables that nobody looks at
would keep a server busy for ever.

Of several workers at a table, one plays its bots: all know which. Should two of them take the same
decision all the same, the database accepts one event, and the other one comes too late.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from time import monotonic

import anyio

from cantstop.bots import PACE, Bot, bot_named, decide, is_instant
from cantstop.rules import Action, Rules
from cantstop.server.database.storage import Unavailable
from cantstop.server.errors import Refused, TableExpired
from cantstop.server.ops import logs, metrics
from cantstop.server.runtime.master import Master
from cantstop.server.tables.clock import SUBSTITUTE_BOT
from cantstop.server.tables.decisions import Caller, bot_action
from cantstop.server.tables.opening import TEACHING_STYLE
from cantstop.server.work.bot_decisions import decide_for
from cantstop.server.work.cost import MOST_SECONDS, bot_seconds
from cantstop.server.work.fair_queue import Overloaded, Priority
from cantstop.server.work.pool import WorkPool
from cantstop.server.work.process import WorkLost
from cantstop.server.work.refusals import WorkFailed, WorkRefused
from cantstop.table.table import Table
from cantstop.wire.messages import Pace

PACES = {Pace.NORMAL: 1.0, Pace.FAST: 0.5, Pace.AT_ONCE: 0.0}
"""What share of the usual pause there is before an action."""
DECISION_SECONDS = 10.0
"""The deadline of one decision, once a process works on it."""
OVERLOADED_SECONDS = 2.0
"""When a bot asks again that found the queue full: its game becomes slower, and nobody else's."""
BENCH_SECONDS = 60.0
"""How long a bot that hung or took its process down is not asked again."""
ADOPTING_LOOKS = 3
"""After this many heartbeats without an event, bots that are another worker's are played here."""

_log = logging.getLogger(__name__)


class TooHeavy(Exception):
    """A board on which one decision would keep a process longer than anything may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"a turn on this board takes about {seconds:.1f} s, and this server gives "
            f"{MOST_SECONDS} s"
        )


class FailingBots:
    """The bots that failed a moment ago, and why; for the log, for monitors, and for the bench."""

    def __init__(self) -> None:
        self._failures: dict[str, tuple[float, str, bool]] = {}
        self._log = logs.RepeatedLog(_log)

    def note(self, name: str, table_id: str, error: Exception) -> None:
        """A bot has failed; one that cost a process is not asked for a while."""
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, WorkRefused):  # of a bot's failure the reason, without its name
            text = str(error.error.fields.get("reason", error))
        elif isinstance(error, WorkLost | WorkFailed | TooHeavy):
            text = str(error)
        reason = " ".join(text.split()).rstrip(".")
        self._failures[name] = (monotonic(), reason, isinstance(error, WorkLost))
        metrics.BOT_FAILURES.inc()
        self._log.log(
            logging.ERROR,
            "The bot %s fails at table %s: %s. %s decides in its place.",
            name,
            table_id,
            reason,
            SUBSTITUTE_BOT,
            about=name,
        )

    def is_benched(self, name: str) -> bool:
        """Whether not to ask the bot now."""
        return name in self.reasons() and self._failures[name][2]

    def reasons(self) -> dict[str, str]:
        """The bots that have failed lately, each with the reason."""
        since = monotonic() - BENCH_SECONDS
        self._failures = {
            name: failure for name, failure in self._failures.items() if failure[0] > since
        }
        return {name: reason for name, (_, reason, _) in self._failures.items()}


class BotPlayer:
    """One task for each table where it is a bot's turn."""

    def __init__(
        self,
        master: Master,
        pool: WorkPool,
        is_attended: Callable[[str], bool],
        pace: float = PACE,
        is_first: Callable[[str], bool] = lambda _: True,
        pace_at: Callable[[str], Pace] = lambda _: Pace.NORMAL,
        delay_at: Callable[[str], float] = lambda _: 0.0,
    ) -> None:
        self._master = master
        self._is_attended = is_attended
        self._is_first = is_first
        """Whether bots at a table are this worker's to play, rather than another one's."""
        self._pace_at = pace_at
        self._delay_at = delay_at
        """Counts one more action for whoever is at a table; the seconds until it is due."""
        self._pauses: dict[str, asyncio.Event] = {}
        """The pauses before the next action, by table: each ends when its event is set."""
        self._pool = pool
        self._pace = pace
        self._waiting: dict[str, tuple[int, int]] = {}
        """Where bots are another worker's to play: the last event, and since how many looks."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.failing = FailingBots()
        self._log = logs.RepeatedLog(_log)

    def on_change(self, versions: tuple[Table, ...]) -> None:
        """A table has changed: if it is a bot's turn now, play it."""
        self.play(versions[-1])

    def play(self, table: Table) -> None:
        """Play at a table as long as it is a bot's turn there, and a person is connected."""
        if table.bot_to_act is not None and self._is_first(table.id):
            self._start(table.id)

    def adopt(self, tables: Iterable[Table]) -> None:
        """Look whether bots play at these tables; regularly.

        Where they are another worker's to play and nothing happens, they are played here: that
        worker has died, or does not know that they are its own.
        """
        waiting = {}
        for table in tables:
            if table.bot_to_act is None:
                continue
            if self._is_first(table.id):
                self._start(table.id)
                continue
            n, looks = self._waiting.get(table.id, (table.n, 0))
            looks = looks + 1 if n == table.n else 1
            waiting[table.id] = table.n, looks
            if looks > ADOPTING_LOOKS:
                self._start(table.id)
        self._waiting = waiting

    def _start(self, table_id: str) -> None:
        if table_id not in self._tasks and self._is_attended(table_id):
            self._tasks[table_id] = asyncio.create_task(self._run(table_id))

    def on_pace(self, table_id: str) -> None:
        """The pace of a table has changed: the pause that it is in ends."""
        if table_id in self._pauses:
            self._pauses[table_id].set()

    async def _pause(self, table_id: str) -> None:
        """Wait before an action, as long as the table's pace says, or until that changes."""
        ended = self._pauses[table_id] = asyncio.Event()
        seconds = self._pace * PACES[self._pace_at(table_id)]
        try:
            with anyio.move_on_after(seconds):
                await ended.wait()
        finally:
            del self._pauses[table_id]

    @property
    def tables(self) -> int:
        """At how many tables bots play now."""
        return len(self._tasks)

    def cancel_all(self) -> list[asyncio.Task[None]]:
        """Cancel the tasks of all tables: another worker goes on."""
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
            bots: dict[str, Bot] = {}
            while await self._act(table_id, bots):
                pass
        except Unavailable:
            self._log.log(logging.WARNING, "Bots pause: the database is unavailable.")
        except Exception:
            self._log.log(
                logging.ERROR, "The bot at table %s cannot go on.", table_id, exc_info=True
            )
        finally:
            if self._tasks.get(table_id) is asyncio.current_task():
                del self._tasks[table_id]

    async def play_turn(self, table_id: str, since: int, quiet_since: datetime) -> None:
        """Play the turn of a bot at a slow table to which nobody is connected, without pauses.

        Where something has happened after ``quiet_since``, another worker has players there and
        plays the bot. One that takes long thinks in the pool, behind all that people wait for.
        """
        bots: dict[str, Bot] = {}
        table = (await self._master.stored(table_id)).table
        if table.touched > quiet_since:
            return
        while (name := table.bot_to_act) is not None and table.turn_since == since:
            if is_instant(name):
                await self._master.play_bot_turn(table_id, since, name)
                return
            try:
                decision = await self._decide(name, bots, table, Priority.NOBODY)
            except Overloaded:
                return  # the turn is due again in a while
            action = bot_action(decision, table)
            await self._master.act(table_id, Caller(frozenset({action.seat}), bot=True), action)
            table = (await self._master.stored(table_id)).table

    async def _waiting_table(self, table_id: str) -> Table | None:
        """The table, if a bot is to act there and a person is connected."""
        if not self._is_attended(table_id):
            return None
        try:
            table = (await self._master.stored(table_id)).table
        except TableExpired:
            return None
        return None if table.bot_to_act is None else table

    async def _act(self, table_id: str, bots: dict[str, Bot]) -> bool:
        """Take one action; False if no bot is to, or another worker does it.

        ``bots`` caches those that play here.
        """
        before = self._master.cached(table_id)
        await asyncio.sleep(self._delay_at(table_id))
        await self._pause(table_id)
        table = await self._waiting_table(table_id)
        if table is None or table.bot_to_act is None:
            return False
        has_gone_on = before is not None and before.last_play != table.last_play
        if has_gone_on and not self._is_first(table_id):
            return False
        try:
            name = table.bot_to_act if table.opened.lesson is None else TEACHING_STYLE
            decision = await self._decide(name, bots, table)
        except Overloaded:
            await asyncio.sleep(OVERLOADED_SECONDS)
            return True
        action = bot_action(decision, table)
        # refused if the owner came back while the bot was thinking, or another worker was faster
        try:
            with metrics.action("bot", action.kind):
                await self._master.act(table_id, Caller(frozenset({action.seat}), bot=True), action)
        except Unavailable:
            raise
        except Refused:
            pass
        return True

    async def _decide(
        self, name: str, bots: dict[str, Bot], table: Table, priority: Priority | None = None
    ) -> Action:
        """What a bot does; if it fails, what the substitute bot does in its place.

        A bot gets the position and nothing else: the dice's secret stays with the master.
        """
        position, moves = table.position, table.moves_in_turn
        if not is_instant(name) and not self.failing.is_benched(name):
            try:
                _check_weight(position.rules)
                return await self._pool.submit(
                    decide_for,
                    (table.id, name, position, moves),
                    key=("bot", table.id, table.n),
                    share=table.id,
                    priority=_priority_at(table) if priority is None else priority,
                    seconds=DECISION_SECONDS,
                )
            except Overloaded:
                raise
            except Exception as error:  # whatever a bot of others can do wrong
                self.failing.note(name, table.id, error)
        instant = name if is_instant(name) else SUBSTITUTE_BOT
        if instant not in bots:
            bots[instant] = bot_named(instant)
        return decide(bots[instant], position, moves)


def _check_weight(rules: Rules) -> None:
    """Refuse a board before anything of it is begun."""
    if (seconds := bot_seconds(rules)) > MOST_SECONDS:
        raise TooHeavy(seconds)


def _priority_at(table: Table) -> Priority:
    has_people = any(seat.bot is None for seat in table.seats)
    return Priority.PERSON if has_people else Priority.NOBODY
