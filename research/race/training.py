"""Fits the race model's network to known numbers of turns: Adam, in plain NumPy."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.race.model import GRAIN
from cantstop.engine.evaluators.race.network import COLUMNS, FIRST, VECTORS, Network

WIDTH, DEPTH = 32, 16
BATCH = 512
FAST, SLOW = 3e-3, 2e-5
"""The step size at the beginning and at the end of a fit."""

Array = NDArray[np.float32]


def _marks(views: NDArray[np.int8]) -> Array:
    """One-hot rows: which vectors each view adds up."""
    marks = np.zeros((len(views), VECTORS), np.float32)
    np.put_along_axis(marks, FIRST[None, :] + views, 1, axis=1)
    return marks


def _mirrored(views: NDArray[np.int8]) -> NDArray[np.int8]:
    """The same views from the board's other end: they are worth the same."""
    return np.concatenate([views[:, COLUMNS - 1 :: -1], views[:, COLUMNS:]], axis=1)


@dataclass
class Trainer:
    """The weights, and what Adam remembers of each."""

    weights: list[Array]
    steps: int = 0
    chance: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def __post_init__(self) -> None:
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]

    @classmethod
    def fresh(cls) -> "Trainer":
        """Random weights."""
        chance = np.random.default_rng(0)
        first = [
            chance.normal(0, 0.15, (VECTORS, WIDTH)),
            chance.normal(0, (2 / WIDTH) ** 0.5, (WIDTH, DEPTH)),
            np.zeros(DEPTH),
            chance.normal(0, (2 / DEPTH) ** 0.5, DEPTH),
            np.zeros(1),
        ]
        return cls([weight.astype(np.float32) for weight in first])

    @property
    def network(self) -> Network:
        """The network as it is now."""
        vectors, *layers = self.weights
        exact = (np.round(vectors / GRAIN) * GRAIN).astype(np.float32)
        return Network(exact, *(layer.copy() for layer in layers))

    def fit(self, views: NDArray[np.int8], turns: Array, trust: Array, steps: int) -> None:
        """Take a number of steps; ``trust`` is how much each view counts."""
        trust = (trust / trust.mean()).astype(np.float32)
        for step in range(steps):
            some = self.chance.integers(0, len(views), BATCH)
            seen = views[some] if step % 2 else _mirrored(views[some])
            size = FAST * (SLOW / FAST) ** (step / steps)
            self._step(_marks(seen), turns[some], trust[some], size)

    def _step(self, marks: Array, turns: Array, trust: Array, size: float) -> None:
        vectors, hidden, hidden_bias, out, out_bias = self.weights
        total = marks @ vectors
        first = np.maximum(total, 0)
        deep = first @ hidden + hidden_bias
        second = np.maximum(deep, 0)
        raw = second @ out + out_bias
        error = 1 + np.logaddexp(0, raw) - turns
        raw_slope = (2 * error * trust / len(turns) / (1 + np.exp(-raw))).astype(np.float32)
        deep_slope = np.outer(raw_slope, out) * (deep > 0)
        total_slope = (deep_slope @ hidden.T) * (total > 0)
        slopes = [
            marks.T @ total_slope,
            first.T @ deep_slope,
            deep_slope.sum(axis=0),
            second.T @ raw_slope,
            raw_slope.sum(keepdims=True),
        ]
        self._adam(slopes, size)

    def _adam(self, slopes: list[Array], size: float) -> None:
        self.steps += 1
        for weight, slope, mean, square in zip(
            self.weights, slopes, self.means, self.squares, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            grown = 1 - 0.9**self.steps, 1 - 0.999**self.steps
            weight -= size * (mean / grown[0]) / (np.sqrt(square / grown[1]) + 1e-8)
