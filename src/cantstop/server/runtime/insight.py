"""Analyses, hints and reviews: found out by the pool, and kept for whoever asks next."""

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from cantstop.dice import DailyDice
from cantstop.record import Record
from cantstop.rules import Position
from cantstop.server.errors import Illegal, Refused
from cantstop.server.ops import metrics
from cantstop.server.runtime.cache import BytesCache
from cantstop.server.runtime.master import Master
from cantstop.server.tables.hints import check_hint
from cantstop.server.tables.history import GameFindings, game_text
from cantstop.server.tables.records import record_of
from cantstop.server.work.cost import (
    MOST_SECONDS,
    analysis_work,
    hint_work,
    review_work,
    start_of_record,
)
from cantstop.server.work.fair_queue import Overloaded, Priority
from cantstop.server.work.insight import (
    Packed,
    Reviews,
    analyse,
    best_daily,
    findings,
    hint,
    luck_and_skill,
    review_record,
    review_text,
)
from cantstop.server.work.pool import WorkPool
from cantstop.server.work.process import Unfinished, WorkLost
from cantstop.server.work.refusals import WorkRefused
from cantstop.server.work.turns import FairThread
from cantstop.table.events import Started
from cantstop.table.table import Stage, Table
from cantstop.wire.insight import HintPosition

CACHE_BYTES = 16_000_000
"""Of all analyses, hints and reviews that are kept: three quarters of it are for reviews, which
take longest, and have 60,000 bytes for a usual game; a hint has 800, an analysis 2,000."""

WORK_SECONDS = 60.0
"""The deadline of an analysis or a hint, and of one slice of a review: all take far less, but on a
machine that is busy with other things."""
CPU_FACTOR, LEAST_CPU_SECONDS, MOST_CPU_SECONDS = 10.0, 5.0, 50.0
"""Work that uses this multiple of its estimated CPU time is cancelled, within these bounds."""

WORK_COST = 4
SECOND_COST = 20
"""What it costs to find something out, in requests: any of it, and each second of it besides."""
MOST_REVIEW_SECONDS = 120.0
"""No review is begun that takes longer than this in all; one of a usual game takes two seconds."""

BEST_DAILY_SECONDS = 0.1
"""What it takes to play a daily game at its best, a turn at a time."""

Value = TypeVar("Value")


class TooMuchWork(Illegal):
    """What would take longer than this server gives to anybody."""

    def __init__(self) -> None:
        super().__init__("This server does not work on boards or games as large as this one.")


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
    seconds: float
    """What it will take of the processor's time, as estimated."""
    priority: Priority

    @property
    def cost(self) -> float:
        """What it costs, in requests."""
        return WORK_COST + SECOND_COST * self.seconds

    @property
    def cpu_seconds(self) -> float:
        """What it may take of the processor's time at a time."""
        return min(max(CPU_FACTOR * self.seconds, LEAST_CPU_SECONDS), MOST_CPU_SECONDS)


def _checked(seconds: float, most: float = MOST_SECONDS) -> float:
    """The seconds that some work will take; refused where they are too many."""
    if seconds > most:
        raise TooMuchWork
    return seconds


class Insight:
    """What positions are worth, and how games were played."""

    def __init__(self, pool: WorkPool, master: Master, thread: FairThread) -> None:
        self._pool = pool
        self._master = master
        self._thread = thread
        self._analyses = BytesCache[Hashable, Packed]("analyses", CACHE_BYTES // 8, len)
        self._hints = BytesCache[Hashable, bytes]("hints", CACHE_BYTES // 8, len)
        self._reviews = BytesCache[Hashable, Reviews](
            "reviews", CACHE_BYTES * 3 // 4, lambda reviews: sum(map(len, reviews.values()))
        )

    async def analysis(self, position: Position, requester: Requester) -> Packed:
        """A position looked at, with everything that can be done and all rolls."""
        seconds = _checked(analysis_work(position).seconds)
        work = _Work("analysis", str(position), seconds, Priority.REVIEW)
        return await self._found(self._analyses, work, requester, analyse, (position,))

    async def hint(self, table_id: str, secret: str, requester: Requester) -> bytes:
        """The options of the seat that is to decide; everybody sees that it asked."""
        stored = await self._master.stored(table_id)
        table = stored.table
        check_hint(table, await self._master.seats_held(stored, secret))
        position = table.position
        seconds = _checked(hint_work(position).seconds)
        work = _Work("hint", str(position), seconds, Priority.HINT)
        found = await self._found(self._hints, work, requester, hint, (position,))
        await self._master.note_hint(table)
        return b'{"n":%d,%b' % (table.n, found[1:])

    async def own_hint(self, table_id: str, secret: str) -> HintPosition:
        """The position for which a client works out a hint itself; everybody sees that it does."""
        stored = await self._master.stored(table_id)
        table = stored.table
        check_hint(table, await self._master.seats_held(stored, secret))
        await self._master.note_hint(table)
        return HintPosition(table.n, str(table.position))

    async def table_review(self, table_id: str, language: str, requester: Requester) -> Packed:
        """The review of a game that is over."""
        table, work = await self._finished(table_id, "review", Priority.REVIEW)
        game = () if work.key in self._reviews else await self._game_of(table, requester)
        return (await self._found(self._reviews, work, requester, review_record, game))[language]

    async def daily_grade(
        self, table_id: str, requester: Requester, priority: Priority
    ) -> tuple[float, float]:
        """What luck and skill a solo game had that is over."""
        table, work = await self._finished(table_id, "daily", priority)
        record, _ = await self._game_of(table, requester)
        return await self._submitted(work, requester, luck_and_skill, (record,))

    async def findings(
        self, table_id: str, packed: bytes, until: int | None, requester: Requester
    ) -> GameFindings:
        """What a game of players of the club came to, which may have left the tables since.

        Raises TooMuchWork if nobody is ever going to look at it.
        """
        work = _Work("history", table_id, _text_seconds(game_text(packed)), Priority.NOBODY)
        return await self._submitted(work, requester, findings, (packed, until))

    async def _game_of(self, table: Table, requester: Requester) -> tuple[Record, tuple[int, ...]]:
        """In a thread: a game may be long."""
        return await self._thread.run(requester.address, partial(_game_of, table))

    async def _finished(self, table_id: str, kind: str, priority: Priority) -> tuple[Table, _Work]:
        """A table whose game is over, and the work that a review of it is."""
        table = (await self._master.stored(table_id)).table
        if table.stage is not Stage.OVER:
            raise Refused("There is a review once the game is over.")
        key = table_id, table.last_play  # with entered dice even the end can be taken back
        seconds = _review_seconds(Position.initial(table.position.rules), table.turn, table.n)
        return table, _Work(kind, key, seconds, priority)

    async def record_review(self, text: str, language: str, requester: Requester) -> Packed:
        """The review of a record."""
        key = hashlib.sha256(text.encode()).digest()
        work = _Work("review", key, _text_seconds(text), Priority.REVIEW)
        return (await self._found(self._reviews, work, requester, review_text, (text,)))[language]

    async def best_daily(self, dice: DailyDice, requester: Requester) -> str:
        """How each turn of a daily game ends that is played at its best, as letters."""
        work = _Work("daily", dice.seal.commitment, BEST_DAILY_SECONDS, Priority.REVIEW)
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
        requester.charge(work.cost)
        try:
            found: Value = await self._pool.submit(
                function,
                args,
                key=(work.kind, work.key),
                share=requester.address,
                priority=work.priority,
                seconds=WORK_SECONDS,
                cpu_seconds=work.cpu_seconds,
            )
        except WorkLost:
            raise Overloaded from None
        except WorkRefused as refused:
            raise refused.error from None
        return found


def _review_seconds(start: Position, turns: int, events: int) -> float:
    """What a review takes; each turn of it, which is done in one go, has a bound of its own."""
    _checked(review_work(start, 1, 0).seconds)
    return _checked(review_work(start, turns, events).seconds, MOST_REVIEW_SECONDS)


def _text_seconds(text: str) -> float:
    """What the review of the record in a text takes."""
    start = start_of_record(text)
    if start is None:  # reading it ends with an error
        return 0.0
    return _review_seconds(start, text.count("("), 2 * text.count("="))


def _game_of(table: Table) -> tuple[Record, tuple[int, ...]]:
    """The game of a table, and the number of the table's event at each of its moments."""
    record = record_of(table)
    started = (entry.n for entry in table.log if isinstance(entry.event, Started))
    numbers = (*started, *(entry.n for entry in table.played))
    return replace(record, edition=None, date=None, dice=None, hints=()), numbers
