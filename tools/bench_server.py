"""Measures the server under load, with the client on the same machine.

Usage: python tools/bench_server.py [sqlite|postgresql] [TABLES [SECONDS [BOTS]]] | break ...

Every table has two live sockets and one action every two seconds. What is measured is the time
from sending an action until its event is heard at the other socket. The games are somewhere in
their middle when it begins, as on any evening: had they all just begun, they would also end
together. BOTS are tables beside them where four champions play at their usual pace and somebody
watches. Without arguments: ten minutes on SQLite, the break point there, and both again for two
workers on PostgreSQL.
"""

import asyncio
import gc
import itertools
import json
import os
import platform
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cantstop.bots.bot import PACE
from postgresql import Postgres
from swarm import Server

assert sys.platform == "linux", "memory and CPU time are read from /proc"

TABLES, SECONDS, BOTS = 2000, 600, 0
STEP, STEP_SECONDS = 250, 20
EVERY = 2.0
PING_EVERY = 2.5
TOO_SLOW = 0.25
SETTLING = 5.0
"""Warm-up: seconds after the last table is open that do not count."""
ACTIONS_PER_GAME = 180
"""About as many actions as one of these games has."""
AGED_AT_ONCE = 50


@dataclass
class Tally:
    """What was measured."""

    times: list[tuple[float, float]] = field(default_factory=list)
    """When an action was sent, and how long it took until it was heard."""
    errors: list[str] = field(default_factory=list)
    late: int = 0
    """Actions that were due while the one before was still under way."""
    games: int = 0
    """Games that were played to their end."""

    def percentile(self, share: float, since: float = 0.0) -> float:
        """In seconds, of the actions sent since then."""
        ordered = sorted(took for sent, took in self.times if sent >= since)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


class Game:
    """One table with two players: acts when told, and listens at both sockets."""

    def __init__(self, load: "Load", number: int) -> None:
        self.load = load
        self.dice = Random(number)
        self.sockets: list[ClientConnection] = []
        self.view: dict[str, Any] | None = None
        self.n = 0
        self.moves = 0
        self.sent: tuple[float, int] | None = None
        self.ready = asyncio.Event()
        self.ids = itertools.count()
        self.over = False
        self.acting = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Open a table, sit down twice, and connect."""
        seats = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}]
        body = {"mode": "online", "seats": seats}
        opened = (await self.load.http.post("/api/tables", json=body)).json()
        path = f"/api/tables/{opened['id']}"
        seated = await self.load.http.post(path + "/seats", json={"name": "Bob", "salt": "b"})
        for secret in (opened["secret"], seated.json()["secret"]):
            socket = await connect(
                f"ws://{self.load.address}{path}/socket", compression=None, ping_interval=None
            )
            await socket.send(json.dumps({"t": "hello", "d": {"secret": secret}}))
            self.sockets.append(socket)
            self._tasks.append(asyncio.create_task(self._listen(socket)))
            self._tasks.append(asyncio.create_task(self._ping(socket)))
        self.over = False

    async def close(self) -> None:
        """Leave the table."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(socket.close() for socket in self.sockets))
        self.sockets, self._tasks = [], []
        self.view, self.n, self.moves, self.sent = None, 0, 0, None
        self.ready.clear()

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                # parsing everything would measure the client: the head tells what it is
                head = text[:24]
                if '"t":"event"' in head or '"t":"state"' in head:
                    self._hear(socket, json.loads(text))
                elif '"t":"refused"' in head:
                    self.load.tally.errors.append(str(text))
        except ConnectionClosed as error:
            self.load.tally.errors.append(str(error))

    async def _ping(self, socket: ClientConnection) -> None:
        await asyncio.sleep(self.dice.uniform(0, PING_EVERY))
        with suppress(ConnectionClosed):  # whoever listens says so
            while True:
                await socket.send('{"t":"ping"}')
                await asyncio.sleep(PING_EVERY)

    def _hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        data = message["d"]
        if self.sent is not None and data["n"] > self.sent[1] and socket is not self._actor():
            sent = self.sent[0]
            self.load.tally.times.append((sent, time.monotonic() - sent))
            self.sent = None
        if data["n"] > self.n:
            self.n, self.view = data["n"], data["view"]
            kind = data.get("kind")
            self.moves = 0 if kind in ("stopped", "busted") else self.moves + (kind == "moved")
            self.over = self.over or kind == "finished"
        if self.sent is None and (self.over or self._is_asked()):
            self.ready.set()

    def _is_asked(self) -> bool:
        """Whether it is a player who goes on: a roll of no use is followed by more at once."""
        view = self.view
        return view is not None and view["phase"] != "bust" and view["outcome"] is None

    def _actor(self) -> ClientConnection:
        return self.sockets[self.acting]

    async def act(self) -> None:
        """Do what comes next, whoever's turn it is."""
        view = self.view
        if view is None or self.sent is not None:
            self.load.tally.late += 1
            return
        action = {"id": f"action-{next(self.ids):06}", "seat": view["seat"], "kind": "roll"}
        if view["phase"] == "move":
            action |= {"kind": "move", "move": self.dice.choice(view["moves"])["move"]}
        elif view["may_stop"] and self.moves >= 2:
            action["kind"] = "stop"
        self.acting = view["seat"]
        self.sent = time.monotonic(), self.n
        self.ready.clear()
        await self._actor().send(json.dumps({"t": "act", "d": action}))

    async def age(self) -> None:
        """Get somewhere into the middle of the game, as fast as the server lets it."""
        for _ in range(self.dice.randrange(ACTIONS_PER_GAME)):
            await self.ready.wait()
            if self.over:
                return
            await self.act()

    async def play(self, until: float, phase: float) -> None:
        """One action every two seconds; a game that is over makes room for another."""
        due = time.monotonic() + phase * EVERY
        while due < until:
            await asyncio.sleep(max(due - time.monotonic(), 0))
            due += EVERY
            if self.over:
                self.load.tally.games += 1
                await self.close()
                await self.open()
            else:
                await self.act()


class Load:
    """Many games on one server."""

    def __init__(self, address: str, http: httpx2.AsyncClient) -> None:
        self.address = address
        self.http = http
        self.tally = Tally()
        self.games: list[Game] = []

    async def grow(self, tables: int) -> None:
        """Open tables until there are so many."""
        new = [Game(self, number) for number in range(len(self.games), tables)]
        for first in range(0, len(new), 20):
            await asyncio.gather(*(game.open() for game in new[first : first + 20]))
        self.games += new
        gc.collect()
        gc.disable()  # or the client's own pauses would be measured

    async def age(self) -> None:
        """Bring all games to where games are on any evening."""
        room = asyncio.Semaphore(AGED_AT_ONCE)

        async def age(game: Game) -> None:
            async with room:
                await game.age()

        await asyncio.gather(*map(age, self.games))

    async def run(self, seconds: float) -> Tally:
        """Play for a while and return what was measured after it had settled."""
        until = time.monotonic() + SETTLING + seconds
        try:
            async with asyncio.TaskGroup() as tasks:
                for number, game in enumerate(self.games):
                    tasks.create_task(game.play(until, number / len(self.games)))
                await asyncio.sleep(SETTLING)
                self.tally = Tally()
        except* (ConnectionClosed, OSError, KeyError, httpx2.HTTPError) as problems:
            self.tally.errors += [repr(problem) for problem in problems.exceptions]
        return self.tally


def _family(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(one for child in children for one in _family(int(child)))]


def memory(process: int) -> float:
    """What a server and its workers have in memory, in MiB."""
    pages = (int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in _family(process))
    return sum(pages) * resource.getpagesize() / 2**20


def cpu_seconds(process: int) -> float:
    """The time of all cores that a server and its workers have taken."""
    ticks = 0
    for one in _family(process):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Cores:
    """How many cores server and client have kept busy since this was made."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._began = time.monotonic()
        self._before = cpu_seconds(server), time.process_time()

    def __str__(self) -> str:
        seconds = time.monotonic() - self._began
        server = (cpu_seconds(self._server) - self._before[0]) / seconds
        client = (time.process_time() - self._before[1]) / seconds
        return f"server {server:.2f} cores, client {client:.2f}"


def _line(tables: int, tally: Tally, cores: Cores) -> str:
    middle, high, worst = (1000 * tally.percentile(share) for share in (0.5, 0.99, 1.0))
    return (
        f"{tables:>6} tables {2 * tables:>6} sockets {len(tally.times):>8,} actions   "
        f"{tally.games} games over   "
        f"median {middle:6.1f} ms   p99 {high:6.1f} ms   worst {worst:6.1f} ms   "
        f"{len(tally.errors)} errors, {tally.late} late   {cores}"
    )


@asynccontextmanager
async def _served(kind: str) -> AsyncIterator[tuple[Server, Load]]:
    with tempfile.TemporaryDirectory() as folder:
        postgres = Postgres() if kind == "postgresql" else None
        url = postgres.new_database() if postgres else f"sqlite:///{folder}/tables.db"
        server = Server(url, "--pace", str(PACE), *(["--workers", "2"] if postgres else []))
        await server.start()
        try:
            # let go of idle connections before the server does, or a request could cross with that
            limits = httpx2.Limits(max_connections=20, keepalive_expiry=2)
            async with httpx2.AsyncClient(
                base_url=f"http://{server.address}", timeout=60, limits=limits
            ) as http:
                yield server, Load(server.address, http)
        finally:
            await server.end(kill=False)
            if postgres:
                postgres.close()


class Champions:
    """A table where strong bots play each other, and somebody watches; then the next one."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self.events = 0

    async def watch(self) -> None:
        """Watch for ever."""
        while True:
            seats = [{"kind": "bot", "bot": "champion"} for _ in range(4)]
            body = {"mode": "hotseat", "seats": seats}
            opened = (await self._load.http.post("/api/tables", json=body)).json()
            address = f"ws://{self._load.address}/api/tables/{opened['id']}/socket"
            async with connect(address, compression=None, ping_interval=None) as socket:
                await socket.send('{"t":"hello","d":{}}')
                pinging = asyncio.create_task(self._ping(socket))
                try:
                    async for text in socket:
                        self.events += '"t":"event"' in text[:24]
                        if '"kind":"finished"' in text:
                            break
                finally:
                    pinging.cancel()

    async def _ping(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(PING_EVERY)
                await socket.send('{"t":"ping"}')


async def steady(kind: str, tables: int, seconds: float, bots: int = 0) -> None:
    """So many tables for so long, with the memory every minute."""
    async with _served(kind) as (server, load):
        await load.grow(tables)
        await load.age()
        champions = [Champions(load) for _ in range(bots)]
        watched = [asyncio.create_task(one.watch()) for one in champions]
        cores = Cores(server.process.pid)

        async def watch() -> None:
            for minute in itertools.count():
                since = time.monotonic() - 60
                high, worst = (1000 * load.tally.percentile(share, since) for share in (0.99, 1))
                print(
                    f"  minute {minute:>2}: {memory(server.process.pid):.0f} MiB"
                    f"   p99 {high:.1f} ms   worst {worst:.1f} ms",
                    flush=True,
                )
                await asyncio.sleep(60)

        watching = asyncio.create_task(watch())
        tally = await load.run(seconds)
        watching.cancel()
        print(f"{kind}: {_line(tables, tally, cores)}")
        if champions:
            told = sum(one.events for one in champions)
            print(f"  {bots} tables of champions beside them: {told} events")
        for task in watched:
            task.cancel()
        for error in tally.errors[:5]:
            print(f"  {error}")
        await asyncio.gather(*(game.close() for game in load.games))


async def break_point(kind: str) -> None:
    """Ever more tables until it is too slow."""
    async with _served(kind) as (server, load):
        for tables in itertools.count(TABLES // 2, STEP):
            await load.grow(tables)
            cores = Cores(server.process.pid)
            tally = await load.run(STEP_SECONDS)
            print(f"{kind}: {_line(tables, tally, cores)}", flush=True)
            if tally.errors or tally.percentile(0.99) > TOO_SLOW:
                break
        await asyncio.gather(*(game.close() for game in load.games), return_exceptions=True)


async def main() -> None:
    """What the arguments ask for, or everything."""
    wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}")
    match sys.argv[1:]:
        case []:
            for kind in ("sqlite", "postgresql"):
                await steady(kind, TABLES, SECONDS)
                await break_point(kind)
        case ["break", kind]:
            await break_point(kind)
        case [kind, *numbers]:
            given = (*map(int, numbers), *(TABLES, SECONDS, BOTS)[len(numbers) :])
            await steady(kind, *given)


if __name__ == "__main__":
    asyncio.run(main())
