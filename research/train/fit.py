"""Fitting a network to the results of games."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from .labels import Labels
from .learn import Log
from .model import Inputs, Net, shares, values

WARM = 0.02
"""The part of the steps in which the rate rises; after that it falls as a cosine does."""

LEAST = 0.003
"""What is left of the rate in the end."""

CHANGE_EVERY = 20


@dataclass(frozen=True)
class Fit:
    """How it is done. ``decay`` draws the joint parts of pair vectors towards zero."""

    steps: int
    rate: float = 2e-3
    batch: int = 16384
    average: float = 0.9995
    decay: float = 0.1
    seed: int = 500


def fit(net: Net, labels: Labels, how: Fit, log: Log) -> Net:
    """Fit a network to labels; what comes back is averaged over the last steps."""
    torch.manual_seed(how.seed)
    device = labels.anchors.device
    net = net.to(device)
    learned, kept = labels.part(~labels.held_out), labels.part(labels.held_out)
    mean, inputs = copy.deepcopy(net), Inputs(net, device)
    rate = torch.tensor(how.rate, device=device)
    graphed = device.type == "cuda"
    joint = [net.joint]
    rest = [one for name, one in net.named_parameters() if name != "joint"]
    adam = torch.optim.AdamW(
        [{"params": joint, "weight_decay": how.decay}, {"params": rest, "weight_decay": 0.0}],
        lr=rate,
        capturable=graphed,
        fused=graphed,
    )
    for group in adam.param_groups:
        group["lr"] = rate  # one tensor for all: a graph reads it
    off = torch.zeros((), device=device)
    size = len(learned.anchors)

    def step() -> None:
        at = torch.randint(size, (how.batch,), device=device)
        logits, target = net(inputs.counts(learned.anchors[at])), learned.worth[at]
        (_loss(logits, target) * learned.weight[at]).mean().backward()
        adam.step()
        adam.zero_grad(set_to_none=False)
        with torch.no_grad():
            off.lerp_((shares(logits) - target).pow(2).mean(), 0.005)
            means, now = list(mean.parameters()), list(net.parameters())
            torch._foreach_lerp_(means, now, 1 - how.average)

    run = _graph(step) if graphed else step
    warm = max(1.0, WARM * how.steps)
    for at in range(how.steps):
        if at % CHANGE_EVERY == 0:
            falling = LEAST + (1 - LEAST) * (1 + math.cos(math.pi * at / how.steps)) / 2
            rate.fill_(how.rate * min(1.0, (at + CHANGE_EVERY) / warm) * falling)
        run()
    held = (values(mean, kept.anchors) - kept.worth).double().pow(2).mean().sqrt().item()
    log(
        {
            "steps": how.steps,
            "labels": size,
            "fit": round(100 * off.sqrt().item(), 4),
            "held_out": len(kept.anchors),
            "off": round(100 * held, 4),
        }
    )
    return mean


def _loss(logits: Tensor, target: Tensor) -> Tensor:
    if logits.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(
            logits[:, 0], target[:, 0], reduction="none"
        )
    return -(target * torch.log_softmax(logits, 1)).sum(1)


def _graph(step: Callable[[], None]) -> Callable[[], None]:
    """The step as one CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay
