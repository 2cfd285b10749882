"""Attacks a server of its own on loopback while ordinary players act at it, and measures them.

Usage: python -m tools.attack [--sources FOLDER] [--python PROGRAM] [--seconds N] [NAME ...]

For every attack a server is started in a process of its own, with the limits that it has by
default. A few tables are played, by turns in peace and under the attack, whose process is stopped
and let go on again: a machine that is busy with something else is so in both. A player's action
counts from sending it until it is acknowledged. An attack fails if 1 action in 100 takes 100 ms or
longer, if a player's hint takes a second or longer, if the server's memory grows by 50 MB or more,
or if the attack itself reports a breach. The exit code is 1 if any attack fails. Where players wait
for so long in peace too, nothing is measured, and the attack counts as failed. The CPU time of the
server's own process says what an attack costs it, whatever else the machine does.

An attack takes about 50 seconds with its server's start, and is given up after five minutes: all
of them take 20 minutes, and never more than two hours.

``--sources`` names the ``src`` folder of another checkout, to attack that version, and ``--python``
the program to run it, if it needs an environment of its own. One that compiles its engine at first
use has to have done so: let it give a hint once. The attackers have other addresses than the
players (127.0.0.2 and so on: Linux answers to all of 127.0.0.0/8) and a low priority: on another
machine they would take none of the server's time.
"""

import argparse
import asyncio
import multiprocessing
import os
import signal
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.context import SpawnProcess
from pathlib import Path

import httpx2

from .attacks import ATTACKS, Attack, Target
from .costly import COSTLY
from .hoarding import HOARDING
from .messages import MESSAGES
from .players import Player, Server, http_client
from .unpriced import UNPRICED

MAX_P99 = 0.1
MAX_GROWTH = 50.0
MAX_HINT = 1.0
SECONDS = 15.0
ROUNDS = 3
PEACE_SECONDS = 3.0
"""In each round, how long the players are measured without the attack."""
SWITCHING_SECONDS = 0.5
"""After each change what is measured does not count: answers to what was asked before."""
MOST_SECONDS = 300.0
"""For one attack with everything that belongs to it."""
TABLES = 8
TOO_MANY = 429


@dataclass
class Result:
    """What the players met, in peace and under the attack."""

    peace: list[float] = field(default_factory=list)
    attacked: list[float] = field(default_factory=list)
    peaceful_hints: list[float] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)
    peaceful_cpu: float = 0.0
    cpu: float = 0.0
    """CPU seconds of the server's own process, which answers everybody, a second."""
    growth: float = 0.0
    problems: list[str] = field(default_factory=list)

    def judge(self) -> None:
        """Note what is beyond the bounds."""
        peace, attacked = (percentile(times, 0.99) for times in (self.peace, self.attacked))
        if peace >= MAX_P99:
            self.problems.append(f"not measured: p99 in peace is {1000 * peace:.0f} ms")
        elif attacked >= MAX_P99:
            self.problems.append(f"p99 is not under {1000 * MAX_P99:.0f} ms")
        if self.hints and max(self.hints) >= MAX_HINT > max(self.peaceful_hints, default=0):
            self.problems.append(f"a hint took {max(self.hints):.1f} s")
        if self.growth >= MAX_GROWTH:
            self.problems.append(f"memory grew by {MAX_GROWTH:.0f} MB or more")

    def line(self, name: str) -> str:
        """One line of the table."""
        figures = [
            f"{1000 * percentile(times, share):8.1f}"
            for times in (self.peace, self.attacked)
            for share in (0.5, 0.99)
        ]
        figures += [
            f"{1000 * max(times, default=0):8.0f}" for times in (self.peaceful_hints, self.hints)
        ]
        figures += [f"{100 * share:8.0f}" for share in (self.peaceful_cpu, self.cpu)]
        verdict = "; ".join(self.problems) or "holds"
        return f"{name:<17}{''.join(figures)}{len(self.attacked):9}{self.growth:8.1f}   {verdict}"


HEAD = f"""\
{"":17}{"in peace (ms)":>16}{"attacked (ms)":>16}{"worst hint (ms)":>16}{"server CPU (%)":>16}\
{"":9}{"memory":>8}
{"attack":17}{"median":>8}{"p99":>8}{"median":>8}{"p99":>8}{"peace":>8}{"attack":>8}\
{"peace":>8}{"attack":>8}{"actions":>9}{"+ MB":>8}"""


def percentile(times: list[float], share: float) -> float:
    """In seconds; infinite if nothing was measured."""
    ordered = sorted(times)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("inf")


async def measure(attack: Attack, python: str, sources: Path, seconds: float) -> Result:
    """Play by turns in peace and under an attack."""
    result = Result()
    try:
        async with asyncio.timeout(MOST_SECONDS):
            await _measure(attack, python, sources, seconds, result)
    except TimeoutError:
        result.problems.append(f"it was given up after {MOST_SECONDS:.0f} s")
    result.judge()
    return result


async def _measure(
    attack: Attack, python: str, sources: Path, seconds: float, result: Result
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(python, sources, folder, attack.options)
        players = [Player(server.port, number) for number in range(TABLES)]
        tasks: list[asyncio.Task[None]] = []
        process: SpawnProcess | None = None
        try:
            await _engine_ready(server.port)
            await asyncio.gather(*(player.open() for player in players))
            pipe, theirs = multiprocessing.Pipe()
            victim = players[0]
            whole = seconds + ROUNDS * (PEACE_SECONDS + 2 * SWITCHING_SECONDS)
            target = Target(
                server.port, server.database, victim.table, victim.secrets[0], whole, theirs
            )
            process = multiprocessing.get_context("spawn").Process(
                target=attack.carry_out, args=(target,), daemon=True
            )
            process.start()
            theirs.close()
            await asyncio.to_thread(pipe.recv)
            tasks = [asyncio.create_task(player.play()) for player in players]
            asking = players[-1]
            tasks.append(asyncio.create_task(asking.ask_for_hints()))
            await _settled(server)
            before = server.memory
            most = before

            async def watch_memory() -> None:
                nonlocal most
                while True:
                    most = max(most, server.memory)
                    await asyncio.sleep(0.1)

            tasks.append(asyncio.create_task(watch_memory()))
            assert process.pid is not None
            for number in range(ROUNDS):
                if number:
                    os.kill(process.pid, signal.SIGSTOP)
                    await asyncio.sleep(SWITCHING_SECONDS)
                used = server.cpu_seconds
                result.peace += await _times(players, PEACE_SECONDS)
                result.peaceful_cpu += (server.cpu_seconds - used) / PEACE_SECONDS / ROUNDS
                result.peaceful_hints += asking.hints_now()
                if number:
                    os.kill(process.pid, signal.SIGCONT)
                else:
                    pipe.send("begin")
                await asyncio.sleep(SWITCHING_SECONDS)
                used = server.cpu_seconds
                result.attacked += await _times(players, seconds / ROUNDS)
                result.cpu += (server.cpu_seconds - used) / seconds
                result.hints += asking.hints_now()
            if await asyncio.to_thread(pipe.poll, 60):
                result.problems += pipe.recv()
            else:
                result.problems.append("the attack did not end by itself")
                process.terminate()
            await asyncio.to_thread(process.join, 30)
            result.growth = max(most, server.memory) - before
            errors = [error for player in players for error in player.errors]
            if errors:
                result.problems.append(f"{len(errors)} players' errors, the first: {errors[0]}")
        finally:
            _end(process)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.gather(*(player.close() for player in players), return_exceptions=True)
            if not server.end():
                result.problems.append("SIGTERM did not end the server")


def _end(process: SpawnProcess | None) -> None:
    """End an attack that was given up: whoever waits for what it says reads the end."""
    if process is not None and process.is_alive():
        process.kill()


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


async def _times(players: list[Player], seconds: float) -> list[float]:
    """What the players' actions took in the next ``seconds`` seconds."""
    for player in players:
        player.times, player.hint_times = [], []
    await asyncio.sleep(seconds)
    return [took for player in players for took in player.times_now()]


def main() -> int:
    """Run the attacks that are named, or all."""
    names = {attack.name: attack for attack in (*ATTACKS, *COSTLY, *HOARDING, *UNPRICED, *MESSAGES)}
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument(
        "--sources", type=Path, default=Path(__file__).parents[2] / "src", metavar="FOLDER"
    )
    parser.add_argument("--python", default=sys.executable, metavar="PROGRAM")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="N")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in names]:
        parser.error(f"there is no attack {unknown[0]}: {', '.join(names)}")
    chosen = [names[name] for name in given.names or names]
    print(HEAD, flush=True)
    failed = False
    for attack in chosen:
        result = asyncio.run(measure(attack, given.python, given.sources.resolve(), given.seconds))
        print(result.line(attack.name), flush=True)
        failed = failed or bool(result.problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
