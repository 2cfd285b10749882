"""Programs that take back, resign, and know the clock, at tables of a real server."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from cantstop import IllegalAction, Phase
from cantstop.client import (
    OPEN,
    AsyncPlayer,
    Player,
    Refused,
    bot,
    human,
    look,
    open_table,
    record,
)
from cantstop.table.events import Order
from live_server import PATIENT, live_server
from patience import PATIENCE


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = tmp_path_factory.mktemp("courtesy") / "tables.db"
    with live_server(f"sqlite:///{path}", clocks=replace(PATIENT, absence=3600)) as running:
        yield running


def test_against_a_bot_a_decision_is_taken_back_at_once_and_is_due_again(server: Any) -> None:
    link = open_table(server.url, [human("Ada"), bot("careful")])
    with Player(link) as me:
        decisions = me.decisions(timeout=PATIENCE)
        next(decisions)
        with pytest.raises(IllegalAction, match="nothing to take back"):
            me.take_back()
        moves = me.roll()
        assert next(decisions).phase is Phase.MOVE
        me.move(moves[0])
        assert me.take_back()
        assert me.position.phase is Phase.MOVE
        assert len(me.table.events) == 1
        assert next(decisions).phase is Phase.MOVE  # the same dice, to be decided again
        me.move(moves[-1])
        assert next(decisions).phase is Phase.CHOICE
        assert look(me.link).position == me.position  # the fold of a whole state is the same
        me.resign()
        assert list(decisions) == []
        assert (me.table.ended, me.table.winners, me.outcome) == ("resigned", (1,), None)
    played = record(link)
    assert (played.resigned, played.winners(None)) == ((0,), (1,))


def test_an_order_leaves_to_a_program_only_what_it_does_not_say(server: Any) -> None:
    link = open_table(server.url, [human("Ada"), bot("careful")], hints=True)
    with Player(link) as me:
        decisions = me.decisions(timeout=PATIENCE)
        assert next(decisions).phase is Phase.ROLL
        with pytest.raises(Refused, match="no standing order"):
            me.revoke()
        me.order(runners=True, bust=99)
        assert me.table.seats[0].order == Order(runners=True, bust=99)
        for position in decisions:
            if not position.free_runners:
                break
            assert position.phase is Phase.MOVE
            assert len(position.legal_moves) > 1
            me.move(position.legal_moves[0])
        assert me.position.free_runners == 0  # nothing can bust before that in a first turn
        by_order = [entry for entry in me.table.log if getattr(entry.event, "ordered", False)]
        assert by_order
        assert look(me.link).log == me.table.log
        me.revoke()
        assert me.table.seats[0].order is None


def test_an_order_is_given_by_a_program_with_an_event_loop_too(server: Any) -> None:
    async def order() -> None:
        link = open_table(server.url, [human("Ada"), bot("careful")], hints=False)
        async with AsyncPlayer(link) as me:
            await me.order(column=True)
            assert me.table.seats[0].order == Order(column=True)
            with pytest.raises(Refused, match="without hints"):
                await me.order(bust=30)
            await me.revoke()
            assert me.table.seats[0].order is None

    asyncio.run(order())


def test_among_people_it_takes_consent(server: Any) -> None:
    link = open_table(server.url, [OPEN, OPEN], clock=3600, bank=60)
    with ExitStack() as stack:
        ada, bob = (stack.enter_context(Player.join(link, name)) for name in ("Ada", "Bob"))
        ada.wait(lambda table: table.started)
        ada.wait(lambda _: ada.clock is not None and ada.clock.seat == 0)
        assert ada.clock is not None
        assert (ada.clock.seconds, ada.clock.banks) == (3600, (60.0, 60.0))
        assert ada.clock.left is not None
        assert 3000 < ada.clock.left <= 3660
        ada.move(ada.roll()[0])
        with pytest.raises(IllegalAction, match="Nobody asks"):
            bob.answer(agree=True)
        assert not ada.take_back()
        bob.wait(lambda table: table.asked is not None)
        bob.answer(agree=False)
        ada.wait(lambda table: table.asked is None)
        with pytest.raises(IllegalAction, match="not agreed"):
            ada.take_back()
        ada.stop()
        assert not ada.take_back()
        bob.wait(lambda table: table.asked is not None)
        bob.answer(agree=True)
        ada.wait(lambda table: table.asked is None)
        assert (ada.position.seat, ada.position.phase) == (0, Phase.CHOICE)
        bob.resign()
        assert ada.wait(lambda table: table.is_over).winners == (0,)


def test_in_an_event_loop(server: Any) -> None:
    link = open_table(server.url, [OPEN, OPEN, OPEN], clock=3600)

    async def play() -> None:
        async with (
            AsyncPlayer.join(link, "Ada") as ada,
            AsyncPlayer.join(link, "Bob") as bob,
            AsyncPlayer.join(link, "Cleo") as cleo,
        ):
            for player in (ada, bob, cleo):
                await player.wait(lambda table: table.started)
            await ada.move((await ada.roll())[0])
            await cleo.resign()
            assert cleo.table.seats[2].resigned
            assert cleo.table.substituted == []  # nothing to come back to
            assert not await ada.take_back()
            await bob.wait(lambda table: table.asked is not None)
            await bob.answer(agree=True)
            await ada.wait(lambda table: table.asked is None)
            assert ada.position.phase is Phase.MOVE
            assert ada.clock is not None
            await bob.resign()
            assert (await ada.wait(lambda table: table.is_over)).winners == (0,)

    asyncio.run(play())
