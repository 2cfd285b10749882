"""Many games at once on real server processes, any of which may be killed at any moment.

Every player checks what it sees as it plays; ``check_game`` compares that with the server's log.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cantstop import Position, Rules, read_record, verify
from cantstop.server.work.process import START_SECONDS
from patience import PATIENCE, PATIENT_SOCKET

KINDS = {"roll": "rolled", "move": "moved", "stop": "stopped"}
Json = dict[str, Any]
_ORPHAN = re.compile(
    rb"Traceback \(most recent call last\):\n(?:  .*\n)*?  .*multiprocessing.spawn\.py.*\n"
    rb"(?:  .*\n)*EOFError: Ran out of input\n"
)
"""What Python says when a process is killed while it starts one for heavy work."""
LOST = (OSError, EOFError, ConnectionClosed, InvalidHandshake)
"""How a connection to a killed server ends."""
PAUSE = 0.05
"""Seconds before the next try: without a pause, those who wait keep the machine from starting what
they wait for."""


def wait_for_engine(url: str) -> None:
    """Return once a server's engine answers: its processes may still be starting."""
    asked = f"{url}/api/analysis?position={Position.initial(Rules())}"
    while (answer := httpx2.get(asked, timeout=START_SECONDS)).status_code == 429:
        time.sleep(0.2)
    assert answer.status_code == 200, answer.text


class Server:
    """A server in a process of its own, which can be killed and started again."""

    def __init__(self, url: str, *options: str) -> None:
        self.url = url
        self.options = ["--pace", "0.001", "--limits", "0", *options]
        self.port = 0
        self._process: asyncio.subprocess.Process | None = None
        self.up = asyncio.Event()
        self.said = b""
        self._reading: asyncio.Task[None] | None = None

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The process, once it was started."""
        assert self._process is not None
        return self._process

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cantstop", "serve", "--lang", "en", "--database", self.url,
            "--port", str(self.port), *self.options,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        output = self.process.stdout
        assert output is not None
        while b"Can't Stop is at" not in (line := await output.readline()):
            self.said += line
            assert line, self.said.decode()
        self.port = int(line.decode().partition("127.0.0.1:")[2].partition("/")[0])
        self._reading = asyncio.create_task(self._read(output))
        self.up.set()

    async def _read(self, output: asyncio.StreamReader) -> None:
        while line := await output.readline():
            self.said += line

    async def end(self, *, kill: bool = True) -> int:
        self.up.clear()
        code = self.process.returncode
        assert code is None, f"it ended by itself with {code}: {self.said.decode()}"
        if kill:
            self.process.kill()
        else:
            self.process.terminate()
        code = await self.process.wait()
        assert self._reading is not None
        await self._reading
        return code

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"


@dataclass
class Seen:
    """What one player saw and did."""

    events: list[Json] = field(default_factory=list)
    acks: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    mine: list[int] = field(default_factory=list)
    reconnections: int = 0


class Player:
    """Plays the seats of one secret, and reconnects, maybe elsewhere, for as long as it takes."""

    def __init__(
        self,
        servers: Sequence[Server],
        table: str,
        secret: str,
        acked: Callable[[], None],
        dice: random.Random,
    ) -> None:
        self.servers = servers
        self.table = table
        self.secret = secret
        self.acked = acked
        self.dice = dice
        self.seen = Seen()
        self.view: Json | None = None
        self.last: int | None = None
        self.moves = 0
        self.pending: Json | None = None
        self.started = False
        self.ids = count()

    @property
    def over(self) -> bool:
        kinds = (entry["kind"] for entry in self.seen.events[-1:])
        return "finished" in kinds and not self.pending

    async def play(self) -> Seen:
        while not self.over:
            server = self.dice.choice(self.servers)
            if not server.up.is_set():
                server = next((one for one in self.servers if one.up.is_set()), server)
            await server.up.wait()
            try:
                await self._visit(server)
            except LOST:
                self.seen.reconnections += 1
                await asyncio.sleep(PAUSE)
        return self.seen

    async def _visit(self, server: Server) -> None:
        address = f"ws://{server.address}/api/tables/{self.table}/socket"
        if self.last is not None:
            address += f"?after={self.last}"
        async with connect(address, compression=None, **PATIENT_SOCKET) as socket:
            await socket.send(json.dumps({"t": "hello", "d": {"secret": self.secret}}))
            if self.pending:
                await self._send(socket)
            while not self.over:
                self._hear(json.loads(await socket.recv()))
                if self.pending is None and self._is_my_turn():
                    self.pending = self._choice()
                    await self._send(socket)

    async def _send(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps({"t": "act", "d": self.pending}))

    def _is_my_turn(self) -> bool:
        view = self.view
        return (
            view is not None
            and self.started
            and view["outcome"] is None
            and view["seat"] in self.seen.mine
        )

    def _hear(self, message: Json) -> None:
        data = message["d"]
        match message["t"]:
            case "state":
                assert self.last is None or data["n"] >= self.last, "the board went back"
                self.view, self.last = data["view"], data["n"]
                self.seen.mine = data["you"]
                self.seen.events = list(data["log"])
                self.started = data["stage"] != "open"
            case "event":
                assert self.last is not None
                assert data["n"] == self.last + 1, (data["n"], self.last)
                self.view, self.last = data.pop("view"), data["n"]
                self.seen.events.append(data)
                self.started = self.started or data["kind"] == "started"
                self.moves += data["kind"] == "moved"
                if data["kind"] in ("stopped", "busted"):
                    self.moves = 0
            case "ack":
                assert self.pending is not None
                assert data["id"] == self.pending["id"]
                self.seen.acks[data["id"]] = (
                    self.pending["kind"], self.pending["seat"], data["n"],
                )  # fmt: skip
                self.pending = None
                self.acked()
            case "refused":
                raise AssertionError(data)

    def _choice(self) -> Json:
        view = self.view
        assert view is not None
        action = {"id": f"{self.seen.mine[0]}-action-{next(self.ids):05}", "seat": view["seat"]}
        if view["phase"] == "move":
            return action | {"kind": "move", "move": self.dice.choice(view["moves"])["move"]}
        if view["may_stop"] and self.moves >= 2:
            return action | {"kind": "stop"}
        return action | {"kind": "roll"}


def request(dice: random.Random) -> Json:
    """A short game with two people, and sometimes a bot among them."""
    seats = [{"kind": "human", "name": "Anne", "salt": "a"}, {"kind": "open"}]
    if dice.random() < 0.3:
        seats.insert(dice.randrange(3), {"kind": "bot", "bot": dice.choice(["careful", "bold"])})
    sharing = dice.choice(["free", "free", "leapfrog"])
    return {"mode": "online", "edition": "custom", "win": 1, "sharing": sharing, "seats": seats}


class Swarm:
    """Games side by side; ``acks`` counts what was acknowledged so far."""

    def __init__(self, servers: Sequence[Server], *, split: bool = False, seed: int = 2026) -> None:
        self.servers = servers
        self.split = split
        self.seed = seed
        self.acks = 0
        self.games = 0
        self.reconnections = 0
        self.events: Counter[str] = Counter()
        self._ack = asyncio.Event()

    def _acked(self) -> None:
        self.acks += 1
        self._ack.set()

    async def more_acks(self, number: int) -> None:
        """Wait until a number of further actions are acknowledged."""
        until = self.acks + number
        while self.acks < until:
            self._ack.clear()
            await self._ack.wait()

    async def play(
        self, games: int, at_once: int = 30, more: Callable[[], bool] = lambda: False
    ) -> None:
        """A number of games, and further ones for as long as more are wanted."""
        numbers = takewhile(lambda number: number < games or more(), count())

        async def one_after_the_other(http: httpx2.AsyncClient) -> None:
            for number in numbers:
                await self._play_one(http, random.Random(f"{self.seed} {number}"))
                self.games += 1

        async with httpx2.AsyncClient(timeout=PATIENCE) as http, asyncio.TaskGroup() as tasks:
            for _ in range(at_once):
                tasks.create_task(one_after_the_other(http))

    async def _play_one(self, http: httpx2.AsyncClient, dice: random.Random) -> None:
        opened, seated = await self._seated(http, dice)
        table = opened["id"]
        places = [self.servers[:1], self.servers[1:]] if self.split else [self.servers] * 2
        secrets = (opened["secret"], seated["secret"])
        players = [
            Player(place, table, secret, self._acked, random.Random(dice.random()))
            for place, secret in zip(places, secrets, strict=True)
        ]
        seen = await asyncio.gather(*(player.play() for player in players))
        state = await self._ask(http, dice, "GET", f"/api/tables/{table}")
        record = await self._ask(http, dice, "GET", f"/api/tables/{table}/record", text=True)
        check_game(seen, state["log"], record)
        self.reconnections += sum(one.reconnections for one in seen)
        self.events.update(entry["kind"] for entry in state["log"])

    async def _seated(self, http: httpx2.AsyncClient, dice: random.Random) -> tuple[Json, Json]:
        """A table with both people at it."""
        while True:
            opened = await self._ask(http, dice, "POST", "/api/tables", request(dice))
            seats, bob = f"/api/tables/{opened['id']}/seats", {"name": "Bob", "salt": "b"}
            seated = await self._ask(http, dice, "POST", seats, bob)
            if "error" not in seated:
                return opened, seated
            # the answer of an earlier try was cut off, and with it Bob's secret: another table
            assert seated["error"]["code"] == "table-full"

    async def _ask(
        self,
        http: httpx2.AsyncClient,
        dice: random.Random,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        text: bool = False,
    ) -> Any:
        """Ask any server that is up until one answers."""
        tries = 0
        while True:
            tries += 1
            server = dice.choice(self.servers)
            await server.up.wait()
            try:
                answer = await http.request(method, f"http://{server.address}{path}", json=body)
            except (httpx2.TransportError, OSError):
                await asyncio.sleep(PAUSE)
                continue
            if answer.status_code != 503:
                refused = answer.status_code == 409 and tries > 1
                assert answer.status_code < 300 or refused, (answer.status_code, answer.text)
                return answer.text if text else answer.json()
            await asyncio.sleep(PAUSE)


async def play_over_kills(
    swarm: Any, games: Any, victims: Any, kills: int = 0, acks_between: tuple[int, ...] = (5, 25)
) -> int:
    """Play while one victim after the other is killed and started again; returns the kills.

    There is a least number of them: games go on until then.
    """
    moments = random.Random(swarm.seed)
    done = 0
    playing = asyncio.create_task(
        swarm.play(games, at_once=min(games, 20), more=lambda: done < kills)
    )
    while (done < kills or not kills) and not playing.done():
        waiting = asyncio.create_task(swarm.more_acks(moments.randint(*acks_between)))
        await asyncio.wait([playing, waiting], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if playing.done():
            break
        victim = victims[done % len(victims)]
        if isinstance(victim, Server):
            await victim.end()
            await victim.start()
        else:
            victim.kill()
            await asyncio.to_thread(victim.start)
        done += 1
    await playing
    return done


def check_quiet(servers: Any) -> None:
    """No server has said anything that only a fault explains."""
    for server in servers:
        said = _ORPHAN.sub(b"", server.said)
        assert b"Traceback" not in said, said.decode()


def check_game(seen: Any, log: Any, record: Any) -> None:
    """Everybody saw what the log says; what was acknowledged is in it, and nothing twice."""
    assert [entry["n"] for entry in log] == list(range(1, len(log) + 1))
    for one in seen:
        assert one.events == log[: len(one.events)]
        assert one.events[-1]["kind"] == "finished"
        for kind, seat, n in one.acks.values():
            entry = log[n - 1]
            assert (entry["kind"], entry["seat"]) == (KINDS[kind], seat)
        # every event of this player's seats was asked for exactly once
        acted = [
            entry["n"]
            for entry in log
            if entry["seat"] in one.mine and entry["kind"] in KINDS.values()
        ]
        assert acted == sorted(n for _, _, n in one.acks.values())
    verification = verify(read_record(record))
    assert verification.dice_checked
    assert verification.outcome is not None
