"""Compares turns that the training code has solved with ``solve_turn``, for every rule set.

``python -m research.train.check_turns solve POSITIONS RESULTS`` (where PyTorch is) solves positions
of people-like games with the race model and with a random network; ``... compare POSITIONS
RESULTS`` (where the package is) solves the same with the package and prints the largest differences
as JSON. ``POSITIONS`` is the folder of ``people.py``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.value.network import COLUMNS, SEAT, Weights, evaluate
from cantstop.engine.evaluators.value.packed import (
    DEEP,
    FAMILIES,
    NEEDS,
    PAIR_ROWS,
    Family,
    couples,
)
from cantstop.rules import Position, Rules

if TYPE_CHECKING:
    from cantstop.engine import Anchors, Evaluator

from .rule_sets import first_start, position_of

UNITS = 64


def random_network(players: int, seed: int, units: int = UNITS) -> Weights:
    """A network that has learned nothing, with values well spread."""
    chance = np.random.default_rng(seed)
    outputs = 1 if players == 2 else players

    def numbers(*shape: int, size: float) -> NDArray[np.float32]:
        return (chance.standard_normal(shape) * size).astype(np.float32)

    return Weights(
        pairs=numbers(len(couples(players)), PAIR_ROWS, units, size=0.15),
        needs=numbers(len(couples(players)), NEEDS * NEEDS, units, size=0.3),
        early=numbers(units, size=0.3),
        hidden=numbers(DEEP, units, size=0.2),
        hidden_bias=numbers(DEEP, size=0.2),
        out=numbers(outputs, DEEP, size=0.3),
        out_bias=numbers(outputs, size=0.1),
    )


def some_starts(folder: Path, family: Family, number: int, count: int) -> NDArray[np.int8]:
    """Positions of one rule set, the first start among them."""
    with np.load(folder / f"measure-{family.name}.npz") as kept:
        starts = np.concatenate([kept[f"{kind}{number}"] for kind in ("classic", "mixed")])[:count]
    starts[0] = first_start(family.rule_sets[number])
    return starts


def solve(positions: Path, results: Path, race_weights: Path, count: int) -> None:
    """Solve with the compiled library, and keep what turns and busts are worth to the mover."""
    import torch

    from .games import Library, race_tables

    library = Library()
    race = library.race(race_tables(race_weights))
    kept = {}
    for family in FAMILIES:
        network = library.network(random_network(family.players, 7))
        for number in range(len(family.rule_sets)):
            starts = torch.as_tensor(some_starts(positions, family, number, count))
            for name, evaluator in (("race", race), ("network", network)):
                solved, bust = library.solve(family, evaluator, starts)
                both = torch.stack([solved[:, 0], bust[:, 0]]).cpu().numpy()
                kept[f"{family.name}:{number}:{name}"] = both
    np.savez_compressed(results, **kept)


class NetworkEvaluator:
    """The reference network as the package's turn solver asks for one."""

    def __init__(self, weights: Weights, early: bool) -> None:
        self.weights, self.early = weights, early

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        """Every seat's chance; see ``cantstop.engine.Evaluator``."""
        rules: Rules = anchors.rules
        players, first = rules.players, anchors.seat
        tops = np.array(rules.board.lengths)
        spaces = np.roll(anchors.spaces, -first, axis=1).astype(np.int64)
        won = spaces == tops
        closed = won.any(axis=1)
        rows = np.zeros((len(spaces), players * SEAT), np.int8)
        for seat in range(players):
            rows[:, seat * SEAT : seat * SEAT + COLUMNS] = np.where(
                closed, 0, tops - spaces[:, seat]
            )
            rows[:, seat * SEAT + COLUMNS] = rules.columns_to_win - won[:, seat].sum(axis=1)
        return np.roll(evaluate(self.weights, rows, self.early, rounded=False), first, axis=1)

    def error(self, _position: Position) -> None:
        """Nobody has measured a random network."""


def compare(
    positions: Path, results: Path, races: int, networks: int
) -> dict[str, dict[str, float]]:
    """The largest differences from the package's solver, by rule set."""
    from cantstop.engine import race_model, solve_turn

    found: dict[str, dict[str, float]] = {}
    with np.load(results) as kept:
        for family in FAMILIES:
            for number, rules in enumerate(family.rule_sets):
                starts = some_starts(positions, family, number, max(races, networks))
                worst: dict[str, float] = {}
                weights = random_network(family.players, 7)
                asked: list[tuple[str, Evaluator, int]] = [
                    ("race", race_model(), races),
                    ("network", NetworkEvaluator(weights, rules.early), networks),
                ]
                for name, evaluator, count in asked:
                    theirs = kept[f"{family.name}:{number}:{name}"]
                    ours = np.zeros((2, count))
                    for at in range(count):
                        position = position_of(starts[at], rules)
                        turn = solve_turn(position, evaluator)
                        ours[:, at] = turn.value(position), turn.bust_value
                    worst[name] = float(np.abs(ours - theirs[:, :count]).max())
                found[str(rules)] = worst
                print(json.dumps({str(rules): worst}), flush=True)
    return found


def main() -> None:
    """Solve or compare."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("what", choices=("solve", "compare"))
    reader.add_argument("positions", type=Path)
    reader.add_argument("results", type=Path)
    reader.add_argument("--race", type=Path, help="the race model's weights")
    reader.add_argument("--count", type=int, default=1000)
    reader.add_argument(
        "--networks", type=int, default=30, help="positions compared with the network"
    )
    reader.add_argument("--json", type=Path, help="where the differences go")
    given = reader.parse_args()
    if given.what == "solve":
        solve(given.positions, given.results, given.race, given.count)
        return
    found = compare(given.positions, given.results, given.count, given.networks)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))
    print("largest difference", max(max(worst.values()) for worst in found.values()))


if __name__ == "__main__":
    main()
