"""Compares networks that were trained on small boards with the exact values of ``cantstop solve``.

``python -m research.train.check_boards WORK TABLES`` needs, for every board of the plan, its
network in WORK and TABLES/NAME.table from ``cantstop solve --rules … --lengths … --table``. Prints
JSON: the start, and all anchors that games of the network reach, by the network itself and with
their turns solved against it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from cantstop.engine import Anchors
from cantstop.engine.evaluators.value.network import SEAT
from cantstop.engine.evaluators.value.packed import Family
from cantstop.solver import TableEvaluator, open_solution

from .games import Library
from .model import net_of, values
from .plan import BOARDS
from .rule_sets import first_start, position_of
from .work import Work

GAMES = 20_000


def compare(work: Work, tables: Path, name: str) -> dict[str, object]:
    """One board."""
    rules = BOARDS[name]
    family = Family(2, rules.sharing)
    library = Library(sides=rules.board.sides)
    weights = work.weights(name)
    network = library.network(weights)
    start = library.tensor(first_start(rules)[None], torch.int8)
    played = library.play(family, network, start, games=GAMES, turns=80, samples=0, seed=1)
    reached, times = torch.unique(played.anchors[played.live], dim=0, return_counts=True)
    starts = torch.cat([reached, start[:, -2:].expand(len(reached), -1)], 1).contiguous()
    solved = library.solve(family, network, starts)[0][:, 0].cpu().numpy()
    plain = values(net_of(weights), torch.cat([reached, starts[:, -1:]], 1).cpu())[:, 0].numpy()
    exact = TableEvaluator(open_solution(tables / f"{name}.table", rules).table)
    positions = [position_of(one, rules) for one in starts.cpu().numpy()]
    spaces = np.array(
        [[seat[2:] for seat in position.tokens.spaces] for position in positions], np.int8
    )
    truth = exact.evaluate(Anchors(rules, 0, spaces))[:, 0]
    often = times.cpu().numpy() / times.sum().item()
    at_start = int((reached == start[:, : 2 * SEAT]).all(1).nonzero()[0, 0])

    def figures(said: np.ndarray) -> dict[str, float]:
        off = 100 * (said - truth)
        return {
            "start": float(said[at_start]),
            "rms": round(float(np.sqrt((off**2).mean())), 4),
            "rms_as_often_as_reached": round(float(np.sqrt((often * off**2).sum())), 4),
            "most": round(float(np.abs(off).max()), 3),
        }

    return {
        "rules": str(rules),
        "rounds": work.notes(name)["course"]["rounds"],
        "exact_start": float(truth[at_start]),
        "anchors": len(truth),
        "games": GAMES,
        "solved": figures(solved),
        "plain": figures(plain),
    }


def main() -> None:
    """All boards that are trained."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("work", type=Path)
    reader.add_argument("tables", type=Path)
    given = reader.parse_args()
    work = Work(given.work, 1e9)
    print(
        json.dumps(
            {name: compare(work, given.tables, name) for name in BOARDS if work.has(name)}, indent=1
        )
    )


if __name__ == "__main__":
    main()
