"""Heavy work beside the event loop: fair, bounded, cancelled, killed at its deadline."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cantstop.rules import IllegalAction
from cantstop.server.work import fair_queue, process
from cantstop.server.work.fair_queue import FairQueue, Overloaded, Priority
from cantstop.server.work.pool import WorkPool
from cantstop.server.work.process import Unfinished, WorkLost
from cantstop.server.work.refusals import WorkFailed, WorkRefused
from patience import PATIENCE
from slow_work import append, lines

pytestmark = pytest.mark.anyio


# The queue


def test_shares_take_turns_however_much_one_of_them_asks_for() -> None:
    queue: FairQueue[str] = FairQueue(10, 10)
    for item in ("a1", "a2", "a3"):
        queue.put(item, "a", Priority.NOBODY)
    queue.put("b1", "b", Priority.NOBODY)
    queue.put("c1", "c", Priority.NOBODY)
    assert [queue.pop() for _ in range(6)] == ["a1", "b1", "c1", "a2", "a3", None]


def test_who_asks_for_one_thing_at_a_time_waits_for_no_second_item_of_who_asks_for_many() -> None:
    queue: FairQueue[str] = FairQueue(10, 10)
    for item in ("a1", "a2", "a3", "a4"):
        queue.put(item, "a", Priority.REVIEW)
    for number in (1, 2, 3):
        assert queue.pop() == f"a{number}"
        queue.put(f"b{number}", "b", Priority.REVIEW)  # while that is done
        assert queue.pop() == f"b{number}"
    assert [queue.pop(), queue.pop()] == ["a4", None]


def test_shares_that_were_forgotten_come_back_as_new_ones() -> None:
    queue: FairQueue[str] = FairQueue(2, 2)
    queue.put("a1", "a", Priority.REVIEW)
    first = queue.pop()
    assert first == "a1"
    for other in "bcdefghbcdefgh":
        queue.put(other, other, Priority.REVIEW)
        assert queue.pop() == other
    queue.put_back(first, "a", Priority.REVIEW)
    queue.put("z", "z", Priority.REVIEW)
    assert [queue.pop(), queue.pop(), queue.pop()] == ["a1", "z", None]


def test_what_a_person_waits_for_comes_first() -> None:
    queue: FairQueue[str] = FairQueue(10, 10)
    queue.put("bots", "a", Priority.NOBODY)
    queue.put("person", "b", Priority.PERSON)
    assert [queue.pop(), queue.pop()] == ["person", "bots"]


def test_a_queue_and_each_share_of_it_are_bounded() -> None:
    queue: FairQueue[int] = FairQueue(3, 2)
    queue.put(1, "a", Priority.PERSON)
    queue.put(2, "a", Priority.PERSON)
    with pytest.raises(Overloaded):
        queue.put(3, "a", Priority.PERSON)
    queue.put(3, "b", Priority.PERSON)
    with pytest.raises(Overloaded):
        queue.put(4, "c", Priority.PERSON)
    assert len(queue) == 3
    assert queue.remove(2, "a", Priority.PERSON)
    assert not queue.remove(2, "a", Priority.PERSON)
    queue.put(4, "c", Priority.PERSON)
    assert [queue.pop() for _ in range(4)] == [1, 3, 4, None]


def test_however_much_fills_one_priority_there_is_room_in_another() -> None:
    queue: FairQueue[str] = FairQueue(1, 1)
    queue.put("review", "a", Priority.REVIEW)
    with pytest.raises(Overloaded):
        queue.put("another", "b", Priority.REVIEW)
    queue.put("bot", "b", Priority.PERSON)
    queue.put("hint", "b", Priority.HINT)
    assert [queue.pop() for _ in range(4)] == ["bot", "hint", "review", None]


def test_what_is_put_back_is_next_of_its_share_after_all_others() -> None:
    queue: FairQueue[str] = FairQueue(3, 2)
    for item in ("a1", "a2"):
        queue.put(item, "a", Priority.REVIEW)
    queue.put("b1", "b", Priority.REVIEW)
    first = queue.pop()
    assert first == "a1"
    queue.put("c1", "c", Priority.REVIEW)
    queue.put_back(first, "a", Priority.REVIEW)  # though there is no room
    assert len(queue) == 4
    assert [queue.pop() for _ in range(5)] == ["b1", "c1", "a1", "a2", None]


def test_the_refusal_says_when_to_try_again() -> None:
    assert Overloaded().seconds == 2
    assert fair_queue.Overloaded.code.status == 429


# The pool


def double(number: int) -> int:
    return 2 * number


def who() -> int:
    return os.getpid()


def sleep_for(seconds: float) -> None:
    time.sleep(seconds)


def fail() -> None:
    raise IllegalAction("not with {what}", what="me")


def crash() -> None:
    os._exit(3)


class Unreadable(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_strangely() -> None:
    raise Unreadable(1, 2)


@pytest.fixture
async def pool() -> AsyncIterator[WorkPool]:
    pool = WorkPool(1)
    yield pool
    await pool.close()


async def test_a_process_of_its_own_does_it_and_says_what_went_wrong(pool: WorkPool) -> None:
    ask = partial(pool.submit, share="a", seconds=PATIENCE)
    assert await ask(double, (21,), key=1) == 42
    mine = await ask(who, (), key=2)
    assert mine != os.getpid()
    with pytest.raises(WorkRefused, match="IllegalAction: not with me") as refused:
        await ask(fail, (), key=3)
    assert str(refused.value.error) == "not with me"
    with pytest.raises(WorkFailed, match="Unreadable: 1 and 2"):
        await ask(fail_strangely, (), key=4)
    assert await ask(who, (), key=5) == mine  # an error costs nobody a process


async def test_who_asks_for_the_same_at_the_same_time_gets_the_same(
    pool: WorkPool, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    ask = partial(pool.submit, append, (str(file), "once"), key="same", share="a", seconds=PATIENCE)
    assert list(await asyncio.gather(ask(), ask(), ask())) == ["once"] * 3
    assert file.read_text() == "once\n"


def compute_for_ever() -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("function", "args", "most", "reason"),
    [
        (sleep_for, (3600,), {"seconds": 0.2}, "it took more than 0.2 s"),
        (
            compute_for_ever,
            (),
            {"seconds": PATIENCE, "cpu_seconds": 0.2},
            "it used more than 0.2 s of CPU time",
        ),
        (crash, (), {"seconds": PATIENCE}, "died"),
    ],
)
async def test_a_process_that_takes_too_long_or_dies_is_replaced(
    pool: WorkPool,
    function: Any,
    args: tuple[object, ...],
    most: dict[str, Any],
    reason: str,
) -> None:
    ask = partial(pool.submit, share="a")
    old = await ask(who, (), key=1, seconds=PATIENCE)
    with pytest.raises(WorkLost, match=reason):
        await ask(function, args, key=2, **most)
    with pytest.raises(ProcessLookupError):
        os.kill(old, 0)
    assert await ask(who, (), key=3, seconds=PATIENCE) != old


async def test_what_nobody_waits_for_is_not_done(
    pool: WorkPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "ABANDONED_SECONDS", 0.0)
    file, never = tmp_path / "file", str(tmp_path / "never")
    running = asyncio.create_task(
        pool.submit(append, (str(file), "running", never), key=1, share="a", seconds=3600)
    )
    await lines(file, 1)
    queued = asyncio.create_task(
        pool.submit(append, (str(file), "queued"), key=2, share="a", seconds=PATIENCE)
    )
    await asyncio.sleep(0)
    assert pool.queued == 1
    queued.cancel()
    await asyncio.sleep(0)
    assert pool.queued == 0
    running.cancel()  # it would take an hour
    await pool.submit(append, (str(file), "next"), key=3, share="a", seconds=PATIENCE)
    assert file.read_text().split() == ["running", "next"]


async def test_the_loop_goes_on_and_a_person_overtakes_bots(pool: WorkPool, tmp_path: Path) -> None:
    file, go = tmp_path / "file", tmp_path / "go"
    tasks = [
        asyncio.create_task(
            pool.submit(
                append, (str(file), "first", str(go)), key="first", share="x", seconds=PATIENCE
            )
        )
    ]
    await lines(file, 1)
    for table in ("a", "a", "b"):
        name = f"{table}{len(tasks)}"
        work = pool.submit(
            append,
            (str(file), name),
            key=name,
            share=table,
            priority=Priority.NOBODY,
            seconds=PATIENCE,
        )
        tasks.append(asyncio.create_task(work))
    await asyncio.sleep(0)
    tasks.append(
        asyncio.create_task(
            pool.submit(append, (str(file), "person"), key="p", share="a", seconds=PATIENCE)
        )
    )
    await asyncio.sleep(0)
    go.touch()
    await asyncio.gather(*tasks)
    assert file.read_text().split() == ["first", "person", "a1", "b3", "a2"]


def write_twice(path: str, text: str, until: str) -> Unfinished | str:
    append(path, f"{text}1", until)
    return Unfinished(append, (path, f"{text}2"))


async def test_long_work_lets_others_come_between(pool: WorkPool, tmp_path: Path) -> None:
    file, go = tmp_path / "file", tmp_path / "go"
    ask = partial(pool.submit, priority=Priority.REVIEW, seconds=PATIENCE)
    args = (str(file), "long", str(go))
    asked = [ask(write_twice, args, key="long", share="a") for _ in range(2)]
    tasks: list[asyncio.Task[object]] = [asyncio.create_task(one) for one in asked]
    await lines(file, 1)
    for name, share in (("mine", "a"), ("yours", "b")):
        work = ask(append, (str(file), name), key=name, share=share)
        tasks.append(asyncio.create_task(work))
    await asyncio.sleep(0)
    go.touch()
    assert await asyncio.gather(*tasks) == ["long2", "long2", "mine", "yours"]
    assert file.read_text().split() == ["long1", "yours", "long2", "mine"]


async def test_long_work_ends_when_nobody_waits_for_it(pool: WorkPool, tmp_path: Path) -> None:
    file, go = tmp_path / "file", tmp_path / "go"
    args = (str(file), "long", str(go))
    task = asyncio.create_task(pool.submit(write_twice, args, key=1, share="a", seconds=PATIENCE))
    await lines(file, 1)
    task.cancel()
    await asyncio.sleep(0)
    go.touch()
    await pool.submit(append, (str(file), "next"), key=2, share="a", seconds=PATIENCE)
    assert file.read_text().split() == ["long1", "next"]
    assert pool.queued == 0


async def test_closing_waits_for_nobody_and_leaves_no_process(tmp_path: Path) -> None:
    pool, file = WorkPool(1), tmp_path / "file"
    hanging = asyncio.create_task(
        pool.submit(append, (str(file), "x", "/never"), key=1, share="a", seconds=3600)
    )
    await lines(file, 1)
    (pid,) = pool.pids
    await pool.close()
    with pytest.raises(WorkLost):
        await hanging
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


SERVER = """
import asyncio, sys
sys.path[:0] = {tests!r}
from cantstop.server.work.pool import WorkPool
from test_work import {function}
async def main():
    pool = WorkPool(2)
    work = [pool.submit({function}, ({file!r},), key=n, share=str(n), seconds=400) for n in (1, 2)]
    await asyncio.gather(*work)
if __name__ == "__main__":
    asyncio.run(main())
"""


def hold_the_lock(path: str) -> None:
    """Say who we are, then hang without ever letting another thread of this process run."""
    append(path, str(os.getpid()))
    import re

    re.match("(a*)*b", "a" * 60)


def hang(path: str) -> None:
    append(path, str(os.getpid()), "/never")


@pytest.mark.parametrize("function", ["hang", "hold_the_lock"])
async def test_processes_end_with_a_server_that_is_killed(tmp_path: Path, function: str) -> None:
    file, script = tmp_path / "pids", tmp_path / "server.py"
    here = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    script.write_text(SERVER.format(tests=here, function=function, file=str(file)), "utf-8")
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.DEVNULL) as server:
        pids = [int(pid) for pid in await lines(file, 2)]
        assert len(set(pids)) == 2
        server.send_signal(signal.SIGKILL)
    for pid in pids:
        while is_running(pid):
            await asyncio.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended may not have been waited for by its parent."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_process_ends_quietly_though_a_killed_server_has_left_something_unread() -> None:
    servers, own = multiprocessing.Pipe()
    own.send_bytes(b"an answer that nobody reads")
    servers.close()
    process._answer_all(own)


async def test_work_waits_until_a_process_is_prepared(tmp_path: Path) -> None:
    file = tmp_path / "file"
    pool = WorkPool(1, [partial(append, str(file), "prepared", f"{file}.go")])
    try:
        work = pool.submit(append, (str(file), "worked"), key=1, share="a", seconds=PATIENCE)
        working = asyncio.ensure_future(work)
        assert await lines(file, 1) == ["prepared"]
        Path(f"{file}.go").touch()
        await working
        assert await lines(file, 2) == ["prepared", "worked"]
    finally:
        await pool.close()


async def test_closing_while_a_process_works_says_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pool, file = WorkPool(1, spare=True), tmp_path / "file"
    hanging = asyncio.create_task(
        pool.submit(append, (str(file), "x", "/never"), key=1, share="a", seconds=3600)
    )
    await lines(file, 1)
    await pool.close()
    with pytest.raises(WorkLost):
        await hanging
    await asyncio.sleep(0)
    assert caplog.records == []
