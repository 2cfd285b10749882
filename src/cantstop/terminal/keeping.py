"""Keeping a game in a file: from the start where somebody asked for it, else when they leave."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cantstop.terminal.saving import claim, claim_in, write_save
from cantstop.terminal.table import Table


@dataclass
class Keeping:
    """Where a table is saved. Once there is a ``file`` it holds the game, up to date.

    ``folder`` is where a new one is made, named after date and time.
    """

    table: Table
    folder: Path
    file: Path | None = None
    unasked: bool = False
    """Whether the file was made without anybody asking for it."""

    def update(self) -> None:
        """Bring the file up to date, if there is one."""
        if self.file is not None:
            write_save(self.file, self.table.record())

    def save(self, path: Path | None = None) -> Path:
        """Save the game: to a new file, to the one it has, or to one named after date and time."""
        if path is not None:
            claim(path)
        else:
            path = self.file or claim_in(self.folder, datetime.now().astimezone())
        write_save(path, self.table.record())
        self.file = path
        return path

    def update_or_begin(self) -> None:
        """Bring the file up to date; make one where there is none yet."""
        if self.file is None:
            self.save()
            self.unasked = True
        else:
            self.update()

    def drop(self) -> None:
        """Remove the file, if nobody has asked for it."""
        if self.file is not None and self.unasked:
            self.file.unlink(missing_ok=True)
            self.file = None
