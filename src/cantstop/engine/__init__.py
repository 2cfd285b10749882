"""The exact turn solver, analysis and hints, and the evaluators that say what follows a turn.

This is what everybody else imports. It runs as WebAssembly (``module.py``), without NumPy and
Numba. Beside it are the functions that the module is made of; Numba compiles them for those who
play by the million: ``turn``, ``compiled``, ``answers``, and what the evaluators are fitted with.
"""

from cantstop.extras import require

require("engine")

from cantstop.engine.analysis import (
    Analysis,
    Hint,
    Option,
    RollWorth,
    Worths,
    analyse,
    analyze,
    final_worths,
    hint,
    options_of,
    worths_before_start,
)
from cantstop.engine.evaluators import (
    EXACT,
    Anchors,
    BadNetworks,
    EstimateError,
    Evaluator,
    RaceModel,
    SoloModel,
    ValueModel,
    best_evaluator,
    evaluator_version,
    race_model,
    solo_model,
    value_model,
)
from cantstop.engine.module import BadModule
from cantstop.engine.size import TooLarge, check_turn_size
from cantstop.engine.solve import Outlook, Turn, solve_rest, solve_turn
from cantstop.engine.text import hint_lines, hint_reasons

__all__ = [
    "EXACT",
    "Analysis",
    "Anchors",
    "BadModule",
    "BadNetworks",
    "EstimateError",
    "Evaluator",
    "Hint",
    "Option",
    "Outlook",
    "RaceModel",
    "RollWorth",
    "SoloModel",
    "TooLarge",
    "Turn",
    "ValueModel",
    "Worths",
    "analyse",
    "analyze",
    "best_evaluator",
    "check_turn_size",
    "evaluator_version",
    "final_worths",
    "hint",
    "hint_lines",
    "hint_reasons",
    "options_of",
    "race_model",
    "solo_model",
    "solve_rest",
    "solve_turn",
    "value_model",
    "worths_before_start",
]
