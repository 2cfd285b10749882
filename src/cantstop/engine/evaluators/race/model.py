"""The race model: how far is every seat from winning alone, and who gets there first?

The distance of a seat is the number of turns that it would need on its own, with the columns that
are still open. How the number of turns scatters about the distance is known from many games; taken
as independent of each other, the seats' turns give everybody's chance to be the first.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from cantstop.engine.evaluators.anchors import Anchors
from cantstop.engine.evaluators.arrays import StoredArray, stored_arrays
from cantstop.engine.evaluators.errors import ErrorTable, EstimateError
from cantstop.engine.module import Numbers
from cantstop.rules import Position, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cantstop.engine.evaluators.race.network import Network

GRAIN = 2.0**-12
"""Vectors are multiples of it: sums of them are exact, and what was added can be taken off."""

LAYERS = ("vectors", "hidden", "hidden_bias", "out", "out_bias")
"""The arrays of a network that estimates distances, in the order of ``network.Network``."""


@dataclass(frozen=True, eq=False)
class RaceModel:
    """The network that estimates distances, and how turns scatter about them.

    ``scatter[d, t]`` is the chance that a seat at distance ``d / RESOLUTION`` needs more than
    ``t`` turns.
    """

    arrays: Mapping[str, StoredArray] = field(repr=False)
    errors: ErrorTable = field(repr=False)

    def evaluate(self, anchors: Anchors) -> "NDArray[np.float64]":
        """Everybody's chance to win; for one player minus the turns that are left."""
        import numpy as np

        from cantstop.engine.evaluators.race.chances import evaluate_duel, evaluate_race
        from cantstop.engine.evaluators.race.distances import seat_distances

        distances = seat_distances(anchors, self.network)
        if anchors.rules.players == 1:
            return -distances.T
        worth = np.empty(distances.shape[::-1])
        if anchors.rules.players == 2:
            evaluate_duel(self.duels, distances, anchors.seat, worth)
        else:
            evaluate_race(self.survival, distances, anchors.seat, worth)
        return worth

    def error(self, position: Position) -> EstimateError | None:
        """How far turn-solved values are from the truth; on other boards nobody knows."""
        return self.errors.of(position)

    def numbers(self, rules: Rules) -> Numbers:  # noqa: ARG002
        """The model as the engine's module takes it."""
        return race_numbers(self.arrays)

    @cached_property
    def network(self) -> "Network":
        """The network for functions that Numba compiles."""
        return network_of(self.arrays)

    @cached_property
    def scatter(self) -> "NDArray[np.float64]":
        """How turns scatter about distances, for functions that Numba compiles."""
        import numpy as np

        return self.arrays["scatter"].numpy().astype(np.float64)

    @cached_property
    def survival(self) -> "NDArray[np.float64]":
        """The scatter up to the largest distance: beyond the tabled ones it is a turn later."""
        from cantstop.engine.evaluators.race.distances import extended_scatter

        return extended_scatter(self.scatter)

    @cached_property
    def duels(self) -> "NDArray[np.float64]":
        """The chance of the seat to move against one other, by both tabled distances."""
        from cantstop.engine.evaluators.race.chances import duel_chances

        return duel_chances(self.survival)


def race_numbers(arrays: Mapping[str, StoredArray], grain: float = 1.0) -> Numbers:
    """For the engine's module: distances by a network, and how turns scatter, if given."""
    layers = [arrays[name].floats(grain if name == "vectors" else 1.0) for name in LAYERS]
    scatter = arrays.get("scatter")
    layers.append(scatter.data if scatter else b"")
    (vectors, units), (_, deep) = arrays["vectors"].shape, arrays["hidden"].shape
    distances, turns = scatter.shape if scatter else (0, 0)
    return Numbers("use_race_model", b"".join(layers), (vectors, units, deep, distances, turns))


def network_of(arrays: Mapping[str, StoredArray], grain: float = 1.0) -> "Network":
    """The network that some arrays make, for functions that Numba compiles."""
    import numpy as np

    from cantstop.engine.evaluators.race.network import Network

    layers = {name: arrays[name].numpy().astype(np.float32) for name in LAYERS}
    layers["vectors"] *= np.float32(grain)
    return Network(**layers)


@cache
def race_model() -> RaceModel:
    """The race model that comes with the package; ``research/race`` has made it."""
    package = "cantstop.engine.evaluators.race"
    errors = json.loads((files(package) / "errors.json").read_text("utf-8"))
    return RaceModel(stored_arrays(package, "weights.npz"), ErrorTable.parse(errors))
