"""The app for a modern terminal, loaded only where it is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cantstop.cli.options import read_text
from cantstop.record import read_record
from cantstop.terminal import FINE, Keeping, Talk, retell


class Theme(StrEnum):
    """The colours of the app."""

    DARK = "dark"
    LIGHT = "light"


@dataclass(frozen=True)
class Looks:
    """How the app looks and how fast its bots play."""

    theme: Theme
    pace: float


def show_table(
    talk: Talk,
    looks: Looks,
    folder: Path,
    keeping: Keeping | None = None,
    notes: Sequence[str] = (),
) -> int:
    """Play in the app; without a table it asks for one."""
    from cantstop.terminal.app.app import CantStopApp
    from cantstop.terminal.app.driver import Note
    from cantstop.terminal.app.local import LocalDriver
    from cantstop.terminal.app.run import run_app

    driver = None
    if keeping is not None:
        driver = LocalDriver(keeping, looks.pace, [Note(note) for note in notes])
    light = looks.theme is Theme.LIGHT
    return run_app(CantStopApp(talk.words, folder, driver, pace=looks.pace, light=light))


def show_online(talk: Talk, looks: Looks, address: str, name: str | None, folder: Path) -> int:
    """Play at a table on a server, on the seat held there or on a free one; nameless, watch."""
    from cantstop.client import SeatKeeper, TableLink, take_seat
    from cantstop.terminal.app.app import CantStopApp
    from cantstop.terminal.app.online import OnlineDriver
    from cantstop.terminal.app.run import run_app

    link, keeper = TableLink.parse(address), SeatKeeper(folder.parent / "seats")
    secret = None
    if name is not None:
        secret = keeper.find(link) or take_seat(link, name, talk.words.language)
        keeper.keep(link, secret)
    driver = OnlineDriver(link, secret, talk.words.language, keeper)
    light = looks.theme is Theme.LIGHT
    return run_app(CantStopApp(talk.words, folder, driver, pace=looks.pace, light=light))


def show_replay(talk: Talk, looks: Looks, path: Path, *, modern: bool) -> int:
    """Step through a record in the app; elsewhere, tell all of it."""
    record = read_record(read_text(str(path)))
    if not modern:
        retell(talk, record)
        return FINE
    from cantstop.terminal.app.app import CantStopApp
    from cantstop.terminal.app.run import run_app

    light = looks.theme is Theme.LIGHT
    return run_app(
        CantStopApp(talk.words, path.parent, record=record, pace=looks.pace, light=light)
    )
