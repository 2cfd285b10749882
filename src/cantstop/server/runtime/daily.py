"""The daily game on a server: whose try counts, what a day came to, and when its key is revealed.

The clock is the server's. A result is in the database since its game ended; what luck and skill it
had is found out by the pool, once: after a restart, at the first request.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from cantstop.daily import ARCHIVE_DAYS, counts_until, day_of, ends, reveals_at
from cantstop.dice import DailyDice, new_secret
from cantstop.rules import CantStopError
from cantstop.server.database.sql import Database
from cantstop.server.database.storage import Conflict
from cantstop.server.errors import NotFound
from cantstop.server.runtime.insight import Insight, Requester
from cantstop.server.runtime.master import Master
from cantstop.server.runtime.steady_clock import BelievedClock
from cantstop.server.tables.seating import hashed, new_seat_secret
from cantstop.server.tables.tries import (
    DailyEntry,
    asked_day,
    open_daily,
    seat_secret,
)
from cantstop.server.work.fair_queue import Priority
from cantstop.table.table import Stage, Table
from cantstop.wire.requests import PlayDaily

MOST_RESULTS = 100
"""The most results of a day in an answer."""

PATIENCE = 10.0
"""Seconds that whoever asks for a day waits for what the pool has yet to find out about it: where
strong bots keep it busy, that may take for ever, and all else is known."""

_GRADER = Requester("the daily game", lambda _: None)
"""Finds out the luck and skill of all results, once, when nobody needs the pool."""

MOST_UNGRADED = 1000
"""Results that wait for the one task that finds out their luck; whoever reads a day asks again."""

_log = logging.getLogger(__name__)

Found = TypeVar("Found")


@dataclass(frozen=True)
class DailySeat:
    """The table where a player plays a daily game, and the secret of their seat."""

    table: Table
    secret: str
    device: str
    day: date
    counts: bool


@dataclass(frozen=True)
class Day:
    """A day as answers show it: the commitment of its dice, and its results."""

    dice: DailyDice
    now: datetime
    believed: datetime
    """The time by which its key is revealed."""
    results: list[DailyEntry]
    count: int
    """How many results there are; ``results`` are the best of them."""
    mine: DailyEntry | None = None
    is_unfinished: bool = False
    """Whether the own try goes on, and may still count."""
    place: int | None = None
    """That of the own result."""
    best: str | None = None
    """How best play ends each turn with these dice: shown to those who cannot use it any more."""

    @property
    def day(self) -> date:
        """Which day it is."""
        return self.dice.seal.day

    @property
    def key(self) -> bytes | None:
        """The key of its dice, once it is revealed."""
        return self.dice.key if self.believed >= reveals_at(self.day) else None


class DailyGames:
    """The daily games of a server."""

    def __init__(
        self,
        storage: Database,
        master: Master,
        insight: Insight,
        clock: Callable[[], datetime],
        believed: BelievedClock,
        secret: bytes | None,
    ) -> None:
        self._storage = storage
        self._master = master
        self._insight = insight
        self._clock = clock
        self._believed = believed
        """The time that reveals keys: a clock that is wrong reveals none."""
        self._secret = secret
        """The operator's own; else the one in the database."""
        self._tasks: dict[tuple[str, str], asyncio.Task[Any]] = {}
        """What the pool is asked for: by the table or the day that it is about, and by whom."""
        self._ungraded: dict[str, None] = {}
        """Tables whose luck is to be found out when nobody needs the pool: in their order."""
        self._grading: asyncio.Task[None] | None = None
        master.subscribe(self._on_change, own=True)

    async def close(self) -> None:
        """Stop finding out what luck games had; the next start goes on with it."""
        tasks = list(self._tasks.values())
        if self._grading is not None:
            tasks.append(self._grading)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def dice(self, day: date) -> DailyDice:
        """The dice of a day."""
        if self._secret is None:
            self._secret = await self._storage.daily_secret(new_secret())
        return DailyDice.of(self._secret, day)

    # Playing

    async def play(self, request: PlayDaily) -> DailySeat:
        """Open a table for the daily game, or come back to the one where it goes on.

        The first table of a device on a day is its one try. Any other one is played outside the
        ranking, and so is one of the archive.
        """
        device = request.device or new_seat_secret()
        while True:
            now = self._clock()
            day = self._asked_day(request.day, now)
            entry = await self._storage.daily_try(day, hashed(device))
            table = None if entry is None else await self._unfinished_table(entry, now)
            if table is not None:
                return DailySeat(table, seat_secret(device, table.id), device, day, counts=True)
            counts = entry is None and day == day_of(now)
            if self._believed.newest() >= reveals_at(day):
                counts = False  # the clock was set back: everybody knows these dice
            opening = open_daily(request, device, await self.dice(day), now, counts=counts)
            try:
                table = await self._master.open(opening.new_table)
            except Conflict:  # the same device has asked twice at once: the other table is its try
                continue
            return DailySeat(table, opening.secret, device, day, counts)

    async def _unfinished_table(self, entry: DailyEntry, now: datetime) -> Table | None:
        """The table of a try that is not over and may still count."""
        if entry.finished_at is not None or now >= counts_until(entry.day):
            return None
        try:
            table = (await self._master.stored(entry.table)).table
        except NotFound:  # deleted by the operator
            return None
        return None if table.stage is Stage.OVER else table

    # What there is to know

    async def day(self, text: str | None, device: str | None, requester: Requester) -> Day:
        """A day with its results, and the own one if a device asks.

        What is not known of it yet is found out at the expense of whoever asks, in their share.
        """
        now = self._clock()
        day, believed = self._asked_day(text, now), self._believed()
        dice = await self.dice(day)
        mine = None if device is None else await self._storage.daily_try(day, hashed(device))
        is_over = mine is not None and mine.finished_at is not None
        is_unfinished = mine is not None and await self._unfinished_table(mine, now) is not None
        best = self._best(dice, requester) if is_over or believed >= reveals_at(day) else None
        grade = (
            self._grade(mine.table, requester) if mine is not None and _is_ungraded(mine) else None
        )
        if asked := [task for task in (best, grade) if task is not None]:
            await asyncio.wait(asked, timeout=PATIENCE)
        if mine is not None and grade is not None:
            mine = await self._storage.daily_try(day, mine.device)
        results, count = await self._storage.daily_results(day, MOST_RESULTS)
        for entry in filter(_is_ungraded, results):
            self._grade_some_time(entry.table)
        place = await self._storage.daily_place(mine) if mine is not None and is_over else None
        letters = None if best is None or not best.done() or best.cancelled() else best.result()
        return Day(dice, now, believed, results, count, mine, is_unfinished, place, letters)

    async def archive(self) -> list[tuple[DailyDice, int]]:
        """The past days that can be played again, the last one first, with how many results."""
        today = day_of(self._clock())
        since = today - timedelta(days=ARCHIVE_DAYS)
        counts = await self._storage.daily_counts(since)
        days = [today - timedelta(days=ago) for ago in range(1, ARCHIVE_DAYS + 1)]
        return [(await self.dice(day), counts.get(day, 0)) for day in days if self._is_past(day)]

    def _asked_day(self, text: str | None, now: datetime) -> date:
        """The day that is asked for; none that may still be to come, if the clock is in doubt."""
        day = asked_day(text, now)
        if day != day_of(now) and not self._is_past(day):
            raise NotFound(
                "The clock of this server may be wrong: only today's daily game can be played."
            )
        return day

    def _is_past(self, day: date) -> bool:
        return self._believed() >= ends(day)

    # Luck and skill

    def _on_change(self, versions: tuple[Table, ...]) -> None:
        table = versions[-1]
        daily = table.opened.daily
        if daily is not None and daily.counts and table.position.outcome is not None:
            self._grade_some_time(table.id)

    def _grade(self, table_id: str, requester: Requester) -> asyncio.Task[None]:
        """Find out what luck and skill a game had, unless that is being done for them."""
        return self._task(
            (table_id, requester.address),
            lambda: self._find_grade(table_id, requester, Priority.REVIEW),
        )

    def _grade_some_time(self, table_id: str) -> None:
        """Find it out in the one task that does so for everybody, one game at a time."""
        if len(self._ungraded) < MOST_UNGRADED:
            self._ungraded[table_id] = None
        if self._grading is None or self._grading.done():
            self._grading = asyncio.create_task(self._grade_all())

    async def _grade_all(self) -> None:
        while self._ungraded:
            table_id = next(iter(self._ungraded))
            await self._find_grade(table_id, _GRADER, Priority.NOBODY)
            self._ungraded.pop(table_id, None)

    def _best(self, dice: DailyDice, requester: Requester) -> asyncio.Task[str | None]:
        """Find out what best play comes to, unless that is known or being done for them."""
        return self._task(
            (dice.seal.day.isoformat(), requester.address),
            lambda: self._find_best(dice, requester),
        )

    def _task(
        self, about: tuple[str, str], work: Callable[[], Coroutine[None, None, Found]]
    ) -> "asyncio.Task[Found]":
        task = self._tasks.get(about)
        if task is None:
            task = self._tasks[about] = asyncio.create_task(work())
            task.add_done_callback(lambda _: self._tasks.pop(about))
        return task

    async def _find_best(self, dice: DailyDice, requester: Requester) -> str | None:
        try:
            return await self._insight.best_daily(dice, requester)
        except CantStopError:  # too busy: whoever asks next
            return None

    async def _find_grade(self, table_id: str, requester: Requester, priority: Priority) -> None:
        try:
            luck, skill = await self._insight.daily_grade(table_id, requester, priority)
            await self._storage.record_grade(table_id, luck, skill)
        except CantStopError as error:  # too busy, or expired: whoever asks next
            _log.info("The luck of daily game %s is not known yet: %s", table_id, error)
        except Exception:
            _log.exception("The luck of daily game %s was not found out.", table_id)


def _is_ungraded(entry: DailyEntry) -> bool:
    return entry.finished_at is not None and entry.luck is None
