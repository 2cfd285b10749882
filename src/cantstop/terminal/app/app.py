"""The game in a modern terminal: one app, with a screen for the table and others on demand."""

import asyncio
import signal
from pathlib import Path

from textual.app import App
from textual.binding import Binding

from cantstop.bots import PACE
from cantstop.language import LANGUAGES, Translator
from cantstop.record import Record
from cantstop.terminal.app.driver import Driver
from cantstop.terminal.app.game_screen import GameScreen
from cantstop.terminal.app.local import LocalDriver
from cantstop.terminal.app.palette import DARK, LIGHT, THEMES
from cantstop.terminal.app.replay import ReplayScreen
from cantstop.terminal.app.table_screen import TableScreen
from cantstop.terminal.keeping import Keeping
from cantstop.terminal.leaving import FINE, INTERRUPTED
from cantstop.terminal.table import Table

WIDE = 110
TALL = 30


class CantStopApp(App[int]):
    """Shows tables; returns the exit code of the command."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012
    BINDINGS = [  # noqa: RUF012
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
    ]

    def __init__(
        self,
        words: Translator,
        folder: Path,
        driver: Driver | None = None,
        *,
        record: Record | None = None,
        pace: float = PACE,
        light: bool = False,
    ) -> None:
        super().__init__()
        self.words = words
        self.driver = driver
        self._record = record
        self._folder = folder
        self._pace = pace
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = LIGHT if light else DARK

    def on_mount(self) -> None:
        self._heed_signals()
        if self._record is not None:
            self.push_screen(ReplayScreen(self._record, self.words, self._pace))
        elif self.driver is not None:
            self.push_screen(TableScreen(self.driver, self.words))
        else:
            self.action_new_game()

    # Leaving

    def _heed_signals(self) -> None:
        """Whoever ends the program from outside, or closes its window, loses nothing."""
        if self.is_headless:  # a test ends its app itself
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.action_interrupt)

    def action_interrupt(self) -> None:
        """Leave at once; the game is in its file."""
        self.exit(INTERRUPTED)

    def action_leave(self) -> None:
        """Leave; the game is in its file."""
        self.exit(FINE)

    # What can be changed at any time

    def action_theme(self) -> None:
        """Light or dark."""
        self.theme = LIGHT if self.theme == DARK else DARK
        self._speak()

    def action_language(self) -> None:
        """The next language."""
        codes = list(LANGUAGES)
        following = codes[(codes.index(self.words.language) + 1) % len(codes)]
        self.words = Translator(following)
        self._speak()

    def _speak(self) -> None:
        """Show every game anew: in another language, or in other colours."""
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                screen.speak(self.words)

    def action_new_game(self) -> None:
        """Ask for a new game; the one on the table stays in its file."""
        from cantstop.terminal.app.new_game import NewGame  # most games need no form

        self.push_screen(NewGame(self.words), self._new_game)

    def _new_game(self, table: Table | None) -> None:
        if table is None:
            if not isinstance(self.screen, GameScreen):
                self.exit(FINE)
            return
        self.driver = LocalDriver(Keeping(table, self._folder), self._pace)
        screen = TableScreen(self.driver, self.words)
        if isinstance(self.screen, GameScreen):
            self.switch_screen(screen)
        else:
            self.push_screen(screen)
