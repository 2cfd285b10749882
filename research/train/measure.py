"""Measurements: win chances against the truth, matches with the race model, what seats are worth.

The truth about a position is the mean of many games played on from it, less their luck; its
standard error is stated. All figures are in points: percent of a win.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from cantstop.engine.evaluators.value.network import COLUMNS, SEAT
from cantstop.engine.evaluators.value.packed import Family
from cantstop.rules import Rules

from .games import Evaluator, Library
from .rule_sets import first_start

PHASES = ("opening", "middle", "end")
"""No column won; some; a player needs one more."""


AT_ONCE = 200_000
"""Games whose records are in memory at a time."""

WAYS = 1024
"""Ways to play a solved turn: its worth to the seats that do not move is a mean over them."""


def phases_of(starts: Tensor, players: int) -> Tensor:
    """The phase of every start, by its number."""
    needs = starts[:, : players * SEAT].view(-1, players, SEAT)[:, :, COLUMNS].long()
    wins = starts[:, -2].long()
    won = (wins[:, None] - needs).sum(1)
    return torch.where((needs == 1).any(1), 2, torch.where(won > 0, 1, 0))


def played_positions(
    library: Library, rules: Rules, evaluator: Evaluator, count: int, seed: int
) -> Tensor:
    """Anchors of games that an evaluator plays with itself, drawn evenly from all turns."""
    family = Family(rules.players, rules.sharing)
    start = library.tensor(first_start(rules)[None], torch.int8)
    played = library.play(
        family, evaluator, start, games=max(2000, count // 2), turns=120, samples=1, seed=seed
    )
    anchors = played.anchors[played.live]
    order = torch.randperm(len(anchors), generator=torch.Generator().manual_seed(seed))[:count]
    anchors = anchors[order.to(anchors.device)]
    return torch.cat([anchors, start[:, -2:].expand(len(anchors), -1)], 1).contiguous()


@dataclass(frozen=True)
class Truth:
    """What positions are worth to the seat to move, and how sure that is; then for every seat."""

    starts: Tensor
    value: Tensor
    error: Tensor  # the standard error of each
    shares: Tensor


def truth_of(
    library: Library,
    family: Family,
    player: Evaluator,
    starts: Tensor,
    repeats: int,
    seed: int,
    samples: int = 128,
) -> Truth:
    """Play on from positions, a part of them at a time: the records of games are large."""
    found, errors, shares = [], [], []
    for number, part in enumerate(starts.split(max(1, AT_ONCE // repeats))):
        played = library.play(
            family, player, part, repeats=repeats, turns=160, seed=seed + number, samples=samples
        )
        results = played.estimate().double().view(len(part), repeats, family.players)
        found.append(results[:, :, 0].mean(1))
        errors.append(results[:, :, 0].std(1) / repeats**0.5)
        shares.append(results.mean(1))
    return Truth(starts, torch.cat(found), torch.cat(errors), torch.cat(shares))


def _points(value: float) -> float:
    return round(100 * value, 4)


def error_table(said: Tensor, truth: Truth, players: int) -> dict[str, Any]:
    """Bias, rms and 99 % error of values, by phase; ``rms`` is less the truth's own error."""
    phase = phases_of(truth.starts, players)

    def figures(these: Tensor) -> dict[str, float]:
        difference = (said.double() - truth.value)[these]
        noise = truth.error[these].pow(2).mean().item()
        square = difference.pow(2).mean().item()
        return {
            "positions": int(these.sum()),
            "bias": _points(difference.mean().item()),
            "rms": _points(max(square - noise, 0.0) ** 0.5),
            "rms_with_noise": _points(square**0.5),
            "noise": _points(noise**0.5),
            "within_99": _points(difference.abs().quantile(0.99).item()),
            "most": _points(difference.abs().max().item()),
        }

    table = {"all": figures(torch.ones_like(phase, dtype=torch.bool))}
    for number, name in enumerate(PHASES):
        if (phase == number).sum() >= 20:
            table[name] = figures(phase == number)
    return table


def reliability(said: Tensor, truth: Tensor, bands: int = 10) -> list[dict[str, float]]:
    """What was said and what is true, by tenths of what was said, for all seats together.

    ``error`` is the standard error of their difference.
    """
    rows = []
    said, truth = said.double().flatten(), truth.flatten()
    for band in range(bands):
        these = (said >= band / bands) & (said < (band + 1) / bands + (band == bands - 1))
        if these.sum() > 1:
            difference = said[these] - truth[these]
            rows.append(
                {
                    "from": round(100 * band / bands),
                    "shares": int(these.sum()),
                    "said": _points(said[these].mean().item()),
                    "true": _points(truth[these].mean().item()),
                    "error": _points(difference.std().item() / len(difference) ** 0.5),
                }
            )
    return rows


def judged(library: Library, family: Family, evaluator: Evaluator, truth: Truth) -> dict[str, Any]:
    """An evaluator's own values and its turn-solved ones against the truth."""
    samples = WAYS if family.players > 2 and evaluator.players else 0
    solved, _ = library.solve(family, evaluator, truth.starts, samples)
    before = _turned_back(truth.starts, family.players)
    _, bust = library.solve(family, evaluator, before)
    # what the evaluator itself says: a bust of the seat before leads here
    own = 1 - bust[:, 0] if family.players == 2 else bust[:, 1]
    table: dict[str, Any] = {"solved": error_table(solved[:, 0], truth, family.players)}
    if family.players == 2 or evaluator.players:
        table["plain"] = error_table(own, truth, family.players)
    if family.players == 2 or samples:
        table["reliability"] = reliability(solved, truth.shares)
    return table


def _turned_back(starts: Tensor, players: int) -> Tensor:
    """The same tokens with the seat before to move."""
    seats = starts[:, : players * SEAT].view(-1, players, SEAT).roll(1, dims=1)
    return torch.cat([seats.reshape(len(starts), -1), starts[:, -2:]], 1).contiguous()


def match(
    library: Library,
    rules: Rules,
    judge: Evaluator,
    rival: Evaluator,
    games: int,
    seed: int,
    alone: bool = True,
) -> dict[str, Any]:
    """The judge's score, less the luck: one judge among rivals, or one rival among judges.

    Every seat is the lone one's in turn. ``gain`` is what it scores above its share of the seats;
    for a lone rival, below it.
    """
    players = rules.players
    family = Family(players, rules.sharing)
    everybody = (1 << players) - 1
    rivals = tuple(everybody ^ 1 << seat if alone else 1 << seat for seat in range(players))
    start = library.tensor(first_start(rules)[None], torch.int8)
    scores, counted, cut, turns = [], [], 0, 0.0
    part = max(players, 40_000 // players * players)
    games -= games % players
    for number, first in enumerate(range(0, games, part)):
        count = min(part, games - first)
        played = library.play(
            family,
            judge,
            start,
            rival=rival,
            rivals=rivals,
            games=count,
            turns=160,
            seed=seed + number,
        )
        seat = (torch.arange(count, device=library.device) % players)[:, None]
        scores.append(played.estimate().double().gather(1, seat).view(-1, players).mean(1))
        over = (played.result[:, 0] >= 0).view(-1, players).all(1)  # cut games have no result
        counted.append(played.result.double().gather(1, seat).view(-1, players).mean(1)[over])
        cut += int((played.result[:, 0] < 0).sum())
        turns += played.length.float().sum().item()
    sign = 1 if alone else -1

    def figures(rows: list[Tensor]) -> dict[str, float]:
        score = torch.cat(rows)
        return {
            "gain": _points(sign * (score.mean().item() - 1 / players)),
            "interval": _points(1.96 * score.std().item() / len(score) ** 0.5),
        }

    return {
        "rules": str(rules),
        "games": games,
        "lone": "judge" if alone else "rival",
        "seats": players,
        "less_luck": figures(scores),
        "counted": figures(counted),
        "cut": cut,
        "turns": round(turns / games, 2),
    }


def first_seat(
    library: Library, rules: Rules, judge: Evaluator, games: int, seed: int
) -> dict[str, Any]:
    """What every seat wins when all play alike, less the luck; and how long games are."""
    family = Family(rules.players, rules.sharing)
    start = library.tensor(first_start(rules)[None], torch.int8)
    played = library.play(family, judge, start, games=games, turns=160, seed=seed, samples=128)
    estimate = played.estimate().double()
    finished = played.result[played.result[:, 0] >= 0]
    return {
        "rules": str(rules),
        "games": games,
        "seats": [_points(x) for x in estimate.mean(0).tolist()],
        "interval": [_points(1.96 * x / games**0.5) for x in estimate.std(0).tolist()],
        "counted": [_points(x) for x in finished.double().mean(0).tolist()],
        "turns": round(played.length.double().mean().item(), 3),
        "start_solved": _points(library.solve(family, judge, start)[0][0, 0].item()),
    }
