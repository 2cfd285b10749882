"""How fast the reference rules play: games a second with a coin as the policy.

A random legal move, then stop or roll by a coin: what is measured is the rules, not a bot.
``--base REV`` plays the same dice and choices with the rules of another revision too, in short
alternating slices, and prints the ratio: what else the machine does slows both.
"""

import argparse
import io
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles

from cantstop import Game, Phase, Position
from cantstop.rules import Dice

ROOT = Path(__file__).parents[1]
SLICES = 100
GAMES = 20  # a slice is short, so that both revisions meet the same load
WARM_UP = 400

MOVE, BUST, CHOICE = Phase.MOVE, Phase.BUST, Phase.CHOICE


Chance = Iterator[float]
"""Where choices come from: numbers below 1."""


def play_position(chance: Chance, throws: Iterator[Dice]) -> None:
    """A game of two on positions."""
    position = Position.initial()
    while position.outcome is None:
        phase = position.phase
        if phase is MOVE:
            moves = position.legal_moves
            position = position.move(moves[int(next(chance) * len(moves))])
        elif phase is BUST:
            position = position.bust()
        elif phase is CHOICE and next(chance) < 0.5:
            position = position.stop()
        else:
            position = position.roll(next(throws))


def play_game(chance: Chance, throws: Iterator[Dice]) -> None:
    """The same in a ``Game``, which keeps its history."""
    game = Game()
    while game.outcome is None:
        phase = game.phase
        if phase is MOVE:
            moves = game.legal_moves
            game.move(moves[int(next(chance) * len(moves))])
        elif phase is CHOICE and next(chance) < 0.5:
            game.stop()
        else:
            game.roll(next(throws))


PLAYS = {"Position": play_position, "Game": play_game}
MOST_ROLLS = 300  # a game, on average over a slice: a coin takes 73


def seconds(name: str, games: int, seed: int) -> tuple[float, float]:
    """The CPU time of some games, and a number that other games would not have left.

    Dice are thrown and coins tossed before the time is taken: the rules are what is measured.
    """
    source, play = random.Random(seed), PLAYS[name]
    chance = iter([source.random() for _ in range(2 * games * MOST_ROLLS)])
    throws = iter([tuple(source.choices(range(1, 7), k=4)) for _ in range(games * MOST_ROLLS)])
    begin = time.process_time()
    for _ in range(games):
        play(chance, throws)
    return time.process_time() - begin, next(chance)


def work() -> None:
    """Play what is asked for, line by line: the rules are those that this process has imported."""
    for name in PLAYS:
        seconds(name, WARM_UP, -1)
    for line in sys.stdin:
        name, seed = line.split()
        print(*seconds(name, GAMES, int(seed)), flush=True)


class Worker:
    """A process that plays by the rules of one source tree."""

    def __init__(self, source: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(source)},
        )

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def seconds(self, name: str, seed: int) -> tuple[float, str]:
        """The CPU time of a slice, and what tells which games they were."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(name, seed, file=self._process.stdin, flush=True)
        taken, left = self._process.stdout.readline().split()
        return float(taken), left


@contextmanager
def source_of(revision: str) -> Iterator[Path]:
    """The package as it was in a revision, in a folder of its own."""
    packed = subprocess.run(
        ["git", "archive", revision, "src"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder) / "src"


def measure(base: str | None) -> None:
    """Print the speed of positions and games, and its ratio to that of another revision."""
    with ExitStack() as opened:
        workers = [opened.enter_context(Worker(ROOT / "src"))]
        if base is not None:
            workers.append(opened.enter_context(Worker(opened.enter_context(source_of(base)))))
        for name in PLAYS:
            slices: list[list[float]] = []
            for seed in range(SLICES):
                order = workers if seed % 2 else workers[::-1]
                played = {worker: worker.seconds(name, seed) for worker in order}
                if len({left for _, left in played.values()}) != 1:
                    sys.exit(f"{base} plays other games with the same dice: nothing to compare.")
                slices.append([played[worker][0] for worker in workers])
            now = GAMES / median(taken[0] for taken in slices)
            line = f"reference rules, one core, coin policy, {name:<8}: {now:6.0f} games/s"
            if base is not None:
                low, middle, high = quantiles([taken[1] / taken[0] for taken in slices], n=4)
                line += f"  × {middle:.2f} of {base} (half of the slices: {low:.2f} to {high:.2f})"
            print(line)


def main() -> None:
    """Measure, or play for the process that measures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--base", metavar="REV", help="compare with this revision")
    options.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.worker:
        work()
    else:
        measure(given.base or None)


if __name__ == "__main__":
    main()
