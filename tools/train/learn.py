"""Learning by self-play over exact turns: the network in PyTorch, its targets, and the training loop.

The target of an anchor is its solved value plus what solving the later turns added to what the network
had said of them, up to the next turn that was played at random: a return whose only noise is the
network's own error. Weights are averaged over steps; games and targets are made with the average.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from .games import Evaluator, Library, Played
from .network import (
    COLUMNS,
    DEEP,
    LENGTHS,
    NEEDS,
    OTHER_FIRST,
    OTHER_MIRROR,
    OTHER_ROWS,
    PAIR_FIRST,
    PAIR_MIRROR,
    PAIR_ROWS,
    SEAT,
    Weights,
)
from .rule_sets import Family

FAR = COLUMNS  # the seat's needs stand behind its columns


def _pair_parts() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """For every pair row the row of its own and of the other's part, and whether it can occur."""
    own, other, used = [], [], []
    for column, length in enumerate(LENGTHS):
        for mine in range(length + 1):
            for left in range(length + 1):
                own.append(OTHER_FIRST[column] + mine)
                other.append(OTHER_FIRST[column] + left)
                used.append((mine == 0) == (left == 0))
    return np.array(own), np.array(other), np.array(used)


class Net(nn.Module):
    """The network of ``network.py``; a pair vector is its own part, the other's, and a joint one."""

    def __init__(self, players: int, units: int) -> None:
        super().__init__()
        self.players, self.units = players, units

        def start(*shape: int, size: float) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape) * size)

        others = players - 1
        self.own = start(OTHER_ROWS, units, size=0.25 / others)
        self.other = start(OTHER_ROWS, units, size=0.25)
        self.joint = start(PAIR_ROWS, units, size=0.02)
        self.others = start(others if players > 2 else 0, OTHER_ROWS, units, size=0.02)
        self.needs = start(others, NEEDS * NEEDS, units, size=0.5)
        self.early = start(units, size=0.1)
        self.hidden = nn.Linear(units, DEEP)
        self.out = nn.Linear(DEEP, 1 if players == 2 else players)
        own, other, used = _pair_parts()
        for name, array in (("own_row", own), ("other_row", other), ("used", used)):
            self.register_buffer(name, torch.as_tensor(array), persistent=False)
        self.register_buffer("pair_mirror", torch.as_tensor(PAIR_MIRROR), persistent=False)
        self.register_buffer("others_mirror", torch.as_tensor(OTHER_MIRROR), persistent=False)

    def pairs(self) -> Tensor:
        """The pair vectors; rows that cannot occur are zero."""
        return (self.own[self.own_row] + self.other[self.other_row] + self.joint) * self.used[:, None]

    def wide(self) -> dict[str, Tensor]:
        """All vectors with their mirror images beside them."""
        pairs = self.pairs()
        return {
            "pairs": torch.cat([pairs, pairs[self.pair_mirror]], 1),
            "others": torch.cat([self.others, self.others[:, self.others_mirror]], 2),
            "needs": torch.cat([self.needs, self.needs], 2),
            "early": torch.cat([self.early, self.early]),
        }

    def forward(self, counts: Tensor) -> Tensor:
        """Logits for rows of counts: how often each vector is in the sum."""
        wide = self.wide()
        size = 2 * self.units
        table = torch.cat([wide["pairs"], wide["others"].reshape(-1, size), wide["needs"].reshape(-1, size), wide["early"][None]])
        total = torch.relu(counts @ table)
        first = total[:, : self.units] + total[:, self.units :]
        return self.out(torch.relu(self.hidden(first)))

    @property
    def inputs(self) -> int:
        """How many vectors there are."""
        others = self.players - 1
        return PAIR_ROWS + (others * OTHER_ROWS if others > 1 else 0) + others * NEEDS * NEEDS + 1

    def evaluator(self, library: Library) -> Evaluator:
        """The network as games are played with it."""
        with torch.no_grad():
            kept = self.wide() | {
                "hidden": self.hidden.weight, "hidden_bias": self.hidden.bias,
                "out": self.out.weight, "out_bias": self.out.bias,
            }  # fmt: skip
            return library.network_of(kept)

    def weights(self) -> Weights:
        """The network as it is written to a file."""

        def array(tensor: Tensor) -> NDArray[np.float32]:
            return tensor.detach().float().cpu().numpy().copy()

        return Weights(
            array(self.pairs()), array(self.others), array(self.needs), array(self.early),
            array(self.hidden.weight), array(self.hidden.bias), array(self.out.weight), array(self.out.bias),
        )  # fmt: skip


def net_of(weights: Weights) -> Net:
    """The other way round: all of a pair vector becomes its joint part."""
    net = Net(weights.players, weights.units)
    with torch.no_grad():
        net.own.zero_()
        net.other.zero_()
        for name in ("others", "needs", "early"):
            getattr(net, name).copy_(torch.as_tensor(getattr(weights, name)))
        net.joint.copy_(torch.as_tensor(weights.pairs))
        net.hidden.weight.copy_(torch.as_tensor(weights.hidden))
        net.hidden.bias.copy_(torch.as_tensor(weights.hidden_bias))
        net.out.weight.copy_(torch.as_tensor(weights.out))
        net.out.bias.copy_(torch.as_tensor(weights.out_bias))
    return net


class Inputs:
    """From anchors to the rows of vectors that they add up."""

    def __init__(self, net: Net, device: torch.device) -> None:
        self.players, self.size = net.players, net.inputs
        self.pair_first = torch.as_tensor(PAIR_FIRST[:-1], device=device)
        self.other_first = torch.as_tensor(OTHER_FIRST[:-1], device=device)
        self.across = torch.as_tensor(LENGTHS + 1, device=device)
        self.device = device

    def counts(self, anchors: Tensor) -> Tensor:
        """How often each vector is in an anchor's sum. Anchors end with V2 here."""
        players, others = self.players, self.players - 1
        seats = anchors[:, : players * SEAT].reshape(-1, players, SEAT).long()
        rows = []
        needs_first = PAIR_ROWS + (others * OTHER_ROWS if players > 2 else 0)
        for other in range(1, players):
            left = seats[:, other, :COLUMNS]
            rows.append(self.pair_first + seats[:, 0, :COLUMNS] * self.across + left)
            if players > 2:
                rows.append(PAIR_ROWS + (other - 1) * OTHER_ROWS + self.other_first + left)
            need = (seats[:, 0, FAR] - 1) * NEEDS + seats[:, other, FAR] - 1
            rows.append((needs_first + (other - 1) * NEEDS * NEEDS + need)[:, None])
        index = torch.cat(rows, 1)
        counts = torch.zeros(len(anchors), self.size, device=self.device)
        counts.scatter_add_(1, index, torch.ones_like(index, dtype=torch.float32))
        counts[:, -1] = anchors[:, -1].float()
        return counts


def shares(logits: Tensor) -> Tensor:
    """Every seat's chance."""
    if logits.shape[1] == 1:
        mover = torch.sigmoid(logits)
        return torch.cat([mover, 1 - mover], 1)
    return torch.softmax(logits, 1)


def values(net: Net, anchors: Tensor, batch: int = 65536) -> Tensor:
    """What the network says of anchors that end with V2."""
    inputs = Inputs(net, anchors.device)
    with torch.no_grad():
        return torch.cat([shares(net(inputs.counts(part))) for part in anchors.split(batch)])


@dataclass
class Fitter:
    """Adam over the newest part of all anchors seen, as one CUDA graph where there is a GPU."""

    net: Net
    device: torch.device
    capacity: int
    batch: int = 16384
    average: float = 0.999
    newest: float = 0.4
    least: int = 700_000
    seen: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        device, width = self.device, self.net.players * SEAT + 1
        self.net.to(device)
        self.anchors = torch.zeros(self.capacity, width, dtype=torch.int8, device=device)
        self.targets = torch.zeros(self.capacity, self.net.players, device=device)
        self.head = torch.zeros(1, dtype=torch.long, device=device)
        self.size = torch.ones(1, device=device)
        self.rate = torch.tensor(1e-3, device=device)
        self.loss = torch.zeros(1, device=device)
        graphed = device.type == "cuda"
        self.adam = torch.optim.Adam(self.net.parameters(), lr=self.rate, betas=(0.9, 0.99), capturable=graphed, fused=graphed)
        self.mean = copy.deepcopy(self.net)
        self.inputs = Inputs(self.net, device)
        self.graph: torch.cuda.CUDAGraph | None = None

    def add(self, anchors: Tensor, targets: Tensor) -> None:
        """Put anchors into the buffer, over the oldest ones."""
        at = (torch.arange(len(anchors), device=self.device) + self.seen) % self.capacity
        self.anchors[at], self.targets[at] = anchors, targets
        self.seen += len(anchors)
        self.head.fill_(self.seen % self.capacity)
        self.size.fill_(min(self.seen, self.capacity, max(self.least, int(self.newest * self.seen))))

    def _step(self) -> None:
        back = (torch.rand(self.batch, device=self.device) * self.size).long()
        at = (self.head - 1 - back) % self.capacity
        logits, target = self.net(self.inputs.counts(self.anchors[at])), self.targets[at]
        if self.net.players == 2:
            loss = functional.binary_cross_entropy_with_logits(logits[:, 0], target[:, 0])
        else:
            loss = -(target * torch.log_softmax(logits, 1)).sum(1).mean()
        loss.backward()
        self.adam.step()
        self.adam.zero_grad(set_to_none=False)
        with torch.no_grad():
            self.loss.mul_(0.99).add_(0.01 * (shares(logits) - target)[:, 0].pow(2).mean())
            mean, now = list(self.mean.parameters()), list(self.net.parameters())
            torch._foreach_lerp_(mean, now, 1 - self.average)

    def fit(self, steps: int, rate: float) -> None:
        """So many steps at a learning rate."""
        self.rate.fill_(rate)
        if self.device.type == "cuda" and self.graph is None:
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                for _ in range(3):
                    self._step()
            torch.cuda.current_stream().wait_stream(stream)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self._step()
        for _ in range(steps):
            if self.graph:
                self.graph.replay()
            else:
                self._step()
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps; the buffer is filled anew."""
        return {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "adam": self.adam.state_dict()}

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.adam.load_state_dict(state["adam"])
        rate = self.adam.param_groups[0]["lr"]
        if isinstance(rate, Tensor) and rate is not self.rate:
            self.adam.param_groups[0]["lr"] = self.rate


def targets_of(played: Played, follow: bool) -> tuple[Tensor, Tensor, Tensor]:
    """All anchors of games, their targets, and the residuals of those that followed a played turn.

    Without ``follow`` the targets are the solved values alone.
    """
    turns, players = played.solved.shape[1], played.players
    solved, after = played.from_starter(played.solved), played.from_starter(played.after)
    goal = solved.clone()
    going_on = played.live[:, 1:] & (played.explored[:, :-1] == 0)
    if follow:
        for turn in range(turns - 2, -1, -1):
            gain = goal[:, turn + 1] - after[:, turn]
            goal[:, turn] += gain * going_on[:, turn, None]
    residuals = (solved[:, 1:] - after[:, :-1])[going_on]
    turn = torch.arange(turns, device=goal.device)
    seat = torch.arange(players, device=goal.device)
    place = (seat[None] + turn[:, None]) % players
    goal = goal.gather(2, place[None].expand(len(goal), -1, -1)).clamp(0, 1)
    goal = goal / goal.sum(2, keepdim=True).clamp(min=1e-6)
    live = played.live
    return played.anchors[live], goal[live], residuals


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
        """So many starts."""
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
    left = torch.ceil(longest * (1 - chance(count, players, COLUMNS) * (0.4 + 0.6 * far))).clamp(min=1)
    left = torch.where(moved, left, longest)
    if family.sharing.value != "free":  # no two tokens on one space (V3, V4)
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


@dataclass(frozen=True)
class Course:
    """How long and how a network is trained."""

    rounds: int
    games: int = 20_000  # a round
    steps: int = 1_500  # a round
    boot_games: int = 40_000
    boot_steps: int = 5_000
    rate: float = 1e-3
    hold: float = 0.5  # the share of the rounds before the rate falls
    lowest: float = 0.02
    explore: float = 0.15
    turns: int = 64
    broad_games: int = 0  # a round, more of them from broad starts, played for a few turns only
    broad_turns: int = 4
    prefill: int = 0  # rounds that are played before the first step
    samples: int = 256
    capacity: int = 8_000_000
    batch: int = 16384
    average: float = 0.999


Log = Callable[[dict[str, Any]], None]


def train(
    library: Library,
    net: Net,
    starts: Starts,
    course: Course,
    *,
    seed: int,
    boot: Evaluator | None = None,
    checkpoint: Path | None = None,
    deadline: float | None = None,
    log: Log = print,
) -> Fitter | None:
    """Train a network by self-play; returns None where the deadline came first (a checkpoint is kept)."""
    torch.manual_seed(seed)
    begun = time.monotonic()
    family = starts.family
    fitter = Fitter(net, library.device, course.capacity, course.batch, course.average)
    first_round = 0

    broad = replace(starts, at_first=0.0, from_classic=0.6)

    def gather(evaluator: Evaluator, games: int, follow: bool, round_seed: int) -> tuple[int, Tensor, Played]:
        count = 0
        for source, number, turns in ((broad, course.broad_games, course.broad_turns), (starts, games, course.turns)):
            if number == 0:
                continue
            drawn = source.draw(number)
            played = library.play(
                family, evaluator, drawn, turns=turns, explore=course.explore, samples=course.samples, seed=round_seed
            )
            anchors, goal, residuals = targets_of(played, follow)
            early = drawn[:, -1:][:, None].expand(-1, turns, -1)[played.live]
            fitter.add(torch.cat([anchors, early], 1), goal)
            count += len(anchors)
        return count, residuals, played

    if checkpoint is not None and checkpoint.exists():
        kept = torch.load(checkpoint, map_location=library.device, weights_only=True)
        fitter.load(kept["state"])
        first_round = kept["round"]
        for extra in range(4):  # the buffer is not kept: fill it anew
            gather(fitter.mean.evaluator(library), course.games, True, seed * 1_000_003 + 500_000 + first_round * 8 + extra)
    else:
        for extra in range(course.prefill):
            gather(fitter.mean.evaluator(library), course.games, True, seed * 1_000_003 + 600_000 + extra)
    if first_round == 0 and boot is not None:
        count, _, _ = gather(boot, course.boot_games, False, seed * 1_000_003 + 900_000)
        fitter.fit(course.boot_steps * 3 // 4, course.rate)
        fitter.fit(course.boot_steps // 4, course.rate / 5)
        log({"family": family.name, "boot": count, "fit": fitter.loss.item() ** 0.5, "s": round(time.monotonic() - begun, 1)})
    for at in range(first_round, course.rounds):
        done = at / course.rounds
        rate = course.rate
        if done > course.hold:
            rate *= max(course.lowest, 1 - (done - course.hold) / (1 - course.hold))
        before = time.monotonic()
        count, residuals, played = gather(fitter.mean.evaluator(library), course.games, True, seed * 1_000_003 + at)
        between = time.monotonic()
        fitter.fit(course.steps, rate)
        if at % 10 == 0 or at == course.rounds - 1:
            log({
                "family": family.name, "round": at, "s": round(time.monotonic() - begun, 1), "anchors": count,
                "a_second": round(count / (between - before)), "fitting_s": round(time.monotonic() - between, 2),
                "fit": round(fitter.loss.item() ** 0.5, 5), "residual": round(residuals.pow(2).mean().sqrt().item(), 5),
                "turns": round(played.length.float().mean().item(), 2),
                "cut": round((played.result[:, 0] < 0).float().mean().item(), 4),
            })  # fmt: skip
        late = deadline is not None and time.monotonic() > deadline
        if checkpoint is not None and (late or at % 25 == 24) and at + 1 < course.rounds:
            torch.save({"state": fitter.state(), "round": at + 1}, checkpoint)
        if late and at + 1 < course.rounds:
            return None
    return fitter


def fit_to(fitter: Fitter, anchors: Tensor, targets: Tensor, steps: int) -> None:
    """Fit a network to given targets, the rate falling in stages."""
    fitter.add(anchors, targets)
    fitter.size.fill_(min(len(anchors), fitter.capacity))
    for rate, share in ((2e-3, 0.3), (1e-3, 0.3), (4e-4, 0.15), (1e-4, 0.15), (2e-5, 0.1)):
        fitter.fit(int(steps * share), rate)
