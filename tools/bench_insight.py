"""Measures what reviews cost those who play: a thousand tables, without and with a full pool.

Usage: python tools/bench_insight.py [TABLES [ROUNDS [SECONDS]]]

The same server, the same tables, in turns: some seconds without reviews, then as many in which
ASKERS addresses each ask for one review after the other, all of them different games, so that the
pool never has nothing to do. What is compared is the time from sending an action until its event is
heard at the other socket, over all rounds. Then, on a server with its usual limits, a user asks
for an analysis twice a second, without and with another address that has FLOOD requests under way.
"""

import asyncio
import itertools
import os
import platform
import random
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2

from bench_server import Cores, Load, Tally, prepare
from cantstop import Board
from cantstop.bots.bot import PACE
from swarm import Server

TABLES, ROUNDS, SECONDS = 1000, 3, 15
OK = 200
ASKERS = 40
"""Addresses that ask; the pool has a process for each core but one."""
FLOOD = 32
"""Analyses that one address asks for at once, all the time: as many as may wait."""
EVERY = 0.5
"""Seconds between two analyses of a user who tries things out."""

GAME = (Path(__file__).parents[1] / "tests" / "golden" / "classic-two.cantstop").read_text("utf-8")


class Reviews:
    """Many addresses, each of which wants one review after the other."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._numbers = itertools.count()
        self.done = 0
        self.refused = 0

    @asynccontextmanager
    async def asked_for(self) -> AsyncIterator[None]:
        """Ask for as long as this goes on."""
        limits = httpx2.Limits(max_connections=ASKERS)
        async with httpx2.AsyncClient(
            base_url=f"http://{self._address}", timeout=600, limits=limits
        ) as http:
            tasks = [asyncio.create_task(self._ask(http, asker)) for asker in range(ASKERS)]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, http: httpx2.AsyncClient, asker: int) -> None:
        headers = {"X-Forwarded-For": f"192.0.2.{asker + 1}", "Accept-Encoding": "gzip"}
        while True:
            game = f"# {next(self._numbers)}\n{GAME}"  # another one, as far as the cache knows
            answer = await http.post("/api/review", content=game, headers=headers)
            if answer.status_code == 200:
                self.done += 1
            else:
                self.refused += 1
                await asyncio.sleep(1.2)  # or this process would be what is slow


def some_position(chance: random.Random) -> str:
    """A random position of two players, of so large a number that none comes twice."""
    lengths = dict(enumerate(Board().lengths, start=2))
    tokens = [
        ",".join(
            f"{column}:{chance.randrange(1, lengths[column])}"
            for column in sorted(chance.sample(range(2, 13), 5))
        )
        for _ in range(2)
    ]
    return f"v1,players=2 {'/'.join(tokens)} 1 - -"


class Analyses:
    """Asks for analyses, all of different positions."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http
        self._chance = random.Random(15)
        self.flooded = 0
        self.refused = 0

    async def ask(self, address: str) -> tuple[int, float]:
        """Ask for one, and return the answer's status and how many seconds it took."""
        begun = time.perf_counter()
        answer = await self._http.get(
            "/api/analysis",
            params={"position": some_position(self._chance)},
            headers={"X-Forwarded-For": address},
        )
        return answer.status_code, time.perf_counter() - begun

    async def ask_for(self, seconds: float) -> list[float]:
        """One after the other, as a person would who tries things out."""
        times = []
        for _ in range(int(seconds / EVERY)):
            status, took = await self.ask("192.0.2.201")
            if status != OK:
                raise SystemExit(f"An analysis was answered with {status}.")
            times.append(took)
            await asyncio.sleep(EVERY)
        return sorted(times)

    async def _flood(self) -> None:
        while True:
            status, _ = await self.ask("192.0.2.202")
            if status == OK:
                self.flooded += 1
            else:
                self.refused += 1
                await asyncio.sleep(0.2)  # or this process would be what is slow

    @asynccontextmanager
    async def flood(self) -> AsyncIterator[None]:
        """Another address that asks for as many as it may."""
        tasks = [asyncio.create_task(self._flood()) for _ in range(FLOOD)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def measure_flood(url: str, seconds: float) -> None:
    """How long one address waits for an analysis, without and with another that floods."""
    server = Server(url, "--limits", "1", "--proxy", "127.0.0.1")
    await server.start()
    limits = httpx2.Limits(max_connections=FLOOD + 1)
    async with httpx2.AsyncClient(
        base_url=f"http://{server.address}", timeout=600, limits=limits
    ) as http:
        analyses = Analyses(http)
        await analyses.ask("192.0.2.203")  # once the engine is loaded
        alone = await analyses.ask_for(seconds)
        async with analyses.flood():
            await asyncio.sleep(seconds / 2)
            beside = await analyses.ask_for(seconds)
    await server.end(kill=False)
    for name, times in (("alone", alone), ("beside a flood", beside)):
        middle, worst = 1000 * times[len(times) // 2], 1000 * times[-1]
        print(
            f"  {name:14} {len(times):>4} analyses   median {middle:6.1f} ms   worst {worst:6.1f}"
        )
    print(f"  the flood: {analyses.flooded:,} answered, {analyses.refused:,} refused")


def report(name: str, tally: Tally, cores: Cores) -> None:
    """Print what was measured one way."""
    cores.stop()
    middle, high, worst = (1000 * tally.percentile(share) for share in (0.5, 0.99, 1.0))
    print(
        f"  {name:8} {len(tally.times):>7,} actions   median {middle:6.1f} ms   p99 {high:6.1f} ms"
        f"   worst {worst:6.1f} ms   {len(tally.errors)} errors, {tally.late} late   "
        f"{cores.text(len(tally.times))}",
        flush=True,
    )


async def measure(url: str, tables: int, rounds: int, seconds: float) -> None:
    """Both ways in turns, then both together."""
    prepared = await prepare(url, tables)
    server = Server(url, "--pace", str(PACE), "--proxy", "127.0.0.1")
    await server.start()
    quiet, busy, reviews = Tally(), Tally(), Reviews(server.address)
    limits = httpx2.Limits(max_connections=20, keepalive_expiry=2)
    async with httpx2.AsyncClient(
        base_url=f"http://{server.address}", timeout=600, limits=limits
    ) as http:
        load = Load(server.port, http)
        await http.post("/api/review", content=GAME)  # once the engine is loaded
        await load.grow(tables, prepared)
        for _ in range(rounds):
            cores = Cores(server.process.pid)
            tally = await load.run(seconds)
            report("without", tally, cores)
            quiet.times += tally.times
            async with reviews.asked_for():
                cores = Cores(server.process.pid)
                tally = await load.run(seconds)
                report("with", tally, cores)
                busy.times += tally.times
        load.close()
    await server.end(kill=False)
    before, after = quiet.percentile(0.99), busy.percentile(0.99)
    print(
        f"{tables} tables: p99 {1000 * before:.1f} ms without, {1000 * after:.1f} ms with "
        f"{ASKERS} addresses that ask for reviews ({reviews.done} were done, {reviews.refused} "
        f"refused): {after / before:.2f} times"
    )


async def main() -> None:
    """What the arguments ask for."""
    wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}")
    given = [int(number) for number in sys.argv[1:]]
    tables, rounds, seconds = (*given, *(TABLES, ROUNDS, SECONDS)[len(given) :])
    with tempfile.TemporaryDirectory() as folder:
        await measure(f"sqlite:///{folder}/tables.db", tables, rounds, seconds)
        await measure_flood(f"sqlite:///{folder}/flooded.db", seconds)


if __name__ == "__main__":
    asyncio.run(main())
