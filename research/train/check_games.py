"""Checks that games keep what solved turns promise, and that GPU and CPU play the same games.

``python -m research.train.check_games POSITIONS RACE RESULTS`` plays a few games of every family
with the race model from the same starts with the same dice: files from two machines have to be
equal. With ``--games`` it plays many more and prints by how much results differ from their
estimates.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cantstop.engine.evaluators.value.packed import FAMILIES
from cantstop.rules import Sharing

from .check_turns import some_starts
from .games import Library, race_tables


def main() -> None:
    """Play and write."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("positions", type=Path)
    reader.add_argument("race", type=Path)
    reader.add_argument("results", type=Path)
    reader.add_argument("--same", type=int, default=16, help="games to compare")
    reader.add_argument("--like", type=Path, help="a file from another machine to compare with")
    reader.add_argument("--games", type=int, default=0, help="games to count")
    given = reader.parse_args()
    library = Library()
    race = library.race(race_tables(given.race))
    kept = {}
    for family in FAMILIES:
        starts = torch.as_tensor(some_starts(given.positions, family, 0, 1000))
        played = library.play(family, race, starts[: given.same], turns=96, samples=32, seed=11)
        for name in ("anchors", "solved", "after", "length", "result"):
            kept[f"{family.name}:{name}"] = getattr(played, name).cpu().numpy()
        counted = given.games and family.sharing is Sharing.FREE and family.players < 4
        for seed in range(4) if counted else ():
            played = library.play(
                family, race, starts, games=given.games, turns=120, samples=64, seed=100 + seed
            )
            over = played.result[:, 0] >= 0
            luck = (played.result - played.estimate())[over].double()
            first = (played.after[:, 0, 0] - played.solved[:, 0, 0]).double()
            print(
                json.dumps(
                    {
                        "family": family.name,
                        "seed": seed,
                        "games": int(over.sum()),
                        "result_less_estimate": [round(x, 5) for x in luck.mean(0).tolist()],
                        "standard_error": [
                            round(x, 5) for x in (luck.std(0) / len(luck) ** 0.5).tolist()
                        ],
                        "first_turn": round(first.mean().item(), 5),
                        "its_error": round(first.std().item() / len(first) ** 0.5, 5),
                    }
                ),
                flush=True,
            )
    np.savez_compressed(given.results, **kept)
    if given.like:
        sys.exit(0 if _are_alike(kept, given.like) else 1)


def _are_alike(ours: dict[str, NDArray[Any]], path: Path) -> bool:
    """Whether nearly all games are the same; rounding may turn a decision between equals."""
    same = games = 0
    with np.load(path) as theirs:
        for family in FAMILIES:
            lengths = theirs[f"{family.name}:length"]
            for game, length in enumerate(lengths):
                mine, other = (
                    kept[f"{family.name}:anchors"][game, :length] for kept in (ours, theirs)
                )
                games += 1
                same += bool(
                    ours[f"{family.name}:length"][game] == length and (mine == other).all()
                )
    print(f"{same} of {games} games are the same")
    return same >= 0.95 * games


if __name__ == "__main__":
    main()
