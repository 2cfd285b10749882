"""Players in an event loop, at tables of a real server."""

import asyncio
from typing import Any

import pytest

from cantstop import IllegalAction, Phase, WrongType, verify
from cantstop.client import (
    OPEN,
    AsyncPlayer,
    RemoteTable,
    TimedOut,
    Unreachable,
    bot,
    human,
    open_table,
    play_async,
    record,
)
from patience import PATIENCE
from swarm import wait_for_engine

SHORT: dict[str, Any] = {"edition": "custom", "win": 1}


async def play_on(me: AsyncPlayer) -> None:
    async for position in me.decisions(timeout=PATIENCE):
        if position.phase is Phase.MOVE:
            await me.move(position.legal_moves[0])
        elif position.may_stop and me.moves >= 2:
            await me.stop()
        else:
            await me.roll()


def test_two_players_of_one_loop_play_each_other_and_check_the_dice(server: Any) -> None:
    link = open_table(server.url, [OPEN, OPEN], **SHORT)
    seen: list[int] = []

    def note(table: RemoteTable) -> None:
        seen.append(table.n)

    async def both() -> None:
        async with (
            AsyncPlayer.join(link, "Ada", on_change=note) as ada,
            AsyncPlayer.join(link, "Bob") as bob,
        ):
            await asyncio.gather(play_on(ada), play_on(bob))
            assert ada.outcome == bob.outcome is not None
            assert (await ada.verify()).protected == (0, 1)
            await ada.react("cheer")
            again = await ada.rematch()
            assert again.table != link.table
        with pytest.raises(IllegalAction, match="You have left this table"):
            await ada.react("cheer")

    asyncio.run(both())
    assert seen == list(range(seen[0], seen[-1] + 1))
    assert verify(record(link)).dice_checked


def test_a_bot_plays_in_a_loop_and_another_program_watches(server: Any) -> None:
    link = open_table(server.url, [human("Ada"), bot("careful")], **SHORT)

    async def play_and_watch() -> None:
        async with AsyncPlayer.watch(link) as watcher:
            outcome = await play_async(link, "bold")
            table = await watcher.wait(lambda now: now.is_over, 60)
            assert table.outcome == outcome is not None
            with pytest.raises(IllegalAction, match="This seat is not yours"):
                await watcher.react("cheer")

    asyncio.run(play_and_watch())


def test_waiting_has_an_end_and_what_is_wrong_is_said(server: Any) -> None:
    link = open_table(server.url, [human("Ada"), OPEN], **SHORT)

    async def wait() -> None:
        me = AsyncPlayer(link)
        with pytest.raises(IllegalAction, match="not at this table yet"):
            _ = me.position
        async with me:
            with pytest.raises(TimedOut, match=r"Nothing has happened within 0\.05 s"):
                await me.wait(lambda table: table.started, 0.05)
            with pytest.raises(IllegalAction, match="seats are still free"):
                await me.roll()
        with pytest.raises(WrongType, match="is not a bot"):
            await play_async(link, 7)  # type: ignore[arg-type]

    asyncio.run(wait())


def test_a_server_that_does_not_answer_is_unreachable() -> None:
    async def join() -> None:
        async with AsyncPlayer("http://127.0.0.1:9/t/k7Qm#seat=abc", timeout=0.2):
            raise AssertionError

    with pytest.raises((Unreachable, TimedOut)):
        asyncio.run(join())


def test_the_server_thinks_for_those_who_ask(server: Any) -> None:
    wait_for_engine(server.url)
    link = open_table(server.url, [human("Ada"), bot("careful")], **SHORT)

    async def ask() -> None:
        async with AsyncPlayer(link) as ada:
            async for position in ada.decisions(timeout=PATIENCE):
                assert (await ada.hint()).position == str(position)
                return

    asyncio.run(ask())
    assert record(link).hints == (0,)
