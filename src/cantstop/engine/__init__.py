"""The exact turn solver, hints, and the evaluators that say what follows a turn.

This is what everybody else imports. ``cantstop.engine.turn`` has the compiled pieces besides, and
``cantstop.engine.evaluators.race`` what it takes to fit its network anew.
"""

from cantstop.engine.evaluators import (
    Anchors,
    Evaluator,
    RaceModel,
    SoloModel,
    best_evaluator,
    race_model,
    solo_model,
)
from cantstop.engine.hints import Hint, Option, Press, hint
from cantstop.engine.turn import (
    Outlook,
    TooLarge,
    Turn,
    check_turn_size,
    solve_rest,
    solve_turn,
)

__all__ = [
    "Anchors",
    "Evaluator",
    "Hint",
    "Option",
    "Outlook",
    "Press",
    "RaceModel",
    "SoloModel",
    "TooLarge",
    "Turn",
    "best_evaluator",
    "check_turn_size",
    "hint",
    "race_model",
    "solo_model",
    "solve_rest",
    "solve_turn",
]
