"""How a command that plays is shown: as an app, or in lines of text."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from cantstop.bots import PACE
from cantstop.cli.options import translator
from cantstop.draw import board_text
from cantstop.extras import MissingExtra, is_installed
from cantstop.files import user_data_folder
from cantstop.terminal.console import Console, standard_console, supports_tui
from cantstop.terminal.tui import AppOptions, Theme

Draw = Callable[..., str]
"""Draws a position; with ``names``, the seats too."""


@dataclass(frozen=True)
class Screen:
    """Where a game is shown: the console, and what --plain, --ascii and --theme ask for."""

    console: Console
    theme: Theme
    plain: bool
    ascii: bool
    tui: bool
    """Whether the app is shown; otherwise everything is in lines of text."""

    @classmethod
    def of(cls, lang: str | None, theme: Theme, *, plain: bool, ascii: bool) -> "Screen":  # noqa: A002
        """The screen of this terminal. Where only the app's extra is missing, that is said."""
        console = standard_console(translator(lang), ascii)
        tui = not (plain or ascii) and supports_tui(os.environ)
        if tui and not is_installed("terminal"):
            console.print(console.words.error(MissingExtra(extra="terminal")))
            tui = False
        return cls(console, theme, plain, ascii, tui)

    def app_options(self, pace: float = PACE) -> AppOptions:
        """The options of the app, with the folder where games are kept."""
        return AppOptions(user_data_folder() / "games", pace, self.theme)

    @property
    def draw(self) -> Draw | None:
        """What draws boards between lines of text; None in a pipe and with --plain."""
        if self.plain or not sys.stdout.isatty():
            return None
        return partial(board_text, ascii=self.ascii)
