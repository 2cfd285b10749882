"""How fast compiled games are: games a second, time a roll, threads, and the ratio to the rules."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable

from cantstop.arena import Plan, compete
from cantstop.arena.plan import seatings_of
from cantstop.arena.pools import LocalPool
from cantstop.arena.reference import ReferenceGames
from cantstop.bots import any_bot

BOTS = ("rule-of-28", "rule-of-28")
GAMES = 200_000
REFERENCE_GAMES = 40
ROUNDS = 5
MEMORY_GAMES = (10**5, 10**6, 10**7)


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def compiled(games: int, threads: int) -> float:
    """The rolls a game of a compiled match."""
    results = compete(Plan.of(BOTS, games=games, seed=1), LocalPool(threads))
    return results.per_game("rolls")


def by_rules() -> None:
    """The same match, played by the reference rules."""
    games = ReferenceGames(Plan.of(BOTS, games=1).rules, [any_bot(name) for name in BOTS], 1)
    games.play(seatings_of(BOTS), 0, REFERENCE_GAMES)


def show(label: str, one: float, two: float, reference: float, rolls: float) -> None:
    """One line for the best or the median round."""
    print(
        f"kernel, {label:<6}: {GAMES / one:9,.0f} games/s on one core  "
        f"{one / GAMES / rolls * 1e9:5.1f} ns a roll  "
        f"two threads {one / two:4.2f} x  "
        f"{(GAMES / one) / (REFERENCE_GAMES / reference):6,.0f} x the reference rules"
    )


def peak_memory(games: int) -> float:
    """The most memory in MiB that a process needed for so many games."""
    command = [sys.executable, __file__, "memory", str(games)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Measure, and print best and median of several rounds: other work on the machine disturbs."""
    rolls = compiled(1000, 1)  # compiles, or loads what is compiled
    by_rules()
    rounds = [
        (
            seconds(lambda: compiled(GAMES, 1)),
            seconds(lambda: compiled(GAMES, 2)),
            seconds(by_rules),
        )
        for _ in range(ROUNDS)
    ]
    ones, twos, references = (sorted(times) for times in zip(*rounds, strict=True))
    for label, place in (("best", 0), ("median", ROUNDS // 2)):
        show(label, ones[place], twos[place], references[place], rolls)
    memory = "  ".join(f"{games:,}: {peak_memory(games):.0f} MiB" for games in MEMORY_GAMES)
    print(f"kernel, peak memory by games: {memory}")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        compiled(int(sys.argv[2]), 2)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    else:
        main()
