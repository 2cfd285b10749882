"""The race model: how far is every seat from winning alone, and who gets there first?

The distance of a seat is the number of turns that it would need on its own, with the columns that
are still open. How the number of turns scatters about the distance is known from many games; taken
as independent of each other, the seats' turns give everybody's chance to be the first.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.anchors import Anchors
from cantstop.engine.race.distances import FARTHEST, distances_of
from cantstop.engine.race.first import PARTS, duels_of, share_wins, win_duel
from cantstop.engine.race.network import Network


@dataclass(frozen=True, eq=False)
class RaceModel:
    """The network that tells distances, and how turns scatter about them.

    ``scatter[d, t]`` is the chance that a seat at distance ``d / PARTS`` needs more than ``t``
    turns.
    """

    network: Network
    scatter: NDArray[np.float64]

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        """Everybody's chance to win; for one player minus the turns that are left."""
        distances = distances_of(anchors, self.network)
        if anchors.rules.players == 1:
            return -distances.T
        worth = np.empty(distances.shape[::-1])
        if anchors.rules.players == 2:
            win_duel(self._duels, distances, anchors.seat, worth)
        else:
            share_wins(self._later, distances, anchors.seat, worth)
        return worth

    @cached_property
    def _later(self) -> NDArray[np.float64]:
        """The scatter up to the farthest distance: beyond the tabled ones it is a turn later."""
        known, turns = self.scatter.shape
        farthest = int(FARTHEST)
        later = np.zeros((farthest * PARTS + 2, farthest + turns))
        later[:known, :turns] = self.scatter
        for row in range(known, len(later)):
            later[row, 0] = 1.0
            later[row, 1:] = later[row - PARTS, :-1]
        return later

    @cached_property
    def _duels(self) -> NDArray[np.float64]:
        return duels_of(self._later)


@cache
def race_model() -> RaceModel:
    """The race model that comes with the package; ``tools/fit_race.py`` has made it."""
    with (
        as_file(files("cantstop.engine.race") / "weights.npz") as path,
        np.load(path) as kept,
    ):
        layers = [kept[name].astype(np.float32) for name in Network._fields]
        return RaceModel(Network(*layers), kept["scatter"].astype(np.float64))
