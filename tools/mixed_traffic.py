"""Everything that people do on a server, at once, for an hour: what it costs, minute by minute.

Games of two with hints, watchers and lost connections; games against bots; reviews; the daily game;
drills; pages. Everybody has an address of their own, and the server its usual limits.
"""

import asyncio
import itertools
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import httpx2
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

sys.path.insert(0, str(Path(__file__).parents[1]))

from attack.players import connect_socket, http_client, keep_alive
from server_memory import MemoryWatch, family

assert sys.platform == "linux", "it uses the addresses of 127.0.0.0/8, and /proc"

Json = dict[str, Any]

BOTS = ("careful", "chick", "champion", "bold")
EVERY = 1.0
"""Seconds between two actions at a table."""
GAMES, BOT_GAMES, DAILY_PLAYERS, WATCHERS, DRILLERS = 12, 4, 2, 3, 2
HINT_EVERY, RECONNECT_EVERY, PAGE_EVERY = 6.0, 20.0, 5.0


class Times:
    """How long things took, by what was asked for, since they were last shown."""

    def __init__(self) -> None:
        self.by_kind: defaultdict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()

    def take(self) -> tuple[dict[str, list[float]], Counter[str]]:
        """Return what was measured, and reset."""
        found, errors = dict(self.by_kind), self.errors
        self.by_kind, self.errors = defaultdict(list), Counter()
        return found, errors


class Guest:
    """A user with an address of their own, who asks for things and notes how long they took."""

    _numbers = itertools.count()
    rate: ClassVar[float] = 1.0
    """How many times as fast as people usually are."""

    def __init__(self, port: int, times: Times) -> None:
        number = next(self._numbers)
        self.source = f"127.0.{8 + number // 200}.{number % 200 + 1}"
        self.port, self.times, self.dice = port, times, Random(number)
        self.http = http_client(port, self.source)

    async def ask(
        self, kind: str, method: str, path: str, **more: Json | str | bytes
    ) -> httpx2.Response | None:
        """An answer, or None where it is an error; which is counted."""
        began = time.monotonic()
        try:
            answer = await self.http.request(method, path, **more)  # type: ignore[arg-type]
        except (httpx2.HTTPError, OSError) as error:
            self.times.errors[f"{kind}: {type(error).__name__}"] += 1
            return None
        self.times.by_kind[kind].append(time.monotonic() - began)
        if answer.status_code >= 400:
            self.times.errors[f"{kind}: {answer.status_code} {answer.text[:120]}"] += 1
            return None
        return answer


class Game(Guest):
    """A table and those who play at it: with each other, with a bot, or alone with the dice."""

    table = ""

    def __init__(self, port: int, times: Times, seats: list[Json] | None) -> None:
        super().__init__(port, times)
        self.seats = seats
        """None for the daily game."""
        self._device: str | None = None
        self._ids = itertools.count()

    async def go_on(self) -> None:
        """One game after the other."""
        while True:
            secrets = await (self._open() if self.seats else self._open_daily())
            if secrets:
                await self._play(secrets)
            await asyncio.sleep(EVERY / self.rate)

    async def _open(self) -> list[str]:
        body = {"mode": "online", "hints": True, "seats": self.seats}
        if self.dice.random() < 0.7:  # short games: they are reviewed more often
            body |= {"edition": "custom", "win": 1}
        if (opened := await self.ask("open", "POST", "/api/tables", json=body)) is None:
            return []
        table = opened.json()
        self.table, secrets = table["id"], [table["secret"]]
        if {"kind": "open"} in (self.seats or []):
            path, bob = f"/api/tables/{self.table}/seats", {"name": "Bob", "salt": "b"}
            if (seated := await self.ask("sit", "POST", path, json=bob)) is None:
                return []
            secrets.append(seated.json()["secret"])
        return secrets

    async def _open_daily(self) -> list[str]:
        body = {"name": f"Anne {self.dice.randrange(1000)}"}
        if (opened := await self.ask("daily", "POST", "/api/daily", json=body)) is None:
            return []
        table = opened.json()
        self.table, self._device = table["id"], table["device"]
        return [table["secret"]]

    async def _play(self, secrets: list[str]) -> None:
        async with asyncio.TaskGroup() as tasks:
            self._sockets: dict[int, ClientConnection] = {}
            self._view: Json = {}
            self._n = self._moves = 0
            self._sent: tuple[str, float] | None = None
            self._over = asyncio.Event()
            listening = [tasks.create_task(self._sit(*one)) for one in enumerate(secrets)]
            acting = tasks.create_task(self._act_on())
            asking = tasks.create_task(self._ask_for_hints(secrets)) if self.seats else None
            await self._over.wait()
            for task in (*listening, acting, *([asking] if asking else [])):
                task.cancel()
        await self._look_back()

    async def _sit(self, place: int, secret: str) -> None:
        """Listen at a table; the connection is lost now and then, and found again."""
        while True:
            with suppress(OSError, ConnectionClosed, TimeoutError):
                after = self._n or None
                socket = await connect_socket(
                    self.port, self.source, self.table, secret, after=after
                )
                self._sockets[place] = socket
                beating = asyncio.create_task(keep_alive(socket))
                try:
                    async with asyncio.timeout(self.dice.uniform(1, 2) * RECONNECT_EVERY):
                        async for text in socket:
                            self._hear(place, json.loads(text))
                finally:
                    beating.cancel()
                    socket.transport.abort()
                    self._sockets.pop(place, None)

    def _hear(self, place: int, message: Json) -> None:
        data = message["d"]
        match message["t"]:
            case "state":
                self._view, self._n, self._mine = data["view"], data["n"], data["you"]
                self._sent = None  # what was under way is asked for again, or was done
            case "event" if data["n"] > self._n:
                self._view, self._n = data["view"], data["n"]
                ends = data["kind"] in ("stopped", "busted")
                self._moves = 0 if ends else self._moves + (data["kind"] == "moved")
            case "ack" if self._sent and data["id"] == self._sent[0]:
                self.times.by_kind["act"].append(time.monotonic() - self._sent[1])
                self._sent = None
            case "refused":
                self.times.errors[f"act: {data['error']['code']}"] += 1
                self._sent = None
        if self._view and self._view["outcome"] is not None and place == 0:
            self._over.set()

    async def _act_on(self) -> None:
        while True:
            await asyncio.sleep((self.dice.uniform(0.5, 1.5) * EVERY) / self.rate)
            view, sent = self._view, self._sent
            if not view or view["outcome"] is not None or view["phase"] == "bust":
                continue
            if sent is not None and time.monotonic() - sent[1] < 10:
                continue
            people = [at for at, one in enumerate(self.seats or [{}]) if one.get("kind") != "bot"]
            if view["seat"] not in people or people.index(view["seat"]) not in self._sockets:
                continue
            action: Json = {"id": f"act-{next(self._ids):06}", "seat": view["seat"], "kind": "roll"}
            if view["phase"] == "move":
                action |= {"kind": "move", "move": self.dice.choice(view["moves"])["move"]}
            elif view["may_stop"] and self._moves >= 2:
                action["kind"] = "stop"
            self._sent = str(action["id"]), time.monotonic()
            with suppress(ConnectionClosed):
                await self._sockets[people.index(view["seat"])].send(
                    json.dumps({"t": "act", "d": action})
                )

    async def _ask_for_hints(self, secrets: list[str]) -> None:
        while True:
            await asyncio.sleep((self.dice.uniform(0.5, 1.5) * HINT_EVERY) / self.rate)
            if not self._view or self._view["phase"] == "bust" or len(secrets) < 2:
                continue
            with suppress(IndexError):
                head = {"Authorization": f"Bearer {secrets[self._view['seat']]}"}
                began = time.monotonic()
                with suppress(httpx2.HTTPError, OSError):
                    path = f"/api/tables/{self.table}/hint"
                    answer = await self.http.get(path, headers=head)
                    # 409: the seat has acted meanwhile
                    if answer.status_code == 200:
                        self.times.by_kind["hint"].append(time.monotonic() - began)
                    elif answer.status_code not in (403, 409):
                        self.times.errors[f"hint: {answer.status_code} {answer.text[:120]}"] += 1

    async def _look_back(self) -> None:
        """What people read after a game."""
        if self.seats is None:
            head = {"Authorization": f"Bearer {self._device}"}
            await self.ask("day", "GET", "/api/daily", headers=head)
            return
        record = await self.ask("record", "GET", f"/api/tables/{self.table}/record")
        await self.ask("review", "GET", f"/api/tables/{self.table}/review")
        if record is not None and self.dice.random() < 0.5:
            text = record.text.replace("Bob", f"Bob {self.dice.randrange(1000)}")
            await self.ask("posted review", "POST", "/api/review", content=text.encode())


class Watcher(Guest):
    """Looks at one table after the other."""

    def __init__(self, port: int, times: Times, games: list[Game]) -> None:
        super().__init__(port, times)
        self._games = games

    async def go_on(self) -> None:
        """Watch for a while, then elsewhere."""
        while True:
            await asyncio.sleep(1 / self.rate)
            table = self.dice.choice(self._games).table
            if not table:
                continue
            await self.ask("table", "GET", f"/api/tables/{table}")
            with suppress(OSError, ConnectionClosed, TimeoutError):
                socket = await connect_socket(self.port, self.source, table)
                beating = asyncio.create_task(keep_alive(socket))
                try:
                    async with asyncio.timeout(self.dice.uniform(5, 40)):
                        async for _ in socket:
                            pass
                finally:
                    beating.cancel()
                    socket.transport.abort()


class Driller(Guest):
    """Practises, with a progress that grows."""

    async def go_on(self) -> None:
        """One drill after the other; after 200 a new beginner."""
        while True:
            progress: Json | None = None
            for _ in range(200):
                await asyncio.sleep(2 / self.rate)
                asked = {} if progress is None else {"progress": progress}
                drill = await self.ask("drill", "POST", "/api/drills/next", json=asked)
                if drill is None:
                    continue
                item = drill.json()
                body = {"drill": item["id"], "answer": self.dice.choice(item["answers"]), **asked}
                verdict = await self.ask("verdict", "POST", "/api/drills/answer", json=body)
                if verdict is not None:
                    progress = verdict.json()["progress"]


class Reader(Guest):
    """Opens pages and days of the archive, looks at positions; and a monitor."""

    async def go_on(self) -> None:
        """One page after the other."""
        for number in itertools.count():
            await asyncio.sleep((self.dice.uniform(0.5, 1.5) * PAGE_EVERY) / self.rate)
            await self.ask("page", "GET", ("/", "/new", "/daily", "/drill", "/odds")[number % 5])
            await self.ask("day", "GET", "/api/daily")
            archive = await self.ask("archive", "GET", "/api/daily/archive")
            if archive is not None:
                day = self.dice.choice(archive.json()["days"])["day"]
                await self.ask("past day", "GET", f"/api/daily/{day}")
            columns = self.dice.sample(range(2, 13), 3)
            tokens = ",".join(f"{column}:{self.dice.randint(1, 2)}" for column in sorted(columns))
            position = f"v1,players=2 {tokens}/- 1 - -"
            await self.ask("analysis", "GET", "/api/analysis", params={"position": position})
            await self.ask("health", "GET", "/healthz")


def open_files(processes: list[int]) -> int:
    """How many files, sockets and pipes they have open."""
    count = 0
    for process in processes:
        with suppress(OSError):
            count += sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
    return count


def percentile(times: list[float], share: float) -> float:
    """In milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


async def _look(watch: MemoryWatch, monitor: Guest, minute: int) -> None:
    """Print what the processes have in memory; unless the machine is too busy to answer."""
    if (metrics := await monitor.ask("metrics", "GET", "/metrics")) is not None:
        print(f"       {watch.look(minute, metrics.text)}", flush=True)


HEAD = (
    "minute    files   data MB     acts  median     p99"
    "    hints  median     p99  reviews  median     p99  log lines  errors"
)


async def run_mixed(
    port: int,
    pid: int,
    minutes: int,
    log_lines: Callable[[], int],
    data_bytes: Callable[[], Awaitable[int]],
    rate: float,
) -> Counter[str]:
    """Mixed traffic for a number of minutes; prints a line for each, and returns the errors."""
    Guest.rate = rate
    times, everything = Times(), Times()
    people = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}]
    games = [Game(port, times, people) for _ in range(GAMES)]
    for number in range(BOT_GAMES):
        bots: list[Json] = [{"kind": "bot", "bot": BOTS[number % len(BOTS)]}] * (number % 3 + 1)
        games.append(Game(port, times, [people[0], *bots]))
    games += [Game(port, times, None) for _ in range(DAILY_PLAYERS)]
    guests: list[Game | Watcher | Driller | Reader] = [*games]
    guests += [Watcher(port, times, games) for _ in range(WATCHERS)]
    guests += [Driller(port, times) for _ in range(DRILLERS)]
    guests.append(Reader(port, times))
    tasks = [asyncio.create_task(guest.go_on()) for guest in guests]
    print(HEAD, flush=True)
    watch = MemoryWatch(pid)
    monitor = Guest(port, times)
    errors: Counter[str] = Counter()
    lines = 0
    try:
        for minute in range(1, minutes + 1):
            done, _ = await asyncio.wait(tasks, timeout=60, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()  # a guest who gives up is a fault of this program
            found, failed = times.take()
            errors += failed
            said, lines = log_lines() - lines, log_lines()
            figures = ""
            for kind in ("act", "hint", "review"):
                took = found.get(kind, [])
                figures += f"{len(took):9}{percentile(took, 0.5):8.1f}{percentile(took, 0.99):8.1f}"
                everything.by_kind[kind] += took
            print(
                f"{minute:6}{open_files(family(pid)):9}{await data_bytes() / 1e6:10.1f}{figures}"
                f"{said:11}{failed.total():8}"
            )
            await _look(watch, monitor, minute)
            for kind, took in found.items():
                if kind not in ("act", "hint", "review"):
                    everything.by_kind[kind] += took
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for guest in (monitor, *guests):
            await guest.http.aclose()
    for kind, took in sorted(everything.by_kind.items()):
        print(
            f"{kind:>14}: {len(took):7,} times, median {percentile(took, 0.5):7.1f} ms, "
            f"p99 {percentile(took, 0.99):7.1f} ms, worst {percentile(took, 1):7.1f} ms"
        )
    print(*watch.summary(), sep="\n")
    return errors
