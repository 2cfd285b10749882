"""Polishing the two-player network: many results of games, from many more different positions.

Self-play with classic bots' positions among its starts knows tens of thousands of those, and takes
a network's word for what follows a turn that was played at random. Here the large network plays on
from a million, to the end and without such turns: a result less luck is unbiased whatever any
network believes. The shipped network is fitted to these results. Other games of its family are
among them, so that it forgets nothing.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from cantstop.engine.evaluators.value.packed import Family

from .games import Evaluator, Library
from .learn import Fitter, Log, targets_of
from .model import Net, values
from .starts import Starts

AT_ONCE = 100_000
"""Games whose records are in memory at a time."""

TURNS = 160


@dataclass(frozen=True)
class Amounts:
    """How many games are played on from what, and how many of them are held out."""

    classic: int = 750_000  # from positions of classic bots' games
    strayed: int = 250_000  # from where one turn at random leads from there
    first: int = 160_000  # from the first start
    explored: int = 100_000  # from anchors of self-play with turns at random among them
    any: int = 60_000  # from any anchors
    others: int = 250_000  # of the family's other rule sets
    held_out: float = 0.02


@dataclass(frozen=True)
class Labels:
    """Anchors that end with V2, what they are worth to everybody, and which are held out."""

    anchors: Tensor
    worth: Tensor
    held_out: Tensor

    def part(self, these: Tensor) -> Labels:
        """Some of them."""
        return Labels(self.anchors[these], self.worth[these], self.held_out[these])


@dataclass(frozen=True)
class Polish:
    """How it is done: games, and steps at falling rates."""

    amounts: Amounts = Amounts()
    steps: tuple[tuple[float, int], ...] = (
        (2e-3, 16_000),
        (1e-3, 16_000),
        (5e-4, 10_000),
        (2e-4, 8_000),
        (5e-5, 6_000),
        (1e-5, 4_000),
    )
    average: float = 0.9995
    seed: int = 500


def gather_starts(
    library: Library,
    starts: Starts,
    classic: Tensor,
    walker: Evaluator,
    amounts: Amounts,
    seed: int,
) -> Tensor:
    """Where the games begin, shuffled; ``classic`` are positions of the family's first rules."""
    assert len(classic) >= amounts.classic + amounts.strayed
    family, device = starts.family, library.device
    torch.manual_seed(seed)
    plain = torch.zeros_like(starts.chances)
    plain[0] = 1
    near, far = classic.split((amounts.classic, len(classic) - amounts.classic))
    found = [near, _strayed(library, family, walker, far[: amounts.strayed], seed)]
    first = starts.first[:1].expand(amounts.first, -1)
    found += [first, _explored(library, starts, walker, amounts.explored, seed + 1)]
    found += [replace(starts, chances=plain, at_first=0.0, from_classic=0.0).draw(amounts.any)]
    others = starts.chances * (1 - plain)
    found += [replace(starts, chances=others, from_classic=0.4).draw(amounts.others)]
    gathered = torch.cat([one.to(device) for one in found])
    return gathered[torch.randperm(len(gathered), device=device)].contiguous()


def _strayed(
    library: Library, family: Family, walker: Evaluator, starts: Tensor, seed: int
) -> Tensor:
    """The positions after one turn that is played at random."""
    found = []
    for number, part in enumerate(starts.split(AT_ONCE)):
        played = library.play(
            family, walker, part, turns=2, explore=1.0, samples=0, seed=seed * 1_000_003 + number
        )
        goes_on = played.length == 2
        rules = part.to(library.device)[goes_on, -2:]
        found.append(torch.cat([played.anchors[goes_on, 1], rules], 1))
    return torch.cat(found) if found else starts.to(library.device)


def _explored(library: Library, starts: Starts, walker: Evaluator, count: int, seed: int) -> Tensor:
    """Anchors of games from the first start with turns at random among them."""
    first = starts.first[:1]
    played = library.play(
        starts.family,
        walker,
        first,
        games=max(1, count // 3),
        turns=80,
        explore=0.15,
        samples=0,
        seed=seed * 1_000_003,
    )
    anchors = played.anchors[played.live]
    anchors = anchors[torch.randperm(len(anchors), device=anchors.device)[:count]]
    return torch.cat([anchors, first[:, -2:].expand(len(anchors), -1)], 1)


def label(
    library: Library, family: Family, player: Evaluator, starts: Tensor, held_out: float, seed: int
) -> Labels:
    """Play on from starts to the end: every anchor's result less the luck after it."""
    anchors, worth, held = [], [], []
    for number, part in enumerate(starts.split(AT_ONCE)):
        played = library.play(
            family, player, part, turns=TURNS, samples=0, seed=seed * 1_000_003 + number
        )
        live = played.live
        reached, goals, _ = targets_of(played, follow=True)
        early = part[:, -1:][:, None].expand(-1, TURNS, -1)[live]
        anchors.append(torch.cat([reached, early], 1))
        worth.append(goals)
        out = torch.arange(len(part), device=live.device) < held_out * len(part)
        held.append(out[:, None].expand(-1, TURNS)[live])
    return Labels(torch.cat(anchors), torch.cat(worth), torch.cat(held))


def fit(library: Library, net: Net, labels: Labels, polish: Polish, log: Log) -> Net:
    """Fit a network to labels; of all stages the one that is best on the games held out."""
    torch.manual_seed(polish.seed)
    learned, kept = labels.part(~labels.held_out), labels.part(labels.held_out)
    fitter = Fitter(net, library.device, len(learned.anchors), average=polish.average)
    fitter.add(learned.anchors, learned.worth)
    fitter.size.fill_(len(learned.anchors))

    def off(one: Net) -> float:
        said = values(one, kept.anchors)[:, 0]
        return (said - kept.worth[:, 0]).double().pow(2).mean().item()

    best, least = copy.deepcopy(net), off(net)
    log({"labels": len(learned.anchors), "held_out": len(kept.anchors), "off": _points(least)})
    for rate, steps in polish.steps:
        fitter.fit(steps, rate)
        now = off(fitter.mean)
        log({"rate": rate, "steps": steps, "off": _points(now)})
        if now < least:
            best, least = copy.deepcopy(fitter.mean), now
    return best


def _points(square: float) -> float:
    return round(100 * float(np.sqrt(square)), 4)
