"""Turns of slow tables by workers that are killed, and what players were sent because of them.

A worker (``python tests/killed_callers.py …``) has all of a server's worker but HTTP. It plays one
turn after the other at tables of its own, wherever all calls for the turn before were settled: what
is played at once is not announced. The services that take the calls, and the log of what was
played, are outside.
"""

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from ipaddress import ip_network
from typing import Any
from zlib import crc32

import sqlalchemy as sa

from browser_keys import BrowserKeys
from calls_world import SITE, World, play_turn
from cantstop.server.calls.channels.mail import MailServer
from cantstop.server.calls.channels.webpush import topic_of
from cantstop.server.calls.options import CallOptions, CallTimes
from cantstop.server.database import schema
from cantstop.server.database.sql import Database, open_database
from cantstop.server.runtime.runtime import open_runtime
from cantstop.server.runtime.steady_clock import now
from local_service import LocalService, local_service
from mailboxes import Mailboxes, mailboxes

TIMES = CallTimes(
    gap=timedelta(0),
    look_again=timedelta(0),
    lease=timedelta(seconds=4),
    mail_lease=timedelta(seconds=4),
    poll=0.05,
    ask=0.0,
)
"""No pause between two messages; who dies is replaced soon."""
CHANNELS = ("push", "hook", "ntfy", "mail")


def call_options(mail_url: str) -> CallOptions:
    mail = MailServer.read(mail_url, "games@play.example")
    return CallOptions(SITE, mail, (ip_network("127.0.0.0/8"),), TIMES)


# A worker


def _settled(connection: sa.Connection) -> list[str]:
    """Tables where all calls for the turn that runs were settled."""
    turns, rows = schema.turns.c, schema.outbox.c
    waits = sa.exists().where(rows.table_id == turns.table_id, rows.due_at.is_not(None))
    return list(connection.scalars(sa.select(turns.table_id).where(~waits)))


async def work(place: int, workers: int, database: str, mail_url: str) -> None:
    """Play at this worker's tables, and call, until it is killed; with none, only call."""
    async with open_runtime(database, calls=call_options(mail_url)) as runtime:
        sys.stdout.write("up\n")
        sys.stdout.flush()
        while True:
            for table_id in await runtime.storage.read(_settled) if workers else ():
                if crc32(table_id.encode()) % workers == place:
                    await play_turn(runtime.master, table_id)
            await asyncio.sleep(0.01)


# What was played, and what was sent


@dataclass
class Result:
    """What came of it."""

    turns: int
    kills: int
    seconds: float
    missing: list[tuple[str, str]] = field(default_factory=list)
    """Turns that were not announced, with the channel."""
    unknown: list[str] = field(default_factory=list)
    """Messages about turns that there were not."""
    copies: Counter[str] = field(default_factory=Counter)
    """By channel, how often a message came again, with the same id."""
    messages: int = 0

    @property
    def is_right(self) -> bool:
        return not self.missing and not self.unknown and self.messages > 0

    def __str__(self) -> str:
        copies = ", ".join(f"{name} {count}" for name, count in sorted(self.copies.items()))
        return (
            f"{self.turns:,} turns, {self.messages:,} messages, {self.kills} kills, "
            f"{self.seconds:.0f} s: {len(self.missing)} missing, {len(self.unknown)} unknown; "
            f"copies with the same id: {copies or 'none'}"
        )


def _turns_begun(connection: sa.Connection) -> list[str]:
    """The ids of the calls for all turns that people have had: one begins where the last ended."""
    events, after = schema.events.c, schema.events.alias().c
    ends_game = sa.exists().where(
        after.table_id == events.table_id, after.n == events.n + 1, after.kind == "finished"
    )
    query = sa.select(events.table_id, events.n).where(
        events.kind.in_(("started", "stopped", "busted")), ~ends_game
    )
    return [f"{row.table_id}.{row.n}.turn" for row in connection.execute(query)]


def _waiting(connection: sa.Connection) -> int:
    rows = schema.outbox.c
    query = sa.select(sa.func.count()).where(rows.due_at.is_not(None))
    return connection.scalar(query) or 0


def received(service: LocalService, boxes: Mailboxes, browser: BrowserKeys) -> dict[str, Any]:
    """The ids of all messages, by channel, each as often as it came."""
    found: dict[str, list[str]] = {name: [] for name in CHANNELS}
    for posted in service.posted:
        if "content-encoding" in posted.headers:
            found["push"].append(json.loads(browser.decrypt(posted.body))["id"])
        elif "webhook-id" in posted.headers:
            found["hook"].append(posted.headers["webhook-id"])
        else:
            found["ntfy"].append(json.loads(posted.body)["sequence_id"])
    found["mail"] = [mail["Message-ID"][1:].partition("@")[0] for mail in boxes.mails]
    return found


async def call_turns(
    url: str, turns: int, tables: int, workers: int, between: tuple[int, int], seed: int = 7
) -> Result:
    """Have turns played and announced while workers are killed; returns what came of it.

    ``between`` is the least and the most number of turns between two kills.
    """
    moments, began, kills = random.Random(seed), time.monotonic(), 0
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(local_service())
        boxes = await stack.enter_async_context(mailboxes())
        async with open_database(url) as database:
            browser = await _seat_players(database, service, boxes, tables)
        running = [await _start(place, workers, url, boxes.url) for place in range(workers)]
        stack.push_async_callback(_end, running)
        async with open_database(url) as database:
            played = 0
            while played < turns:
                until = min(played + moments.randint(*between), turns)
                while (played := len(await database.read(_turns_begun))) < until:
                    assert all(worker.returncode is None for worker in running)
                    await asyncio.sleep(0.05)
                place = kills % workers
                await _end([running[place]])
                kills += 1
                running[place] = await _start(place, workers, url, boxes.url)
            await _end(running)
            running.clear()
            await _settle(database, url, boxes.url)
            begun = await database.read(_turns_begun)
    result = Result(len(begun), kills, time.monotonic() - began)
    _compare(result, begun, received(service, boxes, browser))
    return result


async def _seat_players(
    database: Database, service: LocalService, boxes: Mailboxes, tables: int
) -> BrowserKeys:
    """Tables of two, each of whom has a contact of every kind, and no other table."""
    clock: Any = now
    world = World(database, service, boxes, clock, call_options(boxes.url))
    for _ in range(tables):
        players = [await world.player("P") for _ in range(2)]
        for one in players:
            await world.push(one)
            await world.hook(one)
            await world.ntfy(one)
            await world.mail(one, f"p{next(world.numbers)}@home.example")
        await world.table(*players)
    return world.browser


async def _start(place: int, workers: int, url: str, mail_url: str) -> asyncio.subprocess.Process:
    arguments = (str(place), str(workers), url, mail_url)
    worker = await asyncio.create_subprocess_exec(
        sys.executable, __file__, *arguments, stdout=asyncio.subprocess.PIPE
    )
    assert worker.stdout is not None
    assert await worker.stdout.readline() == b"up\n"
    return worker


async def _end(running: Sequence[asyncio.subprocess.Process]) -> None:
    for worker in running:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()


async def _settle(database: Database, url: str, mail_url: str) -> None:
    """Have a worker that does not play send what is left."""
    worker = await _start(0, 0, url, mail_url)
    try:
        while await database.read(_waiting):
            assert worker.returncode is None
            await asyncio.sleep(0.05)
    finally:
        await _end([worker])


def _compare(result: Result, begun: Sequence[str], found: dict[str, list[str]]) -> None:
    """Every turn was announced in every channel, and nothing else was."""
    due = set(begun)
    for channel in ("push", "hook", "mail"):
        ids = Counter(found[channel])
        result.missing += [(channel, one) for one in due - ids.keys()]
        result.unknown += list(ids.keys() - due)
        result.copies[channel] += ids.total() - len(ids)
    # what ntfy is sent has no id: there are as many for each table as it had turns, or more
    tables = Counter(topic_of(one.partition(".")[0]) for one in begun)
    sent = Counter(found["ntfy"])
    result.missing += [("ntfy", table) for table, count in tables.items() if sent[table] < count]
    result.unknown += list(sent.keys() - tables.keys())
    result.copies["ntfy"] += (sent - tables).total()
    result.messages = sum(map(len, found.values()))
    result.copies = +result.copies


if __name__ == "__main__":
    given, each, url, mail_url = sys.argv[1:]
    asyncio.run(work(int(given), int(each), url, mail_url))
