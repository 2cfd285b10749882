"""Why a family's win chances are as far from the truth as they are: noise, games or width?

``python -m research.train.reasons WORK --family 4-free --number 4`` takes the network that WORK
ships for a family and one of its rule sets, and prints a line of JSON for each question:

* How much do the results of games scatter that targets are made of, by how many ways of playing a
  turn the others' shares are a mean over?
* How close do networks come that are fitted to the same games: a quarter of them or all, with as
  many units or more; and if they have to know this game alone, from its start?
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from cantstop.engine.evaluators.value.packed import FAMILIES

from . import measure
from .games import Evaluator, Library
from .learn import Course, Fitter, games_of
from .model import grown, net_of
from .plan import official_starts, shipped_name
from .work import Work

SAMPLES = (16, 64, 256, 1024)
RATES = ((1e-3, 0.4), (2e-4, 0.3), (5e-5, 0.3))
CHANCES = (0.28, 0.12, 0.14, 0.14, 0.16, 0.16)
"""How often the rule sets are played: V1 more than in training."""

SEED = 77
COURSE = Course(rounds=1, explore=0.15)


def main() -> None:
    """Ask both."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("work", type=Path)
    reader.add_argument("--family", default="4-free")
    reader.add_argument("--number", type=int, default=4, help="the rule set: 4 is five columns")
    reader.add_argument("--positions", type=int, default=800)
    reader.add_argument("--repeats", type=int, default=32)
    reader.add_argument("--games", type=int, default=20_000, help="in each of the rounds")
    reader.add_argument("--rounds", type=int, default=12)
    reader.add_argument("--steps", type=int, default=8_000)
    reader.add_argument("--units", type=int, nargs="*", default=[64, 128, 256])
    given = reader.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    family = next(one for one in FAMILIES if one.name == given.family)
    rules = family.rule_sets[given.number]
    work, library = Work(given.work, 1e9), Library()
    weights = work.weights(shipped_name(family))
    player = library.network(weights)
    starts = measure.played_positions(library, rules, player, given.positions, SEED)
    for samples in SAMPLES:
        truth = measure.truth_of(library, family, player, starts[:100], 16, SEED + 1, samples)
        scatter = truth.error.pow(2).mean().sqrt().item() * 16**0.5
        _tell({"samples": samples, "scatter_of_one_game": round(100 * scatter, 3)})
    truth = measure.truth_of(library, family, player, starts, given.repeats, SEED + 2, 256)

    def judged(name: str, units: int, rows: int, judge: Evaluator) -> None:
        table = measure.judged(library, family, judge, truth)
        _tell(
            {
                "network": name,
                "units": units,
                "anchors": rows,
                "solved": table["solved"]["all"]["rms"],
                "plain": table["plain"]["all"]["rms"],
                "noise": table["solved"]["all"]["noise"],
            }
        )

    judged("as it is", weights.units, 0, player)
    broad = replace(
        official_starts(library, family, work),
        chances=torch.tensor(CHANCES, device=library.device),
        at_first=0.3,
        from_classic=0.35,
    )
    chances = torch.zeros_like(broad.chances)
    chances[given.number] = 1
    alone = replace(broad, chances=chances, at_first=1.0, from_classic=0.0)
    for name, source, games in (
        ("fitted to all games", broad, given.games),
        ("fitted to this game alone", alone, given.games // 3),
    ):
        torch.manual_seed(SEED)
        parts = [
            games_of(library, source, player, games, 160, COURSE, SEED * 1_000_003 + at)[:2]
            for at in range(given.rounds)
        ]
        anchors, goals = (torch.cat(part) for part in zip(*parts, strict=True))
        order = torch.randperm(len(anchors), device=anchors.device)
        anchors, goals = anchors[order], goals[order]
        for units in given.units:
            for rows in (len(anchors) // 4, len(anchors)):
                torch.manual_seed(SEED)
                net = net_of(weights)
                net = grown(net, units) if units > net.units else net
                fitter = Fitter(net, library.device, rows)
                fitter.add(anchors[:rows], goals[:rows])
                fitter.size.fill_(rows)
                for rate, share in RATES:
                    fitter.fit(int(given.steps * share), rate)
                judged(name, units, rows, fitter.mean.evaluator(library))


def _tell(row: dict[str, Any]) -> None:
    print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
