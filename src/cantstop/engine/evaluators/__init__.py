"""What positions at the start of a turn are worth: the evaluators that the turn solver builds on.

An evaluator is a module or a package here with a function that loads it, such as ``race_model``;
``best_evaluator`` picks one for a game.
"""

from cantstop.engine.evaluators.anchors import Anchors, Evaluator
from cantstop.engine.evaluators.race import RaceModel, race_model
from cantstop.engine.evaluators.solo import SoloModel, solo_model
from cantstop.odds import is_official_solo
from cantstop.rules import Rules

__all__ = [
    "Anchors",
    "Evaluator",
    "RaceModel",
    "SoloModel",
    "best_evaluator",
    "race_model",
    "solo_model",
]


def best_evaluator(rules: Rules) -> Evaluator:
    """The closest estimate there is for a game: the solved one's, or the race model."""
    return solo_model() if is_official_solo(rules) else race_model()
