"""Compares the engine's module with the same functions compiled by Numba: numbers, then time.

    python tools/compare_module.py --positions 10000
    python tools/compare_module.py --rounding

For that number of positions of random games for each number of players, by all rules of the value
networks, and on other boards: the largest difference of any state of the turn, how many decisions
to stop differ in all of its states, and how many best moves where dice are on the table. Then, in
CPU time and by turns, how long both take to solve whole turns. ``--rounding`` shows how far the
networks' weights of 16 bits, which both have, move win chances, beside their measured error.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from cantstop.engine import RaceModel, SoloModel, ValueModel, best_evaluator, value_model
from cantstop.engine.answers import look_at_moves
from cantstop.engine.compiled import TurnSolver
from cantstop.engine.evaluators.value.file import weights_of
from cantstop.engine.evaluators.value.network import evaluate
from cantstop.engine.evaluators.value.packed import FAMILIES
from cantstop.engine.module import GameInstance
from cantstop.kernel.layout import MOST_MOVES, POSITION
from cantstop.kernel.records import rules_records, to_record
from cantstop.rules import NOBODY, Position, Rules, Sharing

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from engine.random_positions import random_positions

OTHER_BOARDS = (
    "players=1",
    "players=2,lengths=1.3.2.9.4,runners=2",
    "players=3,lengths=2.4.6.8.6.4.2,runners=3,sharing=leapfrog",
    "players=4,lengths=1.1.1.2.2.2.2.2.2.2.2.2.1.1.1,runners=4,early",
)
WHOLE = np.zeros(1, np.int64)
EXPORTS = {"stop": "stop_values", "again": "roll_values", "value": "state_values"}


def all_rules() -> Iterator[Rules]:
    """Those that have a value network, and a few boards that have none."""
    for players, win, early, sharing in product((2, 3, 4), (3, 4, 5), (False, True), Sharing):
        yield Rules(players, win, early, sharing)
    yield from map(Rules.parse, OTHER_BOARDS)


@dataclass
class Compared:
    """What was found at some positions."""

    turns: int = 0
    states: int = 0
    largest: float = 0.0
    stops: int = 0
    closest: float = 0.0
    moves: int = 0
    other_moves: int = 0

    def add(self, other: "Compared") -> None:
        """Take more positions together with these."""
        self.largest = max(self.largest, other.largest)
        self.closest = max(self.closest, other.closest)
        for name in ("turns", "states", "stops", "moves", "other_moves"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        return (
            f"{self.turns} turns, {self.states} states, largest difference {self.largest:.1e}, "
            f"{self.stops} stops differ (at most {self.closest:.1e} apart), "
            f"{self.other_moves} of {self.moves} moves differ"
        )


def compare(rules: Rules, count: int) -> Compared:
    """Solve turns both ways, and print a line about them."""
    evaluator, instance = best_evaluator(rules), GameInstance(rules)
    assert isinstance(evaluator, ValueModel | RaceModel | SoloModel)
    instance.use(evaluator.numbers(rules))
    solver, records = TurnSolver(rules, evaluator), rules_records(rules)
    found, scratch, states = Compared(), np.zeros(1, POSITION), np.zeros(MOST_MOVES, np.int64)
    seconds: dict[str, list[float]] = {"module": [], "Numba": []}
    for position in random_positions(rules, count, seed=7):
        record = to_record(position, 0)
        begin = time.process_time()
        instance.solve(position, whole=True)
        between = time.process_time()
        solved = solver.solve(record, WHOLE)
        seconds["module"].append(between - begin)
        seconds["Numba"].append(time.process_time() - between)
        size, values = instance.states, solved.values
        ours = {
            name: np.frombuffer(instance.read(instance.call(export), 8 * size))
            for name, export in EXPORTS.items()
        }
        difference = float(np.abs(ours["value"] - values.value[:size]).max())
        changed = (ours["stop"] >= ours["again"]) != (values.stop[:size] >= values.again[:size])
        apart = np.abs(ours["stop"] - ours["again"])[changed]
        one = Compared(1, size, difference, len(apart), float(apart.max(initial=0.0)))
        if len(position.legal_moves) > 1:
            best = look_at_moves(
                records.rules[0], solver.sets, solved, record[0], scratch[0], states
            )
            one.moves = 1
            one.other_moves = int(int(np.argmax(instance.look(position).moves)) != best)
        found.add(one)
    times = ", ".join(
        f"{name} p50 {1e3 * statistics.median(all_):.1f} ms" for name, all_ in seconds.items()
    )
    print(f"{rules}: {found}; {times}", flush=True)
    return found


def plain_anchor(position: Position) -> list[int]:
    """The tokens at the start of a turn, as ``network.evaluate`` reads them."""
    tokens, rules, found = position.tokens, position.rules, []
    for place in range(rules.players):
        seat = (position.seat + place) % rules.players
        found += [
            0 if tokens.owners[column] != NOBODY else top - tokens.spaces[seat][column]
            for column, top in zip(rules.board.columns, rules.board.lengths, strict=True)
        ]
        found.append(rules.columns_to_win - tokens.counts[seat])
    return found


def show_rounding(count: int) -> None:
    """Print what rounding the weights changes, for every network."""
    for family in FAMILIES:
        network, rules = value_model().networks[family.name], Rules(family.players)
        rules = replace(rules, sharing=family.sharing)
        positions = random_positions(rules, count, seed=7)
        anchors = np.array([plain_anchor(position) for position in positions], np.int8)
        weights = weights_of(network)
        raw = np.frombuffer(network.arrays()["hidden"], "<f4").reshape(weights.hidden.shape)
        before = evaluate(replace(weights, hidden=raw), anchors, early=False, rounded=False)
        change = evaluate(weights, anchors, early=False) - before
        error = value_model().errors.figures[rules]["all"].rms
        print(
            f"{family.name}: rounding changes {np.sqrt(np.square(change).mean()):.1e} (rms), "
            f"{np.abs(change).max():.1e} at most; the network is {error:.1e} off"
        )


def main() -> None:
    """Compare by all rules, as many positions for each number of players as are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--rounding", action="store_true")
    parser.add_argument("--players", type=int, help="only games of so many")
    parser.add_argument("--rules", help="only these")
    given = parser.parse_args()
    if given.rounding:
        show_rounding(given.positions)
        return
    if given.rules:
        compare(Rules.parse(given.rules), given.positions)
        return
    games = [rules for rules in all_rules() if given.players in (None, rules.players)]
    sums: dict[int, Compared] = {}
    for rules in games:
        found = compare(rules, max(1, given.positions // 18))
        sums.setdefault(rules.players, Compared()).add(found)
    for players, total in sums.items():
        print(f"players={players}: {total}")


if __name__ == "__main__":
    main()
