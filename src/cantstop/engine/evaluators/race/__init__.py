"""An evaluator for every game: how far is each seat from winning, and who gets there first.

``RaceModel`` is the evaluator; the rest is what ``tools/fit_race.py`` fits it with, and the network
of the solo game shares.
"""

from cantstop.engine.evaluators.race.distances import seat_distances
from cantstop.engine.evaluators.race.model import RESOLUTION, RaceModel, race_model
from cantstop.engine.evaluators.race.network import (
    COLUMNS,
    FIRST,
    GRAIN,
    PLACES,
    VECTORS,
    Network,
)

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
