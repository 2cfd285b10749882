"""A record in the app, step by step."""

from pathlib import Path
from typing import Any

from app_player import use_app
from cantstop.rules import Busted, Stopped
from people import golden

RECORD = golden("ravensburger-all-variants")
POSITIONS = RECORD.game().positions


def test_steps_turns_start_and_end(tmp_path: Path) -> None:
    ends = [n for n, event in enumerate(RECORD.events, 1) if isinstance(event, Stopped | Busted)]

    async def look(somebody: Any) -> None:
        replay = somebody.app.screen.replay

        async def is_at(number: int, *keys: str) -> None:
            await somebody.press(*keys)
            assert replay.at == number
            assert replay.position == POSITIONS[number]
            assert f"step {number} of {len(RECORD.events)}" in somebody.text("#title")

        await is_at(0, "left")
        await is_at(2, "right", "right")
        await is_at(ends[0], "down")
        await is_at(ends[1], "pagedown")
        await is_at(ends[0], "up")
        await is_at(len(RECORD.events), "end")
        assert "wins the game" in somebody.text("#status")
        await is_at(len(RECORD.events), "right")
        await is_at(0, "home")

    use_app(look, tmp_path, record=RECORD, size=(120, 40))


def test_it_runs_by_itself_and_halts(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        replay = somebody.app.screen.replay
        await somebody.press("end", "left", "left", "space")
        await somebody.wait_until(lambda: replay.at == replay.last)
        await somebody.press("home", "space")
        await somebody.wait_until(lambda: replay.at > 2)
        await somebody.press("space")
        at = replay.at
        await somebody.pilot.pause()
        assert replay.at == at

    use_app(look, tmp_path, record=RECORD, pace=0.001)


def test_every_position_of_a_record_can_be_drawn(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        screen = somebody.app.screen
        for at in range(screen.replay.last + 1):
            screen._go(at)
        await somebody.pilot.pause()
        assert "♛" in somebody.text("Players")

    use_app(look, tmp_path, record=golden("wide-board"), size=(120, 40))


def test_nothing_can_be_played_in_a_replay(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        await somebody.press("r", "s", "1", "u")
        assert somebody.app.screen.replay.at == 0

    use_app(look, tmp_path, record=RECORD)
