"""The official game for one player, solved and made compact: a network fitted to the exact values.

``docs/solved.md`` tells how the game was solved and how close to it the network is.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.anchors import Anchors
from cantstop.engine.evaluators.race import GRAIN, Network, seat_distances
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
        return -seat_distances(anchors, self.network).T


@cache
def solo_model() -> SoloModel:
    """The model that comes with the package; ``tools/cuda/official.py`` has made it."""
    with as_file(files("cantstop.engine.evaluators") / "solo.npz") as path, np.load(path) as stored:
        layers = {name: stored[name].astype(np.float32) for name in Network._fields}
    layers["vectors"] *= np.float32(GRAIN)  # stored as whole numbers
    return SoloModel(Network(**layers))
