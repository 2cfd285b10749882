"""The exact turn solver, analysis and hints, and the evaluators that say what follows a turn.

This is what everybody else imports. ``cantstop.engine.turn`` has the compiled pieces besides, and
``cantstop.engine.evaluators.race`` and ``.value`` what it takes to fit their networks anew.
"""

from cantstop.extras import require

require("engine")

from cantstop.engine.analysis import (
    Action,
    Analysis,
    Hint,
    Option,
    Press,
    RollWorth,
    Worths,
    analyse,
    analysis_json,
    final_worths,
    hint,
    hint_from_json,
    hint_json,
    options_of,
    worths_before_start,
)
from cantstop.engine.compiling import report_compiling
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
    race_model,
    solo_model,
    value_model,
)
from cantstop.engine.text import hint_lines, hint_reasons
from cantstop.engine.turn import (
    Outlook,
    TooLarge,
    Turn,
    check_turn_size,
    solve_rest,
    solve_turn,
)

__all__ = [
    "EXACT",
    "Action",
    "Analysis",
    "Anchors",
    "BadNetworks",
    "EstimateError",
    "Evaluator",
    "Hint",
    "Option",
    "Outlook",
    "Press",
    "RaceModel",
    "RollWorth",
    "SoloModel",
    "TooLarge",
    "Turn",
    "ValueModel",
    "Worths",
    "analyse",
    "analysis_json",
    "best_evaluator",
    "check_turn_size",
    "final_worths",
    "hint",
    "hint_from_json",
    "hint_json",
    "hint_lines",
    "hint_reasons",
    "options_of",
    "race_model",
    "report_compiling",
    "solo_model",
    "solve_rest",
    "solve_turn",
    "value_model",
    "worths_before_start",
]
