"""The exact turn solver, and the value functions it builds on."""

from cantstop.engine.anchors import Anchors, Evaluator
from cantstop.engine.room import TooLarge
from cantstop.engine.turn import Outlook, Turn, solve_turn

__all__ = ["Anchors", "Evaluator", "Outlook", "TooLarge", "Turn", "solve_turn"]
