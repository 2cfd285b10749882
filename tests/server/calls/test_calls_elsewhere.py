"""Who looks at a table through one worker is not called by another: processes on one PostgreSQL.

SQLite has one worker, which knows who is there.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.asyncio.client import ClientConnection, connect

from calling_server import NEVER
from cantstop.server.database import schema
from cantstop.server.database.sql import Database, open_database
from local_service import local_service
from patience import PATIENCE, PATIENT_SOCKET
from postgresql import Postgres
from slow_games import Friend

OFTEN = 0.05


@asynccontextmanager
async def worker(database: str, *, poll: float = OFTEN, ask: float = 0.0) -> AsyncIterator[str]:
    """A worker in a process of its own; where it listens."""
    program = Path(__file__).parents[2] / "calling_server.py"
    process = await asyncio.create_subprocess_exec(
        sys.executable, program, database, str(poll), str(ask), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def page(server: str, friend: Friend, table: str) -> AsyncIterator[ClientConnection]:
    """A page of the table that its player looks at."""
    address = f"{server.replace('http', 'ws')}/api/tables/{table}/socket"
    async with connect(address, compression=None, **PATIENT_SOCKET) as socket:
        await socket.send(json.dumps({"t": "hello", "d": {"secret": friend.key}}))
        await heard(socket, lambda message: message["t"] == "presence")
        yield socket


async def heard(socket: ClientConnection, what: Callable[[Any], bool]) -> None:
    """Listen until such a message has come."""
    while not what(json.loads(await socket.recv())):
        pass


def presence_of(seat: int, *, there: bool) -> Callable[[Any], bool]:
    """Whether a message says that a seat's player is there, or is not."""
    return lambda message: message["t"] == "presence" and message["d"]["seats"][seat] == there


async def become_of(database: Database, table: str) -> str:
    """What becomes of the call for the turn that runs, once that is known."""
    rows = schema.outbox.c
    query = sa.select(rows.result).where(rows.table_id == table, rows.due_at.is_(None))
    while (found := await database.read(lambda connection: connection.scalar(query))) is None:
        await asyncio.sleep(OFTEN)
    return str(found)


async def friends(server: str, hook: str) -> tuple[Friend, Friend]:
    """Anne, who is called, and Bob."""
    anne, bob = [
        await asyncio.to_thread(Friend.begin, server, name) for name in ("Anne Far", "Bob Far")
    ]
    await asyncio.to_thread(partial(anne.ask, "POST", "/me/calls/webhook", url=hook))
    return anne, bob


@pytest.fixture
def shared_url(postgres: Postgres) -> str:
    return postgres.new_database()


def test_another_worker_calls_nobody_who_is_there_and_calls_them_once_they_have_left(
    shared_url: str,
) -> None:
    async def run() -> None:
        async with AsyncExitStack() as stack:
            service = await stack.enter_async_context(local_service())
            database = await stack.enter_async_context(open_database(shared_url))
            first = await stack.enter_async_context(worker(shared_url, poll=NEVER))
            second = await stack.enter_async_context(worker(shared_url))
            anne, bob = await friends(first, service.url("/hook"))
            there = Friend(second, bob.name, bob.key)
            table = await asyncio.to_thread(there.opens, anne)
            async with page(second, bob, table) as bobs:
                async with page(first, anne, table):
                    await heard(bobs, presence_of(1, there=True))
                    await asyncio.to_thread(there.plays, table)
                    assert await become_of(database, table) == "seen"
                    await asyncio.to_thread(anne.plays, table)
                await heard(bobs, presence_of(1, there=False))
                await asyncio.to_thread(there.plays, table)
                assert await become_of(database, table) == "sent"
            began = (await asyncio.to_thread(anne.turn, table))["n"]
            assert [one.headers["webhook-id"] for one in service.posted] == [
                f"{table}.{began}.turn"
            ]

    asyncio.run(run())


def test_a_worker_at_which_nobody_is_asks_the_others(shared_url: str) -> None:
    async def run() -> None:
        async with AsyncExitStack() as stack:
            service = await stack.enter_async_context(local_service())
            database = await stack.enter_async_context(open_database(shared_url))
            first = await stack.enter_async_context(worker(shared_url, poll=NEVER))
            anne, bob = await friends(first, service.url("/hook"))
            table = await asyncio.to_thread(bob.opens, anne)
            async with page(first, anne, table):
                await asyncio.to_thread(bob.plays, table)
                # it waits for an answer, and no longer than until it has one
                async with worker(shared_url, ask=PATIENCE):
                    assert await become_of(database, table) == "seen"
            assert service.posted == []

    asyncio.run(run())
