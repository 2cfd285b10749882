"""Exact solutions of whole games, by retrograde analysis."""

from cantstop.solver.cpu import solve_on_cpu
from cantstop.solver.evaluator import TableEvaluator
from cantstop.solver.progress import Progress
from cantstop.solver.solution import Solution
from cantstop.solver.table import BadTable, Table, open_table, save_table

__all__ = [
    "BadTable",
    "Progress",
    "Solution",
    "Table",
    "TableEvaluator",
    "open_table",
    "save_table",
    "solve_on_cpu",
]
