"""Save files: an existing file is never overwritten, and a write is whole or not at all."""

import shlex
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cantstop.dice import DailyDice, EnteredDice, SealedDice
from cantstop.files import write_atomically
from cantstop.record import Record, record_text
from cantstop.rules import CantStopError
from cantstop.terminal.console import Console
from cantstop.terminal.local_game import LocalGame

SUFFIX = ".cantstop"


class SaveError(CantStopError):
    """A save that the file system refuses."""


class FileExists(CantStopError):
    """A file that would have to be overwritten, and is not."""


@dataclass
class SaveFile:
    """Where a game is saved. Once there is a ``path``, the file there is kept up to date.

    ``folder`` is where a new file is made, named after date and time.
    """

    local: LocalGame
    folder: Path
    path: Path | None = None
    automatic: bool = False
    """Whether the file was made without anybody asking for it."""

    def update(self) -> None:
        """Write the game to its file, if there is one."""
        if self.path is not None:
            write_save(self.path, self.local.record())

    def save(self, path: Path | None = None) -> Path:
        """Write the game to a new file, to its own, or to one named after date and time."""
        if path is not None:
            create(path)
        else:
            path = self.path or create_in(self.folder, datetime.now().astimezone())
        write_save(path, self.local.record())
        self.path = path
        return path

    def update_or_create(self) -> None:
        """Write the game to its file; make one if there is none yet."""
        if self.path is None:
            self.save()
            self.automatic = True
        else:
            self.update()

    def delete_automatic(self) -> None:
        """Delete the file if nobody asked for it."""
        if self.path is not None and self.automatic:
            self.path.unlink(missing_ok=True)
            self.path = None


# Files


def expand_home(name: str) -> Path:
    """The path with ``~`` expanded, where there is a home folder."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def check_new(path: Path) -> None:
    """Refuse a path where there is a file already."""
    if path.exists():
        raise _file_exists(path)


def create(path: Path) -> None:
    """Make a new, empty file; an existing one is refused, not touched."""
    try:
        path.open("x", encoding="utf-8").close()
    except FileExistsError:
        raise _file_exists(path) from None
    except (OSError, ValueError) as error:  # a null character in the name is a ValueError
        raise save_error(path, error) from None


def create_in(folder: Path, now: datetime) -> Path:
    """Make a new file in a folder, named after date and time; make the folder if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise save_error(folder, error) from None
    name = now.strftime("%Y-%m-%d-%H%M%S")
    path, number = folder / f"{name}{SUFFIX}", 1
    while True:
        try:
            create(path)
        except FileExists:
            number += 1
            path = folder / f"{name}-{number}{SUFFIX}"
        else:
            return path


def write_save(path: Path, record: Record) -> None:
    """Replace a save file atomically: whatever happens, the old or the new one is there."""
    try:
        write_atomically(path, record_text(record))
    except OSError as error:
        raise save_error(path, error) from None


def _file_exists(path: Path) -> FileExists:
    return FileExists("{path} already exists; continue it with --resume.", path=path)


def save_error(path: Path, error: OSError | ValueError) -> SaveError:
    """What the file system says against a save, for a player."""
    reason = error.strerror if isinstance(error, OSError) else error
    return SaveError("{path} cannot be written: {reason}.", path=path, reason=reason)


# When the program ends


def save_and_print_resume(console: Console, file: SaveFile, command: Sequence[str]) -> None:
    """Save an unfinished game and print the command that resumes it.

    ``command`` is that command without the file's name.
    """
    with _ignore_interrupts():
        path = file.save()
        console.print(console.words.say("The game is saved. Resume it with:"))
        console.write(f"  {shlex.join([*command, str(path)])}")


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Ignore a second Ctrl-C: it must not cost anybody the game."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def print_record(console: Console, file: SaveFile) -> None:
    """Print where the record of a finished game is, and how to check its sealed dice."""
    words, dice = console.words, file.local.dice
    if isinstance(dice, SealedDice | DailyDice):
        path = file.save()
        secret = dice.secret if isinstance(dice, SealedDice) else dice.key
        console.print(words.say("The secret of the dice was {secret}.", secret=secret.hex()))
        console.print(words.say("Check every roll with:"))
        console.write(f"  {shlex.join(['cantstop', 'verify', str(path)])}")
    elif isinstance(dice, EnteredDice):
        path = file.save()
        console.print(words.say("The record of the game is in {path}.", path=path))
        console.print(words.say("Review the game with:"))
        console.write(f"  {shlex.join(['cantstop', 'review', str(path)])}")
    elif file.path is not None:
        console.print(words.say("The record of the game is in {path}.", path=file.path))
