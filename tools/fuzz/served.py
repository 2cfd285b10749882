"""A server in a process of its own, and everything that it prints."""

import json
import re
import subprocess
import sys
import urllib.request
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Self

Json = dict[str, Any]
Tally = Counter[tuple[str, str, str]]
"""How often which part sent what and got which answer."""

_TROUBLE = re.compile(r"Traceback|^ERROR|\berror\b.*exception|Task exception", re.IGNORECASE | re.M)


class WrongAnswer(AssertionError):
    """The server did what it should not, or printed that something went wrong."""


class Server:
    """The real server on a database, with its limits multiplied (0: none)."""

    def __init__(self, database: str, *, limits: float = 0) -> None:
        self._output = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - it lives as long as the server
        options = ["--database", database, "--port", "0", "--limits", str(limits), "--pace", "0"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "cantstop", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=self._output,
            text=True,
        )
        assert self._process.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", self._process.stdout.readline())
        if found is None:
            raise WrongAnswer(f"The server did not start: {self.printed}")
        self.port = int(found[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._output.close()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def printed(self) -> str:
        """What it has complained about so far."""
        self._output.seek(0)
        return self._output.read()

    @property
    def has_ended(self) -> bool:
        """Whether it runs no more."""
        return self._process.poll() is not None

    def check_health(self) -> None:
        """It still runs and has nothing to be sorry for."""
        if self.has_ended:
            raise WrongAnswer(f"The server has ended: {self.printed[-2000:]}")
        trouble = _TROUBLE.search(self.printed)
        if trouble is not None:
            raise WrongAnswer(f"The server printed: {self.printed[trouble.start() :][:3000]}")

    def get(self, path: str) -> Json:
        """What is at a path."""
        with urllib.request.urlopen(self.url + path) as answer:
            found: Json = json.load(answer)
            return found

    def truth(self, table: str) -> Json:
        """The state of a table, without who happens to be connected."""
        state = self.get(f"/api/tables/{table}")
        for seat in state["seats"]:
            del seat["present"]
        return state


def sqlite_in(folder: Path) -> str:
    """A database file of its own."""
    with suppress(FileExistsError):
        folder.mkdir()
    return f"sqlite:///{folder / 'tables.db'}"
