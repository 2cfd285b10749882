"""Value networks that have learned nothing: random weights, with values well spread."""

from pathlib import Path
from typing import Any

import numpy as np

from cantstop.engine.evaluators.value.file import write_networks
from cantstop.engine.evaluators.value.network import Weights
from cantstop.engine.evaluators.value.packed import FAMILIES, shapes_of

SIZES = {"pairs": 0.15, "needs": 0.3, "early": 0.3, "out_bias": 0.1}


def random_weights(players: int, seed: int, units: int = 16) -> Weights:
    chance = np.random.default_rng(seed)
    arrays = {
        name: (chance.standard_normal(shape) * SIZES.get(name, 0.3)).astype(np.float32)
        for name, shape in shapes_of(players, units).items()
    }
    return Weights(**arrays).rounded()


def write_random(path: Path, notes: dict[str, Any] | None = None, units: int = 16) -> Path:
    """A whole file, with a network for every family of games."""
    networks = {
        family.name: random_weights(family.players, seed, units)
        for seed, family in enumerate(FAMILIES)
    }
    write_networks(path, networks, notes or {})
    return path
