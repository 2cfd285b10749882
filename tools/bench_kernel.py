"""How fast compiled games are: games a second, time a roll, threads, the ratio to rules and C."""

import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from cantstop.arena import Plan, compete
from cantstop.arena.checkpoint import Totals
from cantstop.arena.plan import seatings_of
from cantstop.arena.pools import LocalPool
from cantstop.arena.reference import ReferenceGames
from cantstop.bots import any_bot
from cantstop.bots.compiled import compiled_bots
from cantstop.kernel.play import play_games
from cantstop.kernel.records import rules_records
from cantstop.rules import Rules

BOTS = ("rule-of-28", "rule-of-28")
GAMES = 200_000
REFERENCE_GAMES = 40
ROUNDS = 5
C_ROUNDS = 9
C_SOURCE = Path(__file__).parent / "compare" / "rule28.c"
MEMORY_GAMES = (10**5, 10**6, 10**7)


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def compiled(games: int, threads: int) -> float:
    """The rolls a game of a compiled match."""
    results = compete(Plan.of(BOTS, games=games, seed=1), pool=LocalPool(threads))
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


def build_c(folder: Path) -> Path | None:
    """The same bot in plain C, compiled here; None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    program = folder / "rule28"
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, C_SOURCE], check=True)
    return program


def c_nanoseconds(program: Path) -> float:
    """Processor time that C needs for a roll."""
    command = [str(program), str(GAMES)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(output[5]) / int(output[2]) * 1e9


def kernel_nanoseconds() -> float:
    """Processor time that the kernel needs for a roll, on one core."""
    totals, begin = Totals(), time.process_time()
    bots = compiled_bots(BOTS)
    assert bots is not None
    play_games(
        rules_records(Rules()),
        bots.records,
        seatings_of(BOTS),
        np.uint64(1),
        0,
        GAMES,
        totals.array,
    )
    return (time.process_time() - begin) / totals.count("rolls") * 1e9


def against_c() -> None:
    """Kernel and C by turns, so that both meet the machine in the same moods."""
    with TemporaryDirectory() as folder:
        program = build_c(Path(folder))
        if program is None:
            print("kernel against C: there is no C compiler here")
            return
        kernel_nanoseconds()
        rounds = [(kernel_nanoseconds(), c_nanoseconds(program)) for _ in range(C_ROUNDS)]
    kernel, c = (sorted(times) for times in zip(*rounds, strict=True))
    ratios = sorted(c_time / own for own, c_time in rounds)
    print(
        f"kernel against C, processor time a roll, best of {C_ROUNDS} by turns: "
        f"kernel {kernel[0]:.1f} ns, C {c[0]:.1f} ns; the kernel has {c[0] / kernel[0]:.2f} of "
        f"C's speed (median of the rounds {ratios[C_ROUNDS // 2]:.2f})"
    )


def peak_memory(games: int) -> float:
    """The most memory in MiB that a process needed for a number of games."""
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
    against_c()
    memory = "  ".join(f"{games:,}: {peak_memory(games):.0f} MiB" for games in MEMORY_GAMES)
    print(f"kernel, peak memory by games: {memory}")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        compiled(int(sys.argv[2]), 2)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    else:
        main()
