"""The official game for one player, solved and made compact: a network fitted to the exact values.

``docs/solved.md`` tells how the game was solved and how close to it the network is.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.anchors import Anchors, Evaluator
from cantstop.engine.race import race_model
from cantstop.engine.race.distances import distances_of
from cantstop.engine.race.network import GRAIN, Network
from cantstop.odds import is_official_solo
from cantstop.rules import InvalidRules, Rules

RULES = Rules(players=1)


@dataclass(frozen=True, eq=False)
class SoloModel:
    """The turns to go from every anchor of the official game for one player."""

    network: Network

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        """Minus the turns to go."""
        if not is_official_solo(anchors.rules):
            raise InvalidRules(
                "The table is for other rules: {table}, not {rules}.",
                table=str(RULES),
                rules=str(anchors.rules),
            )
        return -distances_of(anchors, self.network).T


@cache
def solo_model() -> SoloModel:
    """The model that comes with the package; ``tools/cuda/official.py`` has made it."""
    with as_file(files("cantstop.engine") / "solo.npz") as path, np.load(path) as kept:
        layers = {name: kept[name].astype(np.float32) for name in Network._fields}
    layers["vectors"] *= np.float32(GRAIN)  # kept as whole numbers
    return SoloModel(Network(**layers))


def best_evaluator(rules: Rules) -> Evaluator:
    """The closest estimate there is for a game: the solved one's, or the race model."""
    return solo_model() if is_official_solo(rules) else race_model()
