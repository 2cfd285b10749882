"""Exact solutions of whole games, by retrograde analysis."""

from cantstop.solver.cpu import solve_on_cpu
from cantstop.solver.evaluator import TableEvaluator
from cantstop.solver.game import DEVICES, solve_game
from cantstop.solver.progress import Progress
from cantstop.solver.solution import Solution, open_solution, save_solution
from cantstop.solver.table import BadTable, Table

__all__ = [
    "DEVICES",
    "BadTable",
    "Progress",
    "Solution",
    "Table",
    "TableEvaluator",
    "open_solution",
    "save_solution",
    "solve_game",
    "solve_on_cpu",
]
