"""An evaluator for the official board: networks that have learned what positions are worth.

``ValueModel`` is the evaluator; the rest is what ``tools/train`` makes its file with.
"""

from cantstop.engine.evaluators.value.file import BadNetworks, read_networks, write_networks
from cantstop.engine.evaluators.value.model import (
    FILE,
    ValueModel,
    has_value_network,
    read_value_model,
    value_model,
)
from cantstop.engine.evaluators.value.network import (
    COLUMNS,
    DEEP,
    FAMILIES,
    GRAIN,
    LENGTHS,
    NEEDS,
    OTHER_FIRST,
    OTHER_MIRROR,
    OTHER_ROWS,
    PAIR_FIRST,
    PAIR_MIRROR,
    PAIR_ROWS,
    SEAT,
    Family,
    Weights,
    evaluate,
    shapes_of,
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
