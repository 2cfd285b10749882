"""Turn clocks: what becomes of slow tables at which nobody acts.

Every worker sweeps the database for turns that are due: those of people whose time is up, and those
of bots. No timer runs for a slow table and none is in memory for it. A sweep claims a few at a time
by moving the moment at which they are due, so that workers do not do the same; what counts is the
event that is inserted, and only one can be.

Time without a server counts for nobody. Servers say in the database that they are there; the first
one that finds that none was lets all turns end later, before any of them is due. So does a clock
that has jumped: it looks the same.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial
from time import monotonic

from cantstop.server.cluster.peers import Notice, TurnMoved
from cantstop.server.database.days import BOT_GRACE, DueTurn, beat, claim_due, look_ahead
from cantstop.server.database.hours import NO_TIMES, turn_times
from cantstop.server.database.sql import Database
from cantstop.server.database.storage import Unavailable
from cantstop.server.errors import Refused
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import RepeatedLog
from cantstop.server.runtime.background import BackgroundTasks, pause_about
from cantstop.server.runtime.bot_player import BotPlayer
from cantstop.server.runtime.master import Master
from cantstop.server.runtime.presence import Presence
from cantstop.table.events import Played
from cantstop.table.table import Table
from cantstop.wire.messages import encode_message
from cantstop.wire.table import turn_clock_view

SWEEP_SECONDS = 15.0
"""How often a worker looks for turns that are due, and says that it is there."""
CLAIM = 20
"""Turns that a worker claims at once: far fewer than it plays before they are due again."""
REST = 2.0
"""After each turn the sweep rests this many times as long as it took: players come first."""

_log = logging.getLogger(__name__)
_repeated = RepeatedLog(_log)


class TurnClocks:
    """Ends the turns whose time is up, plays those of bots, and shows how long is left."""

    def __init__(
        self,
        storage: Database,
        master: Master,
        bots: BotPlayer,
        presence: Presence,
        believed: Callable[[], datetime],
    ) -> None:
        """By a clock that is believed: one that is far ahead ends nobody's turn."""
        self._storage = storage
        self._master = master
        self._bots = bots
        self._presence = presence
        self._believed = believed
        self._tasks = BackgroundTasks()
        self._showing: set[str] = set()
        """Tables whose clock is about to be sent."""

    async def start(self) -> None:
        """Let no turn be due that ran while there was no server; then sweep, now and then."""
        await self._say_here()
        self._tasks.start(self._run())

    async def close(self) -> None:
        """Cancel the background tasks."""
        await self._tasks.cancel()

    # The sweep

    async def _run(self) -> None:
        while True:
            await pause_about(SWEEP_SECONDS)
            try:
                await self.sweep()
            except Unavailable:
                _repeated.log(logging.WARNING, "Slow games wait: the database is unavailable.")
            except Exception:
                _repeated.log(logging.ERROR, "The sweep of slow games failed.", exc_info=True)

    async def sweep(self) -> int:
        """Play all turns that are due; returns how many were claimed."""
        if not await self._say_here():
            return 0
        count = 0
        while turns := await self._storage.write(
            partial(claim_due, now=self._believed(), most=CLAIM)
        ):
            for turn in turns:
                began = monotonic()
                await self._end(turn)
                await asyncio.sleep(REST * (monotonic() - began))
            count += len(turns)
        return count

    async def _say_here(self) -> bool:
        """Say that a server is there, where a slow game is on; whether a turn is due."""
        outlook = await self._storage.read(look_ahead)
        if outlook.next_due is None:
            return False
        now = self._believed()
        moved = await self._storage.write(partial(beat, now=now))
        if moved:
            _log.warning(
                "No server was there from %s on: %d turns at slow tables end later.",
                outlook.heartbeat,
                moved,
            )
        return moved > 0 or outlook.next_due <= now

    async def _end(self, turn: DueTurn) -> None:
        """Play one turn; what goes wrong with it keeps nobody else waiting."""
        if turn.bot and self._presence.is_attended(turn.table):
            return  # it is played at the pace that whoever is there wants
        try:
            with self._master.passing_by(turn.table):
                if turn.bot:
                    quiet_since = self._believed() - BOT_GRACE
                    await self._bots.play_turn(turn.table, turn.since, quiet_since)
                elif await self._master.turn_run_out(turn.table, turn.since):
                    metrics.TURNS_MISSED.inc()
        except Unavailable:
            raise
        except Refused as error:
            _log.info("The turn at table %s was not played: %s", turn.table, error)
        except Exception:
            _repeated.log(logging.ERROR, "The turn at table %s failed.", turn.table, exc_info=True)

    # What is shown of it

    def on_arrival(self, table: Table) -> None:
        """A client has connected: send how long the turn runs."""
        self.show(table)

    def on_change(self, versions: tuple[Table, ...]) -> None:
        """A table has changed: with another turn another clock runs, and who leaves changes it."""
        table = versions[-1]
        is_new = table.turn_since > table.n - len(versions)
        if is_new or not isinstance(table.last_entry.event, Played):
            self.show(table)

    def on_moved(self, table_id: str) -> None:
        """Whoever has the turn at a table has other hours now: those who look at it see that."""
        table = self._master.cached(table_id)
        if table is not None:
            self.show(table)

    def on_notice(self, notice: Notice) -> None:
        """The same, where another worker took the new hours."""
        if isinstance(notice, TurnMoved):
            self.on_moved(notice.table_id)

    def on_reconnect(self) -> None:
        """Notices may have been lost: send all clocks again."""
        for table in self._presence.tables():
            self.show(table)

    def show(self, table: Table) -> None:
        """Send the clock of a slow table to whoever is connected to it here."""
        if table.opened.days is None or not self._presence.is_here(table.id):
            return
        if table.id not in self._showing:
            self._showing.add(table.id)
            self._tasks.start(self._show(table.id))

    async def _show(self, table_id: str) -> None:
        try:
            read = partial(turn_times, tables=(table_id,), now=self._believed())
            times = (await self._storage.read(read)).get(table_id, NO_TIMES)
        except Unavailable:
            return
        finally:
            self._showing.discard(table_id)
        table = self._master.cached(table_id)
        if table is not None:
            view = turn_clock_view(table, times.left, times.ends, times.away)
            self._presence.send(table_id, encode_message(view))
