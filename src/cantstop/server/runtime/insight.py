"""Analyses, hints and reviews: found out by the pool, and kept for whoever asks next."""

import asyncio
import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import TypeVar

from cantstop.dice import DailyDice
from cantstop.record import Record, read_record
from cantstop.rules import Position
from cantstop.server.errors import LimitExceeded, Refused
from cantstop.server.ops import metrics
from cantstop.server.runtime.cache import BytesCache
from cantstop.server.runtime.master import Master
from cantstop.server.tables.events import Started
from cantstop.server.tables.hints import check_hint
from cantstop.server.tables.records import record_of
from cantstop.server.tables.seating import seats_held
from cantstop.server.tables.table import Stage, Table
from cantstop.server.work.fair_queue import Overloaded, Priority
from cantstop.server.work.insight import (
    Packed,
    Reviews,
    analyse,
    best_daily,
    hint,
    review_record,
    review_text,
)
from cantstop.server.work.pool import WorkPool
from cantstop.server.work.process import Unfinished, WorkLost

CACHE_BYTES = 32_000_000
"""Of all analyses, hints and reviews that are kept; a review of a usual game has 40,000."""

WORK_SECONDS = 60.0
"""The deadline of an analysis or a hint, and of one slice of a review: all take far less, except
the first one of a new installation, for which the turn solver is compiled."""

HINT_COST = 3
ANALYSIS_COST = 4
REVIEW_EVENTS = 20
"""What it costs to find something out, in requests; a review one request for so many events."""
READ_CHARACTERS = 1000
"""And one request to have so many characters of a record read."""

Value = TypeVar("Value")


class StillCompiling(LimitExceeded):
    """The engine is being compiled, as after every installation."""

    def __init__(self, share: float) -> None:
        super().__init__(
            "This server is being made ready for hints and strong bots, once after each "
            "installation: {percent}% done. Try again in {seconds} s.",
            "work",
            3,
            percent=round(100 * share),
        )


@dataclass(frozen=True)
class Requester:
    """Whoever asks: the address whose share it is, and what counts requests against it."""

    address: str
    charge: Callable[[float], None]


@dataclass(frozen=True)
class _Work:
    """Something to be found out, if it is not known."""

    kind: str
    key: Hashable
    cost: float
    priority: Priority


class Insight:
    """What positions are worth, and how games were played."""

    def __init__(self, pool: WorkPool, master: Master) -> None:
        self._pool = pool
        self._master = master
        self._analyses = BytesCache[Hashable, Packed](CACHE_BYTES // 4, len)
        self._hints = BytesCache[Hashable, bytes](CACHE_BYTES // 4, len)
        self._reviews = BytesCache[Hashable, Reviews](
            CACHE_BYTES // 2, lambda reviews: sum(map(len, reviews.values()))
        )

    @property
    def compiling(self) -> float | None:
        """What share of the engine is compiled, on a new installation; else None."""
        return self._pool.preparing

    async def analysis(self, position: Position, requester: Requester) -> Packed:
        """A position looked at, with everything that can be done and all rolls."""
        work = _Work("analysis", str(position), ANALYSIS_COST, Priority.REVIEW)
        return await self._found(self._analyses, work, requester, analyse, (position,))

    async def hint(self, table_id: str, secret: str, requester: Requester) -> bytes:
        """What whoever is to decide at a table can do; everybody is told that they asked."""
        stored = await self._master.stored(table_id)
        table = stored.table
        check_hint(table, seats_held(secret, stored.holders))
        position = table.position
        work = _Work("hint", str(position), HINT_COST, Priority.HINT)
        found = await self._found(self._hints, work, requester, hint, (position,))
        await self._master.note_hint(table)
        return b'{"n":%d,%b' % (table.n, found[1:])

    async def table_review(self, table_id: str, language: str, requester: Requester) -> Packed:
        """The review of a game that is over."""
        table = (await self._master.stored(table_id)).table
        if table.stage is not Stage.OVER:
            raise Refused("There is a review once the game is over.")
        key = table_id, table.last_play  # with entered dice even the end can be taken back
        work = _Work("review", key, table.n / REVIEW_EVENTS, Priority.REVIEW)
        # in a thread, for a long game
        game = () if key in self._reviews else await asyncio.to_thread(_game_of, table)
        return (await self._found(self._reviews, work, requester, review_record, game))[language]

    async def record_review(self, text: str, language: str, requester: Requester) -> Packed:
        """The review of a record."""
        key = hashlib.sha256(text.encode()).digest()
        events = 2 * text.count("=")
        work = _Work("review", key, events / REVIEW_EVENTS, Priority.REVIEW)
        return (await self._found(self._reviews, work, requester, review_text, (text,)))[language]

    async def record(self, text: str, requester: Requester) -> Record:
        """A record, read where it can keep nobody waiting."""
        return await self._submitted(
            _Work(
                "record",
                hashlib.sha256(text.encode(errors="surrogatepass")).digest(),
                len(text) / READ_CHARACTERS,
                Priority.REVIEW,
            ),
            requester,
            read_record,
            (text,),
        )

    async def best_daily(self, dice: DailyDice, requester: Requester) -> str:
        """How each turn of a daily game ends that is played at its best, as letters."""
        work = _Work("daily", dice.seal.commitment, 0, Priority.REVIEW)
        return (await self._found(self._hints, work, requester, best_daily, (dice,))).decode()

    async def _found(
        self,
        cache: BytesCache[Hashable, Value],
        work: _Work,
        requester: Requester,
        function: Callable[..., Value | Unfinished],
        args: tuple[object, ...],
    ) -> Value:
        """What is in the cache, or else what a process finds."""
        known = cache.recent(work.key)
        if known is None:
            known = await self._submitted(work, requester, function, args)
            cache.keep(work.key, known)
        else:
            metrics.INSIGHT.labels(work.kind, "cached").inc()
        return known

    async def _submitted(
        self,
        work: _Work,
        requester: Requester,
        function: Callable[..., Value | Unfinished],
        args: tuple[object, ...],
    ) -> Value:
        """What a process finds, at the requester's expense."""
        metrics.INSIGHT.labels(work.kind, "worked").inc()
        if (share := self._pool.preparing) is not None:
            raise StillCompiling(share)
        requester.charge(work.cost)
        try:
            found: Value = await self._pool.submit(
                function,
                args,
                key=(work.kind, work.key),
                share=requester.address,
                priority=work.priority,
                seconds=WORK_SECONDS,
            )
        except WorkLost:
            raise Overloaded from None
        return found


def _game_of(table: Table) -> tuple[Record, tuple[int, ...]]:
    """The game of a table, and the number of the table's event at each of its moments."""
    record = record_of(table)
    started = (entry.n for entry in table.log if isinstance(entry.event, Started))
    numbers = (*started, *(entry.n for entry in table.played))
    return replace(record, edition=None, date=None, dice=None, hints=()), numbers
