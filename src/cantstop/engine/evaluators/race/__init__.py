"""An evaluator for every game: how far is each seat from winning, and who gets there first.

``RaceModel`` is the evaluator; the rest is what ``research/race`` fits it with. What needs Numba is
loaded when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from cantstop.engine.evaluators.race.model import GRAIN, RaceModel, race_model

if TYPE_CHECKING:
    from cantstop.engine.evaluators.race.chances import RESOLUTION
    from cantstop.engine.evaluators.race.distances import seat_distances
    from cantstop.engine.evaluators.race.network import COLUMNS, FIRST, PLACES, VECTORS, Network

__all__ = [
    "COLUMNS",
    "FIRST",
    "GRAIN",
    "PLACES",
    "RESOLUTION",
    "VECTORS",
    "Network",
    "RaceModel",
    "race_model",
    "seat_distances",
]

_PLACES = {"RESOLUTION": "chances", "seat_distances": "distances"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES.get(name, 'network')}"), name)
