"""A turn is written while its player changes something: nobody waits in a ring.

On PostgreSQL two transactions that lock the same rows in different orders are a deadlock, which
ends one of them. SQLite has one writer.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from cantstop.rules import Phase
from cantstop.server.database import contacts
from cantstop.server.database.contacts import Contact
from cantstop.server.database.hours import set_hours
from cantstop.server.database.players import erase_player
from cantstop.server.database.sql import Database
from cantstop.server.tables.changes import Change
from cantstop.server.tables.decisions import Caller, decide
from cantstop.server.tables.hours import Hours
from cantstop.table.permissions import SeatPresence
from cantstop.wire.actions import MakeMove, Roll, Stop, new_action_id
from cantstop.wire.calls import ChannelName
from patience import PATIENCE
from postgresql import Postgres
from slow_workers import Servers, slow_servers, utc

NOW = utc("Nov 16 08:00")
MORNING = Hours("UTC", quiet_from=7 * 60, quiet_until=12 * 60)
"""Turns end at eight, so they end four hours later by these."""


def browser_of(player: str, number: int) -> Contact:
    """Of the player's phone: a new subscription of it takes the place of the one before."""
    return Contact(
        id=f"{player}{number}",
        player_id=player,
        channel=ChannelName.PUSH,
        address=f"https://push.example/{player}/{number}",
        device_id=player,
        name="Phone",
        language="en",
        site="https://play.example",
        created_at=NOW,
        secret=b"secret",
    )


def changes_hours(connection: sa.Connection, player: str) -> None:
    set_hours(connection, player, MORNING, NOW)


def subscribes_again(connection: sa.Connection, player: str) -> None:
    contacts.add_contact(connection, browser_of(player, 2))


def is_erased(connection: sa.Connection, player: str) -> None:
    erase_player(connection, player, NOW)


@contextmanager
def stopped_after(database: Database, statements: int) -> Iterator[tuple[Any, Any]]:
    """Stop the next transaction after a number of statements: when it has, and how it goes on."""
    reached, go_on, done = threading.Event(), threading.Event(), count(1)

    def after(*_: object) -> None:
        if next(done) == statements:
            reached.set()
            assert go_on.wait(PATIENCE)

    sa.event.listen(database._engine, "after_cursor_execute", after)
    yield reached, go_on
    sa.event.remove(database._engine, "after_cursor_execute", after)


async def first_visit(servers: Servers, table_id: str) -> Change:
    """A roll, which cannot bust in a first round, and a move; returns the stop that follows."""
    await servers.act(table_id, Roll(id=new_action_id(), seat=0))
    position = (await servers.table(table_id)).position
    assert position.phase is Phase.MOVE
    move = str(next(iter(position.legal_moves)))
    await servers.act(table_id, MakeMove(id=new_action_id(), seat=0, move=move))
    stored = await servers.master.stored(table_id)
    stop = Stop(id=new_action_id(), seat=0)
    decided = decide(stored, Caller(frozenset({0})), stop, SeatPresence(), NOW, 0.0)
    assert isinstance(decided, tuple)
    (change,) = decided
    return change


async def turns_that_change_hands(servers: Servers, number: int) -> tuple[str, list[Change]]:
    """From Anne to Bob at one table and from Bob to Anne at another, and whose was the first."""
    anne, bob = f"anne{number:02}", f"bobby{number:02}"
    for player in (anne, bob):
        await servers.add_player(player)
        new = browser_of(player, 1)
        await servers.database.write(partial(contacts.add_contact, new=new))
    changes = {}
    for first, second in ((anne, bob), (bob, anne)):
        table = await servers.open([first, second], days=2)
        changes[table] = first, await first_visit(servers, table)
    return changes[min(changes)][0], [change for _, change in changes.values()]


@pytest.mark.parametrize("work", [changes_hours, subscribes_again, is_erased])
def test_turns_are_written_beside_what_their_players_do(
    postgres: Postgres, work: Callable[[sa.Connection, str], None]
) -> None:
    """The other transaction comes after the first statement, and after each further one."""
    url = postgres.new_database()
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    here = f"{waits} AND datname = current_database()"

    async def beside(servers: Servers, number: int, looking: psycopg.Connection) -> bool:
        """Whether there was a statement of this number."""
        player, changes = await turns_that_change_hands(servers, number)
        first, second = (worker.database for worker in servers.workers)
        with stopped_after(first, number) as (reached, go_on):
            turn = asyncio.ensure_future(asyncio.to_thread(first._write, changes))
            while not reached.is_set() and not turn.done():
                await asyncio.sleep(0.001)
            other = asyncio.ensure_future(second.write(lambda connection: work(connection, player)))
            while not other.done() and looking.execute(here).fetchone() == (0,):
                await asyncio.sleep(0.001)
            go_on.set()
            await asyncio.gather(turn, other)
        return bool(reached.is_set())

    async def run() -> int:
        async with slow_servers(url, "Nov 16 08:00") as servers:
            with psycopg.connect(url, autocommit=True) as looking:
                for number in count(1):
                    if not await beside(servers, number, looking):
                        return number
        raise AssertionError

    assert asyncio.run(run()) > 8
