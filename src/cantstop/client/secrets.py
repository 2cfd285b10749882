"""The secrets of one's seats, kept so that whoever comes back sits where they sat."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from cantstop.client.links import TableLink


@dataclass(frozen=True)
class SeatKeeper:
    """One small file a table, that only its owner can read."""

    folder: Path

    def find(self, link: TableLink) -> str | None:
        """The secret of one's seat at a table: the one in the link, or else the one kept."""
        if link.secret is not None:
            return link.secret
        try:
            return self._file(link).read_text("ascii").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    def keep(self, link: TableLink, secret: str) -> None:
        """Keep a secret for another time."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self._file(link)
        file.touch(mode=0o600)
        file.write_text(secret + "\n", "ascii")

    def forget(self, link: TableLink) -> None:
        """Forget a secret that holds no seat any more."""
        self._file(link).unlink(missing_ok=True)

    def _file(self, link: TableLink) -> Path:
        server = hashlib.sha256(link.server.encode()).hexdigest()[:12]
        return self.folder / f"{server}-{link.table}.seat"
