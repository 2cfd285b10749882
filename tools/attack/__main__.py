"""Attacks a server of its own on loopback while ordinary players act at it, and measures them.

Usage: python -m tools.attack [--before COMMIT] [--sources FOLDER] [--python PROGRAM]
                              [--seconds N] [NAME ...]

For every attack a server is started in a process of its own, with the limits that it has by
default. A few tables are played, by turns in peace and under the attack, whose process is stopped
and let go on again: a machine that is busy with something else is so in both. A player's action
counts from sending it until it is acknowledged. An attack fails if 1 action in 100 takes 100 ms or
longer, if a player's hint takes a second or longer, if the server's memory grows by 50 MB or more,
or if the attack itself reports a breach. The exit code is 1 if any attack fails. "Hint" is the
longest that one took, and "CPU %" what the server's own process used, of one processor.

On a busy machine times say little. "Loop" is the CPU time that the server's event loop used between
an action and its acknowledgement, p99: what was done for others meanwhile, whatever else the
machine does. "Kept waiting" says for how many percent of the time the loop could have gone on, had
another program not had the processor. Where that is much, or players wait for long in peace too,
the loop's CPU time is judged by the same bound instead, and the CPU time of all the server's
processes instead of how long a hint takes; the last column says so.

With ``--before`` a server of an earlier commit is attacked as well, in the same run, right after
the other one, by the attacks that were found since: a second line says how that fares. An attack
takes about 25 seconds, or 40 with both servers, and is given up after five minutes: all of them
take 16 or 23 minutes.

``--sources`` names the ``src`` folder of another checkout, to attack that version, and ``--python``
the program to run it, if it needs an environment of its own. One that compiles its engine at first
use does so before the first attack. The attackers have other addresses than the players (127.0.0.2
and so on: Linux answers to all of 127.0.0.0/8) and a low priority: on another machine they would
take none of the server's time.
"""

import argparse
import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Self

import httpx2

from .attacks import ATTACKS, Attack, Target
from .calls import CALLS
from .club import CLUB
from .costly import COSTLY
from .hoarding import HOARDING
from .impostors import IMPOSTORS
from .messages import MESSAGES
from .players import Player, Server, http_client
from .unpriced import UNPRICED

ROOT = Path(__file__).parents[2]
FOUND_SINCE = (*COSTLY, *HOARDING, *UNPRICED, *MESSAGES)
"""Attacks that an earlier commit may be tried with."""
MAX_P99 = 0.1
MAX_GROWTH = 50.0
MAX_HINT = 1.0
MAX_KEPT_WAITING = 0.05
"""Share of the time: a machine on which a server waits longer for a processor is busy."""
SECONDS = 10.0
ROUNDS = 2
PEACE_SECONDS = 2.5
"""In each round, how long the players are measured without the attack."""
SWITCHING_SECONDS = 0.5
"""After each change what is measured does not count: answers to what was asked before."""
MOST_SECONDS = 300.0
"""For one attack with everything that belongs to it."""
TABLES = 8
TOO_MANY = 429


@dataclass
class Times:
    """What players met for a while, and what the server did meanwhile."""

    seconds: float = 0.0
    actions: list[float] = field(default_factory=list)
    loops: list[float] = field(default_factory=list)
    """The CPU time of the server's event loop between each action and its acknowledgement."""
    hints: list[float] = field(default_factory=list)
    hint_works: list[float] = field(default_factory=list)
    """The CPU time of all the server's processes while each hint was waited for."""
    cpu: float = 0.0
    """CPU seconds of the server's own process, which answers everybody."""
    kept_waiting: float = 0.0

    def line(self) -> str:
        """Its part of a line of the table."""
        figures = [
            1000 * percentile(self.actions, 0.5),
            1000 * percentile(self.actions, 0.99),
            1000 * percentile(self.loops, 0.99),
            1000 * max(self.hints, default=0),
            100 * self.cpu / max(self.seconds, 1e-9),
        ]
        return "".join(f"{figure:8.1f}" for figure in figures)


@dataclass
class Result:
    """What the players met, in peace and under the attack."""

    peace: Times = field(default_factory=Times)
    attacked: Times = field(default_factory=Times)
    growth: float = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def kept_waiting(self) -> float:
        """The share of the time that the server's loop waited for a processor."""
        both = self.peace, self.attacked
        return sum(one.kept_waiting for one in both) / max(sum(one.seconds for one in both), 1e-9)

    @property
    def is_busy(self) -> bool:
        """Whether the machine was too busy for times to say anything."""
        peace = percentile(self.peace.actions, 0.99)
        return self.kept_waiting > MAX_KEPT_WAITING or peace >= MAX_P99

    def judge(self) -> None:
        """Note what is beyond the bounds."""
        actions = self.attacked.loops if self.is_busy else self.attacked.actions
        hints = self.attacked.hint_works if self.is_busy else self.attacked.hints
        if (p99 := percentile(actions, 0.99)) >= MAX_P99:
            self.problems.append(f"p99 is {1000 * p99:.0f} ms")
        if max(hints, default=0) >= MAX_HINT:
            self.problems.append(f"a hint took {max(hints):.1f} s")
        if self.growth >= MAX_GROWTH:
            self.problems.append(f"memory grew by {self.growth:.0f} MB")

    def line(self, name: str) -> str:
        """One line of the table."""
        verdict = "; ".join(self.problems) or "holds"
        return (
            f"{name:<17}{self.peace.line()}{self.attacked.line()}{len(self.attacked.actions):9}"
            f"{100 * self.kept_waiting:8.1f}{self.growth:8.1f}   {verdict}"
            + (" (by CPU time)" if self.is_busy else "")
        )


_GROUP = "".join(f"{name:>8}" for name in ("median", "p99", "loop", "hint", "CPU %"))
HEAD = f"""\
{"":17}{"in peace (ms)":>40}{"attacked (ms)":>40}{"":9}{"kept":>8}{"memory":>8}
{"attack":17}{_GROUP}{_GROUP}{"actions":>9}{"waiting":>8}{"+ MB":>8}"""


def percentile(times: list[float], share: float) -> float:
    """In seconds; infinite if nothing was measured."""
    ordered = sorted(times)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("inf")


class Scene:
    """A server, its players, and the process that is going to attack it."""

    def __init__(self, attack: Attack, python: str, sources: Path, seconds: float) -> None:
        self._attack = attack
        self._started = python, sources
        self._seconds = seconds
        self.result = Result()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Start all of it, and wait until the server's memory grows no more."""
        try:
            await self._set_up()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _set_up(self) -> None:
        folder = self._stack.enter_context(tempfile.TemporaryDirectory())
        python, sources = self._started
        self._server = server = await asyncio.to_thread(
            Server, python, sources, folder, self._attack.options
        )
        self._stack.push_async_callback(self._end_server)
        self._players = [Player(server, number) for number in range(TABLES)]
        await _engine_ready(server.port)
        self._stack.push_async_callback(self._end_players)
        await asyncio.gather(*(player.open() for player in self._players))
        self._pipe, theirs = multiprocessing.Pipe()
        victim = self._players[0]
        whole = self._seconds + ROUNDS * (PEACE_SECONDS + 2 * SWITCHING_SECONDS)
        target = Target(
            server.port, server.database, victim.table, victim.secrets[0], whole, theirs
        )
        self._process = multiprocessing.get_context("spawn").Process(
            target=self._attack.carry_out, args=(target,), daemon=True
        )
        self._process.start()
        self._stack.callback(_end, self._process)
        theirs.close()
        await asyncio.to_thread(self._pipe.recv)
        self._tasks = [asyncio.create_task(player.play()) for player in self._players]
        self._tasks.append(asyncio.create_task(self._players[-1].ask_for_hints()))
        await _settled(server)

    async def _end_server(self) -> None:
        if not await asyncio.to_thread(self._server.end):
            self.result.problems.append("SIGTERM did not end the server")

    async def _end_players(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        players = (player.close() for player in self._players)
        await asyncio.gather(*players, return_exceptions=True)

    async def measure(self) -> None:
        """Measure by turns in peace and under the attack."""
        before = most = self._server.memory

        async def watch_memory() -> None:
            nonlocal most
            while True:
                most = max(most, self._server.memory)
                await asyncio.sleep(0.1)

        self._tasks.append(asyncio.create_task(watch_memory()))
        assert self._process.pid is not None
        for number in range(ROUNDS):
            if number:
                os.kill(self._process.pid, signal.SIGSTOP)
                await asyncio.sleep(SWITCHING_SECONDS)
            await self._meet(self.result.peace, PEACE_SECONDS)
            if number:
                os.kill(self._process.pid, signal.SIGCONT)
            else:
                self._pipe.send("begin")
            await asyncio.sleep(SWITCHING_SECONDS)
            await self._meet(self.result.attacked, self._seconds / ROUNDS)
        if await asyncio.to_thread(self._pipe.poll, 60):
            self.result.problems += self._pipe.recv()
        else:
            self.result.problems.append("the attack did not end by itself")
        await asyncio.to_thread(self._process.join, 30)
        self.result.growth = max(most, self._server.memory) - before
        if errors := [error for player in self._players for error in player.errors]:
            self.result.problems.append(f"{len(errors)} players' errors, the first: {errors[0]}")

    async def _meet(self, times: Times, seconds: float) -> None:
        """Add what the players meet in the next ``seconds`` seconds."""
        server = self._server
        for player in self._players:
            player.forget()
        used, waited = server.cpu_seconds, server.kept_waiting
        began = time.monotonic()
        await asyncio.sleep(seconds)
        times.seconds += time.monotonic() - began
        times.cpu += server.cpu_seconds - used
        times.kept_waiting += server.kept_waiting - waited
        for player in self._players:
            times.actions += player.times_now()
            times.loops += player.loop_times_now()
            times.hints += player.hints_now()
            times.hint_works += player.hint_works_now()


async def measure(
    attack: Attack, python: str, sources: Sequence[Path], seconds: float
) -> list[Result]:
    """Attack a server of each of these sources: they are set up together, and measured by turns."""
    scenes = [Scene(attack, python, one, seconds) for one in sources]
    try:
        async with asyncio.timeout(MOST_SECONDS), AsyncExitStack() as stack:
            await asyncio.gather(*(stack.enter_async_context(scene) for scene in scenes))
            for scene in scenes:
                await scene.measure()
    except TimeoutError:
        for scene in scenes:
            scene.result.problems.append(f"it was given up after {MOST_SECONDS:.0f} s")
    for scene in scenes:
        scene.result.judge()
    return [scene.result for scene in scenes]


def _end(process: SpawnProcess) -> None:
    """End an attack that was given up: whoever waits for what it says reads the end."""
    if process.is_alive():
        process.kill()


def _check_out(commit: str, folder: Path) -> Path:
    """The sources of a commit, with their translations compiled."""
    packed = subprocess.run(["git", "archive", commit], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], check=True, input=packed)
    subprocess.run([sys.executable, folder / "tools/compile_catalogues.py"], check=True)
    return folder / "src"


async def _engine_ready(port: int) -> None:
    """Wait until hints are given: on a new installation the engine is compiled first."""
    async with http_client(port, "127.0.0.1") as http:
        asked = {"position": "v1,players=2 -/- 1 - -"}
        status = TOO_MANY
        while status == TOO_MANY:
            await asyncio.sleep(1)
            with suppress(httpx2.ReadTimeout):
                status = (await http.get("/api/analysis", params=asked)).status_code


async def _settled(server: Server) -> None:
    """Wait until caches are filled and the bots' processes are warm: until memory grows no more."""
    for _ in range(20):
        before = server.memory
        await asyncio.sleep(3)
        if server.memory - before < 1:
            break


def _warm_up(python: str, sources: Path) -> None:
    """Let a server's engine be compiled, where it has not been: that takes a minute or two."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(python, sources, folder, ())
        try:
            asyncio.run(_engine_ready(server.port))
        finally:
            server.end()


def main() -> int:
    """Run the attacks that are named, or all."""
    names = {attack.name: attack for attack in (*ATTACKS, *FOUND_SINCE, *CLUB, *IMPOSTORS, *CALLS)}
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--sources", type=Path, default=ROOT / "src", metavar="FOLDER")
    parser.add_argument("--before", metavar="COMMIT")
    parser.add_argument("--python", default=sys.executable, metavar="PROGRAM")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="N")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in names]:
        parser.error(f"there is no attack {unknown[0]}: {', '.join(names)}")
    chosen = [names[name] for name in given.names or names]
    holding, failing, both = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        before = None if given.before is None else _check_out(given.before, Path(folder))
        for sources in filter(None, (given.sources.resolve(), before)):
            _warm_up(given.python, sources)
        print(HEAD, flush=True)
        for attack in chosen:
            attacked = [given.sources.resolve()]
            if before is not None and attack in FOUND_SINCE:
                attacked.append(before)
                both += 1
            found = asyncio.run(measure(attack, given.python, attacked, given.seconds))
            for name, result in zip((attack.name, "  before"), found, strict=False):
                print(result.line(name), flush=True)
            holding += not found[0].problems
            failing += any(result.problems for result in found[1:])
    print(f"{holding} of {len(chosen)} hold")
    if both:
        print(f"{failing} of {both} failed before")
    return int(holding < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
