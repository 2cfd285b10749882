"""The exact turn solver, and the value functions it builds on."""

from cantstop.engine.anchors import Anchors, Evaluator
from cantstop.engine.hint import Hint, Option, Press, hint
from cantstop.engine.room import TooLarge
from cantstop.engine.turn import Outlook, Turn, solve_rest, solve_turn

__all__ = [
    "Anchors",
    "Evaluator",
    "Hint",
    "Option",
    "Outlook",
    "Press",
    "TooLarge",
    "Turn",
    "hint",
    "solve_rest",
    "solve_turn",
]
