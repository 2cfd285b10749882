"""Turns by share: who asks for much waits behind themselves, and nobody else does."""

import asyncio
import threading

import pytest

from cantstop.server.work.turns import FairThread, ShareLocks, Turns

pytestmark = pytest.mark.anyio


async def wait_in(turns: Turns, share: str, had: list[str]) -> None:
    async with turns.turn(share):
        had.append(share)


async def queued(*tasks: "asyncio.Task[None]") -> None:
    """Let tasks run until they wait."""
    await asyncio.sleep(0)
    assert not any(task.done() for task in tasks)


async def test_a_share_with_much_to_do_has_one_turn_between_those_of_others() -> None:
    turns, had = Turns(), list[str]()
    async with turns.turn("much"):
        tasks = [asyncio.create_task(wait_in(turns, "much", had)) for _ in range(5)]
        await queued(*tasks)
        tasks += [asyncio.create_task(wait_in(turns, share, had)) for share in ("one", "two")]
        await queued(*tasks)
    await asyncio.gather(*tasks)
    assert had.index("one") <= 2
    assert had.index("two") <= 2
    assert had.count("much") == 5


async def test_who_leaves_the_queue_keeps_nobody_waiting() -> None:
    turns, had = Turns(), list[str]()
    async with turns.turn("a"):
        first, second = (asyncio.create_task(wait_in(turns, share, had)) for share in "bc")
        await queued(first, second)
        first.cancel()
    await second
    assert had == ["c"]
    await wait_in(turns, "d", had)


async def test_a_turn_that_comes_as_its_owner_leaves_is_passed_on() -> None:
    turns, had = Turns(), list[str]()
    async with turns.turn("a"):
        first, second = (asyncio.create_task(wait_in(turns, share, had)) for share in "bc")
        await queued(first, second)
    first.cancel()  # it is theirs already, but they do not know it yet
    await second
    assert had == ["c"]


async def test_each_share_has_a_lock_that_is_forgotten_when_nobody_has_it() -> None:
    locks = ShareLocks()
    mine = locks.of("a")
    assert locks.of("a") is mine
    assert locks.of("b") is not mine
    del mine
    assert not len(locks._locks)


async def test_a_thread_does_one_thing_at_a_time() -> None:
    thread, lock = FairThread(), threading.Lock()

    def alone() -> bool:
        if not lock.acquire(blocking=False):
            return False
        with_lock = threading.current_thread() is not threading.main_thread()
        lock.release()
        return with_lock

    assert all(await asyncio.gather(*(thread.run(f"{n % 3}", alone) for n in range(50))))


async def test_a_thread_whose_caller_has_left_is_still_busy() -> None:
    thread, begun, may_end = FairThread(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        may_end.wait()

    leaving = asyncio.create_task(thread.run("a", work))
    await asyncio.to_thread(begun.wait)
    leaving.cancel()
    second = asyncio.create_task(thread.run("b", may_end.is_set))
    await asyncio.sleep(0)
    may_end.set()
    assert await second
    with pytest.raises(asyncio.CancelledError):
        await leaving
