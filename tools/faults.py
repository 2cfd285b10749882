"""What players and operators see when something breaks: one real fault after the other.

Usage: python tools/faults.py [NAME ...]

Every fault happens to a server of its own. A table that was acknowledged (201) has to be there when
the fault is over, or the exit code is 1. The table in docs/hosting.md is made of this.
"""

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import httpx2
import psycopg
from starlette.testclient import TestClient

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cantstop.server import ServerOptions, create_app
from cantstop.server.runtime.housekeeping import Cleanup
from cantstop.server.runtime.master import KEEP
from postgresql import Postgres

assert sys.platform == "linux", "it looks for child processes in /proc"

OPEN_TABLE = {
    "mode": "online",
    "seats": [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}],
}
PATIENCE = 30.0
SLOW_FSYNC = """
#include <unistd.h>
#include <sys/syscall.h>
static void wait(void) { if (!access("SLOW", F_OK)) usleep(3000000); }
int fsync(int file) { wait(); return syscall(SYS_fsync, file); }
int fdatasync(int file) { wait(); return syscall(SYS_fdatasync, file); }
"""


class Server:
    """A server in a process of its own; what it says goes to a file."""

    def __init__(self, folder: Path, url: str, **variables: str) -> None:
        self.url = url
        self.log = folder / "log"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.folder, self.variables = folder, variables
        self.http = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE)
        self.acknowledged: list[str] = []

    def start(self) -> int | None:
        """Start it; returns an exit code if it ends at once instead."""
        command = [sys.executable, "-m", "cantstop", "serve", "--lang", "en", "--limits", "0"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port), "--database", self.url],
                stdout=log, stderr=log, cwd=self.folder, env={**os.environ, **self.variables},
            )  # fmt: skip
        while (code := self.process.poll()) is None:
            with suppress(httpx2.HTTPError):
                self.http.get("/healthz")
                return None
            time.sleep(0.1)
        return code

    def end(self, number: int = signal.SIGTERM) -> None:
        """End it, and wait for that."""
        self.process.send_signal(number)
        self.process.wait()

    def open_tables(self, count: int) -> None:
        """Tables that are acknowledged."""
        for _ in range(count):
            answer = self.http.post("/api/tables", json=OPEN_TABLE)
            assert answer.status_code == 201, answer.text
            self.acknowledged.append(answer.json()["id"])

    def player(self) -> str:
        """What a person sees who opens a table."""
        began = time.monotonic()
        try:
            answer = self.http.post("/api/tables", json=OPEN_TABLE)
        except httpx2.HTTPError as error:
            return f"{type(error).__name__} after {time.monotonic() - began:.1f} s"
        took = f"after {time.monotonic() - began:.1f} s"
        if answer.status_code == 201:
            self.acknowledged.append(answer.json()["id"])
            return f"201 {took}"
        return f"{answer.status_code} {took}: {answer.json()['error']['message']}"

    def health(self) -> str:
        """What a monitor sees."""
        try:
            answer = self.http.get("/healthz")
        except httpx2.HTTPError as error:
            return type(error).__name__
        health = answer.json()
        named = {
            name: what
            for name, what in health.items()
            if name in ("database", "disk", "pool", "clock", "bots") and what != "ok"
        }
        return f"{answer.status_code} {health.get('status', '')} {named or ''}".strip()

    def lost(self) -> int:
        """How many acknowledged tables are not there."""
        answers = (self.http.get(f"/api/tables/{table}") for table in self.acknowledged)
        return sum(answer.status_code != 200 for answer in answers)

    def last_line(self) -> str:
        """What it has said last."""
        lines = self.log.read_text("utf-8").strip().splitlines()
        return lines[-1] if lines else ""

    def pool(self) -> list[int]:
        """The processes for heavy work."""
        found = []
        for thread in Path(f"/proc/{self.process.pid}/task").iterdir():
            for child in (thread / "children").read_text(encoding="utf-8").split():
                with suppress(OSError):
                    if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                        found.append(int(child))
        return found

    def analysis(self, column: int) -> str:
        """What a person sees who looks at a position."""
        began = time.monotonic()
        asked = {"position": f"v1,players=2 {column}:1/- 1 - -"}
        answer = self.http.get("/api/analysis", params=asked, timeout=200)
        return f"analysis {answer.status_code} after {time.monotonic() - began:.1f} s"


@contextmanager
def served(folder: Path, url: str = "", **variables: str) -> Iterator[Server]:
    """A server with ten tables, ended afterwards."""
    server = Server(folder, url or f"sqlite:///{folder}/tables.db", **variables)
    assert server.start() is None, server.last_line()
    server.open_tables(10)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()
        server.http.close()


def show(server: Server, what: str = "") -> None:
    """What player, monitor and log say just now."""
    print(f"    player:   {server.player()}{what}")
    print(f"    health:   {server.health()}")
    print(f"    operator: {server.last_line()}")


def recovered(server: Server) -> int:
    """Wait until it is well; returns how many acknowledged tables are lost."""
    until = time.monotonic() + PATIENCE
    while not server.health().startswith("200") and time.monotonic() < until:
        time.sleep(0.2)
    lost = server.lost()
    print(f"    after it: health {server.health()}, player {server.player()}")
    print(f"    of {len(server.acknowledged)} acknowledged tables lost: {lost}")
    return lost


def power_cut(folder: Path) -> int:
    """Killed; then an older copy of the file is put back beside the newer log; then a backup."""
    file, older = folder / "tables.db", folder / "older.db"
    with served(folder) as server:
        command = [sys.executable, "-m", "cantstop"]
        backup = str(folder / "backup.gz")
        subprocess.run([*command, "backup", backup, "--database", server.url], check=True,
                       capture_output=True)  # fmt: skip
        saved = list(server.acknowledged)
        server.end()
        shutil.copy(file, older)
        server.start()
        server.open_tables(10)
        server.end(signal.SIGKILL)
        server.start()
        print(f"    after the cut: {server.lost()} of {len(server.acknowledged)} lost")
        server.open_tables(1)
        server.end(signal.SIGKILL)
        shutil.copy(older, file)
        code = server.start()
        print(f"    older copy beside the newer log: exit code {code}: {server.last_line()}")
        if code is None:
            return 1
        restore = [*command, "restore", backup, "--replace", "--database", server.url]
        said = subprocess.run(restore, check=True, capture_output=True, text=True)
        print(f"    cantstop restore --replace: {said.stdout.strip() or said.stderr.strip()}")
        server.acknowledged = saved
        assert server.start() is None, server.last_line()
        return recovered(server)


def moved_file(folder: Path) -> int:
    """The database is moved away under a running server, and back."""
    file = folder / "tables.db"
    with served(folder) as server:
        file.rename(folder / "elsewhere.db")
        time.sleep(1.1)  # an answer of health is good for a second
        show(server)
        (folder / "elsewhere.db").rename(file)
        return recovered(server)


def _damage(file: Path) -> None:
    """Overwrite the second half of a file."""
    size = file.stat().st_size
    with file.open("r+b") as damaged:
        damaged.seek(size // 2)
        damaged.write(b"\xa5" * (size - size // 2))


def corrupt_at_start(folder: Path) -> int:
    """Half of the file is overwritten while no server runs."""
    with served(folder) as server:
        server.open_tables(200)
        server.end()
        _damage(folder / "tables.db")
        code = server.start()
        print(f"    operator: exit code {code}: {server.last_line()}")
        return int(code is None)


def corrupt_while_running(folder: Path) -> int:
    """Half of the file is overwritten under a running server."""
    with served(folder) as server:
        server.open_tables(200)
        server.end()
        server.start()
        _damage(folder / "tables.db")
        until = time.monotonic() + PATIENCE
        while server.health().startswith("200") and time.monotonic() < until:
            time.sleep(0.5)
        show(server)
        return int(server.health().startswith("200"))


def locked_table(folder: Path) -> int:
    """Another session holds a lock on the events of PostgreSQL."""
    postgres = Postgres()
    try:
        url = postgres.new_database()
        with served(folder, url) as server:
            with psycopg.connect(url) as other:
                other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
                time.sleep(1.1)
                show(server)
            return recovered(server)
    finally:
        postgres.close()


def full_disk(folder: Path) -> int:
    """No file may grow any more."""
    with served(folder) as server:
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
        time.sleep(1.1)
        show(server)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        return recovered(server)


def slow_fsync(folder: Path) -> int:
    """Every fsync takes three seconds."""
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(SLOW_FSYNC)
    subprocess.run(["g++", "-x", "c", "-shared", "-fPIC", "-o", library, source], check=True)
    with served(folder, LD_PRELOAD=str(library)) as server:
        (folder / "SLOW").touch()
        time.sleep(1.1)
        show(server)
        (folder / "SLOW").unlink()
        return recovered(server)


def _pooled(server: Server) -> None:
    """Wait until the pool works."""
    while "200" not in server.analysis(2):
        time.sleep(1)


def killed_pool(folder: Path) -> int:
    """All processes for heavy work are killed at once."""
    with served(folder) as server:
        _pooled(server)
        for process in server.pool():
            os.kill(process, signal.SIGKILL)
        show(server, f"; {server.analysis(3)}")
        print(f"    then:     {server.analysis(4)}")
        return recovered(server)


def hanging_pool(folder: Path) -> int:
    """All processes for heavy work hang; work is asked for at once, and when health names them."""
    with served(folder) as server:
        _pooled(server)
        for process in server.pool():
            os.kill(process, signal.SIGSTOP)
        show(server, f"; {server.analysis(3)}")
        print(f"    then:     {server.analysis(4)}")
        for process in server.pool():
            os.kill(process, signal.SIGSTOP)
        began = time.monotonic()
        while "pool" not in server.health() and time.monotonic() - began < PATIENCE:
            time.sleep(0.5)
        print(f"    again, health after {time.monotonic() - began:.0f} s: {server.health()}")
        print(f"    then:     {server.analysis(5)}")
        return recovered(server)


def _moment(at: datetime) -> datetime:
    return at


def wrong_clock(folder: Path) -> int:
    """A start with a clock that is 61 days ahead, then one with a clock as far behind."""
    lost, now, tables = 0, datetime.now(UTC), []
    for days in (0, 61, -61, 1):
        at = now + timedelta(days=days)
        options = ServerOptions(
            f"sqlite:///{folder}/tables.db", clock=partial(_moment, at), clock_is_right=False
        )
        with TestClient(create_app(options)) as server:
            if not days:
                answers = [server.post("/api/tables", json=OPEN_TABLE) for _ in range(10)]
                tables = [answer.json()["id"] for answer in answers]
                continue
            runtime = server.app.state.runtime  # type: ignore[attr-defined]
            sweep = Cleanup(runtime.storage, KEEP, runtime.believed)
            assert server.portal is not None
            deleted = server.portal.call(sweep.delete_expired)
            coming = (now + timedelta(days=40)).date().isoformat()
            status = server.get(f"/api/daily/{coming}").status_code
            gone = sum(server.get(f"/api/tables/{one}").status_code != 200 for one in tables)
            health = server.get("/healthz").json()
            lost += deleted + gone + (status == 200)
            print(
                f"    {days:+} days: {deleted} deleted, {gone} refused, a day to come: {status}, "
                f"health {health['status']}, clock {health['clock']}"
            )
    return lost


FAULTS: list[Callable[[Path], int]] = [
    power_cut,
    moved_file,
    corrupt_at_start,
    corrupt_while_running,
    locked_table,
    full_disk,
    slow_fsync,
    killed_pool,
    hanging_pool,
    wrong_clock,
]


def main() -> int:
    """All faults, or those that are named."""
    wrong = 0
    for fault in FAULTS:
        name = fault.__name__.replace("_", "-")
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        print(f"{name}: {(fault.__doc__ or '').strip()}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            wrong += bool(fault(Path(folder)))
        sys.stdout.flush()
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
