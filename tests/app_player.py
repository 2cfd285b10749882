"""A person at the keyboard of the terminal app, for tests: opens it, presses keys, looks."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widget import Widget

from cantstop.game import Game
from cantstop.language import Translator
from cantstop.record import Record
from cantstop.terminal.controller import GameController
from cantstop.terminal.local_game import LocalGame
from cantstop.terminal.save_file import SaveFile
from cantstop.terminal.tui import AppOptions
from cantstop.terminal.tui.app import CantStopApp
from cantstop.terminal.tui.local import LocalController
from cantstop.terminal.tui.replay import ReplayController
from patience import PATIENCE

USUAL_SIZE = (80, 24)

LOOK_SECONDS = 0.01
"""Between two looks at the screen: reading it takes a good part of a millisecond."""


def controller_of(app: CantStopApp) -> LocalController:
    """What plays the game at this terminal."""
    assert isinstance(app.controller, LocalController)
    return app.controller


@dataclass
class Somebody:
    """A person at the app."""

    app: CantStopApp
    pilot: Pilot[int]

    @property
    def local(self) -> LocalGame:
        return controller_of(self.app).local

    @property
    def game(self) -> Game:
        return self.local.game

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def press_fast(self, key: str) -> None:
        """Press a key and wait for what it does to the game, not for the screen to settle."""
        events = len(self.game.events)
        self.app.simulate_key(key)
        async with asyncio.timeout(PATIENCE):
            while len(self.game.events) == events:
                await asyncio.sleep(0.001)

    async def click(self, what: Any, offset: tuple[int, int] = (0, 0)) -> None:
        await self.pilot.click(what, offset=offset)
        await self.pilot.pause()

    async def wait_until(self, true: Callable[[], bool]) -> None:
        """Let things happen until something is so."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                await asyncio.sleep(LOOK_SECONDS)

    async def press_until(self, key: str, true: Callable[[], bool]) -> None:
        """Press a key, and again whenever it had no effect for a while, until something is so."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                self.app.simulate_key(key)
                again = asyncio.get_running_loop().time() + 5
                while not true() and asyncio.get_running_loop().time() < again:
                    await asyncio.sleep(LOOK_SECONDS)

    def find(self, selector: str) -> Widget:
        return self.app.screen.query_one(selector)

    def text(self, selector: str) -> str:
        """What a widget shows, as plain text."""
        widget = self.find(selector)
        lines = [widget.render_line(y) for y in range(widget.size.height)]
        return "\n".join(line.text.rstrip() for line in lines)

    def sentence(self, selector: str) -> str:
        """What a widget says, however its lines are broken."""
        return " ".join(self.text(selector).split())

    @property
    def screen(self) -> str:
        """Everything on the screen, as plain text."""
        lines = self.app.screen._compositor.render_strips()
        return "\n".join(line.text.rstrip() for line in lines)


def use_app(
    act: Callable[[Somebody], Awaitable[None]],
    folder: Path,
    local: LocalGame | None = None,
    *,
    file: Path | None = None,
    record: Record | None = None,
    size: tuple[int, int] = USUAL_SIZE,
    language: str = "en",
    pace: float = 0,
) -> CantStopApp:
    """Let a person use the app and return it as they left it; bots do not keep them waiting."""

    async def use() -> CantStopApp:
        controller: GameController | ReplayController | None = None
        if local is not None:
            controller = LocalController(SaveFile(local, folder, file), pace)
        elif record is not None:
            controller = ReplayController(record)
        app = CantStopApp(Translator(language), AppOptions(folder, pace), controller)
        async with app.run_test(size=size) as pilot:
            somebody = Somebody(app, pilot)
            await pilot.pause()
            await act(somebody)
        return app

    return asyncio.run(use())
