"""Exact solutions of whole games, by retrograde analysis."""

from cantstop.extras import require

require("arena")

from cantstop.solver.cpu import solve_on_cpu
from cantstop.solver.solution import Progress, Solution, open_solution, save_solution
from cantstop.solver.solve import DEVICES, solve_game
from cantstop.solver.table import BadTable, Table, TableEvaluator

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
