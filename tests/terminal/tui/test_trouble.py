"""What goes wrong around the app: small windows, full disks, bots that fail."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app_player import use_app
from cantstop.bots import Bot, BotFailure
from cantstop.rules import Move, Position
from cantstop.terminal.local_game import LocalGame, LocalSeat
from cantstop.terminal.tui.local import LocalController
from people import local_game

START = "v1,players=2 -/- 1 - -"


@dataclass(frozen=True)
class FailingBot(Bot):
    name: str = "careful"

    def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
        raise BotFailure("The bot “{name}” has lost its mind.", name=self.name)

    def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
        return False


def test_a_bot_that_fails_is_told_and_the_game_is_in_its_file(tmp_path: Path) -> None:
    local = local_game(START, "bot:careful", "Bob", dice="2345")
    seats = (LocalSeat("careful", FailingBot()), local.seats[1])

    async def watch(somebody: Any) -> None:
        await somebody.wait_until(lambda: somebody.app.controller.problem is not None)
        await somebody.pilot.pause()
        assert "has lost its mind" in somebody.sentence("#status")

    use_app(watch, tmp_path, LocalGame(local.game, seats, local.dice))
    assert len(list(tmp_path.iterdir())) == 1


def test_a_full_disk_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "no-folder").touch()
    local = local_game(START, "Anne", "Bob", dice="2345")

    async def play(somebody: Any) -> None:
        await somebody.press("r", "1")
        assert "cannot be written" in somebody.sentence("#log-text")
        assert len(somebody.game.events) == 2

    use_app(play, tmp_path / "no-folder", local)


@pytest.mark.parametrize(("size", "fits"), [((80, 24), True), ((79, 24), False), ((80, 23), False)])
def test_a_window_that_is_too_small_says_so(
    tmp_path: Path, size: tuple[int, int], fits: bool
) -> None:
    async def look(somebody: Any) -> None:
        assert somebody.find("#too-small").display is not fits
        assert ("This window is too small" in somebody.screen) is not fits

    use_app(look, tmp_path, local_game(START, "Anne", "Bob"), size=size)


def test_a_stop_can_be_taken_back_before_the_next_bot_rolls(tmp_path: Path) -> None:
    local = local_game("v1,players=2 -/- 1 6:2 -", "Anne", "bot:careful", dice="2345 1122")

    async def play(somebody: Any) -> None:
        await somebody.press("s")
        assert somebody.game.seat == 1
        await somebody.press("u")
        assert somebody.game.seat == 0

    app = use_app(play, tmp_path, local, pace=1e6)
    assert isinstance(app.controller, LocalController)
