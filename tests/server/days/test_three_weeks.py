"""Three weeks of a game of four, by a clock that the test turns: nobody loses time unjustly.

Every moment here was worked out by hand, with a calendar.
"""

import asyncio
from datetime import timedelta

from cantstop.server.tables.hours import Hours
from cantstop.table.events import EndReason, Played, Resigned, Returned, Substituted
from cantstop.table.table import Stage, Table
from slow_workers import Servers, missed_turns, slow_servers, utc

ANNE, BOB, CLEO, DAN = range(4)


def test_three_weeks_of_four(each_url: str) -> None:
    """Two days a turn and a bank of twelve hours, at two workers."""

    async def test() -> None:
        async with slow_servers(each_url, "Oct 12 08:00") as servers:
            await three_weeks(servers)

    asyncio.run(test())


async def three_weeks(servers: Servers) -> None:
    await servers.add_player("anne", Hours("Europe/Berlin", 22 * 60, 8 * 60))
    await servers.add_player("bob", Hours("America/New_York", weekends_off=True))
    await servers.add_player("cleo")
    game = await servers.open(["anne", "bob", "cleo", None], days=2, bank=12 * 3600)

    async def due(moment: str, seat: int) -> None:
        row = await servers.row(game)
        assert (row["seat"], row["due_at"]) == (seat, utc(moment))

    # 60 hours are over at ten in the evening in Berlin: held back until eight in the morning
    await due("Oct 15 06:00", ANNE)
    await servers.until("Oct 12 18:00")
    await servers.play(game, ANNE)
    # Bob takes two days and six hours: six of his bank
    await due("Oct 15 06:00", BOB)
    await servers.until("Oct 15 00:00")
    await servers.play(game, BOB, worker=1)
    # Cleo goes on holiday for five days, as she has said when she had the turn already
    await due("Oct 17 12:00", CLEO)
    await servers.until("Oct 15 06:00")
    await servers.be_away("cleo", "Oct 15 12:00", "Oct 20 12:00")
    await due("Oct 22 12:00", CLEO)
    await servers.until("Oct 21 06:00")
    await servers.play(game, CLEO)
    # Dan is not there; nor is any server, for a day
    await due("Oct 23 18:00", DAN)
    await servers.until("Oct 23 10:00")
    await servers.go_down()
    await servers.until("Oct 24 10:00")
    await servers.come_up()
    await due("Oct 24 18:00", DAN)
    await servers.until("Oct 24 17:00")
    assert missed_turns(await servers.table(game)) == []
    await servers.until("Oct 24 18:00")
    assert missed_turns(await servers.table(game)) == [(DAN, utc("Oct 24 18:00"))]
    # In Berlin the clocks go back: 06:00 UTC is seven in the morning now, and still quiet
    await due("Oct 27 07:00", ANNE)
    await servers.until("Oct 27 06:30")
    await servers.play(game, ANNE, worker=1)
    # Bob takes the two days to the minute, Cleo six hours; Dan has no bank any more
    await due("Oct 29 12:30", BOB)
    await servers.until("Oct 29 06:30")
    await servers.play(game, BOB)
    await servers.until("Oct 29 12:30")
    await servers.play(game, CLEO, worker=1)
    await due("Oct 31 12:30", DAN)
    await servers.until("Oct 31 12:30")
    assert missed_turns(await servers.table(game))[1:] == [(DAN, utc("Oct 31 12:30"))]
    # two turns in a row: whoever plays may give up his seat
    await servers.until("Oct 31 14:00")
    await servers.drop(game, ANNE, DAN)
    await servers.play(game, ANNE)
    # Bob's weekend lasts until Monday in New York, where the clocks have gone back meanwhile
    await due("Nov 04 11:00", BOB)
    await servers.until("Nov 03 12:00")
    await servers.play(game, BOB, worker=1)
    await servers.play(game, CLEO)
    # a bot plays Dan's seat, though nobody is connected
    await servers.until("Nov 03 13:00")
    table = await servers.table(game)
    assert table.position.seat == ANNE
    await due("Nov 05 13:00", ANNE)
    check_events(table)
    assert table == await servers.table(game, worker=1)


def check_events(table: Table) -> None:
    """Every timeout is an event, with all that the bot played; and nobody paid for what was not."""
    assert missed_turns(table) == [(DAN, utc("Oct 24 18:00")), (DAN, utc("Oct 31 12:30"))]
    assert [seat.bank for seat in table.seats] == [0, 6 * 3600, 12 * 3600, 0]
    assert [seat.missed for seat in table.seats[:DAN]] == [0, 0, 0]
    spent = {
        (entry.seat, entry.at): entry.event.spent
        for entry in table.log
        if isinstance(entry.event, Played) and entry.event.spent
    }
    assert spent == {
        (BOB, utc("Oct 15 00:00")): 6 * 3600,
        (ANNE, utc("Oct 27 06:30")): 12 * 3600,
    }
    around = [
        (type(entry.event), entry.seat)
        for entry in table.log
        if isinstance(entry.event, Substituted | Returned | Resigned)
    ]
    assert around == [
        *[(Substituted, DAN), (Returned, DAN)] * 2,
        (Resigned, DAN),
        (Substituted, DAN),
    ]
    assert Table.from_log(table.id, table.log) == table


def test_a_game_that_nobody_plays_any_more_ends_and_says_so(each_url: str) -> None:
    async def test() -> None:
        async with slow_servers(each_url, "Oct 12 08:00", step=timedelta(hours=6)) as servers:
            game = await servers.open([None, None, None], days=1, bank=0)
            await servers.until("Oct 13 02:00")
            await servers.play(game, 0)
            await servers.until("Oct 20 08:00")
            table = await servers.table(game)
            assert (table.stage, table.ended, table.winners) == (Stage.OVER, EndReason.MISSED, ())
            assert [seat for seat, _ in missed_turns(table)] == [1, 2, 0, 1, 2, 0]
            assert await servers.row(game) is None

    asyncio.run(test())


def test_at_a_table_of_two_who_is_left_wins(each_url: str) -> None:
    async def test() -> None:
        async with slow_servers(each_url, "Oct 12 08:00", step=timedelta(hours=6)) as servers:
            game = await servers.open([None, None], days=1, bank=0)
            for day in (13, 14):
                await servers.until(f"Oct {day} 08:00")
                assert (await servers.table(game)).position.seat == 1
                await servers.play(game, 1)
            await servers.drop(game, 1, 0)
            table = await servers.table(game)
            assert (table.ended, table.winners) == (EndReason.RESIGNED, (1,))
            assert await servers.row(game) is None

    asyncio.run(test())
