"""Retrograde analysis on all cores: level by level, each one's anchors spread over threads."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.frame import frame_of
from cantstop.engine.room import check_room, state_count
from cantstop.machine import available_memory, count_cores
from cantstop.rules import Rules, Start
from cantstop.solver.batch import solve_batch
from cantstop.solver.guess import neighbour_weights
from cantstop.solver.numbering import Numbering
from cantstop.solver.progress import Progress, Report, no_report
from cantstop.solver.resume import Unfinished
from cantstop.solver.room import check_memory
from cantstop.solver.solution import Solution
from cantstop.solver.survey import Survey, survey
from cantstop.solver.table import Table

BYTES_AN_ANCHOR = 20
"""A value, a level, a place in the order, and room to sort them."""

BATCH = 1000
SAMPLE = 64

OVERHEAD = 200
"""What an anchor takes besides its states, in states."""


def solve_on_cpu(
    rules: Rules,
    unfinished: Path | None = None,
    report: Report = no_report,
    threads: int | None = None,
) -> Solution:
    """Solve a game for one or two players exactly.

    ``unfinished`` names the file that keeps an interrupted solution, to go on with next time.
    """
    began = time.monotonic()
    rules = replace(rules, start=Start.FIRST_SEAT)  # who starts makes no difference
    numbering = Numbering(rules)
    check_memory(numbering.boards * BYTES_AN_ANCHOR, available_memory())
    check_room(rules.board, np.array(rules.board.lengths))
    found = survey(numbering)
    kept = Unfinished(rules, unfinished)
    done, before = kept.load(len(found.values))
    if before is not None:
        found.values[:] = before
    try:
        for level in _levels(numbering, found, done, report, threads or count_cores()):
            done = level + 1
            kept.save_now_and_then(found.values, done)
    except KeyboardInterrupt:
        kept.save(found.values, done)
        raise
    kept.forget()
    table = Table(numbering, found.values)
    seconds = time.monotonic() - began
    return Solution(table.start, found.anchors, found.boards, seconds, lambda: table)


def _levels(
    numbering: Numbering, found: Survey, done: int, report: Report, threads: int
) -> Iterator[int]:
    """Solve one level after the other, and tell after each."""
    rules, digits = numbering.rules, numbering.digits
    frame, weights = frame_of(rules.board, rules.early), neighbour_weights()
    states = state_count(np.array(rules.board.lengths), rules.board.runners)
    work = _work(numbering, found)
    began, total, passed = time.monotonic(), float(work[done:].sum()), 0.0

    def solve(numbers: NDArray[np.int64]) -> int:
        mirrored = numbering.is_mirrored
        solve_batch(frame, digits, rules.players, mirrored, states, weights, numbers, found.values)
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


def _work(numbering: Numbering, found: Survey) -> NDArray[np.float64]:
    """About how much work each level is: its anchors times the states that some of them have."""
    digits, runners = numbering.digits, numbering.rules.board.runners
    columns = np.arange(len(digits.weight))
    work = np.zeros(len(found.start) - 1)
    for level, (first, last) in enumerate(pairwise(found.start.tolist())):
        some = found.order[first : last : (last - first) // SAMPLE + 1]
        for number in some.tolist():
            digit = number // digits.weight % digits.base
            work[level] += OVERHEAD + state_count(digits.steps[columns, digit], runners)
        work[level] *= (last - first) / max(len(some), 1)
    return work
