"""Group commit: what comes together is written together, and what comes alone waits for nobody."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec
import pytest

from cantstop.server.database import writer as writers
from cantstop.server.database.writer import Changes, Outcome, Writer
from cantstop.server.tables.opening import open_table
from cantstop.wire.requests import OpenTable

pytestmark = pytest.mark.anyio

FOR_EVER = 3600.0


@contextmanager
def writing(write: Callable[[Sequence[Changes]], Sequence[Outcome]]) -> Iterator[Writer]:
    writer = Writer(write)
    try:
        yield writer
    finally:
        writer.close()


def opened(name: str) -> Changes:
    request = msgspec.convert(
        {"mode": "solo", "seats": [{"kind": "human", "name": name, "salt": "a"}]}, OpenTable
    )
    return (open_table(request, datetime.now(UTC)).new_table,)


async def test_changes_one_after_the_other_are_not_kept_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writers, "BATCH_SECONDS", FOR_EVER)
    sizes = []

    def write(batch: Sequence[Changes]) -> Sequence[Outcome]:
        sizes.append(len(batch))
        return [None] * len(batch)

    with writing(write) as writer:
        for name in ("Anne", "Bob", "Carla"):
            await writer.commit(opened(name))
    assert sizes == [1, 1, 1]


async def test_a_busy_writer_waits_for_a_batch_to_fill() -> None:
    """Two come while one is written: who comes a moment later is written with them."""
    began, go_on = threading.Event(), threading.Event()
    batches = []

    def write(batch: Sequence[Changes]) -> Sequence[Outcome]:
        batches.append([change.table.seats[0].name for (change,) in batch])
        began.set()
        go_on.wait()
        return [None] * len(batch)

    with writing(write) as writer:
        alone = asyncio.create_task(writer.commit(opened("Anne")))
        await asyncio.to_thread(began.wait)
        meanwhile = [asyncio.create_task(writer.commit(opened(name))) for name in ("Bob", "Carla")]
        await asyncio.sleep(0)
        go_on.set()
        await alone
        await asyncio.gather(writer.commit(opened("Dora")), *meanwhile)
        assert batches == [["Anne"], ["Bob", "Carla", "Dora"]]


async def test_each_learns_what_came_of_its_own_changes() -> None:
    trouble = ValueError("not this one")

    def write(batch: Sequence[Changes]) -> Sequence[Outcome]:
        return [trouble if change.table.seats[0].name == "Bob" else None for (change,) in batch]

    with writing(write) as writer:
        found = await asyncio.gather(
            *(writer.commit(opened(name)) for name in ("Anne", "Bob", "Carla")),
            return_exceptions=True,
        )
    assert found == [None, trouble, None]
