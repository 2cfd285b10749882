"""``kill -9`` in the middle of games: nothing acknowledged is lost, nothing is done twice."""

import asyncio
import json
import random
import subprocess
import sys
from contextlib import asynccontextmanager

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cantstop import read_record, verify

KILLS = 3
ACKS_BETWEEN = (5, 25)
KINDS = {"roll": "rolled", "move": "moved", "stop": "stopped"}


class Server:
    """A server in a process of its own, which can be killed and started again."""

    def __init__(self, url):
        self.url = url
        self.port = 0
        self.up = asyncio.Event()
        self.process = None

    async def start(self):
        options = ["--database", self.url, "--port", str(self.port), "--pace", "0.001"]
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cantstop", "serve", *options, stdout=subprocess.PIPE
        )
        line = await self.process.stdout.readline()
        self.port = int(line.decode().partition("127.0.0.1:")[2].partition("/")[0])
        self.up.set()

    async def kill(self):
        self.up.clear()
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def running(url):
    server = Server(url)
    await server.start()
    try:
        yield server
    finally:
        await server.kill()


class Player:
    """Plays all human seats of a table, and reconnects for as long as it takes."""

    def __init__(self, server, table, secret, acked):
        self.server = server
        self.table = table
        self.secret = secret
        self.acked = acked  # every acknowledged action: its id, with kind, seat and number
        self.acks = {}
        self.view = None
        self.last = None
        self.moves = 0
        self.pending = None

    async def play(self):
        while self.view is None or self.view["outcome"] is None or self.pending:
            await self.server.up.wait()
            try:
                await self._visit()
            except (OSError, ConnectionClosed, InvalidHandshake):
                await asyncio.sleep(0)
        for _ in range(KILLS * max(ACKS_BETWEEN)):
            self.acked.release()  # a game that is over holds up no kill

    async def _visit(self):
        address = f"ws://127.0.0.1:{self.server.port}/api/tables/{self.table}/socket"
        if self.last is not None:
            address += f"?after={self.last}"
        async with connect(address) as socket:
            await socket.send(json.dumps({"t": "hello", "d": {"secret": self.secret}}))
            if self.pending:
                await self._send(socket)
            while self.view is None or self.view["outcome"] is None or self.pending:
                self._hear(json.loads(await socket.recv()))
                if self.pending is None and self._is_my_turn():
                    self.pending = self._choice()
                    await self._send(socket)

    async def _send(self, socket):
        await socket.send(json.dumps({"t": "act", "d": self.pending}))

    def _is_my_turn(self):
        view = self.view
        return view is not None and view["outcome"] is None and view["seat"] in self.mine

    def _hear(self, message):
        data = message["d"]
        match message["t"]:
            case "state":
                self.view, self.last, self.mine = data["view"], data["n"], data["you"]
            case "event":
                assert data["n"] == self.last + 1
                self.view, self.last = data["view"], data["n"]
                self.moves += data["kind"] == "moved"
                if data["kind"] in ("stopped", "busted"):
                    self.moves = 0
            case "ack":
                assert data["id"] == self.pending["id"]
                self.acks[data["id"]] = (self.pending["kind"], self.pending["seat"], data["n"])
                self.pending = None
                self.acked.release()
            case "refused":
                raise AssertionError(data)

    def _choice(self):
        view = self.view
        action = {"id": f"action-{len(self.acks):05}", "seat": view["seat"]}
        if view["phase"] == "move":
            return action | {"kind": "move", "move": view["moves"][0]["move"]}
        if view["may_stop"] and self.moves >= 2:
            return action | {"kind": "stop"}
        return action | {"kind": "roll"}


def tables():
    anne, bob = ({"kind": "human", "name": name} for name in ("Anne", "Bob"))
    bots = [{"kind": "bot", "bot": bot} for bot in ("careful", "bold")]
    short = {"mode": "hotseat", "edition": "custom", "win": 2}
    return [
        {**short, "seats": [anne, bob]},
        {**short, "seats": [bots[0], anne, bots[1]], "start": "roll-off"},
        {**short, "seats": [anne, bots[1]], "sharing": "leapfrog"},
    ]


@pytest.mark.anyio
async def test_games_go_on_over_kills_at_any_moment(tmp_path):
    moments = random.Random(2026)
    acked = asyncio.Semaphore(0)
    async with (
        running(f"sqlite:///{tmp_path / 'tables.db'}") as server,
        httpx2.AsyncClient() as http,
        asyncio.TaskGroup() as games,
    ):
        base = f"http://127.0.0.1:{server.port}/api/tables"
        opened = [(await http.post(base, json=request)).json() for request in tables()]
        players = [Player(server, one["id"], one["secret"], acked) for one in opened]
        playing = [games.create_task(player.play()) for player in players]
        for _ in range(KILLS):
            for _ in range(moments.randint(*ACKS_BETWEEN)):
                await acked.acquire()
            await server.kill()
            await server.start()
        await asyncio.gather(*playing)
        for player in players:
            log = (await http.get(f"{base}/{player.table}")).json()["log"]
            record = (await http.get(f"{base}/{player.table}/record")).text
            check(player, log, record)


def check(player, log, record):
    assert [entry["n"] for entry in log] == list(range(1, len(log) + 1))
    for kind, seat, n in player.acks.values():
        entry = log[n - 1]
        assert (entry["kind"], entry["seat"]) == (KINDS[kind], seat)
    # every event of this player's seats was asked for exactly once
    acted = [
        entry["n"]
        for entry in log
        if entry["seat"] in player.mine and entry["kind"] in KINDS.values()
    ]
    assert acted == sorted(n for _, _, n in player.acks.values())
    verification = verify(read_record(record))
    assert verification.dice_checked
    assert verification.outcome is not None
