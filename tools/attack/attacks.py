"""Attacks: each function prepares itself, waits for ``begin``, and attacks until ``is_over``."""

import asyncio
import itertools
import json
import os
import resource
import socket
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from .players import PING_EVERY, Json, connect_socket, http_client, keep_alive

assert sys.platform == "linux", "it uses the addresses of 127.0.0.0/8, and /proc"

ATTACKER = "127.0.0.2"
_DECISION_SECONDS = 10.0
"""After as long a server gives up a bot that hangs, and says so."""
_MOST_LATE = 0.5
"""Seconds of requests that are sent together when an attack falls behind its rate."""
LOST = (OSError, EOFError, ConnectionClosed, InvalidHandshake, httpx2.HTTPError)


@dataclass
class Target:
    """What an attack knows of the server, and when it is to begin and to end."""

    port: int
    database: str
    table: str
    """A table at which two of the ordinary players play."""
    secret: str
    """Holds one of its seats."""
    seconds: float
    pipe: Connection
    until: float = 0.0

    async def begin(self) -> None:
        """Everything is prepared: wait until the players were measured in peace."""
        self.pipe.send("ready")
        await asyncio.to_thread(self.pipe.recv)
        self.until = time.monotonic() + self.seconds

    @property
    def is_over(self) -> bool:
        """Whether to end the attack."""
        return time.monotonic() >= self.until

    def http(self, source: str = ATTACKER) -> httpx2.AsyncClient:
        """A client for requests, from an address of the attacker's."""
        return http_client(self.port, source)

    async def table_socket(
        self, table: str, secret: str | None = None, *, after: int | None = None
    ) -> ClientConnection:
        """A socket that has said hello, from the attacker's address."""
        return await connect_socket(self.port, ATTACKER, table, secret, after=after)

    def raw(self, source: str = ATTACKER) -> socket.socket:
        """A plain TCP connection, for what no client does."""
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.bind((source, 0))
        line.settimeout(5)
        line.connect(("127.0.0.1", self.port))
        return line

    async def every(self, seconds: float, request: Callable[[], Awaitable[object]]) -> None:
        """Send a request at a fixed interval, however long the answers take."""

        async def send() -> None:
            with suppress(*LOST):
                await request()

        sent: set[asyncio.Task[None]] = set()
        due = time.monotonic()
        while not self.is_over:
            task = asyncio.create_task(send())
            sent.add(task)
            task.add_done_callback(sent.discard)
            # what it would have sent while it was stopped is not sent at once afterwards
            due = max(due + seconds, time.monotonic() - _MOST_LATE)
            await asyncio.sleep(max(0, due - time.monotonic()))
        for task in sent:
            task.cancel()


async def _played_game(target: Target, events: int) -> str:
    """The id of a table of four at one screen, whose game has a number of events."""
    seats = [{"kind": "human", "name": name, "salt": name} for name in ("A", "B", "C", "D")]
    body = {"mode": "hotseat", "edition": "custom", "win": 4, "help": True, "seats": seats}
    async with target.http() as http:
        opened = (await http.post("/api/tables", json=body)).json()
    # one socket for each seat: messages are limited by socket
    sockets = [await target.table_socket(opened["id"], opened["secret"]) for _ in seats]
    dice, view, n = Random(0), opened["state"]["view"], 0
    for number in itertools.count():
        if n >= events or view["outcome"] is not None:
            break
        seat = view["seat"]
        action: Json = {"id": f"game-{number:06}", "seat": seat, "kind": "roll"}
        if view["phase"] == "move":
            action |= {"kind": "move", "move": dice.choice(view["moves"])["move"]}
        elif view["may_stop"] and dice.random() < 0.6:
            action["kind"] = "stop"
        await sockets[seat].send(json.dumps({"t": "act", "d": action}))
        message: Json = {"t": ""}
        while message["t"] not in ("ack", "refused"):
            message = json.loads(await sockets[seat].recv())
            if message["t"] == "event" and message["d"]["n"] > n:
                n, view = message["d"]["n"], message["d"]["view"]
        if message["t"] == "refused":  # the rate limit: the same again, later
            await asyncio.sleep(0.2)
    for one in sockets:
        await one.close()
    return str(opened["id"])


async def events(target: Target) -> list[str]:
    """1: everything that happened at an ordinary table of 312 events, 40 times a second."""
    table = await _played_game(target, 312)
    await target.begin()
    async with target.http() as http:
        await target.every(1 / 40, lambda: http.get(f"/api/tables/{table}/events"))
    return []


async def readings(target: Target) -> list[str]:
    """1: all other ways to have a table of 312 events read, 40 times a second together."""
    table = await _played_game(target, 312)
    numbers = itertools.count(1)
    await target.begin()
    async with target.http() as http:

        async def read() -> None:
            number = next(numbers)
            match number % 4:
                case 0:
                    await http.get(f"/api/tables/{table}")
                case 1:
                    await http.get(f"/api/tables/{table}/record")
                case 2:
                    await http.get(f"/api/tables/{table}/board.svg?n={number % 300 + 1}")
                case 3:
                    async with await target.table_socket(table, after=number % 300) as reading:
                        await reading.recv()

        await target.every(1 / 40, read)
    return []


async def long_log(target: Target) -> list[str]:
    """1: a table of 60,000 events, as an older server may have left it, read twice a second."""
    async with target.http() as http:
        seats = [{"kind": "human", "name": "A", "salt": "a"}, {"kind": "open"}]
        opened = (await http.post("/api/tables", json={"mode": "online", "seats": seats})).json()
    await asyncio.to_thread(copy_table, target.database, opened["id"], "LongLog1", 60_000)
    await target.begin()
    async with target.http() as http:
        await target.every(1 / 2, lambda: http.get("/api/tables/LongLog1/events"))
    return []


def copy_table(database: str, table: str, copy: str, length: int) -> None:
    """Copy a table within the database, and let its first seat react until its log is so long."""
    connection = sqlite3.connect(database, timeout=30)
    connection.row_factory = sqlite3.Row

    def insert(into: str, row: Json) -> None:
        marks = ", ".join("?" * len(row))
        connection.execute(
            f"INSERT INTO {into} ({', '.join(row)}) VALUES ({marks})", [*row.values()]
        )

    with connection:
        for row in connection.execute("SELECT * FROM tables WHERE id = ?", [table]).fetchall():
            insert("tables", {**dict(row), "id": copy})
        query = "SELECT * FROM events WHERE table_id = ? ORDER BY n"
        rows = [dict(row) for row in connection.execute(query, [table]).fetchall()]
        reacted = {"kind": "reacted", "seat": 0, "data": '{"reaction": "cheer"}', "action_id": None}
        for n in range(1, max(length, len(rows)) + 1):
            row = rows[min(n, len(rows)) - 1]
            if n > len(rows):
                row = {**row, **reacted}
            insert("events", {**row, "table_id": copy, "n": n})
    connection.close()


async def pings(target: Target) -> list[str]:
    """2: eight sockets that send control frames as fast as they go, and never read."""
    await target.begin()
    threads = [asyncio.to_thread(_flood, target) for _ in range(8)]
    await asyncio.gather(*threads)
    return []


UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n{more}\r\n"
)
_PING = bytes([0x89, 0x80 | 125]) + bytes(4) + b"x" * 125
_HELLO = b'{"t": "hello", "d": {}}'


def _flood(target: Target) -> None:
    while not target.is_over:
        with suppress(OSError), target.raw() as line:
            path = f"/api/tables/{target.table}/socket"
            line.sendall(UPGRADE.format(path=path, port=target.port, more="").encode())
            line.recv(4096)
            line.sendall(bytes([0x81, 0x80 | len(_HELLO)]) + bytes(4) + _HELLO)
            line.settimeout(0.5)
            beat = time.monotonic()
            while not target.is_over:
                with suppress(TimeoutError):
                    line.send(_PING * 200)
                if time.monotonic() - beat > PING_EVERY:  # else the heartbeat would end it
                    beat = time.monotonic()
                    with suppress(TimeoutError):
                        line.send(b"\x81\x8c" + bytes(4) + b'{"t":"ping"}')


async def half_sent(target: Target) -> list[str]:
    """2: connections whose headers never end, as many as the server takes, and none is closed."""
    _raise_open_file_limit()
    await target.begin()
    lines: list[socket.socket] = []
    while not target.is_over:
        for number in range(50):
            with suppress(OSError):
                line = target.raw(f"127.0.1.{number % 4 + 1}")
                line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
                lines.append(line)
        if len(lines) > 4000:
            await asyncio.sleep(0.1)
    still_open = await asyncio.to_thread(_count_open, lines)
    for line in lines:
        line.close()
    allowed = 4 * 600  # four addresses
    return [f"{still_open} half-sent requests were left open"] if still_open > allowed else []


def _count_open(lines: list[socket.socket]) -> int:
    """How many connections the server has not closed."""
    count = 0
    for line in lines:
        line.settimeout(0)
        try:
            count += line.recv(1) != b""
        except BlockingIOError:
            count += 1
        except OSError:
            pass
    return count


async def watchers(target: Target) -> list[str]:
    """4: as many watching sockets at a table as it takes, half of them without a hello."""
    await target.begin()
    sockets: list[ClientConnection] = []
    address = f"ws://127.0.0.1:{target.port}/api/tables/{target.table}/socket"

    async def crowd() -> None:
        for number in range(150):
            with suppress(*LOST, TimeoutError):
                one = await connect(
                    address, local_addr=(f"127.0.2.{number % 4 + 1}", 0),
                    compression=None, ping_interval=None, open_timeout=5,
                )  # fmt: skip
                sockets.append(one)
                if number % 2:
                    await one.send('{"t": "hello", "d": {}}')
                    pinging.append(asyncio.create_task(keep_alive(one)))

    pinging: list[asyncio.Task[None]] = []
    refused = tries = 0
    while not target.is_over:
        await crowd()
        # a player who dropped comes back
        tries += 1
        refused += not await _comes_in(target)
        await asyncio.sleep(0.5)
        gone = [one for one in sockets if one.close_code is not None]
        sockets = [one for one in sockets if one not in gone]
    for task in pinging:
        task.cancel()
    for one in sockets:
        one.transport.abort()
    return [f"a player who came back was refused {refused} times of {tries}"] if refused else []


async def _comes_in(target: Target) -> bool:
    """Whether a player who reconnects gets the state."""
    try:
        again = await connect_socket(target.port, "127.0.0.1", target.table, target.secret)
        async with again:
            return bool(json.loads(await again.recv())["t"] == "state")
    except (*LOST, TimeoutError):
        return False


async def _open_bot_tables(
    target: Target, count: int, bot: str, settings: Json, watched: int
) -> list[ClientConnection]:
    """Open tables of bots from 24 addresses, as many as the server takes; watch some of them."""
    watching: list[ClientConnection] = []
    body = {"mode": "online", "seats": [{"kind": "bot", "bot": bot}] * 4, **settings}

    async def open_some(source: str, some: int) -> None:
        async with target.http(source) as http:
            for _ in range(some):
                if target.until and target.is_over:
                    return
                with suppress(*LOST, TimeoutError):
                    answer = await asyncio.wait_for(http.post("/api/tables", json=body), 10)
                    assert answer.status_code == 201, answer.text
                    if len(watching) < watched:
                        table = answer.json()["id"]
                        watching.append(await connect_socket(target.port, source, table))

    sources = [f"127.0.3.{number + 1}" for number in range(24)]
    await asyncio.gather(*(open_some(source, count // len(sources)) for source in sources))
    return watching


async def _watch_bots(target: Target, watching: list[ClientConnection]) -> None:
    """Stay at the tables and read, as a client would that wants them played."""

    async def read(one: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for _ in one:
                pass

    tasks = [asyncio.create_task(work(one)) for one in watching for work in (read, keep_alive)]
    await asyncio.sleep(max(0, target.until - time.monotonic()))
    for task in tasks:
        task.cancel()
    for one in watching:
        one.transport.abort()


async def endless_bots(target: Target) -> list[str]:
    """6: 1,200 tables of bots that never stop in a custom game."""
    settings = {"edition": "custom", "win": 11}
    await _open_bot_tables(target, 1200, "bold:99", settings, 0)
    await target.begin()
    await asyncio.sleep(target.seconds)
    return []


async def strong_bots(target: Target) -> list[str]:
    """6: 540 tables of strong bots; 100 of them are watched."""
    first = await _open_bot_tables(target, 24, "champion", {}, 1)  # loads the turn solver
    pinging = [asyncio.create_task(keep_alive(one)) for one in first]
    while '"moved"' not in str(await first[0].recv()):
        pass
    for task in pinging:
        task.cancel()
    for one in first:
        await one.close()
    await target.begin()
    watching = await _open_bot_tables(target, 540, "champion", {}, 100)
    await _watch_bots(target, watching)
    return []


async def hanging_bot(target: Target) -> list[str]:
    """7: tables of a bot that hangs, more of them than a server has threads."""
    await target.begin()
    watching = await _open_bot_tables(target, 96, "hanging", {}, 96)
    problems: list[str] = []
    if len(watching) < 90:
        problems.append(f"only {len(watching)} of 96 tables could be opened")
    await asyncio.sleep(max(0, target.until - time.monotonic()))
    async with target.http("127.0.4.1") as http:
        last = time.monotonic() + _DECISION_SECONDS
        named = False
        try:
            while not named and time.monotonic() < last:
                health = (await asyncio.wait_for(http.get("/healthz"), 5)).json()
                named = "hanging" in str(health.get("bots"))
                await asyncio.sleep(1)
            if not named:
                problems.append("/healthz does not name the bot")
        except (*LOST, TimeoutError):
            problems.append("/healthz does not answer")
    for one in watching:
        one.transport.abort()
    return problems


def _long_record(number: int) -> str:
    """A record of a daily game that is as long as a body may be: every turn busts."""
    head = f'''[Cantstop "1"]
[Rules "v1,players=1"]
[Seat1 "{number}"]
[Dice "daily"]
[Day "2026-11-15"]
[Commitment "{0:064}"]

'''
    turns = "".join(
        f"{turn}. (1) 1234 = 5+5 2234 = 5+6 1256 = 6+8 1111 = bust\n" for turn in range(1, 1300)
    )
    return head + turns[: 64_000 - len(head)]


async def posted_reviews(target: Target) -> list[str]:
    """8: records as long as a body may be, for review, from eight addresses, 40 times a second."""
    numbers = itertools.count()
    await target.begin()
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(target.http(f"127.0.5.{number + 1}"))
            for number in range(8)
        ]

        async def post() -> None:
            number = next(numbers)
            await clients[number % 8].post("/api/review", content=_long_record(number).encode())

        await target.every(1 / 40, post)
    return []


async def drills(target: Target) -> list[str]:
    """8: drills asked for and answered with a progress of all drills, 40 times a second."""
    numbers = itertools.count()
    seen = [f"{number:010x}" for number in range(18_000)]
    progress = {
        "format": "cantstop drill progress", "version": 1, "rating": 1500.0, "deviation": 350.0,
        "volatility": 0.06, "answered": 18_000, "right": 0, "streak": 0, "best_streak": 0,
        "seen": seen,
    }  # fmt: skip
    async with target.http() as http:
        drill = (
            await http.post("/api/drills/next", json={})
        ).json()  # the first one loads them all
        await target.begin()

        async def ask() -> None:
            if next(numbers) % 2:
                body = {"progress": progress, "topic": "variant", "players": 4}
                await http.post("/api/drills/next", json=body)
            else:
                body = {"drill": drill["id"], "answer": drill["answers"][0], "progress": progress}
                await http.post("/api/drills/answer", json=body)

        await target.every(1 / 40, ask)
    return []


async def days(target: Target) -> list[str]:
    """8: the daily game of every day of the archive, read 40 times a second; and it is opened."""
    numbers = itertools.count()
    await target.begin()
    async with target.http() as http:
        listed = (await http.get("/api/daily/archive")).json()["days"]

        async def read() -> None:
            number = next(numbers)
            if number % 40:
                await http.get(f"/api/daily/{listed[number % len(listed)]['day']}")
            else:
                await http.post("/api/daily", json={"name": "A"})

        await target.every(1 / 40, read)
    return []


def _raise_open_file_limit() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@dataclass(frozen=True)
class Attack:
    """An attack, and the options of the server that it is about."""

    run: Callable[[Target], Awaitable[list[str]]]
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name on the command line."""
        return self.run.__name__.replace("_", "-")

    def carry_out(self, target: Target) -> None:
        """The main function of the attacking process."""
        os.nice(10)

        async def attack() -> list[str]:
            return await self.run(target)

        target.pipe.send(asyncio.run(attack()))


ATTACKS = [
    Attack(events),
    Attack(readings),
    Attack(long_log),
    Attack(pings),
    Attack(half_sent),
    Attack(watchers),
    Attack(endless_bots),
    Attack(strong_bots),
    Attack(hanging_bot, ("--bot", "hanging=hanging_bot:Hanging")),
    Attack(posted_reviews),
    Attack(drills),
    Attack(days),
]
