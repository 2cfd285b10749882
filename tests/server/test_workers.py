"""Several workers over one database: they share nothing else, and nobody can tell."""

import asyncio
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from starlette.testclient import TestClient

from cantstop import verify
from cantstop.client import RemoteTable
from cantstop.rules import Rolled
from cantstop.server import ServerOptions, create_app
from cantstop.server.cluster.peers import (
    Committed,
    EventsCommitted,
    Heartbeat,
    PresenceQuery,
    PresenceReport,
    TurnMoved,
    commit_notices,
    read_notice,
)
from cantstop.server.cluster.postgresql import PostgresPeers
from cantstop.server.database import sql
from cantstop.server.database.connections import postgresql_dsn
from cantstop.server.database.sql import open_database
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime import housekeeping
from cantstop.server.runtime.presence import Clocks, Presence, Subscriber
from cantstop.server.runtime.runtime import open_runtime
from cantstop.server.runtime.steady_clock import now
from cantstop.server.tables.changes import Change
from cantstop.server.tables.decisions import Caller
from cantstop.server.tables.opening import open_table as new_table_of
from cantstop.server.tables.records import record_of
from cantstop.table.events import Entry, Played, Reacted, Reaction
from cantstop.table.table import Stage
from cantstop.wire.actions import React
from cantstop.wire.requests import OpenTable, TakeSeat
from cantstop.wire.seen import SeenState
from patience import PATIENCE
from postgresql import Postgres
from standing_orders import Watcher
from table_client import OPEN, Refusal, at_table, bot, human, open_table, play_to_the_end, sit_down


@pytest.fixture
def shared_url(postgres: Postgres) -> Any:
    return postgres.new_database()


@pytest.fixture
def workers(shared_url: Any, web: Path) -> Iterator[list[Any]]:
    """Two workers on one database."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                TestClient(
                    create_app(
                        ServerOptions(
                            shared_url,
                            pace=0,
                            web=web,
                            clocks=Clocks(600, 0, 0),
                            limits=Limits().times(0),
                        )
                    )
                )
            )
            for _ in range(2)
        ]


@pytest.fixture
def duel(workers: list[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Anne at the first worker, Bob at the second."""
    first, second = workers
    opened = open_table(first, human("Anne", salt="a"), OPEN, edition="custom", win=1)
    bobs = sit_down(second, opened["id"], "Bob")["secret"]
    with (
        at_table(first, opened["id"], opened["secret"]) as anne,
        at_table(second, opened["id"], bobs) as bob,
    ):
        yield opened["id"], anne, bob


def log(events: Any) -> list[dict[Any, Any]]:
    return [{key: event[key] for key in ("n", "kind", "seat", "data")} for event in events]


def test_players_at_two_workers_see_the_same_game(duel: tuple[Any, Any, Any]) -> None:
    _, anne, bob = duel
    play_to_the_end(anne, bob)
    shared = min(len(anne.events), len(bob.events))
    assert shared > 10
    assert log(anne.events[-shared:]) == log(bob.events[-shared:])


def test_of_two_workers_exactly_one_accepts_an_action(workers: list[Any]) -> None:
    first, second = workers
    opened = open_table(first, human("Anne", salt="a"), human("Bob", salt="b"), mode="hotseat")
    with (
        at_table(first, opened["id"], opened["secret"]) as here,
        at_table(second, opened["id"], opened["secret"]) as there,
    ):
        # the same action through both, as after a lost connection
        assert here.act("roll", 0, action="the-same-action") == there.act(
            "roll", 0, action="the-same-action"
        )
        # two at once: one is an event, for the other it comes too late
        for player, action in ((here, "one-action"), (there, "other-action")):
            move = player.view["moves"][0]["move"]
            player.say("act", id=action, kind="move", seat=0, move=move)
        answers = [
            player.hear_until(lambda message: message["t"] in ("ack", "refused"))
            for player in (here, there)
        ]
    assert sorted(answer["t"] for answer in answers) == ["ack", "refused"]


def test_an_order_that_is_revoked_while_it_acts_acts_before_that_or_not_at_all(
    workers: list[Any],
) -> None:
    first, second = workers
    seats = human("Anne", salt="a"), human("Bob", salt="b")
    for number in range(10):
        opened = open_table(first, *seats)
        with (
            at_table(first, opened["id"], opened["secret"]) as here,
            at_table(second, opened["id"], opened["secret"]) as there,
        ):
            here.act("order", 0, runners=True)
            now = first.get(f"/api/tables/{opened['id']}").json()
            for player in (here, there):
                player.catch_up(now["n"])
            if now["view"]["phase"] != "move":  # the dice have left nothing to decide so far
                continue
            move = here.view["moves"][0]["move"]
            revoked = {"id": f"revoke-{number:03}", "kind": "revoke", "seat": 0}
            moved = {"id": f"move-{number:05}", "kind": "move", "seat": 0, "move": move}
            asked = [(here, moved), (there, revoked)]
            for player, action in asked if number % 2 else reversed(asked):
                player.say("act", **action)
            for player, _ in asked:  # whoever comes second decides again: both are accepted
                answer = player.hear_until(lambda message: message["t"] in ("ack", "refused"))
                assert answer["t"] == "ack", answer
            state = second.get(f"/api/tables/{opened['id']}").json()
        table = RemoteTable.from_state(msgspec.convert(state, SeenState))
        watcher = Watcher.of(table.start)
        watcher.see(table.log)
        watcher.is_at_rest()
        assert table.seats[0].order is None


def test_whoever_comes_to_another_worker_is_never_shown_an_older_board(
    duel: tuple[Any, Any, Any], workers: list[Any]
) -> None:
    table, anne, _ = duel
    for _ in range(5):
        if anne.view["seat"] == 0:
            anne.play_on()
        newest = anne.n
        state = workers[1].get(f"/api/tables/{table}").json()
        assert state["n"] >= newest
        with at_table(workers[1], table, after=newest) as watcher:
            assert watcher.heard[0]["t"] != "state" or watcher.n >= newest


def test_presence_is_told_across_workers(duel: tuple[Any, Any, Any], workers: list[Any]) -> None:
    table, anne, bob = duel
    both = {"seats": [True, True], "expected": [], "watchers": 0}
    for player in (anne, bob):
        while player.presence != both:
            player.hear()
    with at_table(workers[1], table):
        anne.hear_until(lambda message: message["d"].get("watchers") == 1)
    anne.hear_until(lambda message: message["d"].get("watchers") == 0)
    with pytest.raises(Refusal, match="Bob is there"):
        anne.act("substitute", 0, **{"for": 1})


def test_a_bots_turns_are_taken_by_one_worker(workers: list[Any]) -> None:
    first, second = workers
    opened = open_table(first, bot(), human(salt="a"), mode="hotseat", edition="custom", win=1)
    with (
        at_table(first, opened["id"], opened["secret"]) as player,
        at_table(second, opened["id"]) as watcher,
    ):
        play_to_the_end(player)
        watcher.catch_up(player.n)
    assert log(watcher.events[-5:]) == log(player.events[-5:])


BOT_GAME = msgspec.convert(
    {"mode": "online", "seats": [bot(), bot("bold")], "edition": "custom", "win": 1}, OpenTable
)


async def watched(url: Any, stack: AsyncExitStack, tables: int) -> tuple[list[Any], list[str]]:
    """Two workers, and tables of bots that a person watches at both of them."""
    both = [await stack.enter_async_context(open_runtime(url, pace=0)) for _ in range(2)]
    opened = [new_table_of(BOT_GAME, now()).new_table for _ in range(tables)]
    ids = [(await both[0].master.open(new)).id for new in opened]
    for one in both:
        for table_id in ids:
            table = (await one.master.stored(table_id)).table
            stack.enter_context(one.master.following(table_id))
            await one.presence.connect(table, Subscriber(frozenset(), lambda _: None))
    return both, ids


async def played_out(runtime: Any, ids: list[str]) -> None:
    """Wait until all games are over, and look at what was played."""
    for table_id in ids:
        while (await runtime.master.stored(table_id)).table.stage is not Stage.OVER:
            await asyncio.sleep(0.02)
        table = (await runtime.storage.load(table_id)).table
        # a person would not see it, but the rules would: nobody rolls or moves twice
        assert verify(record_of(table)).outcome is not None
        actions = [entry.action for entry in table.log if entry.action is not None]
        assert len(actions) == len(set(actions))


@pytest.mark.anyio
async def test_bots_are_played_once_with_no_lock_in_the_database(shared_url: Any) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(240):
        both, ids = await watched(shared_url, stack, 40)
        with psycopg.connect(shared_url, autocommit=True) as connection:
            found = connection.execute(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
            ).fetchone()
        assert found == (0,)
        await played_out(both[0], ids)
        firsts = [{table for table in ids if one.presence.is_first(table)} for one in both]
        assert firsts[0] | firsts[1] == set(ids)
        assert not firsts[0] & firsts[1]


@pytest.mark.anyio
async def test_bots_are_played_once_by_workers_that_both_think_it_is_theirs(
    shared_url: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Presence, "is_first", lambda *_: True)
    async with AsyncExitStack() as stack, asyncio.timeout(240):
        both, ids = await watched(shared_url, stack, 10)
        await played_out(both[0], ids)


@pytest.mark.anyio
async def test_bots_that_no_worker_thinks_are_its_own_are_played_all_the_same(
    shared_url: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Presence, "is_first", lambda *_: False)
    monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 0.02)
    async with AsyncExitStack() as stack, asyncio.timeout(240):
        both, ids = await watched(shared_url, stack, 3)
        await played_out(both[0], ids)


@pytest.mark.anyio
async def test_notices_reach_the_others_and_a_cut_line_is_told_and_mended(shared_url: Any) -> None:
    dsn = postgresql_dsn(shared_url)
    one, other = (PostgresPeers(dsn, worker) for worker in ("one", "other"))
    heard: asyncio.Queue[Any] = asyncio.Queue()
    gaps: asyncio.Queue[Any] = asyncio.Queue()
    async with one.connected(), other.connected():
        other.subscribe(heard.put_nowait, lambda: gaps.put_nowait("gap"))
        one.send(Heartbeat("one"))
        assert await heard.get() == Heartbeat("one")
        other.send(Heartbeat("other"))  # nobody hears themselves
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'cantstop other'"
            )
        assert [await gaps.get(), await gaps.get()] == ["gap", "gap"]
        one.send(PresenceQuery("one", "table"))
        assert await heard.get() == PresenceQuery("one", "table")


@pytest.mark.anyio
async def test_a_worker_that_missed_every_notice_catches_up_by_itself(
    shared_url: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 0.001)
    request = msgspec.convert(
        {"mode": "hotseat", "seats": [human("Anne", salt="a"), human("Bob", salt="b")]}, OpenTable
    )
    opened = new_table_of(request, now()).new_table
    told: asyncio.Queue[Any] = asyncio.Queue()
    async with (
        asyncio.timeout(PATIENCE),
        open_runtime(shared_url) as deaf,
        # changes under the worker's own name, which it does not listen to
        open_database(shared_url, deaf.worker) as silent,
    ):
        await silent.commit(opened)
        table = (await deaf.master.stored(opened.table.id)).table
        deaf.master.subscribe(told.put_nowait)
        with deaf.master.following(table.id):
            await silent.commit(Change((table.append(Reacted(Reaction.CHEER), 0, now()),)))
            (newer,) = await told.get()
    assert (newer.n, newer.last_entry.kind) == (opened.table.n + 1, "reacted")


async def two_workers(url: Any, stack: AsyncExitStack) -> tuple[Any, Any, Any]:
    """Two workers that follow one table, where both seats are taken."""
    one, other = [await stack.enter_async_context(open_runtime(url)) for _ in range(2)]
    request = msgspec.convert(
        {"mode": "hotseat", "seats": [human("Anne", salt="a"), human("Bob", salt="b")]}, OpenTable
    )
    table = await one.master.open(new_table_of(request, now()).new_table)
    await other.master.stored(table.id)
    stack.enter_context(other.master.following(table.id))
    return one, other, table


def reaction(number: int) -> React:
    return React(id=f"reaction-{number:04}", seat=0, reaction=Reaction.CHEER)


@pytest.mark.anyio
async def test_a_worker_need_not_read_what_another_one_tells_it(
    shared_url: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        one, other, table = await two_workers(shared_url, stack)
        told: asyncio.Queue[Any] = asyncio.Queue()
        other.master.subscribe(told.put_nowait)

        async def unreadable(_after: Any) -> Any:
            raise AssertionError("nothing is to be read")

        monkeypatch.setattr(other.storage, "news", unreadable)
        for number in range(3):
            await one.master.act(table.id, Caller(frozenset({0})), reaction(number))
        heard = [version for _ in range(3) for version in await told.get()]
        assert [version.n for version in heard] == [table.n + 1, table.n + 2, table.n + 3]
        assert heard[-1] == (await one.master.stored(table.id)).table


@pytest.mark.anyio
async def test_a_worker_reads_what_it_was_not_told(
    shared_url: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notice that is lost leaves a gap, and the next one shows it."""
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        one, other, table = await two_workers(shared_url, stack)
        told: asyncio.Queue[Any] = asyncio.Queue()
        other.master.subscribe(told.put_nowait)
        monkeypatch.setattr(sql, "commit_notices", lambda *_: [])
        await one.master.act(table.id, Caller(frozenset({0})), reaction(1))
        monkeypatch.undo()
        await one.master.act(table.id, Caller(frozenset({0})), reaction(2))
        assert [version.n for version in await told.get()] == [table.n + 1, table.n + 2]


@pytest.mark.anyio
async def test_who_holds_a_seat_is_read_by_the_other_worker(shared_url: Any) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        one, other = [await stack.enter_async_context(open_runtime(shared_url)) for _ in range(2)]
        request = msgspec.convert(
            {"mode": "online", "seats": [human("Anne", salt="a"), OPEN]}, OpenTable
        )
        table = await one.master.open(new_table_of(request, now()).new_table)
        await other.master.stored(table.id)
        told: asyncio.Queue[Any] = asyncio.Queue()
        other.master.subscribe(told.put_nowait)
        with other.master.following(table.id):
            await one.master.take_seat(table.id, TakeSeat(name="Bob", salt="b"), "s" * 24)
            await told.get()
            assert 1 in other.master._cache[table.id].holders


ENTRY = Entry(7, now(), 1, Played(Rolled((1, 2, 3, 4)), roll=3), "action-0001")
NO_EVENTS = (
    "events",
    "events w",
    "events w {",
    "events w [1]",
    'events w [["t", 1]]',
    'events w [["t", null, {"n": 1, "at": "2026-01-01T00:00:00Z", "kind": "unheard", "seat": 0,'
    ' "data": {}}]]',
    'events w [["t", null, {"n": 1, "at": "2026-01-01T00:00:00Z", "kind": "rolled", "seat": 0,'
    ' "data": {}}]]',
    'events w [["t", null, {"n": 1, "at": "never", "kind": "asked", "seat": 0, "data": {}}]]',
)


class TestNotices:
    def test_of_a_large_batch_fit_into_what_the_database_takes(self) -> None:
        request = msgspec.convert(
            {"mode": "hotseat", "seats": [human("Anne", salt="a"), human("Bob", salt="b")]},
            OpenTable,
        )
        changes = []
        for _ in range(300):
            table = new_table_of(request, now()).new_table.table
            changes.append(Change((table.append(Reacted(Reaction.CHEER), 0, now(), "a" * 64),)))
        notices = list(commit_notices("w1", changes))
        assert all(len(notice.encode()) < 8000 for notice in notices)
        assert len(notices) < 15
        read = [read_notice(notice) for notice in notices]
        told = [event for one in read if isinstance(one, EventsCommitted) for event in one.events]
        assert told == [(change.table.id, change.table.last_entry) for change in changes]

    def test_tell_only_the_number_where_the_events_are_too_long(self) -> None:
        request = msgspec.convert(
            {"mode": "hotseat", "seats": [human("Anne", salt="a"), human("Bob", salt="b")]},
            OpenTable,
        )
        versions = [new_table_of(request, now()).new_table.table]
        for _ in range(100):
            versions.append(versions[-1].append(Reacted(Reaction.CHEER), 0, now(), "a" * 64))
        (notice,) = commit_notices("w1", [Change(tuple(versions[1:]))])
        assert read_notice(notice) == Committed("w1", versions[-1].id, versions[-1].n)

    @pytest.mark.parametrize(
        "notice",
        [
            Committed("w1", "k7Qm", 15),
            EventsCommitted("w1", (("k7Qm", ENTRY), ("k7Qm", replace(ENTRY, n=8)))),
            PresenceReport("w1", "k7Qm", frozenset({0, 2}), 3),
            PresenceReport("w1", "k7Qm", frozenset(), 0),
            TurnMoved("w1", "k7Qm"),
            PresenceQuery("w1", "k7Qm"),
            Heartbeat("w1"),
        ],
    )
    def test_are_read_as_they_are_written(self, notice: Any) -> None:
        assert read_notice(str(notice)) == notice

    @pytest.mark.parametrize(
        "text", ["", "committed", "committed w t x", "there w t x 1", "new 1", *NO_EVENTS]
    )
    def test_what_makes_no_sense_is_not_heard(self, text: str) -> None:
        assert read_notice(text) is None


def children(process: int) -> set[int]:
    """The workers of a server; one that has just died may be listed without its command."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    found = set()
    for one in listed:
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes():
                found.add(int(one))
    return found


def test_a_worker_that_dies_is_replaced_and_none_outlives_its_parent(shared_url: Any) -> None:
    command = [sys.executable, "-m", "cantstop", "serve", "--port", "0", "--workers", "2"]
    with subprocess.Popen(
        [*command, "--database", shared_url], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        assert b"Can't Stop is at" in server.stdout.readline()
        before = children(server.pid)
        assert len(before) == 2
        os.kill(min(before), signal.SIGKILL)
        assert b"died and is being restarted" in server.stderr.readline()
        while len(after := children(server.pid)) < 2:
            time.sleep(0.02)
        assert len(after - before) == 1
        handles = [os.pidfd_open(child) for child in after]
        server.kill()
        for handle in handles:
            ending = select.poll()
            ending.register(handle, select.POLLIN)
            assert ending.poll(120_000), "a worker lives on without its parent"
            os.close(handle)
