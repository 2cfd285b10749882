"""What slow tables cost a server while nobody plays, and players while a thousand turns are due.

Usage: python tools/slow_tables.py [TABLES [DUE]]

On each kind of database a server runs for a minute without tables, and again with many slow
ones: memory and processor time of its processes are compared. Then many turns are over in the same
moment, as where quiet hours end, while two players play at another table: how long their actions
take is compared with how long they took before.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from time import monotonic

import msgspec
import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cantstop.client import AsyncPlayer, human, open_table
from cantstop.rules import Phase
from cantstop.server.database import schema
from cantstop.server.database.sql import open_database
from cantstop.server.tables.changes import NewTable, StoredTable
from cantstop.server.tables.decisions import turn_run_out
from cantstop.server.tables.opening import open_table as opened
from cantstop.server.tables.seating import take_free_seat
from cantstop.table.events import Substituted
from cantstop.wire.requests import OpenTable, TakeSeat
from postgresql import Postgres
from server_memory import family, memory
from swarm import Server

TABLES, DUE = 10_000, 1_000
TURNS = 4
"""Turns that have been played at each of the tables whose turns will be due."""
AT_ONCE = 100
PLAYERS = 1000
SETTLING, WATCHED = 20.0, 60.0
"""Seconds until a server that has started does nothing more, and for which it is watched."""
ACTIONS = 200
"""Actions of players that are measured before."""

REQUEST = msgspec.convert(
    {"mode": "online", "seats": [{"kind": "open"}] * 2, "days": 7, "edition": "custom", "win": 8},
    OpenTable,
)


@dataclass(frozen=True)
class Idle:
    """What a server takes that nobody asks anything."""

    megabytes: float
    percent: float
    """Of one core."""

    def __str__(self) -> str:
        return f"{self.megabytes:.1f} MB, {self.percent:.2f} % of a core"


def _a_table(number: int, turns: int) -> NewTable:
    """A slow table of two players, at which some turns have been played."""
    new = opened(REQUEST, datetime.now(UTC)).new_table
    stored, versions = StoredTable.opened(new), list(new.versions)
    holders: dict[int, str] = {}
    players: dict[int, str] = {}
    for seat in range(2):
        secret = f"secret-of-{number:06}-{seat}-of-a-table"
        player = f"player{(2 * number + seat) % PLAYERS:06}"
        at = datetime.now(UTC)
        change = take_free_seat(stored.table, TakeSeat(name="Guest"), secret, at, player)
        versions += change.versions
        holders |= change.holders
        players |= change.players
        stored = stored.after(change)
    while turns:
        change_of_turn = turn_run_out(stored, stored.table.turn_since, datetime.now(UTC))
        assert change_of_turn is not None
        if stored.after(change_of_turn).table.to_act is None:
            break  # both have missed their turns
        versions += change_of_turn.versions
        stored = stored.after(change_of_turn)
        turns -= 1
    return replace(new, versions=tuple(versions), holders=holders, players=players)


async def _fill(url: str, tables: int, due: int) -> list[str]:
    """Write tables; returns those whose turns will be due."""
    ids: list[str] = []
    async with open_database(url) as database:
        await database.write(_add_players)
        for first in range(0, tables, AT_ONCE):
            some = [
                _a_table(number, TURNS - 1 if number < due else 0)
                for number in range(first, min(first + AT_ONCE, tables))
            ]
            await database.commit(*some)
            ids += [change.table.id for change in some]
    return ids[:due]


def _add_players(connection: sa.Connection) -> None:
    at = datetime.now(UTC)
    rows = [
        {
            "id": f"player{number:06}",
            "name": f"Player {number}",
            "shape": f"player{number}",
            "mark": 0,
            "public": False,
            "created_at": at,
        }
        for number in range(PLAYERS)
    ]
    connection.execute(schema.players.insert(), rows)


def _seconds(pid: int) -> float:
    """The processor time of a process and all below it."""
    total = 0
    for process in family(pid):
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
        total += sum(map(int, fields.split()[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


async def _idle(pid: int) -> Idle:
    await asyncio.sleep(SETTLING)
    began, before = monotonic(), _seconds(pid)
    await asyncio.sleep(WATCHED)
    percent = 100 * (_seconds(pid) - before) / (monotonic() - began)
    return Idle(sum(map(memory, family(pid))), percent)


async def _watched(url: str) -> Idle:
    """A server that nobody asks anything."""
    server = Server(url)
    await server.start()
    try:
        return await _idle(server.process.pid)
    finally:
        await server.end(kill=False)


# Players, while many turns are due


async def _play(server: Server, took: list[float], goes_on: Callable[[], bool]) -> None:
    """Two people at one screen play, and note the seconds of each action."""
    while goes_on():
        link = await asyncio.to_thread(
            open_table, f"http://{server.address}", [human("Ann"), human("Bob")], mode="hotseat"
        )
        async with AsyncPlayer(link) as players:
            async for position in players.decisions():
                if not goes_on():
                    return
                began = monotonic()
                if position.phase is Phase.MOVE:
                    await players.move(next(iter(position.legal_moves)))
                elif position.phase is Phase.CHOICE and players.moves >= 2 and position.may_stop:
                    await players.stop()
                else:
                    await players.roll()
                took.append(monotonic() - began)


def _make_due(engine: sa.Engine, ids: list[str]) -> None:
    turns, at = schema.turns, datetime.now(UTC) - timedelta(seconds=1)
    with engine.begin() as connection:
        for first in range(0, len(ids), AT_ONCE):
            some = turns.c.table_id.in_(ids[first : first + AT_ONCE])
            connection.execute(turns.update().where(some).values(ends_at=at, due_at=at))


def _ended(engine: sa.Engine, since: datetime) -> int:
    """How many turns were played by a bot since then."""
    events = schema.events.c
    kind = events.kind == Substituted.__name__.lower()
    with engine.connect() as connection:
        query = sa.select(sa.func.count()).where(kind, events.at >= since)
        return connection.scalar(query) or 0


async def _rush(url: str, ids: list[str]) -> None:
    """Let turns be over in one moment, and say how long others have waited meanwhile."""
    server, engine = Server(url), sa.create_engine(_driver(url))
    await server.start()
    before: list[float] = []
    during: list[float] = []
    try:
        await asyncio.sleep(5)
        await _play(server, before, lambda: len(before) < ACTIONS)
        since = datetime.now(UTC)
        await asyncio.to_thread(_make_due, engine, ids)
        is_over, began = False, 0.0
        playing = asyncio.create_task(_play(server, during, lambda: not is_over))
        while (ended := await asyncio.to_thread(_ended, engine, since)) < len(ids):
            began = began or (monotonic() if ended else 0.0)
            if not began:
                during.clear()  # the sweep has not begun
            await asyncio.sleep(0.5)
        is_over, lasted = True, monotonic() - began
        await playing
    finally:
        engine.dispose()
        await server.end(kill=False)
    print(f"  {len(ids):,} turns due in one moment were played in {lasted:.0f} s")
    print(f"  actions of players before: {_times(before)}")
    print(f"  actions of players meanwhile: {_times(during)}", flush=True)


def _times(seconds: list[float]) -> str:
    most = quantiles(seconds, n=100)
    return (
        f"{len(seconds)}, median {1000 * median(seconds):.1f} ms, "
        f"95 % within {1000 * most[94]:.1f} ms, all within {1000 * max(seconds):.0f} ms"
    )


def _driver(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")


async def _measure(kind: str, url: str, tables: int, due: int) -> bool:
    """Measure on one database; whether slow tables cost as little as they may."""
    none = await _watched(url)
    began = monotonic()
    ids = await _fill(url, tables, due)
    print(f"{kind}: {tables:,} tables written in {monotonic() - began:.0f} s")
    some = await _watched(url)
    print(f"  without tables: {none}")
    print(f"  with {tables:,} slow tables: {some}")
    more = Idle(some.megabytes - none.megabytes, some.percent - none.percent)
    print(f"  difference: {more}", flush=True)
    if ids:
        await _rush(url, ids)
    return more.megabytes < 50 and more.percent < 1


async def main() -> int:
    """Measure with both databases; 1 where it is too much."""
    given = [int(word) for word in sys.argv[1:]]
    tables, due = (*given, *(TABLES, DUE)[len(given) :])
    is_fine = True
    with tempfile.TemporaryDirectory() as folder:
        is_fine &= await _measure("SQLite", f"sqlite:///{folder}/tables.db", tables, due)
    postgres = await asyncio.to_thread(Postgres)
    try:
        is_fine &= await _measure("PostgreSQL", postgres.new_database(), tables, due)
    finally:
        await asyncio.to_thread(postgres.close)
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
