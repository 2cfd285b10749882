"""The server that is attacked, and the ordinary players at it, whose actions are timed."""

import asyncio
import itertools
import json
import os
import resource
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

assert sys.platform == "linux", "it uses the addresses of 127.0.0.0/8, and /proc"

Json = dict[str, Any]

EVERY = 0.25
"""Seconds between two actions at a table: 32 a second at all of them."""
PING_EVERY = 2.5
HINT_EVERY = 1.5

HANGING_BOT = """
import time
class Hanging:
    def choose(self, position, moves):
        time.sleep(3600)
    def stop(self, position, moves):
        time.sleep(3600)
"""


class Server:
    """A server in a process of its own, from any checkout."""

    def __init__(self, python: str, sources: Path, folder: str, options: tuple[str, ...]) -> None:
        self.database = f"{folder}/tables.db"
        (Path(folder) / "hanging_bot.py").write_text(HANGING_BOT)
        self._process = subprocess.Popen(
            [
                python, "-m", "cantstop", "serve", "--lang", "en", "--port", "0",
                "--database", f"sqlite:///{self.database}", *options,
            ],
            env={**os.environ, "PYTHONPATH": f"{sources}{os.pathsep}{folder}"},
            stdout=subprocess.PIPE,
            stderr=(Path(folder) / "stderr").open("wb"),
            text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert "Can't Stop is at" in line, (Path(folder) / "stderr").read_text()
        self.port = int(line.partition("127.0.0.1:")[2].partition("/")[0])

    @property
    def memory(self) -> float:
        """What it and its children have in memory, in MB."""
        pages = 0
        for process in _family(self._process.pid):
            with suppress(OSError):
                pages += int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1])
        return pages * resource.getpagesize() / 1e6

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that its event loop and its threads have used, without its children."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8")
        user, system = stat.rpartition(") ")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def loop_seconds(self) -> float:
        """The CPU time that the thread of its event loop has used."""
        return _scheduled(self._process.pid, self._process.pid)[0]

    @property
    def kept_waiting(self) -> float:
        """How long that thread could have gone on while other programs had the processors."""
        return _scheduled(self._process.pid, self._process.pid)[1]

    @property
    def all_seconds(self) -> float:
        """The CPU time that it and its children have used."""
        found = 0.0
        for process in _family(self._process.pid):
            with suppress(OSError):
                for thread in Path(f"/proc/{process}/task").iterdir():
                    found += _scheduled(process, int(thread.name))[0]
        return found

    def end(self) -> bool:
        """End it; whether it went by itself."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            for process in reversed(_family(self._process.pid)):
                with suppress(OSError):
                    os.kill(process, 9)
            self._process.wait()
            return False
        return True


def _scheduled(process: int, thread: int) -> tuple[float, float]:
    """The seconds that a thread was on a processor, and that it waited for one."""
    text = Path(f"/proc/{process}/task/{thread}/schedstat").read_text(encoding="utf-8")
    ran, waited, _ = text.split()
    return int(ran) / 1e9, int(waited) / 1e9


def _family(process: int) -> list[int]:
    """A process and all below it, whichever threads have started them."""
    found = [process]
    try:
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text().split():
                found += _family(int(child))
    except OSError:
        return found
    return found


class Player:
    """Plays both seats of a table, each over a socket of its own, and times every action."""

    def __init__(self, server: Server, number: int) -> None:
        self._server = server
        self._port = server.port
        self._random = Random(number)
        self._ids = itertools.count()
        self._sockets: list[ClientConnection] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._view: Json = {}
        self._moves = 0
        self._sent: tuple[str, float, float] | None = None
        self.table = ""
        self.secrets: list[str] = []
        self.times: list[float] = []
        """How long each acknowledged action took."""
        self.loop_times: list[float] = []
        """The CPU time that the server's event loop used meanwhile, whatever else ran here."""
        self.hint_times: list[float] = []
        self.hint_works: list[float] = []
        """The CPU time that the server with all its processes used meanwhile."""
        self._hint_began: tuple[float, float] | None = None
        self.errors: list[str] = []

    async def open(self) -> None:
        """Open a table, sit down twice, connect."""
        async with http_client(self._port, "127.0.0.1") as http:
            seats = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}]
            body = {"mode": "online", "hints": True, "seats": seats}
            opened = (await http.post("/api/tables", json=body)).json()
            self.table = opened["id"]
            path = f"/api/tables/{self.table}/seats"
            seated = (await http.post(path, json={"name": "Bob", "salt": "b"})).json()
        self.secrets = [opened["secret"], seated["secret"]]
        for secret in self.secrets:
            table_socket = await connect_socket(self._port, "127.0.0.1", self.table, secret)
            self._sockets.append(table_socket)
            self._tasks.append(asyncio.create_task(self._listen(table_socket)))
            self._tasks.append(asyncio.create_task(keep_alive(table_socket)))

    async def _listen(self, table_socket: ClientConnection) -> None:
        try:
            async for text in table_socket:
                message = json.loads(text)
                data = message["d"]
                match message["t"]:
                    case "state":
                        self._view = data["view"]
                    case "event" if table_socket is self._sockets[0]:
                        self._view, kind = data["view"], data["kind"]
                        over = kind in ("stopped", "busted")
                        self._moves = 0 if over else self._moves + (kind == "moved")
                    case "ack" if self._sent and data["id"] == self._sent[0]:
                        self.times.append(time.monotonic() - self._sent[1])
                        self.loop_times.append(self._server.loop_seconds - self._sent[2])
                        self._sent = None
                    case "refused":
                        self.errors.append(text if isinstance(text, str) else "")
        except ConnectionClosed as closed:
            self.errors.append(str(closed))

    async def play(self) -> None:
        """One action after the other, at a steady pace; after a game comes another one."""
        await asyncio.sleep(self._random.uniform(0, EVERY))
        while True:
            if self._sent is None and self._view:
                if self._view["outcome"] is not None:
                    await self.close()
                    await self.open()
                elif self._view["phase"] != "bust":
                    with suppress(ConnectionClosed):  # whoever listens notes it
                        await self._act()
            await asyncio.sleep(EVERY)

    async def _act(self) -> None:
        view, seat = self._view, self._view["seat"]
        action = {"id": f"action-{next(self._ids):06}", "seat": seat, "kind": "roll"}
        if view["phase"] == "move":
            action |= {"kind": "move", "move": self._random.choice(view["moves"])["move"]}
        elif view["may_stop"] and self._moves >= 2:
            action["kind"] = "stop"
        self._sent = str(action["id"]), time.monotonic(), self._server.loop_seconds
        await self._sockets[seat].send(json.dumps({"t": "act", "d": action}))

    async def ask_for_hints(self) -> None:
        """A hint about every other second, whoever is to decide."""
        async with http_client(self._port, "127.0.0.1") as http:
            while True:
                await asyncio.sleep(HINT_EVERY)
                if not self._view or self._view["outcome"] is not None:
                    continue
                head = {"Authorization": f"Bearer {self.secrets[self._view['seat']]}"}
                self._hint_began = began, used = time.monotonic(), self._server.all_seconds
                try:
                    answer = await http.get(f"/api/tables/{self.table}/hint", headers=head)
                except httpx2.HTTPError as error:
                    self.errors.append(f"a hint: {error!r}")
                    continue
                finally:
                    self._hint_began = None
                if answer.status_code == 200:
                    self.hint_times.append(time.monotonic() - began)
                    self.hint_works.append(self._server.all_seconds - used)
                elif answer.status_code not in (403, 404, 409, 410):  # the game has gone on
                    self.errors.append(f"a hint: {answer.status_code} {answer.text[:100]}")

    def forget(self) -> None:
        """Measure from now on."""
        self.times, self.loop_times, self.hint_times, self.hint_works = [], [], [], []

    def hints_now(self) -> list[float]:
        """How long hints took, and how long one that is waited for has taken so far."""
        began = self._hint_began
        return self.hint_times + ([time.monotonic() - began[0]] if began else [])

    def hint_works_now(self) -> list[float]:
        """The same in CPU time."""
        began = self._hint_began
        return self.hint_works + ([self._server.all_seconds - began[1]] if began else [])

    def times_now(self) -> list[float]:
        """The times measured, and how long an action that is still under way has taken so far."""
        return self.times + ([time.monotonic() - self._sent[1]] if self._sent else [])

    def loop_times_now(self) -> list[float]:
        """The same in CPU time of the server's event loop."""
        now = self._server.loop_seconds
        return self.loop_times + ([now - self._sent[2]] if self._sent else [])

    async def close(self) -> None:
        """Leave the table."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(one.close() for one in self._sockets), return_exceptions=True)
        self._sockets, self._tasks, self._view, self._moves = [], [], {}, 0


def http_client(port: int, source: str) -> httpx2.AsyncClient:
    """A client for requests from an address."""
    transport = httpx2.AsyncHTTPTransport(
        local_address=source, limits=httpx2.Limits(max_connections=200)
    )
    return httpx2.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{port}", timeout=60)


async def connect_socket(
    port: int, source: str, table: str, secret: str | None = None, *, after: int | None = None
) -> ClientConnection:
    """A socket to a table that has said hello."""
    query = "" if after is None else f"?after={after}"
    table_socket = await connect(
        f"ws://127.0.0.1:{port}/api/tables/{table}/socket{query}",
        local_addr=(source, 0), compression=None, ping_interval=None, open_timeout=60,
    )  # fmt: skip
    await table_socket.send(json.dumps({"t": "hello", "d": {"secret": secret}}))
    return table_socket


async def keep_alive(table_socket: ClientConnection) -> None:
    """Send heartbeats until the socket is closed."""
    with suppress(ConnectionClosed):
        while True:
            await table_socket.send('{"t":"ping"}')
            await asyncio.sleep(PING_EVERY)
