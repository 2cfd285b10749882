"""The engine by its module against the engine by Numba, side by side: hints, reviews, bots' games.

    git worktree add ../before fd3aedb6
    python tools/bench_module.py ../before [--browser]

``../before`` is a checkout in which Numba compiles the engine. A process of each does the same
work, by turns, and reports the processor time that it took; what Numba compiles is compiled before.
``--browser`` measures turns and analyses in Chromium too, and in Firefox if there is one: by the
clock, so on a machine with nothing else to do.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import which
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Page, sync_playwright

from cantstop.engine import value_model
from cantstop.rules import Phase, Position, Rules
from wasm.firefox import FirefoxPage, firefox_page
from wasm.page import game_for, load_engine, record_of

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from engine.random_positions import random_positions

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
GAMES = ("classic-two", "trademark-three", "classic-four")
CHROMIUM = which("chromium") or "/usr/bin/chromium"
ROUNDS = 10
LEVELS = ("chick", "monkey", "fox", "falcon", "champion")

WORKER = """
import json, sys, time
from cantstop import Position, Rules
from cantstop.bots import play_game
from cantstop.engine import analyse, best_evaluator, solve_turn
from cantstop.record import read_record
from cantstop.review import review

def turn(text):
    position = Position.parse(text)
    evaluator = best_evaluator(position.rules)
    return lambda: solve_turn(position, evaluator)

def analysis(text):
    position = Position.parse(text)
    return lambda: analyse(position)

def reviewed(text):
    record = read_record(text)
    return lambda: review(record)

def games(text):
    bot, seed = text.split()
    return lambda: play_game([bot, bot], dice=int(seed))

for line in sys.stdin:
    what, given = json.loads(line)
    work = {"turn": turn, "analysis": analysis, "review": reviewed, "games": games}[what](given)
    begin = time.process_time()
    work()
    print((time.process_time() - begin) * 1e3, flush=True)
"""

SET_UP = """(given) => {
  const game = newGame(given);
  globalThis.measure = ([position, whole]) => {
    const begin = performance.now();
    game.write("position", position);
    game.solve(whole);
    if (!whole) {
      game.look();
      game.lookAhead(0);
      game.lookAtRolls();
    }
    return performance.now() - begin;
  };
}"""


class Worker:
    """A process that does what it is asked for with the package of one checkout."""

    def __init__(self, checkout: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def measure(self, what: str, given: str) -> float:
        """How many milliseconds of a core a piece of work takes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([what, given]) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


class Sides:
    """What is measured, in columns; the first is what the others are compared with."""

    def __init__(self, before: Path, pages: dict[str, Page | FirefoxPage]) -> None:
        self._workers = {"Numba": Worker(before), "wasmtime": Worker(ROOT)}
        self._pages = pages
        for page in pages.values():
            load_engine(page)

    def use_rules(self, rules: Rules) -> None:
        """Let the browsers play by some rules."""
        for page in self._pages.values():
            page.evaluate(SET_UP, game_for(rules, value_model()))

    def measure(self, what: str, given: list[str]) -> dict[str, list[float]]:
        """The milliseconds of every piece of work on every side, by turns."""
        found: dict[str, list[float]] = {name: [] for name in self._workers}
        for text in given:
            for name, worker in self._workers.items():
                found[name].append(worker.measure(what, text))
        if what in ("turn", "analysis"):
            for name, page in self._pages.items():
                found[name] = [
                    page.evaluate("(given) => measure(given)", asked)
                    for asked in (_packed(text, what) for text in given)
                ]
        return found


def _packed(text: str, what: str) -> list[Any]:
    return [record_of(Position.parse(text)), what == "turn"]


def show(label: str, found: dict[str, list[float]]) -> None:
    """A line for each side: best, median, 95 of 100, and the sum as a ratio to the first's."""
    first = next(iter(found.values()))
    for name, times in found.items():
        print(
            f"{label:<44} {name:<9} best {min(times):7.2f}  p50 {median(times):7.2f}  "
            f"p95 {quantiles(times, n=20)[-1]:7.2f} ms  x {median(times) / median(first):4.2f} "
            f"(all {sum(times) / sum(first):4.2f})",
            flush=True,
        )


def large_turns(players: int) -> list[str]:
    """Turns as large as the first of a game, which is solved once and kept."""
    others = ["-"] * (players - 1)
    tokens = [f"{column}:1" for column in (2, 3, 4, 10, 11, 12)]
    return [f"v1,players={players} {'/'.join([*others, token])} 1 - -" for token in tokens]


def measure_all(sides: Sides, positions: int, games: int) -> None:
    """Everything, each line as soon as it is known."""
    for players in (2, 3, 4):
        rules = Rules(players)
        sides.use_rules(rules)
        turns = large_turns(players)
        sides.measure("turn", turns)
        show(f"a turn of 70,224 states, {players} players", sides.measure("turn", turns * ROUNDS))
        asked = [
            str(position)
            for position in random_positions(rules, 2 * positions, seed=11)
            if position.phase is not Phase.BUST
        ][:positions]
        sides.measure("analysis", asked[:3])
        show(f"{len(asked)} analyses, {players} players", sides.measure("analysis", asked))
    for name in GAMES:
        record = (GOLDEN / f"{name}.cantstop").read_text("utf-8")
        sides.measure("review", [record] * 2)
        show(f"review of {name}", sides.measure("review", [record] * ROUNDS))
    for level in LEVELS:
        sides.measure("games", [f"{level} 0"])
        seeds = [f"{level} {seed}" for seed in range(1, games + 1)]
        show(f"{games} games of the {level}", sides.measure("games", seeds))


def main() -> None:
    """Measure both, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    if not given.browser:
        measure_all(Sides(given.before, {}), given.positions, given.games)
        return
    with firefox_page() as firefox, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        pages: dict[str, Page | FirefoxPage] = {"Chromium": browser.new_page()}
        if firefox is not None:
            pages["Firefox"] = firefox
        measure_all(Sides(given.before, pages), given.positions, given.games)
        browser.close()


if __name__ == "__main__":
    main()
