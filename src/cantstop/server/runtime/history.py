"""What players have done: games that end are looked at, one at a time, when nobody needs the pool.

A game is in the database since it ended; what luck and skill it had is found out later, by whoever
starts next if not by this worker.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from cantstop.rules import CantStopError
from cantstop.server.database import games
from cantstop.server.database.sql import Database
from cantstop.server.runtime.insight import Insight, Requester, TooMuchWork
from cantstop.server.runtime.master import Master
from cantstop.table.table import Stage, Table

MOST_WAITING = 1000
"""Games that wait to be looked at; those beyond are found once these have been."""

_REVIEWER = Requester("the history", lambda _: None)

_log = logging.getLogger(__name__)


class History:
    """Looks at the games of players of the club."""

    def __init__(
        self,
        storage: Database,
        master: Master,
        insight: Insight,
        on_rated: Callable[[], None] = lambda: None,
    ) -> None:
        """``on_rated`` is called when a game that counts for ratings was looked at."""
        self._storage = storage
        self._insight = insight
        self._on_rated = on_rated
        self._waiting: dict[str, None] = {}
        self._has_more = False
        """Whether there are more games than can wait."""
        self._found_until: games.Ended | None = None
        """Games that ended before this were found: those that failed wait for the next start."""
        self._task: asyncio.Task[None] | None = None
        master.subscribe(self._on_change, own=True)

    async def start(self) -> None:
        """Go on with the games that nobody has looked at."""
        await self._find_more()
        if self._waiting:
            self._begin()

    async def close(self) -> None:
        """Stop; the next start goes on."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def idle(self) -> None:
        """Return once nothing waits to be looked at."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def _on_change(self, versions: tuple[Table, ...]) -> None:
        table = versions[-1]
        if table.stage is Stage.OVER and versions[0].last_entry.kind != "rematched":
            self._look_some_time(table.id)

    def _look_some_time(self, table_id: str) -> None:
        if len(self._waiting) < MOST_WAITING:
            self._waiting[table_id] = None
        else:
            self._has_more = True
        self._begin()

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look_at_all())

    async def _look_at_all(self) -> None:
        while self._waiting:
            table_id = next(iter(self._waiting))
            await self._look_at(table_id)
            self._waiting.pop(table_id, None)
            if not self._waiting and self._has_more:
                await self._find_more()

    async def _find_more(self) -> None:
        found = await self._storage.read(
            partial(games.unseen_games, after=self._found_until, most=MOST_WAITING)
        )
        self._has_more = len(found) == MOST_WAITING
        if found:
            self._found_until = found[-1]
        self._waiting.update((table_id, None) for _, table_id in found)

    async def _look_at(self, table_id: str) -> None:
        try:
            await self._note_findings(table_id)
        except CantStopError as error:  # too busy: whoever starts next
            _log.info("The luck of game %s is not known yet: %s", table_id, error)
        except Exception:
            _log.exception("The luck of game %s was not found out.", table_id)

    async def _note_findings(self, table_id: str) -> None:
        game = await self._storage.read(partial(games.unseen_game, table_id=table_id))
        if game is None:
            return
        try:
            found = await self._insight.findings(table_id, game.packed, game.left_at, _REVIEWER)
        except TooMuchWork:
            _log.info("The luck of game %s is not looked for: it is too large.", table_id)
            await self._storage.write(partial(games.give_up, table_id=table_id))
            return
        await self._storage.write(partial(games.write_findings, table_id=table_id, found=found))
        if game.counts:
            self._on_rated()
