"""The network of ``network.py`` in PyTorch, where it learns."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from cantstop.engine.evaluators.value.network import (
    COLUMNS,
    LENGTHS,
    PAIR_FIRST,
    PAIR_MIRROR,
    SEAT,
    SUM_LIMIT,
    Weights,
)
from cantstop.engine.evaluators.value.packed import DEEP, NEEDS, PAIR_ROWS, couples

from .games import Evaluator, Library

OWN_FIRST = np.cumsum([0, *(LENGTHS + 1)])
OWN_ROWS = int(OWN_FIRST[-1])
"""One for every column and the spaces left in it."""


def _pair_parts() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """For every pair row the row of its own and of the other's part, and whether it can occur."""
    own, other, used = [], [], []
    for column, length in enumerate(LENGTHS):
        for mine in range(length + 1):
            for left in range(length + 1):
                own.append(OWN_FIRST[column] + mine)
                other.append(OWN_FIRST[column] + left)
                used.append((mine == 0) == (left == 0))
    return np.array(own), np.array(other), np.array(used)


class Net(nn.Module):
    """The network; a pair vector is the one seat's part, the other's, and a joint one."""

    def __init__(self, players: int, units: int) -> None:
        super().__init__()
        self.players, self.units, self.couples = players, units, len(couples(players))

        def start(*shape: int, size: float) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape) * size)

        each = 0.25 / (players - 1)
        self.own = start(self.couples, OWN_ROWS, units, size=each)
        self.other = start(self.couples, OWN_ROWS, units, size=each)
        self.joint = start(self.couples, PAIR_ROWS, units, size=0.02)
        self.needs = start(self.couples, NEEDS * NEEDS, units, size=0.5 / self.couples**0.5)
        self.early = start(units, size=0.1)
        self.hidden = nn.Linear(units, DEEP)
        self.out = nn.Linear(DEEP, 1 if players == 2 else players)
        own, other, used = _pair_parts()
        for name, array in (("own_row", own), ("other_row", other), ("used", used)):
            self.register_buffer(name, torch.as_tensor(array), persistent=False)
        self.register_buffer("pair_mirror", torch.as_tensor(PAIR_MIRROR), persistent=False)

    def pairs(self) -> Tensor:
        """The pair vectors; rows that cannot occur are zero."""
        parts = self.own[:, self.own_row] + self.other[:, self.other_row]
        return (parts + self.joint) * self.used[:, None]

    def wide(self) -> dict[str, Tensor]:
        """All vectors with their mirror images beside them."""
        pairs = self.pairs()
        return {
            "pairs": torch.cat([pairs, pairs[:, self.pair_mirror]], 2),
            "needs": torch.cat([self.needs, self.needs], 2),
            "early": torch.cat([self.early, self.early]),
        }

    def forward(self, counts: Tensor) -> Tensor:
        """Logits for rows of counts: how often each vector is in the sum."""
        wide = self.wide()
        size = 2 * self.units
        table = torch.cat(
            [
                wide["pairs"].reshape(-1, size),
                wide["needs"].reshape(-1, size),
                wide["early"][None],
            ]
        )
        squares = (counts @ table).clamp(0.0, SUM_LIMIT).square()
        first = squares[:, : self.units] + squares[:, self.units :]
        return self.out(torch.relu(self.hidden(first)))

    @property
    def inputs(self) -> int:
        """How many vectors there are."""
        return self.couples * (PAIR_ROWS + NEEDS * NEEDS) + 1

    def evaluator(self, library: Library) -> Evaluator:
        """The network as games are played with it."""
        with torch.no_grad():
            kept = self.wide() | {
                "hidden": self.hidden.weight,
                "hidden_bias": self.hidden.bias,
                "out": self.out.weight,
                "out_bias": self.out.bias,
            }
            return library.network_of(kept)

    def weights(self) -> Weights:
        """The network as it is written to a file."""

        def array(tensor: Tensor) -> NDArray[np.float32]:
            return tensor.detach().float().cpu().numpy().copy()

        return Weights(
            array(self.pairs()),
            array(self.needs),
            array(self.early),
            array(self.hidden.weight),
            array(self.hidden.bias),
            array(self.out.weight),
            array(self.out.bias),
        )


def net_of(weights: Weights) -> Net:
    """The other way round; a pair vector's own part and the other's are its means."""
    net = Net(weights.players, weights.units)
    own, other = _mean_parts(weights.pairs)
    with torch.no_grad():
        net.own.copy_(torch.as_tensor(own))
        net.other.copy_(torch.as_tensor(other))
        net.joint.zero_()
        net.joint.copy_((torch.as_tensor(weights.pairs) - net.pairs()) * net.used[:, None])
        for name in ("needs", "early"):
            getattr(net, name).copy_(torch.as_tensor(getattr(weights, name)))
        net.hidden.weight.copy_(torch.as_tensor(weights.hidden))
        net.hidden.bias.copy_(torch.as_tensor(weights.hidden_bias))
        net.out.weight.copy_(torch.as_tensor(weights.out))
        net.out.bias.copy_(torch.as_tensor(weights.out_bias))
    return net


def _mean_parts(pairs: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What is common to all pair vectors with the same own spaces, and with the same other's."""
    shape = len(pairs), OWN_ROWS, pairs.shape[2]
    own, other = (np.zeros(shape, np.float32) for _ in range(2))
    for column, length in enumerate(LENGTHS):
        first, last = PAIR_FIRST[column], PAIR_FIRST[column + 1]
        square = pairs[:, first:last].reshape(len(pairs), length + 1, length + 1, -1)
        rows = slice(OWN_FIRST[column] + 1, OWN_FIRST[column + 1])
        mean = square[:, 1:, 1:].mean((1, 2))[:, None]
        own[:, rows] = square[:, 1:, 1:].mean(2) - mean / 2
        other[:, rows] = square[:, 1:, 1:].mean(1) - mean / 2
    return own, other


class Inputs:
    """From anchors to the rows of vectors that they add up."""

    def __init__(self, net: Net, device: torch.device) -> None:
        self.players, self.size = net.players, net.inputs
        self.pair_first = torch.as_tensor(PAIR_FIRST[:-1], device=device)
        self.across = torch.as_tensor(LENGTHS + 1, device=device)
        self.device = device

    def counts(self, anchors: Tensor) -> Tensor:
        """How often each vector is in an anchor's sum. Anchors end with V2 here."""
        players = self.players
        seats = anchors[:, : players * SEAT].reshape(-1, players, SEAT).long()
        every = couples(players)
        rows = []
        for number, (one, other) in enumerate(every):
            left = seats[:, one, :COLUMNS] * self.across + seats[:, other, :COLUMNS]
            rows.append(number * PAIR_ROWS + self.pair_first + left)
            need = (seats[:, one, COLUMNS] - 1) * NEEDS + seats[:, other, COLUMNS] - 1
            rows.append((len(every) * PAIR_ROWS + number * NEEDS * NEEDS + need)[:, None])
        index = torch.cat(rows, 1)
        counts = torch.zeros(len(anchors), self.size, device=self.device)
        one_each = torch.ones((), device=self.device).expand(index.shape)
        counts.scatter_(1, index, one_each)  # no vector comes twice
        counts[:, -1] = anchors[:, -1].float()
        return counts


def shares(logits: Tensor) -> Tensor:
    """Every seat's chance."""
    if logits.shape[1] == 1:
        mover = torch.sigmoid(logits)
        return torch.cat([mover, 1 - mover], 1)
    return torch.softmax(logits, 1)


def values(net: Net, anchors: Tensor, batch: int = 16384) -> Tensor:
    """What the network says of anchors that end with V2."""
    inputs = Inputs(net, anchors.device)
    with torch.no_grad():
        return torch.cat([shares(net(inputs.counts(part))) for part in anchors.split(batch)])
