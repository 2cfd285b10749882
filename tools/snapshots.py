"""Pictures of the terminal app: rewritten by ``make snapshots``, compared by a test."""

import asyncio
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Static

from cantstop.dice import EnteredDice, SeededDice
from cantstop.game import Game
from cantstop.language import Translator
from cantstop.record import read_record
from cantstop.rules import Position
from cantstop.table.events import OrderPart
from cantstop.terminal.controller import THINKING
from cantstop.terminal.local_game import LocalDice, LocalGame, LocalSeat
from cantstop.terminal.save_file import SaveFile
from cantstop.terminal.tui import AppOptions, Theme
from cantstop.terminal.tui.app import CantStopApp
from cantstop.terminal.tui.local import LocalController
from cantstop.terminal.tui.orders import OrderScreen
from cantstop.terminal.tui.replay import ReplayController

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "terminal" / "snapshots"
GOLDEN = ROOT / "tests" / "golden"

IN_DOCS = ROOT / "docs" / "img" / "terminal.svg"

SMALL, LARGE = (80, 24), (120, 40)

TURN = "v1,players=4 2:2,6:4,7:5,9:3/6:4,8:6,12:3/5:2,6:4,10:7/6:4,7:2 1 6:6,7:7 -"
SHARED = "v1,players=2,sharing=no-rest 7:5/6:4,8:6 1 6:4,8:3 -"
LAST_STOP = "v1,players=2 6:11,7:13,8:10/5:4,9:2,12:2 1 8:11 -"
DOUBTFUL = "v1,players=2 7:4/6:9,8:3 1 2:2,3:4,12:2 -"
FATAL = "v1,players=2 4:3/9:2 1 2:2,3:1,12:2 3455"

Keys = tuple[str, ...]
Act = Callable[[Pilot[int]], Awaitable[None]]

TIMEOUT = 240
"""Seconds for an answer of the engine, on a machine that has other work."""


@dataclass(frozen=True)
class Scene:
    """What an app shows after a few keys."""

    keys: Keys = ()
    start: str | None = None
    seats: tuple[str, ...] = ("Anne", "bot:careful")
    dice: LocalDice = SeededDice(7)  # noqa: RUF009 - frozen
    replay: str | None = None
    """The golden playthrough that is stepped through."""
    language: str = "en"
    pace: float = 1e6
    answered: str = ""
    """The widget in which the engine's answer is waited for."""
    above: Callable[[Translator], ModalScreen[Any]] | None = None
    """A screen over the table's, which opens by a key only where the table is online."""

    def app(self, folder: Path, *, light: bool) -> CantStopApp:
        """The app as it starts."""
        options = AppOptions(folder, self.pace, Theme.LIGHT if light else Theme.DARK)
        return CantStopApp(Translator(self.language), options, self._controller(folder))

    def _controller(self, folder: Path) -> LocalController | ReplayController | None:
        if self.replay is not None:
            text = (GOLDEN / f"{self.replay}.cantstop").read_text("utf-8")
            return ReplayController(read_record(text))
        if self.start is not None:
            return LocalController(SaveFile(self._local_game(), folder), self.pace)
        return None

    async def wait(self, pilot: Pilot[int]) -> None:
        """Wait until the engine has answered, where it was asked."""
        await pilot.pause()
        async with asyncio.timeout(TIMEOUT):
            while self.answered and _says_thinking(pilot, self.answered):
                await asyncio.sleep(0.01)
        await pilot.pause()

    def _local_game(self) -> LocalGame:
        assert self.start is not None
        game = Game(start=Position.parse(self.start))
        return LocalGame(game, tuple(map(LocalSeat.parse, self.seats)), self.dice, "classic")


FOUR = ("Anne", "bot:careful", "Bob", "bot:bold")
SCENES = {
    "table": Scene(("r",), TURN, FOUR),
    "odds": Scene(("r", "1", "o"), TURN, FOUR),
    "no-rest": Scene(("s",), SHARED),
    "bust": Scene((), FATAL),
    "over": Scene(("s",), LAST_STOP),
    "new-game": Scene(),
    "help": Scene(("question_mark",), TURN, FOUR),
    "replay": Scene(("end", *("left",) * 9), replay="ravensburger-all-variants"),
    "german": Scene(("r",), TURN, FOUR, language="de"),
}
# What the engine says, and dice of one's own, look the same in every colour: one picture of each is
# enough. The solved game alone has the same figures on every machine.
ONCE = {
    "hint": Scene(("h",), DOUBTFUL, answered="#hint"),
    "review": Scene(("end", "v"), replay="solo", answered="#review-text"),
    "worths": Scene(("end", *("left",) * 12, "e"), replay="solo", answered="#worths"),
    "reactions": Scene(("e",), TURN, FOUR),
    "own-dice": Scene((*("tab",) * 8, "up", "enter")),
    "entered": Scene(("2", "4"), TURN, ("Anne", "Bob", "Cleo", "Dora"), dice=EnteredDice()),
    "orders": Scene((), TURN, FOUR, above=lambda words: OrderScreen(words, None, [*OrderPart])),
}


def _says_thinking(pilot: Pilot[int], selector: str) -> bool:
    shown = str(pilot.app.screen.query_one(selector, Static).content)
    return not shown or THINKING in shown


@dataclass(frozen=True)
class Snapshot:
    """One picture: a scene in a terminal of some size, with some colours."""

    scene: str
    size: tuple[int, int]
    light: bool

    @property
    def path(self) -> Path:
        """Where the reviewed picture is kept."""
        width, height = self.size
        return FOLDER / f"{self.scene}-{width}x{height}-{'light' if self.light else 'dark'}.svg"

    async def take(self) -> str:
        """The picture as the app draws it now."""
        with tempfile.TemporaryDirectory() as folder:
            scene = (SCENES | ONCE)[self.scene]
            app = scene.app(Path(folder), light=self.light)
            async with app.run_test(size=self.size) as pilot:
                await pilot.press(*scene.keys)
                if scene.above is not None:
                    app.push_screen(scene.above(Translator(scene.language)))
                await scene.wait(pilot)
                return plain(app.export_screenshot(title="cantstop play"))


def snapshots() -> Iterator[Snapshot]:
    """Every picture there is: each scene of the game in both sizes, by day and by night."""
    for scene, size, light in product(SCENES, (SMALL, LARGE), (False, True)):
        yield Snapshot(scene, size, light)
    for at, scene in enumerate(ONCE):
        yield Snapshot(scene, (SMALL, LARGE)[at % 2], light=at > 1)


def plain(svg: str) -> str:
    """A picture without numbers that change by themselves and without fonts from elsewhere."""
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "DejaVu Sans Mono, Menlo, Consolas, monospace")
    # not every program that draws SVG knows the style that keeps spaces
    return svg.replace("<svg ", '<svg xml:space="preserve" ', 1) + "\n"


def main() -> None:
    """Write every picture, and remove those that no longer exist."""
    FOLDER.mkdir(exist_ok=True)
    due = {snapshot.path: snapshot for snapshot in snapshots()}
    for path in FOLDER.glob("*.svg"):
        if path not in due:
            path.unlink()
    for path, snapshot in due.items():
        path.write_text(asyncio.run(snapshot.take()), "utf-8")
    IN_DOCS.write_text(Snapshot("table", SMALL, light=False).path.read_text("utf-8"), "utf-8")
    sys.stdout.write(f"{len(due)} pictures in {FOLDER.relative_to(ROOT)}; look at the diff.\n")


if __name__ == "__main__":
    main()
