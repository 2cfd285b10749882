"""Which games wait for a player: what a list shows of each table, worked out once an event."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from cantstop.server.database.hours import NO_TIMES, turn_times
from cantstop.server.database.my_tables import unfinished_tables
from cantstop.server.database.players import REWRITTEN
from cantstop.server.database.sql import Database
from cantstop.server.runtime.cache import BytesCache
from cantstop.server.runtime.master import Master
from cantstop.server.tables.players import Player
from cantstop.wire.turns import TurnList, TurnTable, turn_list, turn_table, with_times

MOST_TABLES = 60
CACHE_BYTES = 4_000_000
TABLE_BYTES = 1200
"""About what a table in a list takes."""


@dataclass(frozen=True)
class _Known:
    """What was worked out of a table after event n; None where the game is over."""

    n: int
    at: datetime
    table: TurnTable | None


class TurnLists:
    """The games of players that are not over.

    A table is loaded once for each event that it has had since the last look, and not into the
    master's cache, where it would take the place of one that is being played.
    """

    def __init__(
        self,
        storage: Database,
        master: Master,
        keep: timedelta,
        clock: Callable[[], datetime],
        believed: Callable[[], datetime],
    ) -> None:
        self._storage = storage
        self._master = master
        self._keep = keep
        self._clock = clock
        self._believed = believed
        self._known = BytesCache[tuple[str, int], _Known](
            "turns", CACHE_BYTES, lambda _: TABLE_BYTES
        )

    async def of(self, player: Player, charge: Callable[[int], None]) -> TurnList:
        """The games of a player; ``charge`` gets the number of events before they are read."""
        seats = await self._storage.read(
            partial(
                unfinished_tables,
                player_id=player.id,
                since=self._believed() - self._keep,
                most=MOST_TABLES,
            )
        )
        heads = await self._storage.heads(list(seats))
        rewritten = set(await self._storage.rewritten(self._clock())) if seats else set()
        behind = {
            table_id: n
            for table_id, n in heads.items()
            if table_id in rewritten or not self._is_known(table_id, seats[table_id], n)
        }
        charge(sum(n for table_id, n in behind.items() if not self._master.cached(table_id)))
        for table_id, n in behind.items():
            await self._work_out(table_id, seats[table_id], n)
        known = (self._known.recent((table_id, seats[table_id])) for table_id in heads)
        tables = [one.table for one in known if one is not None and one.table is not None]
        return turn_list(await self._timed(tables))

    async def _timed(self, tables: list[TurnTable]) -> list[TurnTable]:
        """The same with what hours and clocks change, which no event tells."""
        slow = [table.id for table in tables if table.days is not None]
        if not slow:
            return tables
        found = await self._storage.read(partial(turn_times, tables=slow, now=self._believed()))
        timed = []
        for table in tables:
            times = found.get(table.id, NO_TIMES)
            timed.append(with_times(table, times.ends, times.left, times.away))
        return timed

    def _is_known(self, table_id: str, seat: int, n: int) -> bool:
        """Whether a table is known up to its last event, and with the names that it has now.

        A name that is taken out of events changes no number. Such tables are named for a while:
        what is older than that is worked out again.
        """
        known = self._known.get((table_id, seat))
        return known is not None and known.n == n and self._clock() - known.at < REWRITTEN

    async def _work_out(self, table_id: str, seat: int, n: int) -> None:
        table = self._master.cached(table_id)
        if table is None or table.n < n:
            stored = await self._storage.load(table_id)
            if stored is None:  # deleted meanwhile
                self._known.drop((table_id, seat))
                return
            table = stored.table
        known = _Known(table.n, self._clock(), turn_table(table, seat))
        self._known.keep((table_id, seat), known)
