"""The official game for one player, solved and made compact: a network fitted to the exact values.

``docs/solved.md`` tells how the game was solved and how close to it the network is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

from cantstop.engine.evaluators.anchors import Anchors
from cantstop.engine.evaluators.arrays import StoredArray, stored_arrays
from cantstop.engine.evaluators.errors import EstimateError
from cantstop.engine.evaluators.race.model import GRAIN, network_of, race_numbers
from cantstop.engine.module import Numbers
from cantstop.odds import is_official_solo
from cantstop.rules import InvalidRules, Position, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cantstop.engine.evaluators.race.network import Network

RULES = Rules(players=1)

ERROR = EstimateError(rms=0.0062, within_99=0.0194)
"""Turns; at the 500 exact anchors of the tests, where the turn is not even solved."""


@dataclass(frozen=True, eq=False)
class SoloModel:
    """The turns to go from every anchor of the official game for one player."""

    arrays: Mapping[str, StoredArray] = field(repr=False)

    def evaluate(self, anchors: Anchors) -> "NDArray[np.float64]":
        """Minus the turns to go.

        Raises:
            InvalidRules: If the game is another one than the model is for.
        """
        from cantstop.engine.evaluators.race.distances import seat_distances

        _check_game(anchors.rules)
        return -seat_distances(anchors, self.network).T

    def numbers(self, rules: Rules) -> Numbers:
        """The model as the engine's module takes it.

        Raises:
            InvalidRules: If the game is another one than the model is for.
        """
        _check_game(rules)
        return race_numbers(self.arrays, GRAIN)

    @cached_property
    def network(self) -> "Network":
        """The network for functions that Numba compiles."""
        return network_of(self.arrays, GRAIN)

    def error(self, position: Position) -> EstimateError:  # noqa: ARG002
        """How far its values are from the exact ones."""
        return ERROR


def _check_game(rules: Rules) -> None:
    if not is_official_solo(rules):
        raise InvalidRules(
            "The table is for other rules: {table}, not {rules}.",
            table=str(RULES),
            rules=str(rules),
        )


@cache
def solo_model() -> SoloModel:
    """The model that comes with the package; ``research/cuda/official.py`` has made it."""
    return SoloModel(stored_arrays("cantstop.engine.evaluators", "solo.npz"))
