"""Which games wait for a player."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from cantstop.server.database.hours import NO_TIMES, turn_times
from cantstop.server.database.my_tables import unfinished_tables
from cantstop.server.database.sql import Database
from cantstop.server.runtime.master import Master
from cantstop.server.runtime.table_summaries import TableSummaries
from cantstop.wire.turns import TurnList, TurnTable, turn_list, turn_table, with_times

MOST_TABLES = 60
CACHE_BYTES = 4_000_000
TABLE_BYTES = 1200
"""About what a table in a list takes."""


class TurnLists:
    """The games of players that are not over."""

    def __init__(
        self,
        storage: Database,
        master: Master,
        keep: timedelta,
        clock: Callable[[], datetime],
        believed: Callable[[], datetime],
    ) -> None:
        self._storage = storage
        self._keep = keep
        self._believed = believed
        self._tables = TableSummaries[int, TurnTable | None](
            "turns", storage, master, clock, turn_table, CACHE_BYTES, TABLE_BYTES
        )

    async def of(self, player_id: str, charge: Callable[[int], None] = lambda _: None) -> TurnList:
        """The games of a player; ``charge`` gets the number of events before they are read."""
        seats = await self._storage.read(
            partial(
                unfinished_tables,
                player_id=player_id,
                since=self._believed() - self._keep,
                most=MOST_TABLES,
            )
        )
        found = await self._tables.of(seats, charge)
        tables = [table for table in found.values() if table is not None]
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
