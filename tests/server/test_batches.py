"""A batch of changes as the databases store it: to the letter what the schema's own types write."""

import asyncio
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from cantstop.rules import Phase
from cantstop.server.database import schema
from cantstop.server.database.connections import open_engine
from cantstop.server.database.sql import open_database
from cantstop.server.database.storage import Conflict
from cantstop.server.tables.changes import Change, NewTable, StoredTable
from cantstop.server.tables.decisions import Caller, decide
from cantstop.server.tables.opening import open_table
from cantstop.table.events import Reacted, Reaction
from cantstop.table.permissions import SeatPresence
from cantstop.table.table import Table
from cantstop.wire.actions import MakeMove, Roll, Stop
from cantstop.wire.events import event_data
from cantstop.wire.requests import OpenTable

AT = datetime(2026, 11, 16, 9, 30, 20, 123_000, tzinfo=UTC)
ABROAD = timezone(timedelta(hours=5, minutes=30))


@pytest.fixture
def url(each_url: str) -> str:
    """Each of these tests is run on both databases."""
    return each_url


def opened(*names: str) -> NewTable:
    seats = [{"kind": "human", "name": name, "salt": "a"} for name in names]
    request = msgspec.convert({"mode": "hotseat", "seats": seats}, OpenTable)
    return open_table(request, AT).new_table


def rows(url: str, of: Any) -> list[Any]:
    engine = open_engine(url)
    try:
        with engine.connect() as connection:
            return list(connection.execute(sa.select(of)))
    finally:
        engine.dispose()


def cheer(table: Table, at: datetime, action: str | None = None) -> Table:
    return table.append(Reacted(Reaction.CHEER), 0, at, action)


@pytest.mark.anyio
async def test_events_are_read_as_they_were_written(url: str) -> None:
    new = opened('Ä "quoted" \\ 名', "Bob\u2019s")
    other = opened("Carl", "Dora")
    stored = StoredTable.opened(new)
    action = Roll(id="a-roll-of-anne", seat=0)
    rolled = decide(stored, Caller(frozenset({0})), action, SeatPresence(), AT)
    assert isinstance(rolled, tuple)
    late = cheer(rolled[0].table, AT.astimezone(ABROAD), "a-cheer-of-anne")
    async with open_database(url) as database:
        await database.commit(new, other)
        await database.commit(*rolled)
        await database.commit(Change((late,)))
        found = await database.load(new.table.id)
    assert found is not None
    assert found.table == late
    assert list(found.table.log) == list(late.log)
    assert found.holders == new.holders
    assert found.dice_secret == new.dice_secret


@pytest.mark.anyio
async def test_the_columns_hold_what_the_schema_writes(url: str) -> None:
    """A program that writes by the schema, such as a restored backup, makes the same rows."""
    new = opened("Anne", "Bob")
    same = replace(new.versions[0], id="theSameTable")
    async with open_database(url) as database:
        await database.commit(new)
    engine = open_engine(url)
    with engine.execution_options(writes=True).begin() as connection:
        connection.execute(
            schema.tables.insert(),
            {"id": same.id, "opened_at": AT, "touched_at": AT, "bot_to_act": False},
        )
        connection.execute(
            schema.events.insert(),
            [
                {
                    "table_id": same.id,
                    "n": entry.n,
                    "at": entry.at,
                    "kind": entry.kind,
                    "seat": entry.seat,
                    "data": event_data(entry.event),
                    "action_id": entry.action,
                }
                for entry in new.entries
            ],
        )
        as_text = "CAST(at AS text), kind, seat, typeof(seat), action_id"
        if engine.dialect.name == "postgresql":
            as_text = "CAST(at AS text), kind, seat, action_id, CAST(CAST(data AS jsonb) AS text)"
        ours, theirs = (
            connection.execute(
                sa.text(f"SELECT n, {as_text} FROM events WHERE table_id = :id ORDER BY n"),
                {"id": table_id},
            ).all()
            for table_id in (new.table.id, same.id)
        )
    engine.dispose()
    assert ours == theirs


@pytest.mark.anyio
async def test_of_a_batch_only_what_conflicts_fails(url: str) -> None:
    new, other = opened("Anne", "Bob"), opened("Carl", "Dora")
    async with open_database(url) as database, open_database(url) as rival:
        await database.commit(new, other)
        await rival.commit(Change((cheer(new.table, AT),)))
        with pytest.raises(Conflict):
            await database.commit(
                Change((cheer(new.table, AT),)), Change((cheer(other.table, AT),))
            )
        assert (await database.heads([new.table.id, other.table.id, "none"])) == {
            new.table.id: new.table.n + 1,
            other.table.id: other.table.n,
        }


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("later", "touched"), [(timedelta(seconds=39), AT), (timedelta(seconds=40), None)]
)
async def test_when_something_happened_last_is_kept_to_the_minute(
    url: str, later: timedelta, touched: datetime | None
) -> None:
    new = opened("Anne", "Bob")
    async with open_database(url) as database:
        await database.commit(new)
        await database.commit(Change((cheer(new.table, AT + later),), before=new.table))
    assert rows(url, schema.tables.c.touched_at) == [(touched or AT + later,)]


@pytest.mark.anyio
async def test_that_a_bot_is_to_act_is_kept_at_once(url: str) -> None:
    seats = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "bot", "bot": "careful"}]
    request = msgspec.convert({"mode": "hotseat", "seats": seats}, OpenTable)
    new = open_table(request, AT).new_table
    stored, number = StoredTable.opened(new), 0
    async with open_database(url) as database:
        await database.commit(new)
        while stored.table.bot_to_act is None:
            number += 1
            action = _next(stored.table, f"action-{number:04}")
            changes = decide(stored, Caller(frozenset({0})), action, SeatPresence(), AT)
            assert isinstance(changes, tuple)
            assert rows(url, schema.tables.c.bot_to_act) == [(False,)]
            await database.commit(*changes)
            stored = stored.after(changes[-1])
    assert rows(url, schema.tables.c.bot_to_act) == [(True,)]


def _next(table: Table, name: str) -> Any:
    if table.position.phase is Phase.MOVE:
        return MakeMove(id=name, seat=0, move=str(table.position.legal_moves[0]))
    return (Stop if table.position.may_stop else Roll)(id=name, seat=0)


@pytest.mark.anyio
async def test_a_table_waits_for_one_of_those_who_write_beside_it(tmp_path: Path) -> None:
    began, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def write(name: str, _: sa.Connection) -> None:
        began.set()
        assert go_on.wait(30)
        done.append(name)

    async with open_database(f"sqlite:///{tmp_path / 'tables.db'}") as database:
        others = [
            asyncio.create_task(database.write(partial(write, str(number)))) for number in range(3)
        ]
        await asyncio.to_thread(began.wait, 30)

        async def commit() -> None:
            await database.commit(opened("Anne", "Bob"))
            done.append("a table")

        table = asyncio.create_task(commit())
        for _ in range(5):  # until it is queued
            await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(table, *others)
    assert done.index("a table") <= 2
    assert done[0] == "0"
