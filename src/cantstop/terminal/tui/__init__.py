"""The game as a Textual app, which is loaded only where it is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from cantstop.language import Translator
from cantstop.record import Record
from cantstop.terminal.save_file import SaveFile

if TYPE_CHECKING:
    from cantstop.terminal.online import OnlineController


class Theme(StrEnum):
    """The colours of the app."""

    DARK = "dark"
    LIGHT = "light"


@dataclass(frozen=True)
class AppOptions:
    """How the app looks, how fast its bots play, and where it saves new games."""

    folder: Path
    pace: float
    theme: Theme = Theme.DARK


def play_local(
    words: Translator,
    options: AppOptions,
    file: SaveFile | None = None,
    notes: Sequence[str] = (),
) -> int:
    """Play at this terminal; without a game the app asks for one. Returns the exit code."""
    from cantstop.terminal.controller import Note
    from cantstop.terminal.tui.app import CantStopApp, run_app
    from cantstop.terminal.tui.local import LocalController

    controller = None
    if file is not None:
        controller = LocalController(file, options.pace, [Note(note) for note in notes])
    return run_app(CantStopApp(words, options, controller))


def play_online(words: Translator, options: AppOptions, controller: "OnlineController") -> int:
    """Play at a table on a server, or watch it."""
    from cantstop.terminal.tui.app import CantStopApp, run_app

    return run_app(CantStopApp(words, options, controller))


def show_replay(
    words: Translator, options: AppOptions, record: Record, *, evaluate: bool = False
) -> int:
    """Step through a record; everybody's chance to win is shown at once, or on demand."""
    from cantstop.terminal.tui.app import CantStopApp, run_app
    from cantstop.terminal.tui.replay import ReplayController

    return run_app(CantStopApp(words, options, ReplayController(record, evaluate=evaluate)))
