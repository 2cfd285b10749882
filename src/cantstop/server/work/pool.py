"""The pool: what takes long is done by processes, one piece for each share in turn.

A person's action never waits behind it: the event loop only hands work out and takes results.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from cantstop.machine import count_cores
from cantstop.server.ops import metrics
from cantstop.server.work.fair_queue import FairQueue, Priority
from cantstop.server.work.process import PREPARED, Prepare, Unfinished, WorkLost, WorkProcess

Result = TypeVar("Result")

MOST_QUEUED = 500
MOST_QUEUED_OF_SHARE = 32
"""Of each priority, and of one share of it: a class behind one address may ask at one moment."""
_MOST_PROCESSES = 4


def default_processes(workers: int = 1) -> int:
    """How many processes each of so many workers has: together one less than there are cores."""
    return max(1, min(_MOST_PROCESSES, (count_cores() - 1) // workers))


@dataclass(eq=False)
class _Job:
    function: Callable[..., object]
    args: tuple[object, ...]
    key: Hashable
    share: str
    priority: Priority
    seconds: float
    done: asyncio.Future[Any]
    waiting: int = 0
    """How many callers wait for it."""
    abandoned: bool = field(default=False)

    def is_abandoned(self) -> bool:
        return self.abandoned


class WorkPool:
    """A few processes, and the fair queue before them."""

    def __init__(self, processes: int = 1, prepare: Prepare = ()) -> None:
        self._processes = [WorkProcess(prepare) for _ in range(processes)]
        self._idle = list(self._processes)
        self._threads = ThreadPoolExecutor(processes, "work")
        """One for each process: it waits for the answer, or for the deadline."""
        self._queue: FairQueue[_Job] = FairQueue(MOST_QUEUED, MOST_QUEUED_OF_SHARE)
        self._jobs: dict[Hashable, _Job] = {}
        """What is queued or being done, by its key."""
        self._closed = False

    def start(self) -> None:
        """Start all processes now, rather than each when it is first needed."""
        for process in self._processes:
            self._threads.submit(process.start)

    @property
    def preparing(self) -> float | None:
        """What share is done of a preparation that takes long, as on a new installation.

        None as soon as one process can work, and where there is nothing long to prepare.
        """
        most = max(process.prepared for process in self._processes)
        return most if 0 < most < PREPARED else None

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        return [process.pid for process in self._processes if process.pid is not None]

    @property
    def queued(self) -> int:
        """How many pieces of work wait for a process."""
        return len(self._queue)

    @property
    def waiting(self) -> int:
        """How many callers wait for a result; several may wait for the same."""
        return sum(job.waiting for job in self._jobs.values())

    async def submit(
        self,
        function: Callable[..., Result | Unfinished],
        args: tuple[object, ...],
        *,
        key: Hashable,
        share: str,
        priority: Priority = Priority.PERSON,
        seconds: float,
    ) -> Result:
        """Have a process call a function of a module, and return its result.

        Who asks for the same ``key`` at the same time waits for the same result. It is cancelled
        when nobody waits for it any more. A function that returns ``Unfinished`` is called again
        after others had their turn. Raises ``Overloaded`` if the queue is full, ``WorkLost`` if the
        process died or took more than ``seconds`` at a time, and whatever the function raises.
        """
        job = self._jobs.get(key)
        if job is None:
            done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            job = _Job(function, args, key, share, priority, seconds, done)
            self._queue.put(job, share, priority)
            self._jobs[key] = job
            self._dispatch()
        job.waiting += 1
        try:
            result: Result = await asyncio.shield(job.done)
            return result
        finally:
            job.waiting -= 1
            if not job.waiting:
                self._abandon(job)

    def _abandon(self, job: _Job) -> None:
        """Nobody waits for it any more: take it out of the queue, or cut it short."""
        if job.done.done():
            return
        job.abandoned = True
        job.done.cancel()
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        self._queue.remove(job, job.share, job.priority)

    def _dispatch(self) -> None:
        loop = asyncio.get_running_loop()
        while self._idle and not self._closed and (job := self._queue.pop()) is not None:
            process = self._idle.pop(0)
            call = partial(process.call, job.function, job.args, job.seconds, job.is_abandoned)
            calling = loop.run_in_executor(self._threads, call)
            calling.add_done_callback(partial(self._finished, process, job))
        metrics.WORK_QUEUED.set(len(self._queue))

    def _finished(self, process: WorkProcess, job: _Job, calling: asyncio.Future[Any]) -> None:
        self._idle.append(process)
        error = calling.exception()
        result = calling.result() if error is None else None
        if isinstance(result, Unfinished) and not job.done.done():
            job.function, job.args = result.function, result.args
            self._queue.put_back(job, job.share, job.priority)
            self._dispatch()
            return
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        if isinstance(error, WorkLost):
            metrics.WORK_LOST.inc()
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
    """A pool that is closed in the end; with ``start`` its processes start at once."""
    pool = WorkPool(processes, prepare)
    if start:
        pool.start()
    try:
        yield pool
    finally:
        await pool.close()
