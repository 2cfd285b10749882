"""Solving solitaire with CUDA, up to the official board."""

import time
from pathlib import Path

from cantstop.rules import InvalidRules, Rules
from cantstop.solver.cuda.blocks import Blocks
from cantstop.solver.cuda.device import NoDevice, find_device, load_kernels
from cantstop.solver.cuda.plain import write_values
from cantstop.solver.cuda.solve import CudaTable
from cantstop.solver.numbering import Numbering
from cantstop.solver.progress import Progress, Report, no_report
from cantstop.solver.resume import Unfinished
from cantstop.solver.solution import Solution
from cantstop.solver.table import Table

__all__ = ["CudaTable", "NoDevice", "find_device", "load_kernels", "solve_on_cuda"]

MOST_SIDES = 6
LONGEST = 15


def solve_on_cuda(
    rules: Rules, unfinished: Path | None = None, report: Report = no_report
) -> Solution:
    """Solve a game for one player in single precision.

    ``unfinished`` names the file that keeps an interrupted solution, to go on with next time.
    """
    began = time.monotonic()
    check_rules(rules)
    cupy = find_device()
    blocks = Blocks(rules)
    kept = Unfinished(rules, unfinished)
    table = CudaTable(cupy, load_kernels(cupy, rules.board.sides), blocks)
    done, before = kept.load(blocks.boards)
    if before is not None:
        write_values(cupy, blocks, before, table.values)
    work = blocks.work()
    total, passed = float(work[done:].sum()), 0.0
    try:
        for level in table.solve(done):
            done = level.number + 1
            passed += float(work[level.number])
            seconds = time.monotonic() - began
            report(Progress(level.number, blocks.levels, passed / total, seconds))
    except KeyboardInterrupt:
        kept.save(table.plain_values(), done)
        raise
    kept.forget()
    return Solution(
        value=table.value(rules.board.lengths),
        anchors=blocks.anchors,
        boards=blocks.boards,
        seconds=time.monotonic() - began,
        fetch=lambda: Table(Numbering(rules), table.plain_values()),
    )


def check_rules(rules: Rules) -> None:
    """Refuse games that the kernels do not know."""
    board = rules.board
    if rules.players != 1 or board.runners != 3 or rules.early:
        raise InvalidRules(
            "With CUDA only games for one player with three runners and without V2 can be solved."
        )
    if board.sides > MOST_SIDES or max(board.lengths) > LONGEST:
        raise InvalidRules(
            "With CUDA only boards for dice with at most {sides} sides and columns of at most "
            "{longest} spaces can be solved.",
            sides=MOST_SIDES,
            longest=LONGEST,
        )
