"""The sweep of slow tables: what it plays, what it leaves alone, and what it costs."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.days import BOT_GRACE, LEASE, claim_due, due_turns, heartbeat_of
from cantstop.server.database.my_tables import unfinished_tables
from cantstop.server.errors import Malformed, Refused
from cantstop.server.runtime import turn_clocks
from cantstop.server.runtime.housekeeping import GRACE, Cleanup
from cantstop.server.runtime.master import KEEP
from cantstop.server.tables.changes import StoredTable
from cantstop.server.tables.decisions import bot_turn, turn_run_out
from cantstop.server.tables.hours import Hours
from cantstop.table.events import EndReason, Finished, Played, Resigned, Returned, Substituted
from cantstop.table.permissions import seats_to_drop
from cantstop.table.table import Stage, Table
from cantstop.wire.actions import Roll, new_action_id
from cantstop.wire.table import turn_clock_view
from pure_tables import NOW, a_table, after, after_a_move
from slow_workers import Servers, missed_turns, slow_servers, utc
from table_client import OPEN, bot, human

FOR_ANNE: dict[str, Any] = {"for": 0}
FOR_NOBODY: dict[str, Any] = {"for": 3}

Test = Callable[[Servers], Awaitable[None]]


@pytest.fixture
def simulated(each_url: str) -> Callable[..., None]:
    """Runs a test with workers on each kind of database, from a Monday morning on."""

    def run(test: Test, **more: Any) -> None:
        async def running() -> None:
            async with slow_servers(each_url, "Nov 16 08:00", **more) as servers:
                await test(servers)

        asyncio.run(running())

    return run


# What is decided, without a server


def a_slow_table(*more_seats: Any, **more: Any) -> StoredTable:
    settings = {"days": 2, "edition": "custom", "start": "first-seat", "win": 8, **more}
    return a_table(human(salt="a"), *(more_seats or (OPEN,)), **settings)


def late(stored: StoredTable) -> StoredTable:
    """The table after the time of the turn that runs is up."""
    change = turn_run_out(stored, stored.table.turn_since, NOW)
    assert change is not None
    return stored.after(change)


def a_turn(stored: StoredTable) -> StoredTable:
    """The table after its next person has played a turn."""
    return after(after_a_move(stored), "stop", stored.table.position.seat)


class TestDecisions:
    def test_a_bot_plays_the_whole_turn_and_the_seat_is_its_owners_again(self) -> None:
        moved = after_a_move(a_slow_table())
        done = late(moved)
        new = list(done.table.log)[moved.table.n :]
        first, *played, last = (entry.event for entry in new)
        assert isinstance(first, Substituted)
        assert isinstance(last, Returned)
        assert all(isinstance(event, Played) for event in played)
        assert {entry.seat for entry in new} == {0}
        assert done.table.position.seat == 1
        assert (done.table.seats[0].substitute, done.table.seats[0].bank) == (None, 0)
        assert [seat.missed for seat in done.table.seats] == [1, 0]
        assert Table.from_log(done.table.id, done.table.log) == done.table

    def test_a_turn_that_was_played_is_not_played_again(self) -> None:
        begun = a_slow_table()
        since = begun.table.turn_since
        assert turn_run_out(a_turn(begun), since, NOW) is None
        assert turn_run_out(after(begun, "resign", 0), since, NOW) is None
        assert turn_run_out(a_table(human(salt="a"), OPEN, clock=30), since, NOW) is None

    def test_who_plays_again_has_missed_nothing(self) -> None:
        missed = a_turn(late(a_slow_table()))
        assert missed.table.seats[0].missed == 1
        rolled = after(missed, "roll", 0)
        assert rolled.table.seats[0].missed == 0

    def test_only_after_two_turns_in_a_row_others_may_give_up_a_seat(self) -> None:
        once = a_turn(late(a_slow_table()))
        with pytest.raises(Refused, match="two turns"):
            after(once, "drop", 1, **FOR_ANNE)
        twice = a_turn(late(once))
        assert seats_to_drop(twice.table) == (0,)
        assert seats_to_drop(twice.table, 0) == ()
        assert turn_clock_view(twice.table).drop == (0,)
        with pytest.raises(Refused, match="another person"):
            after(twice, "drop", 0, **FOR_ANNE)
        with pytest.raises(Malformed, match="no seat"):
            after(twice, "drop", 1, **FOR_NOBODY)
        over = after(twice, "drop", 1, **FOR_ANNE).table
        events = [entry.event for entry in list(over.log)[twice.table.n :]]
        assert events[0] == Resigned(by=1)
        assert isinstance(events[1], Finished)
        assert (over.winners, over.ended) == ((1,), EndReason.RESIGNED)

    def test_with_more_players_a_bot_plays_on_for_the_seat(self) -> None:
        stored = a_slow_table(OPEN, OPEN)
        for _ in range(2):
            stored = a_turn(a_turn(late(stored)))
        dropped = after(stored, "drop", 2, **FOR_ANNE).table
        assert dropped.stage is Stage.PLAYING
        assert dropped.seats[0].resigned
        assert dropped.bot_to_act == "careful"
        assert seats_to_drop(dropped) == ()

    def test_where_everybody_lets_two_turns_pass_the_game_ends(self) -> None:
        stored = a_slow_table()
        for _ in range(3):
            stored = late(stored)
            assert stored.table.stage is Stage.PLAYING
        ended = late(stored).table
        assert (ended.stage, ended.ended, ended.winners) == (Stage.OVER, EndReason.MISSED, ())
        assert ended.secret is not None

    def test_a_person_among_bots_ends_the_game_by_staying_away(self) -> None:
        stored = a_slow_table(bot())
        stored = late(stored)
        while stored.table.bot_to_act is not None:
            stored = stored.after(bot_plays(stored))
        assert late(stored).table.ended is EndReason.MISSED

    def test_bots_alone_have_no_days(self) -> None:
        with pytest.raises(Malformed, match="people"):
            a_table(bot(), bot(), days=2)


def bot_plays(stored: StoredTable) -> Any:
    return bot_turn(stored, stored.table.turn_since, "careful", NOW)


# With workers and a database


def test_a_server_that_was_down_costs_no_bank(simulated: Any) -> None:
    """Not even who acts before any worker has swept."""

    async def test(servers: Servers) -> None:
        game = await servers.open([None, None], days=1, bank=3600)
        await servers.until("Nov 17 07:00")
        await servers.go_down()
        await servers.until("Nov 19 07:00")
        await servers.play(game, 0)
        assert (await servers.table(game)).seats[0].bank == 3600

    simulated(test)


def test_a_clock_that_jumps_ends_nobodys_turn(simulated: Any) -> None:
    async def test(servers: Servers) -> None:
        game = await servers.open([None, None], days=1, bank=0)
        await servers.until("Nov 17 07:00")
        servers.clock.now += timedelta(hours=5)
        await servers.sweep()
        assert missed_turns(await servers.table(game)) == []
        assert (await servers.row(game))["due_at"] == utc("Nov 17 13:00")
        # set back again: who had five hours more has them for good
        servers.clock.now -= timedelta(hours=5)
        await servers.until("Nov 17 12:00")
        assert missed_turns(await servers.table(game)) == []
        await servers.until("Nov 17 13:00")
        assert missed_turns(await servers.table(game)) == [(0, utc("Nov 17 13:00"))]

    simulated(test)


def test_quiet_hours_that_a_server_missed_are_held_again(simulated: Any) -> None:
    async def test(servers: Servers) -> None:
        await servers.add_player("anne", Hours("UTC", 6 * 60, 18 * 60))
        game = await servers.open(["anne", None], days=1, bank=0)
        assert (await servers.row(game))["due_at"] == utc("Nov 17 18:00")
        await servers.until("Nov 17 14:00")
        await servers.go_down()
        await servers.until("Nov 18 08:00")
        await servers.come_up()
        # four hours of them were left, until noon: which is quiet
        assert (await servers.row(game))["due_at"] == utc("Nov 18 18:00")
        assert (await servers.row(game))["ends_at"] == utc("Nov 17 08:00")

    simulated(test)


def test_only_one_of_two_workers_lets_turns_end_later(simulated: Any) -> None:
    async def test(servers: Servers) -> None:
        games = [await servers.open([None, None], days=1, bank=0) for _ in range(3)]
        await servers.until("Nov 16 12:00")
        await servers.go_down()
        await servers.until("Nov 16 20:00")
        await servers.come_up()
        for game in games:
            assert (await servers.row(game))["due_at"] == utc("Nov 17 16:00")
        assert await servers.database.read(heartbeat_of) == utc("Nov 16 20:00")

    simulated(test, workers=3)


def test_bots_play_their_turns_though_nobody_is_connected(simulated: Any) -> None:
    """And a strong one asks its process; nothing is done before a player could have come."""

    async def test(servers: Servers) -> None:
        game = await servers.open([None], bots=2, days=2)
        await servers.play(game, 0)
        servers.clock.now += BOT_GRACE - timedelta(seconds=1)
        await servers.sweep()
        assert (await servers.table(game)).position.seat == 1
        for seat in (2, 0):
            servers.clock.now += BOT_GRACE
            await servers.sweep()
            assert (await servers.table(game)).position.seat == seat
        row = await servers.row(game)
        assert (row["bot"], row["seat"]) == (False, 0)

    simulated(test)


def test_a_bot_that_is_watched_is_left_to_its_pace(
    simulated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(servers: Servers) -> None:
        game = await servers.open([None], bots=1, days=2)
        await servers.play(game, 0)
        for worker in servers.workers:
            monkeypatch.setattr(worker.presence, "is_attended", lambda _: True)
        servers.clock.now += timedelta(minutes=1)
        await servers.sweep()
        assert (await servers.table(game)).position.seat == 1

    simulated(test)


def test_a_table_whose_turn_runs_never_expires(simulated: Any) -> None:
    """Seven days, a bank of twenty-one, and a vacation: that is longer than tables are kept."""

    async def test(servers: Servers) -> None:
        await servers.add_player("anne", Hours(weekends_off=True))
        game = await servers.open(["anne", None], days=7)
        gone = await servers.open([None, None], days=1, bank=0)
        await servers.until("Nov 30 08:00")
        assert (await servers.table(gone)).stage is Stage.OVER
        servers.clock.now += KEEP + GRACE - timedelta(days=14)
        cleanup = Cleanup(servers.database, KEEP, servers.clock)
        assert await cleanup.delete_expired(force=True) == 0
        servers.clock.now += timedelta(days=14)
        assert await cleanup.delete_expired(force=True) == 1
        assert (await servers.table(game)).stage is Stage.PLAYING
        listed = partial(unfinished_tables, player_id="anne", since=servers.clock.now, most=10)
        assert await servers.database.read(listed) == {game: 0}

    simulated(test)


def test_a_table_that_fails_keeps_nobody_waiting(
    simulated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(servers: Servers) -> None:
        games = [await servers.open([None, None], days=1, bank=0) for _ in range(3)]
        broken = games[1]
        for worker in servers.workers:
            run_out = worker.master.turn_run_out

            async def fails(table: str, since: int, run_out: Any = run_out) -> bool:
                if table == broken:
                    raise RuntimeError("a table that cannot be read")
                done: bool = await run_out(table, since)
                return done

            monkeypatch.setattr(worker.master, "turn_run_out", fails)
        await servers.until("Nov 17 08:00")
        for game in (games[0], games[2]):
            assert missed_turns(await servers.table(game))
        assert (await servers.row(broken))["due_at"] == utc("Nov 17 08:00") + LEASE

    simulated(test)


# What it costs


def test_nothing_of_a_slow_table_stays_in_memory(simulated: Any) -> None:
    async def test(servers: Servers) -> None:
        games = [await servers.open([None, None], days=1, bank=0) for _ in range(5)]
        for worker in servers.workers:
            for game in games:
                await worker.master.forget(game)
        await servers.until("Nov 17 08:00")
        for worker in servers.workers:
            assert not any(worker.master.cached(game) for game in games)
        for game in games:
            assert missed_turns(await servers.table(game))

    simulated(test)


def test_turns_are_claimed_a_few_at_a_time_and_players_come_in_between(
    simulated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty turns are due in one moment: after each of them, others have the event loop."""
    monkeypatch.setattr(turn_clocks, "CLAIM", 7)

    async def test(servers: Servers) -> None:
        games = [await servers.open([None, None], days=1, bank=0) for _ in range(40)]
        (worker,) = servers.workers
        passed: list[int] = []
        others = 0
        run_out = worker.master.turn_run_out

        async def counted(table: str, since: int) -> bool:
            passed.append(others)
            return await run_out(table, since)

        async def play() -> None:
            nonlocal others
            while True:
                others += 1
                await asyncio.sleep(0)

        monkeypatch.setattr(worker.master, "turn_run_out", counted)
        playing = asyncio.create_task(play())
        await servers.until("Nov 17 08:00")
        playing.cancel()
        assert len(passed) == len(games)
        assert all(later > earlier for earlier, later in pairwise(passed))
        assert await worker.clocks.sweep() == 0

    simulated(test, workers=1)


def test_two_workers_never_claim_the_same_turn(simulated: Any) -> None:
    async def test(servers: Servers) -> None:
        for _ in range(12):
            await servers.open([None, None], days=1, bank=0)
        claim = partial(claim_due, now=utc("Nov 18 08:00"), most=5)
        both = await asyncio.gather(*(worker.database.write(claim) for worker in servers.workers))
        claimed = [turn.table for turns in both for turn in turns]
        assert len(claimed) == len(set(claimed))
        assert all(len(turns) <= 5 for turns in both)

    simulated(test)


def test_the_sweep_asks_an_index(simulated: Any) -> None:
    """Of many turns, those that are due are found by their index."""

    async def test(servers: Servers) -> None:
        await servers.database.write(add_turns)
        plan = await servers.database.read(explained)
        assert "ix_turns_due_at" in plan
        assert "SCAN turns\n" not in plan
        assert "Seq Scan" not in plan

    simulated(test, workers=1)


def add_turns(connection: sa.Connection) -> None:
    """Three thousand turns that are due one after the other."""
    ids = [f"table{number:05}" for number in range(3000)]
    opened = {"opened_at": NOW, "touched_at": NOW, "bot_to_act": False}
    connection.execute(schema.tables.insert(), [{"id": one, **opened} for one in ids])
    turn = {"since": 3, "seat": 0, "bot": False, "began_at": NOW, "ends_at": NOW}
    connection.execute(
        schema.turns.insert(),
        [
            {"table_id": one, **turn, "due_at": NOW + timedelta(minutes=number)}
            for number, one in enumerate(ids)
        ],
    )
    connection.execute(sa.text("ANALYZE"))


def explained(connection: sa.Connection) -> str:
    """How the database finds the turns that are due, and the next one."""
    is_sqlite = connection.dialect.name == "sqlite"
    plans = []
    for query in (
        due_turns(NOW, 20).compile(connection, compile_kwargs={"literal_binds": False}),
        sa.select(sa.func.min(schema.turns.c.due_at)).compile(connection),
    ):
        command = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
        rows = connection.exec_driver_sql(command + str(query), literal(query, is_sqlite))
        plans += [str(row[-1]) for row in rows]
    return "\n".join(plans) + "\n"


def literal(query: sa.Compiled, is_sqlite: bool) -> Any:
    """The values of a query, as its driver takes them."""
    values = dict(query.construct_params() or {})
    if is_sqlite:
        moment = values.pop("due_at_1", None)
        found = () if moment is None else (moment.strftime("%Y-%m-%d %H:%M:%S.%f"), 20, 0)
        return found[: str(query).count("?")]
    return values


def test_nothing_is_written_where_no_slow_game_is_on(simulated: Any) -> None:
    async def test(servers: Servers) -> None:
        await servers.sweep()
        assert await servers.database.read(heartbeat_of) is None

    simulated(test)


def test_a_turn_that_begins_while_servers_say_nothing_loses_nothing(simulated: Any) -> None:
    """There was no slow game, so no server said that it was there; then one begins."""

    async def test(servers: Servers) -> None:
        first = await servers.open([None, None], days=1, bank=0)
        await servers.until("Nov 16 09:00")
        await servers.end(first)
        await servers.until("Nov 20 09:00")
        game = await servers.open([None, None], days=1, bank=0)
        action = Roll(id=new_action_id(), seat=0)
        await servers.act(game, action)
        await servers.sweep()
        assert (await servers.row(game))["due_at"] == utc("Nov 21 09:00")

    simulated(test)
