"""``kill -9`` in the middle of games: nothing acknowledged is lost, nothing is done twice.

``make soak`` does the same with many more games.
"""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from postgresql import Postgres
from swarm import Server, Swarm, check_quiet, play_over_kills

GAMES = 6
KILLS = 3


@pytest.mark.anyio
async def test_games_go_on_over_kills_of_a_server_on_sqlite(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path / 'tables.db'}")
    await server.start()
    try:
        swarm = Swarm([server])
        assert await play_over_kills(swarm, GAMES, [server], KILLS) == KILLS
    finally:
        await server.end()
    assert swarm.reconnections > 0
    check_quiet([server])


@pytest.mark.anyio
async def test_games_go_on_over_kills_of_servers_and_of_postgresql() -> None:
    with closing(await asyncio.to_thread(Postgres)) as postgres:
        url = postgres.new_database()
        servers = [Server(url), Server(url)]
        try:
            for server in servers:
                await server.start()
            swarm = Swarm(servers)
            assert await play_over_kills(swarm, GAMES, [*servers, postgres], KILLS) == KILLS
        finally:
            for server in servers:
                await server.end()
    assert swarm.reconnections > 0
    check_quiet(servers)
