"""Slow tables: days for a turn and a bank, what a turn costs, and whose turn the database says."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from cantstop.rules import Phase, Stopped
from cantstop.server.database import schema
from cantstop.server.database.days import BOT_GRACE
from cantstop.server.database.sql import Database, open_database
from cantstop.server.errors import Malformed, Refused
from cantstop.server.runtime.master import Master
from cantstop.server.tables.changes import NewTable, StoredTable
from cantstop.server.tables.decisions import Caller
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.turns import TurnBegun, turn_of
from cantstop.table.events import Played
from cantstop.table.permissions import SeatPresence
from cantstop.table.table import Table
from cantstop.wire.actions import MakeMove, Play, Resign, Roll, Stop, new_action_id
from cantstop.wire.events import event_data
from cantstop.wire.requests import OpenTable, TakeSeat
from pure_tables import NOW, a_table, after, after_a_move
from table_client import OPEN, bot, human

DAY = 86400


def a_slow_table(*more_seats: Any, days: int = 2, **more: Any) -> StoredTable:
    return a_table(human(salt="a"), *(more_seats or (OPEN,)), days=days, **more)


def seconds_of(table: Table) -> float:
    turn = turn_of(table)
    assert turn is not None
    assert turn.seconds is not None
    return turn.seconds


class TestOpening:
    @pytest.mark.parametrize(
        ("days", "bank"), [(1, 3 * DAY), (2, 6 * DAY), (3, 9 * DAY), (7, 21 * DAY)]
    )
    def test_a_slow_table_has_days_and_a_bank_of_three_turns(self, days: int, bank: int) -> None:
        table = a_slow_table(days=days).table
        assert (table.opened.days, table.opened.bank) == (days, bank)
        assert [seat.bank for seat in table.seats] == [bank, bank]
        assert event_data(table.opened)["days"] == days
        assert seconds_of(table) == days * DAY + bank

    def test_another_bank_can_be_asked_for(self) -> None:
        assert seconds_of(a_slow_table(days=1, bank=0).table) == DAY

    @pytest.mark.parametrize(
        "asked",
        [
            {"mode": "hotseat", "days": 2},
            {"mode": "online", "days": 2, "clock": 30},
        ],
    )
    def test_where_there_can_be_no_days(self, asked: Any) -> None:
        with pytest.raises(Malformed, match="days"):
            a_table(human(salt="a"), bot(), **asked)

    @pytest.mark.parametrize("days", [0, 4, 8, -1, True, "2"])
    def test_other_numbers_of_days_are_not_offered(self, days: Any) -> None:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"mode": "online", "seats": [OPEN, OPEN], "days": days}, OpenTable)

    def test_nobody_asks_for_a_bot_while_a_turn_has_time(self) -> None:
        stored = a_slow_table()
        for seat in (0, 1):
            with pytest.raises(Refused, match="time"):
                after(stored, "substitute", 1 - seat, at=NOW + timedelta(days=40), **{"for": seat})


class TestTurns:
    """What a turn is: from the event that gives a seat the turn to the one that takes it."""

    def test_there_is_none_elsewhere(self) -> None:
        assert turn_of(a_table(human(salt="a"), OPEN).table) is None
        assert turn_of(a_table(human(salt="a"), OPEN, clock=86400).table) is None

    def test_a_turn_goes_on_until_the_seat_changes(self) -> None:
        stored = a_slow_table()
        first = turn_of(stored.table)
        assert first == TurnBegun(stored.table.id, stored.table.n, 0, NOW, 8 * DAY)
        moved = after_a_move(stored)
        assert turn_of(moved.table) == first
        later = NOW + timedelta(hours=5)
        stopped = after(moved, "stop", 0, at=later)
        turn = turn_of(stopped.table)
        assert turn is not None
        assert (turn.since, turn.seat, turn.began) == (stopped.table.n, 1, later)

    def test_a_bot_has_its_turn_without_any_time(self) -> None:
        stored = after(after_a_move(a_slow_table(bot())), "stop", 0)
        turn = turn_of(stored.table)
        assert turn is not None
        assert turn.is_bot

    def test_who_has_resigned_has_their_turn_played_by_a_bot(self) -> None:
        stored = a_slow_table(OPEN, OPEN)
        assert not turn_of(stored.table).is_bot  # type: ignore[union-attr]
        left = turn_of(after(stored, "resign", 0).table)
        assert left is not None
        assert (left.since, left.is_bot) == (turn_of(stored.table).since, True)  # type: ignore[union-attr]

    def test_taking_back_a_stop_is_another_turn_and_a_move_is_the_same(self) -> None:
        moved = after_a_move(a_slow_table(bot()))
        begun = turn_of(moved.table)
        back = after(moved, "takeback", 0)
        assert turn_of(back.table) == begun
        stopped = after(moved, "stop", 0)
        undone = after(stopped, "takeback", 0)
        turn = turn_of(undone.table)
        assert turn is not None
        assert (turn.since, turn.seat) == (undone.table.n, 0)
        assert Table.from_log(undone.table.id, undone.table.log) == undone.table

    def test_a_turn_may_take_its_days_and_then_the_bank(self) -> None:
        """Decision by decision: what one has taken from the bank the next does not take again."""
        stored = a_slow_table(days=1, bank=1000)
        quick = after(stored, "roll", 0, thought=float(DAY)).table
        assert quick.seats[0].bank == 1000
        slow = after(after_a_move(stored), "stop", 0, thought=DAY + 400.0).table
        assert slow.seats[0].bank == 600


# In the database


def row_of(connection: sa.Connection, table_id: str) -> Mapping[str, Any] | None:
    query = sa.select(schema.turns).where(schema.turns.c.table_id == table_id)
    return connection.execute(query).mappings().one_or_none()  # type: ignore[return-value]


class Turned:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


class Players:
    """A table that its players hold, at a master of its own."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clock = Turned()
        self.master = Master(database, lambda _: SeatPresence(), clock=self.clock)
        self.id = ""

    async def open(self, *, days: int, players: int = 2, **more: Any) -> None:
        seats = [OPEN] * players
        request = msgspec.convert(
            {"mode": "online", "seats": seats, "days": days, **more}, OpenTable
        )
        new: NewTable = open_table(request, self.clock()).new_table
        self.id = (await self.master.open(new)).id
        for number in range(players):
            secret = f"secret-of-a-guest-{number:04}"
            player = f"player-{number}"
            await self.master.take_seat(self.id, TakeSeat(name=f"P{number}"), secret, player)

    @property
    def table(self) -> Table:
        found = self.master.cached(self.id)
        assert found is not None
        return found

    async def row(self) -> Any:
        return await self.database.read(lambda connection: row_of(connection, self.id))

    async def act(self, action: type[Play] | type[Resign], seat: int, **more: Any) -> None:
        asked: Any = action(id=new_action_id(), seat=seat, **more)
        await self.master.act(self.id, Caller(frozenset({seat})), asked)

    async def play_on(self) -> None:
        """The next decision of whoever is to decide: who may stop does."""
        position = self.table.position
        match position.phase:
            case Phase.MOVE:
                move = str(next(iter(position.legal_moves)))
                await self.act(MakeMove, position.seat, move=move)
            case Phase.CHOICE:
                await self.act(Stop, position.seat)
            case _:
                await self.act(Roll, position.seat)


@pytest.fixture
def played(each_url: str) -> Callable[..., None]:
    """Runs what a test does with players on each kind of database."""

    def run(test: Callable[[Players], Any]) -> None:
        async def running() -> None:
            async with open_database(each_url) as database:
                await test(Players(database))

        asyncio.run(running())

    return run


def test_the_row_of_a_table_follows_its_events(played: Any) -> None:
    """At every event of a game, the row is what the table says; and afterwards there is none."""

    async def test(players: Players) -> None:
        await players.open(days=3, edition="custom", win=1)
        while players.table.to_act is not None:
            turn, row = turn_of(players.table), await players.row()
            assert turn is not None
            assert turn.seconds is not None
            assert (row["since"], row["seat"], row["bot"]) == (turn.since, turn.seat, False)
            assert row["player_id"] == f"player-{turn.seat}"
            assert row["began_at"] == turn.began
            began = turn.began + timedelta(seconds=3 * DAY + players.table.seats[turn.seat].bank)
            if turn.since == players.table.n:
                assert row["due_at"] == began
            players.clock.now += timedelta(hours=7)
            await players.play_on()
        assert await players.row() is None

    played(test)


def test_a_slow_turn_takes_from_the_bank_what_it_took_beyond_its_days(played: Any) -> None:
    async def test(players: Players) -> None:
        await players.open(days=1, bank=10 * 3600)
        await players.act(Roll, 0)
        players.clock.now += timedelta(hours=20)
        await players.play_on()
        assert players.table.seats[0].bank == 10 * 3600
        players.clock.now += timedelta(hours=7)
        await players.act(Stop, 0)
        assert players.table.seats[0].bank == 7 * 3600
        stopped = [
            entry.event
            for entry in players.table.log
            if isinstance(entry.event, Played) and isinstance(entry.event.event, Stopped)
        ]
        assert [event.spent for event in stopped] == [3 * 3600]
        # the next turn of the seat has what is left
        await players.act(Roll, 1)  # while runners are free no roll busts (T7)
        await players.play_on()
        await players.act(Stop, 1)
        assert seconds_of(players.table) == DAY + 7 * 3600
        # two decisions of one turn beyond its day: each takes its own part
        players.clock.now += timedelta(hours=25)
        await players.act(Roll, 0)
        assert players.table.seats[0].bank == 6 * 3600

    played(test)


def test_who_resigns_at_a_table_of_three_leaves_their_turn_to_a_bot(played: Any) -> None:
    async def test(players: Players) -> None:
        await players.open(days=2, players=3)
        await players.act(Resign, 0)
        row = await players.row()
        assert (row["seat"], row["bot"], row["player_id"]) == (0, True, None)
        assert row["due_at"] == row["began_at"] + BOT_GRACE

    played(test)


def test_other_tables_have_no_row(played: Any) -> None:
    async def test(players: Players) -> None:
        request = msgspec.convert({"mode": "online", "seats": [OPEN, OPEN]}, OpenTable)
        new = open_table(request, NOW).new_table
        players.id = (await players.master.open(new)).id
        for number in (0, 1):
            secret = f"secret-of-a-guest-{number:04}"
            await players.master.take_seat(players.id, TakeSeat(name="P"), secret)
        await players.act(Roll, 0)
        assert await players.row() is None

    played(test)
