"""Connections: a slow one is let go and nobody waits for it, and one that has ended is gone."""

import asyncio
import gc
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.server import ServerProtocol

from cantstop.server import ServerOptions, create_app
from cantstop.server.http import sockets, transport
from cantstop.server.http.connections import SocketReader
from cantstop.server.http.transport import SocketProtocol
from cantstop.server.limits.policy import Cap, Limits
from cantstop.server.runtime import presence
from cantstop.server.runtime.presence import Clocks
from cantstop.wire.messages import CloseCode
from live_server import HELLO, open_table, serving, sockets_of, stuck
from patience import PATIENCE, PATIENT_SOCKET


class Player:
    """Plays all seats of a table, noting what it hears."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.seen: list[Any] = []
        self.watchers: list[Any] = []

    async def hear(self) -> Any:
        message = json.loads(await self.line.recv())
        if message["t"] == "event":
            self.seen.append(message["d"]["n"])
        elif message["t"] == "presence":
            self.watchers.append(message["d"]["watchers"])
        return message

    async def react(self) -> None:
        name = f"reaction-{len(self.seen)}"
        action = {"id": name, "kind": "react", "seat": 0, "reaction": "cheer"}
        await self.line.send(json.dumps({"t": "act", "d": action}))
        while (await self.hear())["t"] != "ack":
            pass


@pytest.mark.anyio
async def test_a_client_that_does_not_read_holds_nobody_up(
    url: str, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "QUEUE_LIMIT", 16)
    monkeypatch.setattr(sockets, "_CLOSE_SECONDS", 0.1)
    monkeypatch.setattr(transport, "ABORT_SECONDS", 0.1)
    app = create_app(
        ServerOptions(url, pace=0, web=web, clocks=Clocks(600, 0, 0), limits=Limits().times(0))
    )
    async with serving(app) as (server, address):
        opened = await open_table(address)
        path = f"ws://{address}/api/tables/{opened['id']}/socket"
        async with connect(path, **PATIENT_SOCKET) as line:
            player = Player(line)
            await line.send(json.dumps({"t": "hello", "d": {"secret": opened["secret"]}}))
            while not player.watchers:
                await player.hear()
            writer = await stuck(address, opened["id"])
            while player.watchers[-1] == 0:
                await player.hear()
            while player.watchers[-1] == 1:  # the slow one is still believed to be there
                await player.react()
            mine = line.local_address[1]
            async with asyncio.timeout(
                PATIENCE
            ):  # it still reads nothing, and is cut off all the same
                while any(wire.client[1] != mine for wire in sockets_of(server)):
                    await asyncio.sleep(0)
            assert player.seen == list(range(5, player.seen[-1] + 1))
            async with connect(f"{path}?after={player.seen[-1] - 3}", **PATIENT_SOCKET) as again:
                await again.send(json.dumps(HELLO))
                told = [json.loads(await again.recv())["d"]["n"] for _ in range(3)]
            assert told == player.seen[-3:]
        writer.transport.abort()


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Only what nothing refers to goes away, as long as this lasts."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.anyio
@pytest.mark.usefixtures("no_collector")
async def test_a_connection_that_has_ended_leaves_no_cycles(
    url: str, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collector stops everybody: the server lives on its having nothing to do."""
    monkeypatch.setattr(transport, "ABORT_SECONDS", 0)
    limits = replace(Limits().times(0), watchers=Cap(0))
    app = create_app(ServerOptions(url, pace=0, web=web, clocks=Clocks(600, 0, 0), limits=limits))
    loop, passed = asyncio.get_running_loop(), 0.0
    really = loop.time
    monkeypatch.setattr(loop, "time", lambda: really() + passed)
    async with serving(app) as (server, address):
        opened = await open_table(address)
        path = f"ws://{address}/api/tables/{opened['id']}/socket"
        mine = opened["secret"]
        for secret, code in ((mine, None), ("wrong", 4403), (None, 4420), (mine, 4408)):
            async with connect(path, **PATIENT_SOCKET) as line:
                await line.send(json.dumps({"t": "hello", "d": {"secret": secret}}))
                if code is None:
                    await Player(line).react()
                else:
                    if code == CloseCode.HEARTBEAT_TIMEOUT:
                        await line.recv()
                        passed += 601
                    await line.wait_closed()
                    assert line.close_code == code
        async with asyncio.timeout(PATIENCE):
            while sockets_of(server) or server.server_state.tasks:
                await asyncio.sleep(0.01)
        ours = {
            SocketProtocol,
            ServerProtocol,
            sockets.TableConnection,
            SocketReader,
            presence.Subscriber,
        }
        assert [one for one in gc.get_objects() if type(one) in ours] == []
