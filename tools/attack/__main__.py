"""Attacks a server of its own on loopback while ordinary players act at it, and measures them.

Usage: python -m tools.attack [--sources FOLDER] [--seconds N] [NAME ...]

For every attack a server is started in a process of its own, with the limits that it has by
default. A few tables are played at first in peace and then under the attack; a player's action
counts from sending it until it is acknowledged. An attack fails if 1 action in 100 takes 100 ms or
longer, if the server's memory grows by 50 MB or more, or if the attack itself reports a breach.
The exit code is 1 if any attack fails.

``--sources`` names the ``src`` folder of another checkout, to attack that version. The attackers
have other addresses than the players (127.0.0.2 and so on: Linux answers to all of 127.0.0.0/8)
and a low priority: on another machine they would take none of the server's time.
"""

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .attacks import ATTACKS, Attack, Target
from .players import Player, Server

MAX_P99 = 0.1
MAX_GROWTH = 50.0
SECONDS = 15.0
PEACE_SECONDS = 6.0
"""How long the players are measured without the attack."""
TABLES = 8


@dataclass
class Result:
    """What the players met, in peace and under the attack."""

    peace: list[float] = field(default_factory=list)
    attacked: list[float] = field(default_factory=list)
    growth: float = 0.0
    problems: list[str] = field(default_factory=list)

    def judge(self) -> None:
        """Note what is beyond the bounds."""
        if percentile(self.attacked, 0.99) >= MAX_P99:
            self.problems.append(f"p99 is not under {1000 * MAX_P99:.0f} ms")
        if self.growth >= MAX_GROWTH:
            self.problems.append(f"memory grew by {MAX_GROWTH:.0f} MB or more")

    def line(self, name: str) -> str:
        """One line of the table."""
        figures = [
            f"{1000 * percentile(times, share):8.1f}"
            for times in (self.peace, self.attacked)
            for share in (0.5, 0.99)
        ]
        verdict = "; ".join(self.problems) or "holds"
        return f"{name:<14}{''.join(figures)}{len(self.attacked):9}{self.growth:9.1f}   {verdict}"


HEAD = f"""\
{"":14}{"in peace (ms)":>16}{"attacked (ms)":>16}{"":9}{"memory":>9}
{"attack":14}{"median":>8}{"p99":>8}{"median":>8}{"p99":>8}{"actions":>9}{"+ MB":>9}"""


def percentile(times: list[float], share: float) -> float:
    """In seconds; infinite if nothing was measured."""
    ordered = sorted(times)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("inf")


async def measure(attack: Attack, sources: Path, seconds: float) -> Result:
    """Play in peace, then under an attack."""
    result = Result()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(sources, folder, attack.options)
        players = [Player(server.port, number) for number in range(TABLES)]
        tasks: list[asyncio.Task[None]] = []
        try:
            await asyncio.gather(*(player.open() for player in players))
            pipe, theirs = multiprocessing.Pipe()
            victim = players[0]
            target = Target(
                server.port, server.database, victim.table, victim.secrets[0], seconds, theirs
            )
            process = multiprocessing.get_context("spawn").Process(
                target=attack.carry_out, args=(target,), daemon=True
            )
            process.start()
            theirs.close()
            await asyncio.to_thread(pipe.recv)
            tasks = [asyncio.create_task(player.play()) for player in players]
            await _settled(server)
            result.peace = await _times(players, PEACE_SECONDS)
            before = server.memory
            pipe.send("begin")
            most = before

            async def watch_memory() -> None:
                nonlocal most
                while True:
                    most = max(most, server.memory)
                    await asyncio.sleep(0.1)

            tasks.append(asyncio.create_task(watch_memory()))
            result.attacked = await _times(players, seconds)
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
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.gather(*(player.close() for player in players), return_exceptions=True)
            if not server.end():
                result.problems.append("SIGTERM did not end the server")
    result.judge()
    return result


async def _settled(server: Server) -> None:
    """Wait until caches are filled and the bots' processes are warm: until memory grows no more."""
    for _ in range(20):
        before = server.memory
        await asyncio.sleep(3)
        if server.memory - before < 1:
            break


async def _times(players: list[Player], seconds: float) -> list[float]:
    """What the players' actions took in the next so many seconds."""
    for player in players:
        player.times = []
    await asyncio.sleep(seconds)
    return [took for player in players for took in player.times_now()]


def main() -> int:
    """Run the attacks that are named, or all."""
    names = {attack.name: attack for attack in ATTACKS}
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument(
        "--sources", type=Path, default=Path(__file__).parents[2] / "src", metavar="FOLDER"
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="N")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in names]:
        parser.error(f"there is no attack {unknown[0]}: {', '.join(names)}")
    chosen = [names[name] for name in given.names or names]
    print(HEAD, flush=True)
    failed = False
    for attack in chosen:
        result = asyncio.run(measure(attack, given.sources.resolve(), given.seconds))
        print(result.line(attack.name), flush=True)
        failed = failed or bool(result.problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
