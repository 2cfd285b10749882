"""The Textual app: a screen for the game, and others on demand."""

import asyncio
import os
import signal
import sys

from rich.text import Text
from textual import on
from textual.app import App
from textual.binding import Binding

from cantstop.language import LANGUAGES, Translator
from cantstop.terminal.console import EXIT_INTERRUPTED, EXIT_OK, standard_console
from cantstop.terminal.controller import GameController, print_rejoin_command
from cantstop.terminal.ladder import journey_lines, read_ladder
from cantstop.terminal.local_game import LocalGame
from cantstop.terminal.save_file import SaveFile, print_record, save_and_print_resume
from cantstop.terminal.tui import AppOptions, Theme
from cantstop.terminal.tui.game_screen import GameScreen
from cantstop.terminal.tui.keys import Page
from cantstop.terminal.tui.local import LocalController
from cantstop.terminal.tui.palette import DARK, LIGHT, THEMES
from cantstop.terminal.tui.replay import ReplayController, ReplayScreen
from cantstop.terminal.tui.table_screen import TableScreen

WIDE = 110
TALL = 30

EXIT_CRASHED = 1


class CantStopApp(App[int]):
    """Shows the game of a controller, or asks for a new one; returns the exit code."""

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
        options: AppOptions,
        controller: GameController | ReplayController | None = None,
    ) -> None:
        super().__init__()
        self.words = words
        self.controller = controller
        self._options = options
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = LIGHT if options.theme is Theme.LIGHT else DARK

    def on_mount(self) -> None:
        self._handle_signals()
        if self.controller is None:
            self.action_new_game()
        elif isinstance(self.controller, ReplayController):
            self.push_screen(ReplayScreen(self.controller, self.words, self._options.pace))
        else:
            self.push_screen(self._table_screen(self.controller))

    def _table_screen(self, controller: GameController) -> TableScreen:
        if isinstance(controller, LocalController) and controller.local.enters_dice:
            from cantstop.terminal.tui.entry_screen import EntryScreen  # most games throw dice

            return EntryScreen(controller, self.words)
        return TableScreen(controller, self.words)

    # Leaving

    def _handle_signals(self) -> None:
        """Leave in order when the program is ended from outside or its window is closed."""
        if self.is_headless or sys.platform == "win32":  # a test ends its app itself
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.action_interrupt)

    def action_interrupt(self) -> None:
        """Leave at once; the game is in its file."""
        self.exit(EXIT_INTERRUPTED)

    def action_leave(self) -> None:
        """Leave; the game is in its file."""
        self.exit(EXIT_OK)

    # What can be changed at any time

    def action_theme(self) -> None:
        """Light or dark."""
        self.theme = LIGHT if self.theme == DARK else DARK
        self._redraw()

    def action_language(self) -> None:
        """The next language."""
        codes = list(LANGUAGES)
        following = codes[(codes.index(self.words.language) + 1) % len(codes)]
        self.words = Translator(following)
        self._redraw()

    def _redraw(self) -> None:
        """Draw every game again: in another language, or in other colours."""
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                screen.set_language(self.words)

    def action_ladder(self) -> None:
        """The way up: every animal of the ladder, and the score against it."""
        lines = journey_lines(self.words, read_ladder(self._options.folder))
        self.push_screen(Page(Text("\n".join(lines))))

    def action_new_game(self) -> None:
        """Ask for a new game; the one on the screen stays in its file."""
        from cantstop.terminal.tui.new_game_form import NewGameForm  # most games need no form

        form = NewGameForm(self.words, read_ladder(self._options.folder))
        self.push_screen(form, self._start_new_game)

    def _start_new_game(self, local: LocalGame | None) -> None:
        if local is None:
            if not isinstance(self.screen, GameScreen):
                self.exit(EXIT_OK)
            return
        file = SaveFile(local, self._options.folder)
        self._show_table(LocalController(file, self._options.pace))

    @on(TableScreen.NextTable)
    def _show_next_table(self, event: TableScreen.NextTable) -> None:
        self._show_table(event.controller)

    def _show_table(self, controller: GameController) -> None:
        """Show a game in place of the one before it."""
        self.controller = controller
        screen = self._table_screen(controller)
        if isinstance(self.screen, GameScreen):
            self.switch_screen(screen)
        else:
            self.push_screen(screen)


def run_app(app: CantStopApp) -> int:
    """Run an app and return the exit code; then print how to resume an unfinished game."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)  # Textual would ignore changes of the window's size
    code = app.run()
    if isinstance(app.controller, LocalController):
        _print_file(app.words, app.controller)
    elif app.controller is not None and app.controller.address and not app.controller.is_over:
        print_rejoin_command(standard_console(app.words), app.controller.address)
    return EXIT_CRASHED if code is None else code


def _print_file(words: Translator, controller: LocalController) -> None:
    console, file = standard_console(words), controller.file
    if controller.position.outcome is None:
        command = ["cantstop", "play", "--lang", words.language, "--resume"]
        save_and_print_resume(console, file, command)
        return
    if not file.local.enters_dice:
        file.delete_automatic()
    print_record(console, file)
