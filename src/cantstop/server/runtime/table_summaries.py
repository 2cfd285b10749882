"""What lists show of tables: worked out once for each event that a table has had."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from cantstop.server.database.players import REWRITTEN
from cantstop.server.database.sql import Database
from cantstop.server.runtime.cache import BytesCache
from cantstop.server.runtime.master import Master
from cantstop.table.table import Table

Of = TypeVar("Of", bound=Hashable)
Summary = TypeVar("Summary")


@dataclass(frozen=True)
class _Known(Generic[Summary]):
    """What was worked out of a table after event n."""

    n: int
    at: datetime
    summary: Summary


class TableSummaries(Generic[Of, Summary]):
    """Summaries of tables, each for something such as a seat.

    A table is loaded once for each event that it has had since the last look, and not into the
    master's cache, where it would take the place of one that is being played.
    """

    def __init__(
        self,
        name: str,
        storage: Database,
        master: Master,
        clock: Callable[[], datetime],
        summary: Callable[[Table, Of], Summary],
        most_bytes: int,
        bytes_each: int,
    ) -> None:
        self._storage = storage
        self._master = master
        self._clock = clock
        self._summary = summary
        self._known = BytesCache[tuple[str, Of], _Known[Summary]](
            name, most_bytes, lambda _: bytes_each
        )

    async def of(
        self,
        tables: Mapping[str, Of],
        charge: Callable[[int], None] = lambda _: None,
        most_events: int | None = None,
    ) -> dict[str, Summary]:
        """Summaries of those tables that there are, in the order given.

        ``charge`` gets the number of events before they are read; tables that have had more than
        ``most_events`` are left out.
        """
        found = await self._storage.heads(list(tables))
        heads = {
            table_id: found[table_id]
            for table_id in tables
            if table_id in found and (most_events is None or found[table_id] <= most_events)
        }
        rewritten = set(await self._storage.rewritten(self._clock())) if heads else set()
        behind = {
            table_id: n
            for table_id, n in heads.items()
            if table_id in rewritten or not self._is_known(table_id, tables[table_id], n)
        }
        charge(sum(n for table_id, n in behind.items() if not self._master.cached(table_id)))
        for table_id, n in behind.items():
            await self._work_out(table_id, tables[table_id], n)
        known = {table_id: self._known.recent((table_id, tables[table_id])) for table_id in heads}
        return {table_id: one.summary for table_id, one in known.items() if one is not None}

    def _is_known(self, table_id: str, of: Of, n: int) -> bool:
        """Whether a table is known up to its last event, and with the names that it has now.

        A name that is taken out of events changes no number. Such tables are named for a while:
        what is older than that is worked out again.
        """
        known = self._known.get((table_id, of))
        return known is not None and known.n == n and self._clock() - known.at < REWRITTEN

    async def _work_out(self, table_id: str, of: Of, n: int) -> None:
        table = self._master.cached(table_id)
        if table is None or table.n < n:
            stored = await self._storage.load(table_id)
            if stored is None:  # deleted meanwhile
                self._known.drop((table_id, of))
                return
            table = stored.table
        known = _Known(table.n, self._clock(), self._summary(table, of))
        self._known.keep((table_id, of), known)
