"""An evaluator for every game: how far is each seat from winning, and who gets there first."""

from cantstop.engine.race.model import RaceModel, race_model

__all__ = ["RaceModel", "race_model"]
