"""What this machine keeps of the daily game: a secret of its own, who servers know it as, and days.

Everything is in one folder of the user's data: ``secret`` and ``devices.json`` for its owner alone,
``days.json`` with the days whose game was finished, and a record for each day played without a
server.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from cantstop.dice import DailyDice, new_secret
from cantstop.dice.sources import SECRET_BYTES
from cantstop.files import PRIVATE_FOLDER, open_atomically, write_atomically
from cantstop.rules import InvalidText

LOCAL = "local"
"""What the days played without a server are noted under."""


@dataclass(frozen=True)
class DailyFolder:
    """The files of the daily game."""

    folder: Path

    def dice(self, day: date) -> DailyDice:
        """The dice of a day on this machine, from its own secret; it is drawn the first time."""
        path = self.folder / "secret"
        if not path.exists():
            self._write_private(path, new_secret().hex())
        try:
            secret = bytes.fromhex(path.read_text("ascii").strip())
        except (OSError, ValueError):
            secret = b""
        if len(secret) != SECRET_BYTES:
            raise InvalidText(
                "{path} holds no secret for the daily game: it takes 64 hexadecimal digits.",
                path=path,
            )
        return DailyDice.of(secret, day)

    def record_path(self, day: date) -> Path:
        """Where the game of a day is kept that is played without a server."""
        self.folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        return self.folder / f"{day.isoformat()}.cantstop"

    # What a server knows us by

    def device(self, server: str) -> str | None:
        """Our token at a server, if we have one."""
        found = self._read("devices.json").get(server)
        return found if isinstance(found, str) else None

    def save_device(self, server: str, device: str) -> None:
        """Keep our token at a server."""
        devices = {**self._read("devices.json"), server: device}
        self._write_private(self.folder / "devices.json", json.dumps(devices, indent=2))

    # The days that were played

    def days(self, where: str) -> frozenset[date]:
        """The days whose game was finished there and counted."""
        found = self._read("days.json").get(where)
        return frozenset(_days(found if isinstance(found, list) else ()))

    def note_day(self, where: str, day: date) -> None:
        """A game of that day was finished, and counted."""
        days = sorted({*self.days(where), day})
        noted = {**self._read("days.json"), where: [each.isoformat() for each in days]}
        self.folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        write_atomically(self.folder / "days.json", json.dumps(noted, indent=2))

    def streak(self, where: str, today: date) -> int:
        """How many days in a row were played there, up to today or yesterday."""
        days, day = self.days(where), today
        if day not in days:
            day -= timedelta(days=1)
        count = 0
        while day in days:
            day, count = day - timedelta(days=1), count + 1
        return count

    def _read(self, name: str) -> Mapping[str, object]:
        """A file of ours; what is not there, or cannot be read, counts as empty."""
        try:
            found = json.loads((self.folder / name).read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write_private(self, path: Path, text: str) -> None:
        self.folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        with open_atomically(path, private=True) as file:
            file.write(f"{text}\n".encode())


def _days(texts: Iterable[object]) -> Iterable[date]:
    for text in texts:
        try:
            yield date.fromisoformat(str(text))
        except ValueError:
            continue
