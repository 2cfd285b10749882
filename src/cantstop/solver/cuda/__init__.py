"""Solving solitaire with CUDA, up to the official board."""

import time
from functools import cache
from pathlib import Path

from cantstop.rules import InvalidRules, Rules
from cantstop.solver.checkpoint import Checkpoint
from cantstop.solver.cuda.run.blocks import Blocks
from cantstop.solver.cuda.run.device import NoDevice, find_device, load_kernels
from cantstop.solver.cuda.run.table import DeviceTable
from cantstop.solver.cuda.run.transfer import to_device
from cantstop.solver.numbering import Numbering
from cantstop.solver.solution import Progress, Report, Solution, no_report
from cantstop.solver.table import Table

__all__ = ["NoDevice", "check_rules", "solve_on_cuda"]

MAX_SIDES = 6
MAX_LENGTH = 15


def solve_on_cuda(
    rules: Rules, checkpoint: Path | None = None, report: Report = no_report
) -> Solution:
    """Solve a game for one player in single precision.

    ``checkpoint`` names the file from which an interrupted solution resumes.
    """
    began = time.monotonic()
    check_rules(rules)
    cupy = find_device()
    blocks = Blocks(rules)
    saved = Checkpoint(rules, checkpoint)
    table = DeviceTable(cupy, load_kernels(cupy, rules.board.sides), blocks)
    done, before = saved.load(blocks.boards)
    if before is not None:
        to_device(cupy, blocks, before, table.values)
    work = blocks.work()
    total, passed = float(work[done:].sum()), 0.0
    try:
        for level in table.solve(done):
            done = level.number + 1
            passed += float(work[level.number])
            seconds = time.monotonic() - began
            report(Progress(level.number, blocks.levels, passed / total, seconds))
    except KeyboardInterrupt:
        saved.save(table.host_values(), done)
        raise
    saved.delete()
    value = table.value(rules.board.lengths)
    table.release()  # nearly all of the GPU's memory, which the next solution needs

    @cache
    def fetch() -> Table:
        found = Table(Numbering(rules), table.host_values())
        table.close()
        return found

    return Solution(
        value=value,
        anchors=blocks.anchors,
        boards=blocks.boards,
        seconds=time.monotonic() - began,
        fetch=fetch,
    )


def check_rules(rules: Rules) -> None:
    """Refuse games that the kernels do not know."""
    board = rules.board
    if rules.players != 1 or board.runners != 3 or rules.early:
        raise InvalidRules(
            "With CUDA only games for one player with three runners and without V2 can be solved."
        )
    if board.sides > MAX_SIDES or max(board.lengths) > MAX_LENGTH:
        raise InvalidRules(
            "With CUDA only boards for dice with at most {sides} sides and columns of at most "
            "{longest} spaces can be solved.",
            sides=MAX_SIDES,
            longest=MAX_LENGTH,
        )
