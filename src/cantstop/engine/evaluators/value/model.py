"""The value networks as an evaluator: the official board, two to four players, every variant."""

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from cantstop.engine.evaluators.anchors import Anchors
from cantstop.engine.evaluators.errors import ErrorTable, EstimateError
from cantstop.engine.evaluators.value.packed import (
    FAMILIES,
    NEEDS,
    BadNetworks,
    Family,
    PackedNetworks,
    read_packed,
)
from cantstop.engine.module import Numbers
from cantstop.rules import OFFICIAL, InvalidRules, Position, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cantstop.engine.evaluators.value.sums import Layers

FILE = "value-networks.bin"
FEWEST_COLUMNS = 3
"""The fewest columns to win that networks have learned; they count how many they can go up to."""


def has_value_network(rules: Rules) -> bool:
    """Whether the value networks know a game."""
    return (
        rules.board == OFFICIAL
        and FEWEST_COLUMNS <= rules.columns_to_win <= NEEDS
        and Family(rules.players, rules.sharing) in FAMILIES
    )


@dataclass(frozen=True, eq=False)
class ValueModel:
    """Everybody's chance to win, by one network for each family of games."""

    networks: PackedNetworks = field(repr=False)
    errors: ErrorTable = field(repr=False)
    _layers: "dict[Family, Layers]" = field(default_factory=dict, init=False, repr=False)

    def evaluate(self, anchors: Anchors) -> "NDArray[np.float64]":
        """Everybody's chance to win.

        Raises:
            InvalidRules: If there is no network for the rules.
        """
        import numpy as np

        from cantstop.engine.evaluators.value.sums import fill_worth

        rules = anchors.rules
        _check_network(rules)
        worth = np.empty((len(anchors), rules.players))
        layers = self.layers_of(rules)
        spaces = np.ascontiguousarray(anchors.spaces)
        fill_worth(spaces, anchors.seat, rules.columns_to_win, rules.early, layers, worth)
        return worth

    def error(self, position: Position) -> EstimateError | None:
        """How far turn-solved values are from the truth."""
        return self.errors.of(position)

    def numbers(self, rules: Rules) -> Numbers:
        """The network for a game, as the engine's module takes it.

        Raises:
            InvalidRules: If there is none.
        """
        _check_network(rules)
        network = self.networks[Family(rules.players, rules.sharing).name]
        return Numbers("use_value_network", network.data, (network.units,))

    def layers_of(self, rules: Rules) -> "Layers":
        """The network for a game, laid out for functions that Numba compiles."""
        from cantstop.engine.evaluators.value.file import weights_of
        from cantstop.engine.evaluators.value.sums import layers_of

        family = Family(rules.players, rules.sharing)
        found = self._layers.get(family)
        if found is None:
            found = self._layers[family] = layers_of(weights_of(self.networks[family.name]))
        return found


def _check_network(rules: Rules) -> None:
    if not has_value_network(rules):
        raise InvalidRules("The value networks do not know this game: {rules}.", rules=rules)


def read_value_model(path: Path) -> ValueModel:
    """The value networks of a file, which has to have one for every family of games."""
    networks, notes = read_packed(path)
    for family in FAMILIES:
        if family.name not in networks or networks.players(family.name) != family.players:
            raise BadNetworks(
                "{name} has no network for the games {family}.", name=path.name, family=family.name
            )
    try:
        errors = ErrorTable.parse(notes.get("errors", {}))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadNetworks("{name} has a damaged header.", name=path.name) from None
    return ValueModel(networks, errors)


@cache
def value_model() -> ValueModel:
    """The value networks that come with the package; ``research/train`` has made them."""
    with as_file(files("cantstop.engine.evaluators.value") / FILE) as path:
        return read_value_model(path)
