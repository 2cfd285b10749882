"""Long games against real servers: two workers that share tables, and kills at any moment.

Usage: python tools/soak.py [SPLIT_GAMES [KILLED_GAMES]]
"""

import asyncio
import platform
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgresql import Postgres
from swarm import Server, Swarm, check_quiet, play_over_kills

SPLIT_GAMES, KILLED_GAMES = 1000, 1000
ACKS_BETWEEN = (60, 400)


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


async def main() -> None:
    """Everything, one after the other; the first thing that is wrong ends it with an error."""
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
