"""Retrograde analysis on all cores: level by level, each one's anchors spread over threads."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.size import check_turn_size, count_states
from cantstop.engine.turn import turn_tables
from cantstop.machine import available_memory, count_cores
from cantstop.rules import Rules, Start
from cantstop.solver.checkpoint import Checkpoint
from cantstop.solver.enumeration import Enumeration, enumerate_anchors
from cantstop.solver.fixed_point import SolverTables, neighbour_weights, solve_batch
from cantstop.solver.memory import check_memory
from cantstop.solver.numbering import Numbering
from cantstop.solver.solution import Progress, Report, Solution, no_report
from cantstop.solver.table import Table

BYTES_PER_ANCHOR = 20
"""A value, a level, a place in the order, and memory to sort them."""

BATCH = 1000
SAMPLE = 64

OVERHEAD = 200
"""What an anchor takes besides its states, in states."""


def solve_on_cpu(
    rules: Rules,
    checkpoint: Path | None = None,
    report: Report = no_report,
    threads: int | None = None,
) -> Solution:
    """Solve a game for one or two players exactly.

    ``checkpoint`` names the file from which an interrupted solution resumes.
    """
    began = time.monotonic()
    rules = replace(rules, start=Start.FIRST_SEAT)  # who starts makes no difference
    numbering = Numbering(rules)
    check_memory(numbering.boards * BYTES_PER_ANCHOR, available_memory())
    check_turn_size(rules.board)
    found = enumerate_anchors(numbering)
    saved = Checkpoint(rules, checkpoint)
    done, before = saved.load(len(found.values))
    if before is not None:
        found.values[:] = before
    try:
        for level in _levels(numbering, found, done, report, threads or count_cores()):
            done = level + 1
            saved.save_periodically(found.values, done)
    except KeyboardInterrupt:
        saved.save(found.values, done)
        raise
    saved.delete()
    table = Table(numbering, found.values)
    seconds = time.monotonic() - began
    return Solution(table.start, found.anchors, found.boards, seconds, lambda: table)


def _levels(
    numbering: Numbering, found: Enumeration, done: int, report: Report, threads: int
) -> Iterator[int]:
    """Solve one level after the other, and report after each batch."""
    rules = numbering.rules
    tables = SolverTables(
        turn_tables(rules.board, rules.early),
        numbering.digits,
        rules.players,
        numbering.is_mirrored,
        count_states(np.array(rules.board.lengths), rules.board.runners),
        neighbour_weights(),
    )
    work = _work(numbering, found)
    began, total, passed = time.monotonic(), float(work[done:].sum()), 0.0

    def solve(numbers: NDArray[np.int64]) -> int:
        solve_batch(tables, numbers, found.values)
        return len(numbers)

    pool = ThreadPoolExecutor(threads)
    try:
        for level in range(done, len(work)):
            numbers = found.order[found.start[level] : found.start[level + 1]]
            batches = np.array_split(numbers, max(threads, len(numbers) // BATCH))
            for solved in pool.map(solve, batches):
                passed += float(work[level]) * solved / max(len(numbers), 1)
                seconds = time.monotonic() - began
                report(Progress(level, len(work), passed / total, seconds))
            yield level
    finally:
        pool.shutdown(cancel_futures=True)


def _work(numbering: Numbering, found: Enumeration) -> NDArray[np.float64]:
    """About how much work each level is: its anchors times the states that some of them have."""
    digits, runners = numbering.digits, numbering.rules.board.runners
    columns = np.arange(len(digits.weight))
    work = np.zeros(len(found.start) - 1)
    for level, (first, last) in enumerate(pairwise(found.start.tolist())):
        some = found.order[first : last : (last - first) // SAMPLE + 1]
        for number in some.tolist():
            digit = number // digits.weight % digits.base
            work[level] += OVERHEAD + count_states(digits.steps[columns, digit], runners)
        work[level] *= (last - first) / max(len(some), 1)
    return work
