"""The keys that this machine is known by at servers: a file for its owner alone."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cantstop.files import PRIVATE_FOLDER, open_atomically


@dataclass(frozen=True)
class PlayerKeys:
    """Keys by the addresses of servers."""

    path: Path

    def of(self, server: str) -> str | None:
        """Our key at a server, if we have one."""
        found = self._read().get(server)
        return found if isinstance(found, str) else None

    def save(self, server: str, key: str) -> None:
        """Keep a key."""
        keys = {**self._read(), server: key}
        self.path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        with open_atomically(self.path, private=True) as file:
            file.write(f"{json.dumps(keys, indent=2)}\n".encode())

    def _read(self) -> Mapping[str, object]:
        try:
            found = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
