"""Hints at the table, worths beside a replay, and the review after the game."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from app_player import use_app
from cantstop.record import read_record, record_text
from cantstop.review import review
from people import golden, local_game

CHOICE = "v1,players=2 7:4/6:9,8:3 1 2:2,3:4,12:2 -"
RECORD = golden("classic-two")
LAST_STOP = "v1,players=2 6:11,7:13,8:10/5:4,9:2,12:2 1 8:11 -"


def test_H_shows_bars_then_says_why_then_goes(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        panel = somebody.find("#hint")
        assert not panel.display
        somebody.app.simulate_key("h")
        await somebody.wait_until(lambda: somebody.app.screen._hint is not None)
        await somebody.pilot.pause()
        first, second = somebody.text("#hint").splitlines()
        assert first.startswith("stop")
        assert second.startswith("roll")
        assert "█" in first
        await somebody.press("h")
        assert "bust in 56.2% of rolls" in somebody.sentence("#hint")
        await somebody.press("h")
        assert not panel.display

    app = use_app(look, tmp_path, local_game(CHOICE, "Anne", "Bob", dice="2345"))
    assert app.controller is not None
    told = read_record(record_text(app.controller.record()))
    assert told.hints == (0,)


def test_a_decision_takes_its_hint_away(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        somebody.app.simulate_key("h")
        await somebody.wait_until(lambda: somebody.app.screen._hint is not None)
        await somebody.press("s")
        assert not somebody.find("#hint").display

    use_app(look, tmp_path, local_game(CHOICE, "Anne", "Bob", dice="2345"))


def test_the_review_comes_after_the_game(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        await somebody.press("v")
        assert "The review comes after the game." in somebody.sentence("#status")
        await somebody.press("s", "v")
        await somebody.wait_until(lambda: "accuracy" in somebody.sentence("#review-text"))
        assert "Anne" in somebody.screen
        await somebody.press("escape")
        assert "wins the game" in somebody.sentence("#status")

    use_app(look, tmp_path, local_game(LAST_STOP, "Anne", "Bob", dice="2345"))


def test_a_replay_has_everybodys_chance_beside_every_step(tmp_path: Path) -> None:
    due = review(RECORD)

    async def look(somebody: Any) -> None:
        somebody.app.simulate_key("e")
        await somebody.wait_until(lambda: somebody.app.screen._review is not None)
        for steps in (0, 3, 20):
            for _ in range(steps - somebody.app.screen.replay.at):
                await somebody.press("right")
            await somebody.pilot.pause()
            for worth in due.moments[steps].worths:
                assert f"{100 * worth:.1f}%" in somebody.text("#worths")
        wrong = next(decision for decision in due.decisions if decision.grade.is_error)
        somebody.app.screen._go(wrong.n)
        await somebody.pilot.pause()
        assert " gave " in somebody.sentence("#worths")
        await somebody.press("e")
        assert not somebody.find("#worths").display

    use_app(look, tmp_path, record=RECORD, size=(120, 40))


def test_the_app_starts_without_the_engine() -> None:
    code = (
        "import cantstop.terminal.tui.app, cantstop.terminal.online, cantstop.terminal.plain;"
        "import sys; print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
