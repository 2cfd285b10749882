"""Long games against real servers: two workers that share tables, and kills at any moment.

Usage: python tools/soak.py [SPLIT_GAMES [KILLED_GAMES]]
       python tools/soak.py mixed [sqlite|postgresql [MINUTES [RATE]]]

``mixed`` is an hour of everything that people do, on one database or on both: files, times and log
lines by minute, what each process has in memory and what each cache holds; in the end which caches
were full when, and whether memory was flat in the second half (``server_memory.py`` says what that
means). RATE is how many times as fast as people everything is done: caches are full so much sooner.
"""

import asyncio
import platform
import sys
import tempfile
import time
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cantstop.bots.bot import PACE
from mixed_traffic import run_mixed
from postgresql import Postgres
from swarm import Server, Swarm, check_quiet, play_over_kills, wait_for_engine

SPLIT_GAMES, KILLED_GAMES = 1000, 1000
ACKS_BETWEEN = (60, 400)
MIXED_MINUTES = 60


async def _show_progress(swarm: Swarm, games: int) -> None:
    while sys.stderr.isatty():
        print(f"\r  {swarm.games} of {games} games", end="", file=sys.stderr, flush=True)
        await asyncio.sleep(2)


async def _soak(
    name: str, urls: list[str], games: int, postgres: Postgres | None, *, kill: bool, split: bool
) -> None:
    servers = [Server(url) for url in urls]
    began = time.monotonic()
    kills = 0
    try:
        for server in servers:
            await server.start()
        swarm = Swarm(servers, split=split)
        progress = asyncio.create_task(_show_progress(swarm, games))
        if kill:
            victims = [*servers, *([postgres] if postgres else [])]
            kills = await play_over_kills(swarm, games, victims, acks_between=ACKS_BETWEEN)
        else:
            await swarm.play(games)
        progress.cancel()
    finally:
        for server in servers:
            await server.end()
    check_quiet(servers)
    print(
        f"\r{name}: {swarm.games} games, {swarm.acks:,} acknowledged actions, "
        f"{swarm.events.total():,} events, {kills} kills, {swarm.reconnections} reconnections, "
        f"{time.monotonic() - began:.0f} s: all logs and records are right"
    )


async def _mixed(kind: str, minutes: int, rate: float) -> None:
    """Mixed traffic on one database, with the limits and the pace that a server has by itself."""
    with tempfile.TemporaryDirectory() as folder:
        postgres = await asyncio.to_thread(Postgres) if kind == "postgresql" else None
        url = postgres.new_database() if postgres else f"sqlite:///{folder}/tables.db"
        workers = ["--workers", "2"] if postgres else []
        server = Server(url, "--pace", str(PACE), "--limits", "1", "--metrics", *workers)

        async def data_bytes() -> int:
            if postgres is None:
                return sum(file.stat().st_size for file in Path(folder).iterdir())
            async with await psycopg.AsyncConnection.connect(url) as connection:
                found = await connection.execute("SELECT pg_database_size(current_database())")
                row = await found.fetchone()
            assert row is not None
            return int(row[0])

        await server.start()
        await asyncio.to_thread(wait_for_engine, f"http://{server.address}")
        print(f"{kind}, {minutes} minutes, rate {rate:g}", flush=True)
        try:
            errors = await run_mixed(
                server.port, server.process.pid, minutes,
                lambda: server.said.count(b"\n"), data_bytes, rate,
            )  # fmt: skip
        finally:
            await server.end(kill=False)
            print(f"\nThe server's log:\n{server.said.decode()}", flush=True)
            if postgres:
                postgres.close()
        for error, count in errors.most_common():
            print(f"{count} times: {error}")
        check_quiet([server])


async def main() -> None:
    """Everything, one after the other; the first thing that is wrong ends it with an error."""
    if sys.argv[1:2] == ["mixed"]:
        kinds = sys.argv[2:3] or ["sqlite", "postgresql"]
        for kind in kinds:
            minutes = int(sys.argv[3]) if sys.argv[3:] else MIXED_MINUTES
            await _mixed(kind, minutes, float(sys.argv[4]) if sys.argv[4:] else 1.0)
        return
    given = [int(word) for word in sys.argv[1:]]
    split_games, killed_games = (*given, *(SPLIT_GAMES, KILLED_GAMES)[len(given) :])
    print(f"{platform.machine()}, Python {platform.python_version()}")
    postgres = await asyncio.to_thread(Postgres)
    try:
        url = postgres.new_database()
        await _soak(
            "Two workers, players of one table split between them",
            [url, url], split_games, None, kill=False, split=True,
        )  # fmt: skip
        url = postgres.new_database()
        await _soak(
            "Kills of workers and of PostgreSQL",
            [url, url], killed_games, postgres, kill=True, split=False,
        )  # fmt: skip
    finally:
        postgres.close()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/tables.db"
        await _soak("Kills on SQLite", [url], killed_games, None, kill=True, split=False)


if __name__ == "__main__":
    asyncio.run(main())
