"""Runs the app for the command: what it is to show, and what is told after it has closed."""

import os

from cantstop.language import Translator
from cantstop.terminal.app.app import CantStopApp
from cantstop.terminal.app.local import LocalDriver
from cantstop.terminal.console import console
from cantstop.terminal.leaving import keep_for_later, tell_record

CRASHED = 1


def run_app(app: CantStopApp) -> int:
    """Show an app and return the exit code; an unfinished game is saved and told how to resume."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)  # exported by a shell, they would hide that the window changes
    code = app.run()
    if isinstance(app.driver, LocalDriver):
        _keep(app.words, app.driver)
    return CRASHED if code is None else code


def _keep(words: Translator, driver: LocalDriver) -> None:
    talk, keeping = console(words), driver.keeping
    if driver.position.outcome is None:
        again = ["cantstop", "play", "--lang", words.language, "--resume"]
        keep_for_later(talk, keeping, again)
        return
    keeping.drop()
    tell_record(talk, keeping)
