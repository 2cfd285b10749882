"""The pool: what takes long is done by processes, one piece for each share in turn.

A person's action never waits behind it: the event loop only hands work out and takes results.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any, TypeVar

from cantstop.machine import count_cores
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import RepeatedLog
from cantstop.server.work.fair_queue import FairQueue, Overloaded, Priority
from cantstop.server.work.process import (
    Prepare,
    ProcessDied,
    Unfinished,
    WorkLost,
    WorkProcess,
)

_log = logging.getLogger(__name__)

Result = TypeVar("Result")

MOST_QUEUED = 500
MOST_QUEUED_OF_SHARE = 32
"""Of each priority, and of one share of it: a class behind one address may ask at one moment."""
_MOST_PROCESSES = 4


def default_processes(workers: int = 1) -> int:
    """How many processes each worker has: together one less than there are cores."""
    return max(1, min(_MOST_PROCESSES, (count_cores() - 1) // workers))


_Place = tuple[str, Priority]


@dataclass(eq=False)
class _Job:
    function: Callable[..., object]
    args: tuple[object, ...]
    key: Hashable
    seconds: float
    cpu_seconds: float
    done: asyncio.Future[Any]
    waiting: Counter[_Place] = field(default_factory=Counter)
    """How many callers wait for it, by their share and priority: it is queued for each of those."""
    queued: set[_Place] = field(default_factory=set)
    """Where it is in the queue."""
    process: WorkProcess | None = None
    """Which one is doing it."""
    is_retried: bool = False
    abandoned: bool = False

    def is_abandoned(self) -> bool:
        return self.abandoned


class WorkPool:
    """A few processes, and the fair queue before them."""

    def __init__(self, processes: int = 1, prepare: Prepare = (), *, spare: bool = False) -> None:
        self._processes = [WorkProcess(prepare) for _ in range(processes + spare)]
        self._idle = self._processes[:processes]
        self._spare = self._processes[-1] if spare else None
        """Takes the place of one that dies, which would have to load the engine first."""
        self._threads = ThreadPoolExecutor(processes, "work")
        """One for each process: it waits for the answer, or for the deadline."""
        self._queue: FairQueue[_Job] = FairQueue(MOST_QUEUED, MOST_QUEUED_OF_SHARE)
        self._jobs: dict[Hashable, _Job] = {}
        """What is queued or being done, by its key."""
        self._closed = False
        self._was_ready = False
        self._log = RepeatedLog(_log)

    def start(self) -> None:
        """Start all processes now, rather than each when it is first needed."""
        for process in self._processes:
            self._threads.submit(process.start)

    @property
    def trouble(self) -> str | None:
        """Which processes hang, or that none can work any more, in a few words for a monitor.

        None if all is well; nor is it trouble that they are being prepared, as after every start.
        """
        is_ready = any(process.is_warm for process in self._processes)
        self._was_ready = self._was_ready or is_ready
        hanging = sum(process.is_hanging for process in self._processes)
        if hanging:
            return f"{hanging} of {len(self._processes)} processes hang"
        return "no process is ready" if self._was_ready and not is_ready else None

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        return [process.pid for process in self._processes if process.pid is not None]

    @property
    def queued(self) -> int:
        """How many pieces of work wait for a process; one may stand in several shares."""
        return sum(bool(job.queued) for job in self._jobs.values())

    @property
    def waiting(self) -> int:
        """How many callers wait for a result; several may wait for the same."""
        return sum(job.waiting.total() for job in self._jobs.values())

    async def submit(
        self,
        function: Callable[..., Result | Unfinished],
        args: tuple[object, ...],
        *,
        key: Hashable,
        share: str,
        priority: Priority = Priority.PERSON,
        seconds: float,
        cpu_seconds: float = inf,
    ) -> Result:
        """Have a process call a function of a module, and return its result.

        Who asks for the same ``key`` at the same time waits for the same result, in a share and
        with a priority of their own. It is cancelled when nobody waits for it any more. A function
        that returns ``Unfinished`` is called again after others had their turn. Raises
        ``Overloaded`` if the queue is full, ``WorkLost`` if the process took more than ``seconds``
        or used more than ``cpu_seconds`` at a time, or hung or died twice, and what the function
        raises as ``WorkRefused`` or ``WorkFailed``.
        """
        place = share, priority
        job = self._jobs.get(key)
        if job is None:
            done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            job = _Job(function, args, key, seconds, cpu_seconds, done)
            self._queue.put(job, *place)
            job.queued.add(place)
            self._jobs[key] = job
        elif job.queued and place not in job.queued:
            with suppress(Overloaded):  # whoever asked before still waits for it
                self._queue.put(job, *place)
                job.queued.add(place)
        job.waiting[place] += 1
        self._dispatch()
        try:
            result: Result = await asyncio.shield(job.done)
            return result
        finally:
            self._leave(job, place)

    def _leave(self, job: _Job, place: _Place) -> None:
        """A caller waits no more: it is done, or they have gone."""
        job.waiting[place] -= 1
        if job.waiting[place]:
            return
        del job.waiting[place]
        if not job.waiting:
            self._abandon(job)
        elif place in job.queued and len(job.queued) > 1:
            job.queued.discard(place)
            self._queue.remove(job, *place)

    def _abandon(self, job: _Job) -> None:
        """Nobody waits for it any more: take it out of the queue, or cut it short."""
        if job.done.done():
            return
        job.abandoned = True
        job.done.cancel()
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        self._take_out(job)
        if job.process is not None:
            job.process.ask_to_pause()

    def _take_out(self, job: _Job) -> None:
        for place in job.queued:
            self._queue.remove(job, *place)
        job.queued.clear()

    def _put_back(self, job: _Job) -> None:
        """It has had its turn, and is not done."""
        for place in job.waiting:
            self._queue.put_back(job, *place)
            job.queued.add(place)
        self._dispatch()

    def _dispatch(self) -> None:
        loop = asyncio.get_running_loop()
        while self._idle and not self._closed and (job := self._queue.pop()) is not None:
            self._take_out(job)
            process = job.process = self._idle.pop(0)
            process.ask_to_pause(pause=False)
            calling = loop.run_in_executor(
                self._threads,
                process.call,
                job.function,
                job.args,
                job.seconds,
                job.cpu_seconds,
                job.is_abandoned,
            )
            calling.add_done_callback(partial(self._finished, process, job))
        if len(self._queue):
            for process in self._processes:
                process.ask_to_pause()
        metrics.WORK_QUEUED.set(self.queued)

    def _finished(self, process: WorkProcess, job: _Job, calling: asyncio.Future[Any]) -> None:
        job.process = None
        error = calling.exception()
        result = calling.result() if error is None else None
        if isinstance(error, WorkLost) and not self._closed:
            metrics.WORK_LOST.inc()
            self._log.log(
                logging.WARNING,
                "A process for hints, reviews and strong bots was lost and is replaced: %s.",
                error,
            )
            if self._spare is not None and self._spare.is_warm:
                process, self._spare = self._spare, process
            elif self._spare is not None:
                self._threads.submit(self._spare.replace_if_hanging)
        self._idle.append(process)
        if isinstance(result, Unfinished) and not job.done.done():
            job.function, job.args = result.function, result.args
            self._put_back(job)
            return
        if isinstance(error, ProcessDied) and not job.is_retried and not job.done.done():
            job.is_retried = True  # maybe it died before, and not of this
            self._put_back(job)
            return
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        if not job.done.done():
            if error is not None:
                job.done.set_exception(error)
            else:
                job.done.set_result(result)
        self._dispatch()

    async def close(self) -> None:
        """Kill all processes, and refuse whoever still waits."""
        self._closed = True
        for job in list(self._jobs.values()):
            if not job.done.done():
                job.done.set_exception(WorkLost("the pool is closed"))
                job.done.exception()  # whoever waited may be gone already
        for process in self._processes:
            process.close()
        await asyncio.to_thread(self._threads.shutdown)


@asynccontextmanager
async def open_pool(
    processes: int, prepare: Prepare, *, start: bool = False
) -> AsyncIterator[WorkPool]:
    """A pool that is closed in the end; with ``start`` its processes start now, and a spare one."""
    pool = WorkPool(processes, prepare, spare=start)
    if start:
        pool.start()
    try:
        yield pool
    finally:
        await pool.close()
