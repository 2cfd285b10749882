"""Plays batches on a GPU: one thread for some blocks of games, each with totals of its own."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self

import numpy as np

from cantstop.arena.batch import Batch, PlayedBatch
from cantstop.arena.checkpoint import Totals
from cantstop.arena.plan import Plan, seatings_of
from cantstop.bots.compiled import compiled_bots
from cantstop.kernel.cuda import MATCH, source
from cantstop.kernel.decide import FUNCTION, SOLVER
from cantstop.kernel.layout import TOTALS
from cantstop.kernel.records import rules_records
from cantstop.rules import InvalidText, Rules
from cantstop.solver.cuda.run.device import compile_kernels, find_device

MOST_THREADS = 2**16
"""Threads of a launch: each has totals of eight kilobytes."""

BLOCK_THREADS = 64
DeviceArray = Any

COLUMNS = TOTALS.itemsize // 8


class CudaPool:
    """One GPU, which has one batch at a time; the next one waits in a queue."""

    def __init__(self, plan: Plan) -> None:
        _check_bots(plan)
        self.size = 1
        self._cupy: Any = find_device()
        self._kernel: Any = compile_kernels(self._cupy, [(source(), ["play_games"])])["play_games"]
        self._threads = ThreadPoolExecutor(1)

    def submit(self, batch: Batch) -> "Future[PlayedBatch]":
        """Have a batch played."""
        return self._threads.submit(self._play, batch)

    def _play(self, batch: Batch) -> PlayedBatch:
        begin = time.perf_counter()
        size = len(seatings_of(batch.bots).bots)
        blocks = -(-batch.games // size)
        rows = self.play(batch, size * -(-blocks // MOST_THREADS))
        totals = Totals(rows.sum(axis=0).get().view(TOTALS))
        return PlayedBatch(batch, totals, time.perf_counter() - begin)

    def play(self, batch: Batch, games_a_thread: int) -> DeviceArray:
        """The totals of each thread: a row of numbers, in the order of ``TOTALS``."""
        cupy, compiled = self._cupy, compiled_bots(batch.bots)
        assert compiled is not None, "the plan was checked"
        rules, seatings = rules_records(Rules.parse(batch.rules)), seatings_of(batch.bots)
        threads = -(-batch.games // games_a_thread)
        arrays = {
            "rules": cupy.asarray(rules.rules.view(np.uint8)),
            "rolls": cupy.asarray(rules.rolls.view(np.uint8)),
            "bots": cupy.asarray(compiled.records.view(np.uint8)),
            "seatings": cupy.asarray(seatings.bots),
            "dice": cupy.asarray(seatings.dice),
            "totals": cupy.zeros((threads, COLUMNS), np.int64),
        }
        match = np.zeros(1, MATCH)
        for name, array in arrays.items():
            match[name] = array.data.ptr
        match["dice_a_block"], match["size"] = seatings.dice_a_block, len(seatings.bots)
        match["first_game"], match["last_game"] = batch.first_game, batch.last_game
        match["games_a_thread"], match["seed"] = games_a_thread, batch.seed
        self._kernel((-(-threads // BLOCK_THREADS),), (BLOCK_THREADS,), (match,))
        return arrays["totals"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)


def _check_bots(plan: Plan) -> None:
    """Refuse bots that are not made of the kernel's own functions, and turns to be solved."""
    if plan.control:
        raise InvalidText("Control variates do not work on a GPU: no turns are solved there.")
    for name in dict.fromkeys(plan.bots):
        compiled = compiled_bots((name,))
        if compiled is None or compiled.records["kind"][0] in (FUNCTION, SOLVER):
            raise InvalidText(
                "The bot “{name}” does not play on a GPU: only bots whose decisions are part of "
                "the kernel do.",
                name=name,
            )
