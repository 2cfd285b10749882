"""Where games of self-play begin."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from cantstop.engine.evaluators.value.network import COLUMNS, SEAT
from cantstop.engine.evaluators.value.packed import Family
from cantstop.rules import Sharing


@dataclass(frozen=True)
class Starts:
    """Where games begin: the first start, random anchors, and anchors of classic bots' games."""

    family: Family
    first: Tensor  # [rule sets, start]
    chances: Tensor  # of each rule set
    classic: Tensor | None  # [rule sets, many, start]
    lengths: Tensor
    at_first: float = 0.35
    from_classic: float = 0.25

    def draw(self, count: int) -> Tensor:
        """A number of starts."""
        device = self.first.device
        which = torch.multinomial(self.chances, count, replacement=True)
        starts = random_starts(self.family, self.first[which], self.lengths)
        kind = torch.rand(count, device=device)
        at_first = kind < self.at_first
        starts[at_first] = self.first[which[at_first]]
        if self.classic is not None:
            classic = (kind >= self.at_first) & (kind < self.at_first + self.from_classic)
            row = torch.randint(self.classic.shape[1], (count,), device=device)
            starts[classic] = self.classic[which[classic], row[classic]]
        return starts.contiguous()


def random_starts(family: Family, first: Tensor, lengths: Tensor) -> Tensor:
    """Any progress of everybody and any columns closed, for the rules of each first start."""
    count, players, device = len(first), family.players, first.device
    wins = first[:, -2].long()
    longest = lengths.float()[None, None]

    def chance(*shape: int) -> Tensor:
        return torch.rand(*shape, device=device)

    far = chance(count, players, 1) ** 1.5
    moved = chance(count, players, COLUMNS) < far
    left = torch.ceil(longest * (1 - chance(count, players, COLUMNS) * (0.4 + 0.6 * far))).clamp(
        min=1
    )
    left = torch.where(moved, left, longest)
    if family.sharing is not Sharing.FREE:  # no two tokens on one space (V3, V4)
        for seat in range(1, players):
            taken = (left[:, :seat] == left[:, seat : seat + 1]).any(1)
            left[:, seat] = torch.where(taken, longest[0], left[:, seat])
    steps = torch.arange(5, device=device)
    likely = ((wins[:, None] - steps).clamp(min=0) + 0.5) * (steps < wins[:, None])
    room = (lengths > 0).sum() - 1
    won = torch.zeros(count, players, dtype=torch.long, device=device)
    for seat in torch.randperm(players).tolist():
        drawn = torch.multinomial(likely, 1)[:, 0]
        won[:, seat] = torch.minimum(drawn, room - won.sum(1))
    order = (chance(count, COLUMNS) + 9 * (lengths == 0)).argsort(1).argsort(1)
    closed = (order < won.sum(1, keepdim=True)) | (lengths == 0)
    left = left * ~closed[:, None]
    starts = first.clone()
    seats = starts[:, : players * SEAT].view(count, players, SEAT)
    seats[:, :, :COLUMNS] = left.to(torch.int8)
    seats[:, :, COLUMNS] = (wins[:, None] - won).to(torch.int8)
    return starts
