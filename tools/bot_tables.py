"""Tables of bots on one PostgreSQL with its default settings: all are played, and none twice.

Usage: python tools/bot_tables.py [TABLES [PLAYS]]

Two workers share the database, and every table is watched at each of them. When bots have
made a number of plays at every table, all logs are read again and checked by the rules.
"""

import asyncio
import logging
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import psycopg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cantstop import verify
from cantstop.server.runtime.presence import Subscriber
from cantstop.server.runtime.runtime import Runtime, open_runtime
from cantstop.server.runtime.steady_clock import now
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.records import record_of
from cantstop.table.table import Table
from cantstop.wire.requests import OpenTable
from postgresql import Postgres

TABLES, PLAYS = 10_000, 3
AT_ONCE = 100
SHOWN_EVERY = 1000
"""Tables between two lines that say how far it is."""
PACE = 60.0
"""Seconds between two actions at a table: bots wait at all tables at the same time."""
DEFAULT_CONNECTIONS = "max_connections=100"

REQUEST = msgspec.convert(
    {"mode": "online", "seats": [{"kind": "bot", "bot": name} for name in ("careful", "bold")]},
    OpenTable,
)


class Failures(logging.Handler):
    """Counts what a worker says that it should not have to."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line."""
        self.said[record.getMessage()] += 1


async def _watch(workers: list[Runtime], table_id: str, stack: AsyncExitStack) -> None:
    for worker in workers:
        table = (await worker.master.stored(table_id)).table
        stack.enter_context(worker.master.following(table_id))
        await worker.presence.connect(table, Subscriber(frozenset(), lambda _: None))


async def _is_played_twice(worker: Runtime, table_id: str) -> bool:
    """Whether two events at a table are of the same action; its log is checked by the rules."""
    stored = await worker.storage.load(table_id)
    assert stored is not None
    verify(record_of(stored.table))
    actions = [entry.action for entry in stored.table.log if entry.action]
    return len(actions) != len(set(actions))


def _locks(url: str) -> tuple[int, int]:
    """How many locks the database holds, and how many of those outlive a transaction."""
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(
            "SELECT count(*), count(*) FILTER (WHERE locktype = 'advisory') FROM pg_locks"
        ).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])


def _show(what: str, began: float, plays: Counter[str]) -> None:
    took = time.monotonic() - began
    cpu = time.process_time()
    print(f"{what} after {took:.0f} s, CPU {cpu:.0f} s, {plays.total():,} plays", flush=True)


async def main() -> int:
    """Play, check, and say what was found; 1 if anything is wrong."""
    given = [int(word) for word in sys.argv[1:]]
    tables, least = (*given, *(TABLES, PLAYS)[len(given) :])
    failures = Failures()
    logging.getLogger("cantstop").addHandler(failures)
    postgres = await asyncio.to_thread(Postgres, DEFAULT_CONNECTIONS)
    began = time.monotonic()
    try:
        url = postgres.new_database()
        async with AsyncExitStack() as stack:
            workers = [
                await stack.enter_async_context(open_runtime(url, pace=PACE)) for _ in range(2)
            ]
            ids: list[str] = []
            plays: Counter[str] = Counter()

            def count(versions: tuple[Table, ...]) -> None:
                plays[versions[-1].id] += any(
                    version.last_entry.action is not None for version in versions
                )

            for worker in workers:
                worker.master.subscribe(count, own=True)
            for first in range(0, tables, AT_ONCE):
                some = range(first, min(first + AT_ONCE, tables))
                opened = [open_table(REQUEST, now()).new_table for _ in some]
                new = await asyncio.gather(*(workers[0].master.open(one) for one in opened))
                ids += [one.id for one in new]
            _show(f"all {tables:,} tables open", began, plays)
            # only now: bots that play already would have a share of the machine
            for first in range(0, tables, AT_ONCE):
                some_ids = ids[first : first + AT_ONCE]
                await asyncio.gather(*(_watch(workers, one, stack) for one in some_ids))
                if (first + AT_ONCE) % SHOWN_EVERY == 0:
                    _show(f"{first + AT_ONCE:,} tables watched", began, plays)
            at_once = max(worker.bots.tables for worker in workers)
            most, session = 0, 0
            while any(plays[table_id] < least for table_id in ids):
                await asyncio.sleep(1)
                found = await asyncio.to_thread(_locks, url)
                most, session = max(most, found[0]), max(session, found[1])
                at_once = max(at_once, *(worker.bots.tables for worker in workers))
            _show("all were played", began, plays)
            played_twice = 0
            for first in range(0, tables, AT_ONCE):
                some_ids = ids[first : first + AT_ONCE]
                checked = (_is_played_twice(workers[0], table_id) for table_id in some_ids)
                played_twice += sum(await asyncio.gather(*checked))
    finally:
        await asyncio.to_thread(postgres.close)
    print(
        f"{tables:,} tables, bots at {at_once:,} of them at the same time, "
        f"{plays.total():,} plays, at least {min(plays[table_id] for table_id in ids)} at each, "
        f"{time.monotonic() - began:.0f} s; at most {most} locks, {session} of them by session; "
        f"{played_twice} played twice; {failures.said.total()} warnings and errors"
    )
    for message, times in failures.said.most_common(5):
        print(f"{times} times: {message}")
    return int(bool(played_twice or failures.said))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
