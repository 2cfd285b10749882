"""What a network learns from: results of games that go on from where people's games lead.

Games are played to the end without a turn at random, and every anchor of them has a result from
which luck is subtracted: it is unbiased whatever any network believes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from cantstop.engine.evaluators.value.network import SEAT
from cantstop.engine.evaluators.value.packed import Family

from .games import Evaluator, Library, Played
from .rule_sets import first_start, lengths_of
from .starts import random_starts

AT_ONCE = 60_000
"""Games whose records are in memory at a time."""

TURNS = 160

LEAST_SCATTER = 0.005

Chances = tuple[float, ...]

CHANCES: Chances = (0.52, 0.10, 0.11, 0.08, 0.11, 0.08)
"""How many of the starts belong to each rule set of a family; the plain game is the first."""

MOSTLY_PLAIN: Chances = (0.80, 0.04, 0.04, 0.03, 0.05, 0.04)

FOLLOWS = {3: 1.0, 4: 0.95, 5: 0.93}
"""What the gains of later turns count for, turn by turn, by the columns that win: 1 makes a result
unbiased; less makes it scatter less, which in long games is worth more."""

NEAR = (3.0, 2.0, 1.5)
"""How much the first anchors of a game count, those nearest to people's games; later ones 1."""

MIXTURE = {
    "mixed": 0.16,  # positions of games of the ladder's levels and classic bots
    "classic": 0.20,  # of classic bots alone
    "people": 0.31,  # of games in which every seat errs in its own way
    "strayed": 0.10,  # after a turn at random from mixed and classic positions
    "first": 0.06,  # the first start
    "explored": 0.12,  # of self-play with turns at random among them
    "any": 0.05,  # any positions
}
"""Where games begin."""


@dataclass(frozen=True)
class Labels:
    """Anchors that end with V2, what they are worth to everybody, and how much they count.

    A rule set counts the less the more its results scatter. Some anchors are held out.
    """

    anchors: Tensor
    worth: Tensor
    weight: Tensor
    held_out: Tensor
    games: int
    scatter: dict[int, float]

    def part(self, these: Tensor) -> Labels:
        """Some of them."""
        return replace(
            self,
            anchors=self.anchors[these],
            worth=self.worth[these],
            weight=self.weight[these],
            held_out=self.held_out[these],
        )


@dataclass(frozen=True)
class Inputs:
    """What ``people.py`` has written for a family, on the device."""

    family: Family
    first: Tensor
    mixed: list[Tensor]
    classic: list[Tensor]
    lengths: Tensor


def read_inputs(library: Library, family: Family, folder: Path) -> Inputs:
    """The starts of a family."""
    rules = family.rule_sets
    with np.load(folder / f"train-{family.name}.npz") as kept:
        mixed, classic = (
            [library.tensor(kept[f"{kind}{number}"], torch.int8) for number in range(len(rules))]
            for kind in ("mixed", "classic")
        )
    return Inputs(
        family,
        library.tensor(np.stack([first_start(one) for one in rules]), torch.int8),
        mixed,
        classic,
        library.tensor(lengths_of(rules[0].board), torch.int8),
    )


def _some(rows: Tensor, count: int) -> Tensor:
    return rows[torch.randint(len(rows), (count,), device=rows.device)]


def gather_starts(
    library: Library,
    inputs: Inputs,
    walker: Evaluator,
    count: int,
    seed: int,
    chances: Chances = CHANCES,
) -> Tensor:
    """Where the games begin, shuffled."""
    torch.manual_seed(seed)
    family, found = inputs.family, []
    for number, chance in enumerate(chances):
        amounts = {kind: round(count * chance * share) for kind, share in MIXTURE.items()}
        both = amounts["strayed"] // 2
        found += [
            _some(inputs.mixed[number], amounts["mixed"]),
            _some(inputs.classic[number], amounts["classic"]),
            inputs.first[number].expand(amounts["first"], -1),
        ]
        near = torch.cat([_some(inputs.mixed[number], both), _some(inputs.classic[number], both)])
        found.append(_strayed(library, family, walker, near, seed * 101 + number))
    which = torch.multinomial(torch.tensor(chances, device=library.device), count, replacement=True)
    first = inputs.first[which]
    for kind, length in (("people", 10), ("explored", 8)):
        amount = round(count * MIXTURE[kind])
        found.append(
            _wandered(library, family, walker, first[: amount // length], kind, amount, seed)
        )
    anywhere = first[: round(count * MIXTURE["any"])]
    found.append(random_starts(family, anywhere, inputs.lengths))
    gathered = torch.cat(found)
    return gathered[torch.randperm(len(gathered), device=library.device)].contiguous()


def _strayed(
    library: Library, family: Family, walker: Evaluator, starts: Tensor, seed: int
) -> Tensor:
    """The positions after one turn that is played at random."""
    played = library.play(family, walker, starts, turns=2, explore=1.0, samples=0, seed=seed)
    goes_on = played.length == 2
    return torch.cat([played.anchors[goes_on, 1], starts[goes_on, -2:]], 1)


def _wandered(
    library: Library,
    family: Family,
    walker: Evaluator,
    first: Tensor,
    kind: str,
    count: int,
    seed: int,
) -> Tensor:
    """Anchors of whole games: people's, or such with turns at random."""
    found = []
    for number, part in enumerate(first.split(AT_ONCE)):
        played = library.play(
            family,
            walker,
            part.contiguous(),
            turns=TURNS,
            explore=0.3 if kind == "explored" else 0.0,
            people=kind == "people",
            samples=0,
            seed=seed * 1_000_003 + number + (500 if kind == "people" else 0),
        )
        live = played.live
        rules = part[:, None, -2:].expand(-1, live.shape[1], -1)[live]
        found.append(torch.cat([played.anchors[live], rules], 1))
    anchors = torch.cat(found)
    return anchors[torch.randperm(len(anchors), device=anchors.device)[:count]]


def label(
    library: Library,
    family: Family,
    player: Evaluator,
    starts: Tensor,
    *,
    samples: int,
    held_out: float,
    seed: int,
    until: float = float("inf"),
) -> Labels:
    """Play on from starts to the end: every anchor's result less the luck after it."""
    anchors, worth, weight, rules, held, games = [], [], [], [], [], 0
    scatter = torch.zeros(len(family.rule_sets), 2, dtype=torch.float64, device=library.device)
    near = torch.ones(TURNS, device=library.device)
    near[: len(NEAR)] = torch.tensor(NEAR, device=library.device)
    for number, part in enumerate(starts.split(AT_ONCE)):
        if time.monotonic() > until:
            break
        played = library.play(
            family, player, part, turns=TURNS, samples=samples, seed=seed * 1_000_003 + number
        )
        live = played.live
        worth.append(results_of(played, part[:, -2]))
        which = ((part[:, -2:-1] - 3) * 2 + part[:, -1:]).long().expand(-1, TURNS)[live]
        square = (worth[-1] - played.solved[live]).double().pow(2).mean(1)
        scatter[:, 0].index_add_(0, which, square)
        scatter[:, 1].index_add_(0, which, torch.ones_like(square))
        early = part[:, -1:][:, None].expand(-1, TURNS, -1)[live]
        anchors.append(torch.cat([played.anchors[live], early], 1))
        weight.append(near[None].expand(len(part), -1)[live])
        rules.append(which.to(torch.uint8))
        out = torch.arange(len(part), device=live.device) < held_out * len(part)
        held.append(out[:, None].expand(-1, TURNS)[live])
        games += len(part)
    assert anchors[0].shape[1] == family.players * SEAT + 1
    far = (scatter[:, 0] / scatter[:, 1].clamp(min=1)).sqrt().clamp(min=LEAST_SCATTER)
    weights = torch.cat(weight) / far.float()[torch.cat(rules).long()]
    return Labels(
        torch.cat(anchors),
        torch.cat(worth),
        weights / weights.mean(),
        torch.cat(held),
        games,
        {number: round(100 * one, 3) for number, one in enumerate(far.tolist())},
    )


def results_of(played: Played, wins: Tensor) -> Tensor:
    """Every anchor's value, solved, plus what solving the later turns added to it."""
    turns, players = played.solved.shape[1], played.players
    solved, after = played.from_starter(played.solved), played.from_starter(played.after)
    follow = torch.ones(max(FOLLOWS) + 1, device=solved.device)
    for win, part in FOLLOWS.items():
        follow[win] = part
    counts = follow[wins.long()][:, None]
    goal, live = solved.clone(), played.live
    for turn in range(turns - 2, -1, -1):
        gain = goal[:, turn + 1] - after[:, turn]
        goal[:, turn] += counts * gain * live[:, turn + 1, None]
    seat = torch.arange(players, device=goal.device)
    turn_number = torch.arange(turns, device=goal.device)
    place = (seat[None] + turn_number[:, None]) % players
    # Some are below nothing or above a win; cut off there they would be biased.
    return goal.gather(2, place[None].expand(len(goal), -1, -1))[live]
