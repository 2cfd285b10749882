"""What positions at the start of a turn are worth: the evaluators that the turn solver builds on.

An evaluator is a module or a package here with a function that loads it, such as ``race_model``;
``best_evaluator`` picks one for a game.
"""

from functools import lru_cache
from hashlib import sha256

from cantstop.engine.evaluators.anchors import Anchors, Evaluator
from cantstop.engine.evaluators.errors import EXACT, ErrorTable, EstimateError, Stage
from cantstop.engine.evaluators.race.model import RaceModel, race_model
from cantstop.engine.evaluators.solo import SoloModel, solo_model
from cantstop.engine.evaluators.value.model import ValueModel, has_value_network, value_model
from cantstop.engine.evaluators.value.packed import BadNetworks
from cantstop.odds import is_official_solo
from cantstop.rules import Rules

__all__ = [
    "EXACT",
    "Anchors",
    "BadNetworks",
    "ErrorTable",
    "EstimateError",
    "Evaluator",
    "RaceModel",
    "SoloModel",
    "Stage",
    "ValueModel",
    "best_evaluator",
    "evaluator_version",
    "race_model",
    "solo_model",
    "value_model",
]


def best_evaluator(rules: Rules) -> SoloModel | ValueModel | RaceModel:
    """The closest estimate there is for a game.

    Alone on the official board it is the solved game's, for two to four players there the value
    networks', elsewhere the race model. Networks that cannot be read raise ``BadNetworks``.
    """
    if is_official_solo(rules):
        return solo_model()
    return value_model() if has_value_network(rules) else race_model()


@lru_cache(256)
def evaluator_version(rules: Rules) -> str:
    """Which estimate the best evaluator makes for a game, to store with figures that rest on it.

    It changes when the weights for such games do, and only then.

    >>> evaluator_version(Rules(players=2)).partition("-")[0]
    'value_network'
    >>> evaluator_version(Rules(players=2)) == evaluator_version(Rules(players=2, early=True))
    True
    """
    numbers = best_evaluator(rules).numbers(rules)
    digest = sha256(repr(numbers.sizes).encode() + numbers.data).hexdigest()
    return f"{numbers.export.removeprefix('use_')}-{digest[:12]}"
