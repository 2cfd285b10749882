"""Learning by self-play over exact turns: targets, fitting, and the rounds of a course.

The target of an anchor is its solved value plus what solving the later turns added to what the
network had said of them, up to the next turn that was played at random: a return whose only noise
is the network's own error. Weights are averaged over steps; games are played with the average.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from cantstop.engine.evaluators.value.network import SEAT

from .games import Evaluator, Library, Played
from .model import Inputs, Net, shares
from .starts import Starts


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
        self.adam = torch.optim.Adam(
            self.net.parameters(),
            lr=self.rate,
            betas=(0.9, 0.99),
            capturable=graphed,
            fused=graphed,
        )
        self.mean = copy.deepcopy(self.net)
        self.inputs = Inputs(self.net, device)
        self.graph: torch.cuda.CUDAGraph | None = None

    def add(self, anchors: Tensor, targets: Tensor) -> None:
        """Put anchors into the buffer, over the oldest ones."""
        at = (torch.arange(len(anchors), device=self.device) + self.seen) % self.capacity
        self.anchors[at], self.targets[at] = anchors, targets
        self.seen += len(anchors)
        self.head.fill_(self.seen % self.capacity)
        self.size.fill_(
            min(self.seen, self.capacity, max(self.least, int(self.newest * self.seen)))
        )

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
        """A number of steps at a learning rate."""
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
        """What a checkpoint keeps; the buffer is filled again."""
        return {
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "adam": self.adam.state_dict(),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.adam.load_state_dict(state["adam"])
        rate = self.adam.param_groups[0]["lr"]
        if isinstance(rate, Tensor) and rate is not self.rate:
            self.adam.param_groups[0]["lr"] = self.rate


def targets_of(played: Played) -> tuple[Tensor, Tensor, Tensor]:
    """Anchors of games, their targets, and the residuals of those that followed a played turn."""
    turns, players = played.solved.shape[1], played.players
    solved, after = played.from_starter(played.solved), played.from_starter(played.after)
    goal = solved.clone()
    going_on = played.live[:, 1:] & (played.explored[:, :-1] == 0)
    for turn in range(turns - 2, -1, -1):
        gain = goal[:, turn + 1] - after[:, turn]
        goal[:, turn] += gain * going_on[:, turn, None]
    residuals = (solved[:, 1:] - after[:, :-1])[going_on]
    turn = torch.arange(turns, device=goal.device)
    seat = torch.arange(players, device=goal.device)
    place = (seat[None] + turn[:, None]) % players
    # Some targets are below nothing or above a win; cut off there they would be biased.
    goal = goal.gather(2, place[None].expand(len(goal), -1, -1))
    live = played.live
    return played.anchors[live], goal[live], residuals


@dataclass(frozen=True)
class Course:
    """How long and how a network is trained."""

    rounds: int
    games: int = 20_000  # a round
    steps: int = 1_500  # a round
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

KEEP_EVERY, REFILL = 25, 4
"""Rounds between checkpoints, and rounds that refill the buffer after one was read."""


@dataclass
class SelfPlay:
    """One network in training: games with the averaged weights, then steps, round by round."""

    library: Library
    starts: Starts
    course: Course
    fitter: Fitter
    seed: int
    log: Log

    def gather(self, evaluator: Evaluator, games: int, seed: int) -> dict[str, Any]:
        """Play games and add their anchors to the buffer; returns figures for the log."""
        course = self.course
        broad = replace(self.starts, at_first=0.0, from_classic=0.6)
        count = 0
        for source, number, turns in (
            (broad, course.broad_games, course.broad_turns),
            (self.starts, games, course.turns),
        ):
            if number == 0:
                continue
            anchors, goals, played, residuals = games_of(
                self.library, source, evaluator, number, turns, course, seed
            )
            self.fitter.add(anchors, goals)
            count += len(anchors)
        return {
            "anchors": count,
            "residual": round(residuals.pow(2).mean().sqrt().item(), 5),
            "turns": round(played.length.float().mean().item(), 2),
            "cut": round((played.result[:, 0] < 0).float().mean().item(), 4),
        }

    def fill(self, rounds: int, purpose: int) -> None:
        """Play rounds without a step between them."""
        for extra in range(rounds):
            evaluator = self.fitter.mean.evaluator(self.library)
            self.gather(evaluator, self.course.games, self.seed * 1_000_003 + purpose + extra)

    def rate(self, at: int) -> float:
        """The learning rate of a round: held, then falling evenly."""
        course = self.course
        falling = (at / course.rounds - course.hold) / (1 - course.hold)
        return course.rate * max(course.lowest, 1 - max(falling, 0.0))

    def play_round(self, at: int) -> None:
        """Games, then steps."""
        before = time.monotonic()
        evaluator = self.fitter.mean.evaluator(self.library)
        figures = self.gather(evaluator, self.course.games, self.seed * 1_000_003 + at)
        between = time.monotonic()
        self.fitter.fit(self.course.steps, self.rate(at))
        if at % 10 == 0 or at == self.course.rounds - 1:
            self.log(
                {
                    "round": at,
                    "a_second": round(figures["anchors"] / (between - before)),
                    "fitting_s": round(time.monotonic() - between, 2),
                    "fit": round(self.fitter.loss.item() ** 0.5, 5),
                    **figures,
                }
            )


def games_of(
    library: Library,
    starts: Starts,
    evaluator: Evaluator,
    games: int,
    turns: int,
    course: Course,
    seed: int,
) -> tuple[Tensor, Tensor, Played, Tensor]:
    """Anchors that end with V2, their targets, the games, and the residuals."""
    drawn = starts.draw(games)
    played = library.play(
        starts.family,
        evaluator,
        drawn,
        turns=turns,
        explore=course.explore,
        samples=course.samples,
        seed=seed,
    )
    anchors, goals, residuals = targets_of(played)
    early = drawn[:, -1:][:, None].expand(-1, turns, -1)[played.live]
    return torch.cat([anchors, early], 1), goals, played, residuals


def train(
    library: Library,
    net: Net,
    starts: Starts,
    course: Course,
    *,
    seed: int,
    log: Log,
    checkpoint: Path | None = None,
    deadline: float | None = None,
) -> Fitter | None:
    """Train a network; returns None where the deadline came first, and a checkpoint was kept."""
    torch.manual_seed(seed)
    fitter = Fitter(net, library.device, course.capacity, course.batch, course.average)
    play = SelfPlay(library, starts, course, fitter, seed, log)
    first = 0
    if checkpoint is not None and checkpoint.exists():
        kept = torch.load(checkpoint, map_location=library.device, weights_only=True)
        fitter.load(kept["state"])
        first = kept["round"]
        play.fill(REFILL, 500_000 + first * 2 * REFILL)
    else:
        play.fill(course.prefill, 600_000)
    for at in range(first, course.rounds):
        play.play_round(at)
        done = at + 1
        late = deadline is not None and time.monotonic() > deadline
        if checkpoint is not None and done < course.rounds and (late or done % KEEP_EVERY == 0):
            unfinished = checkpoint.with_suffix(".unfinished")
            torch.save({"state": fitter.state(), "round": done}, unfinished)
            unfinished.replace(checkpoint)
        if late and done < course.rounds:
            return None
    return fitter
