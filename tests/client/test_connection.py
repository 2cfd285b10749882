"""The connection against a server that does what none should: loses, repeats, and mumbles."""

import asyncio
import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from cantstop.client import Connection, Refused, TableLink, Unreachable
from cantstop.client import connection as connection_module
from cantstop.table.events import Entry, Mode, Opened, Reacted, Reaction
from cantstop.wire.actions import Roll, new_action_id
from cantstop.wire.events import encode_entry


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here needs a rest between two tries."""
    monkeypatch.setattr(connection_module, "FIRST_RETRY_DELAY", 0.0)
    monkeypatch.setattr(connection_module, "RATE_LIMIT_DELAY", 0.0)


AT = datetime(2026, 11, 15, 10, 20, tzinfo=UTC)
OPENED = Opened(
    Mode.ONLINE,
    "classic",
    "v1,players=2",
    help=False,
    youngest=0,
    lesson=None,
    commitment=None,
    reserved=(None, None),
)


def state(n: int) -> dict[str, Any]:
    first = json.loads(encode_entry(Entry(1, AT, None, OPENED)))
    log = [first, *(event(number)["d"] for number in range(2, n + 1))]
    return {"t": "state", "d": {"id": "k7Qm", "n": n, "you": [], "log": log, "view": VIEW}}


VIEW = {"position": "v1,players=2 -/- 1 - -", "turn": 1, "take_back": None}


def event(n: int) -> dict[str, Any]:
    reacted = json.loads(encode_entry(Entry(n, AT, 0, Reacted(Reaction.CHEER))))
    return {"t": "event", "d": {**reacted, "view": VIEW}}


class Script:
    """What the server says to each connection in turn: messages, or a closing code at the end."""

    def __init__(self, *visits: Any) -> None:
        self.visits = list(visits)
        self.addresses: list[Any] = []
        self.heard: list[Any] = []

    async def __call__(self, socket: Any) -> None:
        self.addresses.append(socket.request.path)
        assert json.loads(await socket.recv())["t"] == "hello"
        with suppress(ConnectionClosed):
            for step in self.visits.pop(0):
                await self._take(step, socket)
            await socket.wait_closed()

    async def _take(self, step: Any, socket: Any) -> None:
        if isinstance(step, int):
            await socket.close(step)
        elif callable(step):
            self.heard.append(json.loads(await socket.recv())["d"])
            await socket.send(json.dumps(step(self.heard[-1]["id"])))
        else:
            await socket.send(step if isinstance(step, str | bytes) else json.dumps(step))


def ack(name: str) -> dict[str, Any]:
    return {"t": "ack", "d": {"id": name, "n": 3}}


def too_many(name: str) -> dict[str, Any]:
    return {"t": "refused", "d": {"id": name, "error": {"code": "too-many", "message": "Slowly."}}}


async def follow(script: Any, until: Any = None, timeout: float = 60.0) -> Any:
    """The numbers that a connection receives, until an error or the number ``until``."""
    numbers, done = [], asyncio.Event()

    def hear(told: Any) -> None:
        numbers.append(told.n)
        if told.n == until:
            done.set()

    async with serve(script, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        link = TableLink(f"http://127.0.0.1:{port}", "k7Qm")
        connection = Connection(link, None, "en", hear, lambda: None, timeout)
        staying = asyncio.create_task(connection.run())
        waiting = asyncio.create_task(done.wait())
        await asyncio.wait({staying, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not staying.done():
            staying.cancel()
        with suppress(asyncio.CancelledError):
            await staying
    return numbers


async def test_a_gap_is_asked_for_and_a_repeated_event_is_not_heard_twice() -> None:
    refusal = [{"t": "refused", "d": {"id": None, "error": {"code": "x", "message": "No."}}}, 4403]
    script = Script(
        [state(3), event(4), event(4), event(6), *refusal],  # for who has not gone to ask by then
        [event(5), event(5), event(6)],
    )
    assert await follow(script, until=6) == [3, 4, 5, 6]
    assert [address.partition("after=")[2] for address in script.addresses] == ["", "4"]


async def test_an_event_before_any_state_is_no_use() -> None:
    script = Script([event(4)], [state(4), event(5)])
    assert await follow(script, until=5) == [4, 5]


async def test_a_server_that_restarts_is_followed_and_one_that_refuses_is_not() -> None:
    script = Script(
        [state(3), 1012],
        [event(4), 4429],
        [{"t": "refused", "d": {"id": None, "error": {"code": "x", "message": "No."}}}, 4403],
    )
    with pytest.raises(Refused, match="No") as refused:
        await follow(script)
    assert refused.value.code == "x"


@pytest.mark.parametrize("nonsense", ["{", "[]", '{"t": 1}', b"\xff", "3"])
async def test_a_server_that_mumbles_is_none_of_ours(nonsense: bytes | str) -> None:
    with pytest.raises(Unreachable, match="not as a Can't Stop server does"):
        await follow(Script([nonsense]))


async def test_silence_for_too_long_is_an_end() -> None:
    with pytest.raises(Unreachable, match="cannot be reached: 1012"):
        await follow(Script([1012]), timeout=0)


async def roll(script: Any) -> Any:
    """Roll at a scripted server; returns the number of the event."""
    async with serve(script, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        link = TableLink(f"http://127.0.0.1:{port}", "k7Qm")
        connection = Connection(link, None, "en", lambda *_: None, lambda: None)
        staying = asyncio.create_task(connection.run())
        n = await connection.act(Roll(id=new_action_id(), seat=0))
        staying.cancel()
        with suppress(asyncio.CancelledError):
            await staying
    return n


async def test_an_action_that_was_too_much_is_asked_for_again_under_its_id() -> None:
    script = Script([state(3), too_many, too_many, ack])
    assert await roll(script) == 3
    assert len({action["id"] for action in script.heard}) == 1
    assert len(script.heard) == 3


async def test_an_action_is_sent_again_when_its_answer_was_lost() -> None:
    async def hear_and_go(socket: Any) -> None:
        script.heard.append(json.loads(await socket.recv())["d"])
        await socket.close(1011)

    class Lost(Script):
        async def _take(self, step: Any, socket: Any) -> None:
            if step == "lose":
                await hear_and_go(socket)
            else:
                await super()._take(step, socket)

    script = Lost([state(3), "lose"], [ack])
    assert await roll(script) == 3
    assert script.heard[0] == script.heard[1]
