"""An evaluator for the official board: networks that have learned what positions are worth.

``ValueModel`` is the evaluator; the rest is what ``research/train`` makes its file with. What needs
NumPy is loaded when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from cantstop.engine.evaluators.value.model import (
    FILE,
    ValueModel,
    has_value_network,
    read_value_model,
    value_model,
)
from cantstop.engine.evaluators.value.packed import (
    DEEP,
    FAMILIES,
    GRAIN,
    NEEDS,
    OTHER_ROWS,
    PAIR_ROWS,
    BadNetworks,
    Family,
    shapes_of,
)

if TYPE_CHECKING:
    from cantstop.engine.evaluators.value.file import read_networks, write_networks
    from cantstop.engine.evaluators.value.network import (
        COLUMNS,
        LENGTHS,
        OTHER_FIRST,
        OTHER_MIRROR,
        PAIR_FIRST,
        PAIR_MIRROR,
        SEAT,
        Weights,
        evaluate,
        with_mirror,
    )

__all__ = [
    "COLUMNS",
    "DEEP",
    "FAMILIES",
    "FILE",
    "GRAIN",
    "LENGTHS",
    "NEEDS",
    "OTHER_FIRST",
    "OTHER_MIRROR",
    "OTHER_ROWS",
    "PAIR_FIRST",
    "PAIR_MIRROR",
    "PAIR_ROWS",
    "SEAT",
    "BadNetworks",
    "Family",
    "ValueModel",
    "Weights",
    "evaluate",
    "has_value_network",
    "read_networks",
    "read_value_model",
    "shapes_of",
    "value_model",
    "with_mirror",
    "write_networks",
]

_FILE = ("read_networks", "write_networks")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'file' if name in _FILE else 'network'}"), name)
