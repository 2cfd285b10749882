"""Work that several wait for, that pauses when others come, and processes that die under it."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from cantstop.rules import IllegalAction, InvalidText, Phrase
from cantstop.server.errors import code_of
from cantstop.server.work.fair_queue import Priority
from cantstop.server.work.pool import WorkPool
from cantstop.server.work.process import Unfinished, should_pause
from cantstop.server.work.refusals import error_data, error_from
from cantstop.wire.errors import ErrorCode
from patience import PATIENCE
from slow_work import append, lines

pytestmark = pytest.mark.anyio


@pytest.fixture
async def pool() -> AsyncIterator[WorkPool]:
    pool = WorkPool(1)
    yield pool
    await pool.close()


def who() -> int:
    return os.getpid()


def work_until_asked(path: str) -> Unfinished | str:
    """Goes on for ever, until it is to pause."""
    append(path, "begun")
    while not should_pause():
        time.sleep(0.01)
    append(path, "paused")
    return Unfinished(append, (path, "done"))


async def test_long_work_goes_on_until_somebody_else_waits(pool: WorkPool, tmp_path: Path) -> None:
    file = tmp_path / "file"
    ask = partial(pool.submit, priority=Priority.REVIEW, seconds=PATIENCE)
    long = asyncio.create_task(ask(work_until_asked, (str(file),), key=1, share="a"))
    await lines(file, 1)
    await ask(append, (str(file), "short"), key=2, share="b")
    assert await long == "done"
    assert file.read_text().split() == ["begun", "paused", "short", "done"]


async def test_long_work_that_is_abandoned_pauses_and_costs_no_process(
    pool: WorkPool, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    mine = await pool.submit(who, (), key=0, share="a", seconds=PATIENCE)
    long = asyncio.create_task(
        pool.submit(work_until_asked, (str(file),), key=1, share="a", seconds=3600)
    )
    await lines(file, 1)
    long.cancel()
    assert await pool.submit(who, (), key=2, share="a", seconds=PATIENCE) == mine
    assert file.read_text().split() == ["begun", "paused"]


async def test_work_stands_in_the_share_of_everybody_who_waits_for_it(
    pool: WorkPool, tmp_path: Path
) -> None:
    file, go = tmp_path / "file", tmp_path / "go"
    ask = partial(pool.submit, priority=Priority.REVIEW, seconds=PATIENCE)
    first = asyncio.create_task(ask(append, (str(file), "0", str(go)), key=0, share="x"))
    await lines(file, 1)
    # a share with many jobs has asked for "mine" last of all
    names = [f"theirs{number}" for number in range(4)] + ["mine"]
    tasks = [
        asyncio.create_task(ask(append, (str(file), name), key=name, share="theirs"))
        for name in names
    ]
    await asyncio.sleep(0)
    again = asyncio.create_task(ask(append, (str(file), "mine"), key="mine", share="mine"))
    await asyncio.sleep(0)
    go.touch()
    await asyncio.gather(first, again, *tasks)
    done = file.read_text().split()
    assert done.index("mine") <= 2
    assert done.count("mine") == 1
    assert pool.queued == 0


async def test_work_stays_queued_for_who_is_left_when_its_first_asker_goes(
    pool: WorkPool, tmp_path: Path
) -> None:
    file, go = tmp_path / "file", tmp_path / "go"
    ask = partial(pool.submit, priority=Priority.REVIEW, seconds=PATIENCE)
    running = asyncio.create_task(ask(append, (str(file), "0", str(go)), key=0, share="x"))
    await lines(file, 1)
    first = asyncio.create_task(ask(append, (str(file), "both"), key=1, share="a"))
    await asyncio.sleep(0)
    second = asyncio.create_task(ask(append, (str(file), "both"), key=1, share="b"))
    await asyncio.sleep(0)
    assert (pool.queued, pool.waiting) == (1, 3)
    first.cancel()
    await asyncio.sleep(0)
    assert (pool.queued, pool.waiting) == (1, 2)
    go.touch()
    assert await second == "both"
    await running


async def test_after_a_process_was_killed_the_next_work_is_done(pool: WorkPool) -> None:
    ask = partial(pool.submit, who, (), share="a", seconds=PATIENCE)
    old = await ask(key=1)
    os.kill(old, signal.SIGKILL)
    assert await ask(key=2) != old


async def test_a_pool_whose_processes_are_gone_says_so(pool: WorkPool) -> None:
    assert pool.trouble is None  # nobody has needed one yet
    pid = await pool.submit(who, (), key=1, share="a", seconds=PATIENCE)
    assert pool.trouble is None
    os.kill(pid, signal.SIGKILL)
    while pool.trouble != "no process is ready":
        await asyncio.sleep(0.01)
    await pool.submit(who, (), key=2, share="a", seconds=PATIENCE)
    assert pool.trouble is None


async def stop(pool: WorkPool, pid: int) -> None:
    """Have a process hang, and make it look as if it had done so for an hour."""
    os.kill(pid, signal.SIGSTOP)
    state = Path(f"/proc/{pid}/stat")
    while state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "T":
        await asyncio.sleep(0.01)
    (hanging,) = (process for process in pool._processes if process.pid == pid)
    hanging._alive_at.value -= 3600


async def test_work_of_a_process_that_hangs_is_done_by_another(pool: WorkPool) -> None:
    old = await pool.submit(who, (), key=1, share="a", seconds=PATIENCE)
    assert pool.trouble is None
    await stop(pool, old)
    assert pool.trouble == "1 of 1 processes hang"
    assert await pool.submit(who, (), key=2, share="a", seconds=PATIENCE) != old
    assert pool.trouble is None
    with pytest.raises(ProcessLookupError):
        os.kill(old, 0)


async def test_where_all_processes_hang_all_are_replaced() -> None:
    pool = WorkPool(1, spare=True)
    pool.start()
    try:
        while not all(process.is_warm for process in pool._processes):
            await asyncio.sleep(0.01)
        old = set(pool.pids)
        for pid in old:
            await stop(pool, pid)
        assert pool.trouble == "2 of 2 processes hang"
        assert await pool.submit(who, (), key=1, share="a", seconds=PATIENCE) not in old
        while not all(process.is_warm for process in pool._processes):
            await asyncio.sleep(0.01)
        assert not old & set(pool.pids)
        assert pool.trouble is None
    finally:
        await pool.close()


async def test_a_spare_process_takes_the_place_of_one_that_died() -> None:
    pool = WorkPool(1, spare=True)
    pool.start()
    try:
        ask = partial(pool.submit, who, (), share="a", seconds=PATIENCE)
        old = await ask(key=1)
        while not all(process.is_warm for process in pool._processes):
            await asyncio.sleep(0.01)
        assert pool.trouble is None
        (spare,) = set(pool.pids) - {old}
        os.kill(old, signal.SIGKILL)
        assert await ask(key=2) == spare
    finally:
        await pool.close()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidText("“{text}” is nothing.", text="x"), ErrorCode.MALFORMED),
        (IllegalAction("Not {what}: {why}", what=Phrase("you"), why=3), ErrorCode.ILLEGAL),
        (IllegalAction("Because: {why}", why=InvalidText("It is so.")), ErrorCode.ILLEGAL),
    ],
)
def test_an_error_is_told_as_plain_data(error: IllegalAction, code: ErrorCode) -> None:
    told = error_from(error_data(error))
    assert (str(told), told.template, code_of(told)) == (str(error), error.template, code)
    assert {name: type(value).__name__ for name, value in told.fields.items()} == {
        name: "Malformed" if isinstance(value, InvalidText) else type(value).__name__
        for name, value in error.fields.items()
    }


REFUSED = """
import sys
from cantstop.rules import Position
from cantstop.server.work.cost import analysis_work, review_work, start_of_record
from cantstop.server.runtime.insight import TooMuchWork
position = Position.parse("v1,players=4,start=roll-off,lengths={lengths} -/-/-/- start:1,2,3,4 - -")
print(analysis_work(position).seconds > 1)
start = start_of_record('[Cantstop "1"]\\n[Rules "v1,players=4,lengths={lengths}"]\\n')
print(review_work(start, 1, 0).seconds > 1)
print([name for name in sys.modules if name.startswith(("cantstop.engine", "numba"))])
"""


def test_who_refuses_heavy_work_does_not_load_the_engine() -> None:
    lengths = ".".join(["20"] * 39)
    script = REFUSED.format(lengths=lengths)
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.stdout.split("\n")[:3] == ["True", "True", "[]"], found.stderr
