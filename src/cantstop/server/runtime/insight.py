"""Analyses, hints and reviews: found out by the pool, and kept for whoever asks next."""

import hashlib
from collections.abc import Callable, Hashable
from typing import TypeVar

from cantstop.record import Record
from cantstop.server.errors import Refused
from cantstop.server.runtime.cache import BytesCache
from cantstop.server.runtime.master import Master
from cantstop.server.tables.hints import check_hint
from cantstop.server.tables.records import record_of
from cantstop.server.tables.seating import seats_held
from cantstop.server.tables.table import Stage, Table
from cantstop.server.work import insight
from cantstop.server.work.fair_queue import Overloaded, Priority
from cantstop.server.work.pool import WorkPool
from cantstop.server.work.process import WorkLost

CACHE_BYTES = 32_000_000

ANALYSIS_SECONDS = 20.0
REVIEW_SECONDS = 120.0

HINT_COST = 1.0
ANALYSIS_COST = 4.0
EVENTS_FOR_A_REQUEST = 20
"""What it costs to find something out, in requests; a review by the events of its game."""

Charge = Callable[[float], None]
Reviews = dict[str, insight.Packed]
"""A review by language."""

Result = TypeVar("Result")


class Insight:
    """What positions are worth, and how games were played."""

    def __init__(self, pool: WorkPool, master: Master) -> None:
        self._pool = pool
        self._master = master
        self._analyses = BytesCache[str, bytes](CACHE_BYTES // 4, len)
        self._hints = BytesCache[str, bytes](CACHE_BYTES // 4, len)
        self._reviews = BytesCache[Hashable, Reviews](
            CACHE_BYTES // 2, lambda found: sum(map(len, found.values()))
        )

    async def analysis(self, text: str, address: str, charge: Charge) -> insight.Packed:
        """A position looked at, with everything that can be done and all rolls."""
        found = self._analyses.recent(text)
        if found is None:
            charge(ANALYSIS_COST)
            found = await self._work(
                insight.analyse,
                (text,),
                ("analysis", text),
                address,
                Priority.REVIEW,
                ANALYSIS_SECONDS,
            )
            self._analyses.keep(text, found)
        return found

    async def hint(self, table_id: str, secret: str, address: str, charge: Charge) -> bytes:
        """What whoever is to decide at a table can do; everybody is told that they asked."""
        stored = await self._master.stored(table_id)
        table = stored.table
        check_hint(table, seats_held(secret, stored.holders))
        text = str(table.position)
        found = self._hints.recent(text)
        if found is None:
            charge(HINT_COST)
            found = await self._work(
                insight.hint,
                (table.position,),
                ("hint", text),
                address,
                Priority.HINT,
                ANALYSIS_SECONDS,
            )
            self._hints.keep(text, found)
        await self._master.note_hint(table)
        return b'{"n":%d,%b' % (table.n, found[1:])

    async def table_review(
        self, table_id: str, language: str, address: str, charge: Charge
    ) -> insight.Packed:
        """The review of a game that is over."""
        table = (await self._master.stored(table_id)).table
        if table.stage is not Stage.OVER:
            raise Refused("There is a review once the game is over.")
        found = self._reviews.recent(table_id)
        if found is None:
            record, events = _game_of(table)
            charge(len(events) / EVENTS_FOR_A_REQUEST)
            found = await self._work(
                insight.review_record,
                (record, events),
                ("review", table_id),
                address,
                Priority.REVIEW,
                REVIEW_SECONDS,
            )
            self._reviews.keep(table_id, found)
        return found[language]

    async def record_review(
        self, text: str, language: str, address: str, charge: Charge
    ) -> insight.Packed:
        """The review of a record."""
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        found = self._reviews.recent(key)
        if found is None:
            charge(text.count("=") * 2 / EVENTS_FOR_A_REQUEST)
            found = await self._work(
                insight.review_text,
                (text,),
                ("review", key),
                address,
                Priority.REVIEW,
                REVIEW_SECONDS,
            )
            self._reviews.keep(key, found)
        return found[language]

    async def _work(
        self,
        function: Callable[..., Result],
        args: tuple[object, ...],
        key: Hashable,
        address: str,
        priority: Priority,
        seconds: float,
    ) -> Result:
        try:
            return await self._pool.submit(
                function, args, key=key, share=address, priority=priority, seconds=seconds
            )
        except WorkLost:
            raise Overloaded from None


def _game_of(table: Table) -> tuple[Record, tuple[int, ...]]:
    """The game of a table, and the number of the table's event at each of its moments."""
    record = record_of(table)
    plays = ("rolled", "moved", "stopped", "busted")
    numbers = [entry.n for entry in table.log if entry.kind in plays]
    started = next(entry.n for entry in table.log if entry.kind == "started")
    return Record(record.start, record.names, record.events), (started, *numbers)
