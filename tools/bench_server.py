"""Measures the server under load, with the client on the same machine.

Usage: python tools/bench_server.py [sqlite|postgresql] [TABLES [SECONDS [BOTS]]] | break ...

Every table has two live sockets and one action every two seconds. What is measured is the time
from sending an action until its event is heard at the other socket, and the CPU time that server
and client take for each action. The games are somewhere in their middle when it begins, as on any
evening: had they all just begun, they would also end together. BOTS are tables beside them where
four champions play at their usual pace with a spectator. Without arguments: ten minutes on
SQLite, the break point there, and both again for two workers on PostgreSQL.
"""

import asyncio
import gc
import itertools
import json
import os
import platform
import re
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import httpx2
import psycopg
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import msgspec

from cantstop.bots.bot import PACE
from cantstop.rules import Phase
from cantstop.server.database.sql import open_database
from cantstop.server.tables.changes import NewTable, StoredTable
from cantstop.server.tables.decisions import Caller, decide
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.seating import new_seat_secret, take_free_seat
from cantstop.table.permissions import SeatPresence
from cantstop.table.table import Stage, Table
from cantstop.wire.actions import MakeMove, Roll, Stop, TableAction
from cantstop.wire.requests import OpenTable, TakeSeat
from plain_socket import PlainSocket
from postgresql import Postgres
from swarm import Server

assert sys.platform == "linux", "memory and CPU time are read from /proc"

TABLES, SECONDS, BOTS = 2000, 600, 0
STEP, STEP_SECONDS = 250, 20
EVERY = 2.0
PING_EVERY = 2.5
TICK = 0.004
"""The client acts in as many small steps as this allows: 1,000 actions a second, four at a time."""
TOO_SLOW = 0.25
SETTLING = 5.0
"""Warm-up: seconds after the last table is open that do not count."""
ACTIONS_PER_GAME = 180
"""About as many actions as one of these games has."""
STORED_AT_ONCE = 100
OPENED_AT_ONCE = 20
STOP_AFTER = 2
"""Moves after which these players stop."""

_EVENT = re.compile(rb'{"t":"event","d":{"n":(\d+),"at":"[^"]*","kind":"(\w+)"')
_ENDS_TURN = (b"stopped", b"busted")


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


# Games that are somewhere in their middle


@dataclass(frozen=True)
class Seats:
    """A table, and the secrets of its two seats."""

    table: str
    secrets: tuple[str, str]
    moves: int = 0
    """Moves so far of whoever's turn it is."""


async def prepare(url: str, tables: int) -> list[Seats]:
    """Put games into a database, as if they had been played on a server until now."""
    dice = Random(tables)
    found: list[Seats] = []
    async with open_database(url) as database:
        while len(found) < tables:
            games = [_played(dice) for _ in range(min(STORED_AT_ONCE, tables - len(found)))]
            await asyncio.gather(*(database.commit(new) for new, _ in games))
            found += [seats for _, seats in games]
    return found


def _played(dice: Random) -> tuple[NewTable, Seats]:
    """A new table whose game has been played for a while."""
    at = datetime.now(UTC)
    seats = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}]
    request = msgspec.convert({"mode": "online", "seats": seats}, OpenTable)
    opening = open_table(request, at)
    assert opening.secret is not None
    stored, bob = StoredTable.opened(opening.new_table), new_seat_secret()
    change = take_free_seat(stored.table, TakeSeat(name="Bob", salt="b"), bob, at)
    versions = [*opening.new_table.versions, *change.versions]
    stored = stored.after(change)
    for number in range(dice.randrange(ACTIONS_PER_GAME)):
        action = _action(stored.table, number, dice)
        caller = Caller(frozenset({action.seat}))
        changes = decide(stored, caller, action, SeatPresence(frozenset({0, 1})), at)
        assert isinstance(changes, tuple)
        if changes[-1].table.stage is Stage.OVER:
            break  # with the next action on the server
        stored = stored.after(changes[-1])
        versions += changes[-1].versions
    table = stored.table
    new = NewTable(tuple(versions), stored.holders, stored.dice_secret)
    return new, Seats(table.id, (opening.secret, bob), table.moves_in_turn)


def _action(table: Table, number: int, dice: Random) -> TableAction:
    position, name = table.position, f"earlier-{number:06}"
    if position.phase is Phase.MOVE:
        move = dice.choice(position.legal_moves)
        return MakeMove(id=name, seat=position.seat, move=str(move))
    if position.may_stop and table.moves_in_turn >= STOP_AFTER:
        return Stop(id=name, seat=position.seat)
    return Roll(id=name, seat=position.seat)


# The load


class Game:
    """One table with two players: acts on request, and listens at both sockets."""

    def __init__(self, load: "Load", number: int, seats: Seats | None) -> None:
        self.load = load
        self.dice = Random(number)
        self.sockets: list[PlainSocket] = []
        self.seats = seats
        """Those of a table that is there already."""
        self.last = b""
        """The newest message with a view; it is parsed when it is needed."""
        self.n = 0
        self.moves = 0
        self.sent: tuple[float, int] | None = None
        self.ids = itertools.count()
        self.over = False
        self.is_opening = False
        self.acting = 0

    async def open(self) -> None:
        """Open a table, or take one that was prepared, and connect both players."""
        self.is_opening = True
        self.close()
        seats = self.seats or await self._seated()
        self.seats = None
        self.last, self.n, self.moves, self.sent = b"", 0, seats.moves, None
        path = f"/api/tables/{seats.table}/socket"
        for seat, secret in enumerate(seats.secrets):
            socket = await PlainSocket.connect(
                self.load.port, path, partial(self._hear, seat), self.load.tally_error
            )
            socket.send(json.dumps({"t": "hello", "d": {"secret": secret}}).encode())
            self.sockets.append(socket)
        self.over = self.is_opening = False

    async def _seated(self) -> Seats:
        """Open a table, and sit down twice."""
        asked = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}]
        body = {"mode": "online", "seats": asked}
        opened = (await self.load.http.post("/api/tables", json=body)).json()
        path = f"/api/tables/{opened['id']}/seats"
        seated = (await self.load.http.post(path, json={"name": "Bob", "salt": "b"})).json()
        return Seats(opened["id"], (opened["secret"], seated["secret"]))

    def close(self) -> None:
        """Leave the table."""
        for socket in self.sockets:
            socket.close()
        self.sockets = []

    def ping(self) -> None:
        """Show that both players are still there."""
        for socket in self.sockets:
            socket.send(b'{"t":"ping"}')

    def _hear(self, seat: int, text: bytes) -> None:
        # parsing everything would measure the client: the head tells what it is
        if text.startswith(b'{"t":"event"'):
            found = _EVENT.match(text)
            assert found is not None, text
            n, kind = int(found[1]), found[2]
            if self.sent is not None and n > self.sent[1] and seat != self.acting:
                sent = self.sent[0]
                self.load.tally.times.append((sent, time.monotonic() - sent))
                self.sent = None
            if n > self.n:
                self.n, self.last = n, text
                self.moves = 0 if kind in _ENDS_TURN else self.moves + (kind == b"moved")
                self.over = self.over or kind == b"finished"
        elif text.startswith(b'{"t":"state"'):
            self.n, self.last = json.loads(text)["d"]["n"], text
        elif text.startswith(b'{"t":"refused"'):
            self.load.tally_error(text.decode())

    def act(self) -> None:
        """Do what comes next, whoever's turn it is."""
        if not self.last or self.sent is not None:
            self.load.tally.late += 1
            return
        view = json.loads(self.last)["d"]["view"]
        action = {"id": f"action-{next(self.ids):06}", "seat": view["seat"], "kind": "roll"}
        if view["phase"] == "move":
            action |= {"kind": "move", "move": self.dice.choice(view["moves"])["move"]}
        elif view["may_stop"] and self.moves >= STOP_AFTER:
            action["kind"] = "stop"
        self.acting = view["seat"]
        said = json.dumps({"t": "act", "d": action}).encode()
        self.sent = time.monotonic(), self.n
        self.sockets[self.acting].send(said)


class Load:
    """Many games on one server."""

    def __init__(self, port: int, http: httpx2.AsyncClient) -> None:
        self.port = port
        self.http = http
        self.tally = Tally()
        self.games: list[Game] = []
        self._opening: set[asyncio.Task[None]] = set()

    def tally_error(self, error: str) -> None:
        """Note what should not have happened."""
        self.tally.errors.append(error)

    async def grow(self, tables: int, prepared: Iterable[Seats] = ()) -> None:
        """Open tables up to a number, and begin with those that were prepared."""
        ready = iter(prepared)
        numbers = range(len(self.games), tables)
        new = [Game(self, number, next(ready, None)) for number in numbers]
        pinging = asyncio.create_task(self._each(PING_EVERY, Game.ping))
        for first in range(0, len(new), OPENED_AT_ONCE):
            some = new[first : first + OPENED_AT_ONCE]
            await asyncio.gather(*(game.open() for game in some))
            self.games += some
        pinging.cancel()
        gc.collect()
        gc.disable()  # or the client's own pauses would be measured

    async def run(self, seconds: float) -> Tally:
        """Play for a while and return what was measured after it had settled."""
        tasks = [
            asyncio.create_task(self._each(PING_EVERY, Game.ping)),
            asyncio.create_task(self._each(EVERY, self._go_on)),
        ]
        await asyncio.sleep(SETTLING)
        self.tally = Tally()
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        self.tally.errors += [repr(task.exception()) for task in done]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*self._opening, return_exceptions=True)
        return self.tally

    async def _each(self, every: float, do: Callable[[Game], None]) -> None:
        """Do something with every game, again and again, at evenly spread moments."""
        began, done = time.monotonic(), 0
        while True:
            await asyncio.sleep(TICK)
            if not self.games:
                continue
            due = int((time.monotonic() - began) / every * len(self.games))
            for number in range(max(done, due - len(self.games)), due):
                do(self.games[number % len(self.games)])
            done = due

    def _go_on(self, game: Game) -> None:
        """The next action; a game that is over makes room for another."""
        if not game.over:
            game.act()
        elif not game.is_opening:
            self.tally.games += 1
            game.is_opening = True
            opening = asyncio.create_task(self._open(game))
            self._opening.add(opening)
            opening.add_done_callback(self._opening.discard)

    async def _open(self, game: Game) -> None:
        try:
            await game.open()
        except (OSError, KeyError, httpx2.HTTPError) as error:
            self.tally_error(repr(error))

    def close(self) -> None:
        """All players leave."""
        for game in self.games:
            game.close()


# The measurement


def _family(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    return [process, *(one for child in children for one in _family(int(child)))]


def memory(process: int) -> float:
    """What a server and its workers have in memory, in MiB."""
    pages = (
        int(Path(f"/proc/{one}/statm").read_text(encoding="utf-8").split()[1])
        for one in _family(process)
    )
    return sum(pages) * resource.getpagesize() / 2**20


def cpu_seconds(process: int) -> float:
    """The time of all cores that a server and its workers have taken."""
    ticks = 0
    for one in _family(process):
        fields = Path(f"/proc/{one}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Cores:
    """How many cores server and client keep busy while this measures."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._began = time.monotonic()
        self._before = cpu_seconds(server), time.process_time()
        self.server = self.client = self.seconds = 0.0

    def stop(self) -> None:
        """Note the figures up to now."""
        self.server = cpu_seconds(self._server) - self._before[0]
        self.client = time.process_time() - self._before[1]
        self.seconds = time.monotonic() - self._began

    def text(self, actions: int) -> str:
        """The figures, also for each action."""
        return (
            f"server {self.server / self.seconds:.2f} cores, {_each_us(self.server, actions)}, "
            f"client {self.client / self.seconds:.2f}, {_each_us(self.client, actions)}"
        )


def _each_us(seconds: float, actions: int) -> str:
    return f"{1e6 * seconds / max(actions, 1):.0f} µs an action"


def _line(tables: int, tally: Tally, cores: Cores) -> str:
    middle, high, worst = (1000 * tally.percentile(share) for share in (0.5, 0.99, 1.0))
    return (
        f"{tables:>6} tables {2 * tables:>6} sockets {len(tally.times):>8,} actions   "
        f"{tally.games} games over   "
        f"median {middle:6.1f} ms   p99 {high:6.1f} ms   worst {worst:6.1f} ms   "
        f"{len(tally.errors)} errors, {tally.late} late   {cores.text(len(tally.times))}"
    )


async def _measure(server: Server, load: Load, seconds: float) -> tuple[Tally, Cores]:
    """Run, and measure the CPU time of what counts."""
    cores = Cores(server.process.pid)
    running = asyncio.create_task(load.run(seconds))
    await asyncio.sleep(SETTLING)
    cores = Cores(server.process.pid)
    tally = await running
    cores.stop()
    return tally, cores


@asynccontextmanager
async def _served(kind: str, tables: int = 0) -> AsyncIterator[tuple[Server, Load]]:
    """A server with a number of games in progress, and the load of them."""
    with tempfile.TemporaryDirectory() as folder:
        postgres = Postgres() if kind == "postgresql" else None
        url = postgres.new_database() if postgres else f"sqlite:///{folder}/tables.db"
        prepared = await prepare(url, tables)
        if postgres:  # it would tidy up after many new rows in the middle of the measurement
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")
                connection.execute("CHECKPOINT")
        server = Server(url, "--pace", str(PACE), *(["--workers", "2"] if postgres else []))
        await server.start()
        try:
            # let go of idle connections before the server does, or a request could cross with that
            limits = httpx2.Limits(max_connections=20, keepalive_expiry=2)
            async with httpx2.AsyncClient(
                base_url=f"http://{server.address}", timeout=60, limits=limits
            ) as http:
                load = Load(server.port, http)
                await load.grow(tables, prepared)
                yield server, load
                load.close()
        finally:
            await server.end(kill=False)
            if postgres:
                postgres.close()


class Champions:
    """A table where strong bots play each other, with a spectator; then the next one."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._over = asyncio.Event()
        self.events = 0

    async def watch(self) -> None:
        """Watch for ever."""
        while True:
            seats = [{"kind": "bot", "bot": "champion"} for _ in range(4)]
            body = {"mode": "hotseat", "seats": seats}
            opened = (await self._load.http.post("/api/tables", json=body)).json()
            path = f"/api/tables/{opened['id']}/socket"
            self._over.clear()
            socket = await PlainSocket.connect(
                self._load.port, path, self._hear, self._load.tally_error
            )
            socket.send(b'{"t":"hello","d":{}}')
            while not self._over.is_set():
                try:
                    await asyncio.wait_for(self._over.wait(), PING_EVERY)
                except TimeoutError:
                    socket.send(b'{"t":"ping"}')
            socket.close()

    def _hear(self, text: bytes) -> None:
        self.events += text.startswith(b'{"t":"event"')
        if b'"kind":"finished"' in text:
            self._over.set()


async def steady(kind: str, tables: int, seconds: float, bots: int = 0) -> None:
    """A number of tables for some time, with the memory every minute."""
    async with _served(kind, tables) as (server, load):
        champions = [Champions(load) for _ in range(bots)]
        watched = [asyncio.create_task(one.watch()) for one in champions]

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
        tally, cores = await _measure(server, load, seconds)
        watching.cancel()
        print(f"{kind}: {_line(tables, tally, cores)}")
        if champions:
            events = sum(one.events for one in champions)
            print(f"  {bots} tables of champions beside them: {events} events")
        for task in watched:
            task.cancel()
        for error in tally.errors[:5]:
            print(f"  {error}")


async def break_point(kind: str) -> None:
    """Ever more tables until it is too slow."""
    async with _served(kind) as (server, load):
        for tables in itertools.count(TABLES // 2, STEP):
            await load.grow(tables)
            tally, cores = await _measure(server, load, STEP_SECONDS)
            print(f"{kind}: {_line(tables, tally, cores)}", flush=True)
            if tally.errors or tally.percentile(0.99) > TOO_SLOW:
                break


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
    uvloop.run(main())
