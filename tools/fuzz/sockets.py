"""Fuzzes sockets: from every kind of seat, in every stage of a game, and in raw frames."""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Set
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from cantstop.client import OPEN, Player, TableLink, bot, human, open_table, play, take_seat
from cantstop.wire.errors import ErrorCode
from cantstop.wire.messages import MAX_MESSAGE_BYTES
from fuzz import frames, inputs
from fuzz.frames import RawSocket, frame
from fuzz.inputs import Place
from fuzz.served import Json, Server, Tally, WrongAnswer

_TIMEOUT = 120.0
_BATCH = 40
_FLOOD = 3000
_UNEXPECTED = (ErrorCode.INTERNAL, ErrorCode.UNAVAILABLE, ErrorCode.TOO_MANY)
"""Codes that no input of the fuzzer may be refused with."""


@dataclass(frozen=True)
class Seat:
    """A client that sends nonsense: where, and as whom."""

    name: str
    link: TableLink
    place: Place


def seats_at(server: Server) -> list[Seat]:
    """A client of every kind, at tables in every stage."""
    first, done = _begun(server.url)
    waiting = open_table(server.url, [human("Anne"), OPEN])
    over = open_table(server.url, [human("Anne"), bot("careful")], edition="custom", win=1)
    play(over, "careful")
    with Player(waiting), Player(over) as player:
        player.rematch()
    second = replace(first, secret=take_seat(first, "Bob"))
    with Player(first) as anne, Player(second):
        anne.wait(lambda table: table.started)
        legal = tuple(map(str, anne.roll()))
        n = anne.table.n
    return [
        Seat("in turn", first, Place((0,), first.secret, n, done, legal)),
        Seat("out of turn", second, Place((1,), second.secret, n)),
        Seat("watching", replace(first, secret=None), Place((), None, n, done)),
        Seat("before the game", waiting, Place((0,), waiting.secret, 3)),
        Seat("after the game", over, Place((0,), over.secret, 100)),
    ]


def _begun(server: str) -> tuple[TableLink, tuple[str, ...]]:
    """A table with an action whose id is known."""
    link = open_table(server, [human("Anne"), OPEN])
    done = "known-action-0001"

    async def react() -> None:
        async with connect(link.socket) as socket:
            await _say(socket, {"t": "hello", "d": {"secret": link.secret, "salt": "a"}})
            action = {"id": done, "kind": "react", "seat": 0, "reaction": "cheer"}
            await _say(socket, {"t": "act", "d": action})
            async for text in socket:
                if json.loads(text)["t"] == "ack":
                    return

    asyncio.run(react())
    return link, (done,)


async def _say(socket: ClientConnection, message: Json) -> None:
    await socket.send(json.dumps(message))


@asynccontextmanager
async def _present(link: TableLink) -> AsyncIterator[None]:
    """A client that sits there quietly, so that no bot may take the seat."""
    async with connect(link.socket, ping_interval=None) as socket:
        await _say(socket, {"t": "hello", "d": {"secret": link.secret}})

        async def listen() -> None:
            async for _ in socket:
                pass

        async def ping() -> None:
            while True:
                await _say(socket, {"t": "ping"})
                await asyncio.sleep(2.5)

        tasks = [asyncio.create_task(listen()), asyncio.create_task(ping())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()


# What is answered


async def talk(
    seat: Seat, chance: Random, count: int, became: dict[str, int], tally: Tally
) -> None:
    """Send ``count`` messages that are refused; ``became`` notes the events of ids."""
    async with connect(seat.link.socket, ping_interval=None, max_size=None) as socket:
        await _say(socket, {"t": "hello", "d": {"secret": seat.link.secret}})
        while count > 0:
            batch = [inputs.harmless(chance, seat.place) for _ in range(min(count, _BATCH))]
            count -= len(batch)
            try:
                async with asyncio.timeout(_TIMEOUT):
                    for _, said in batch:
                        await socket.send(said)
                    for kind, said in batch:
                        answer = await _answer(socket)
                        _check(said, answer)
                        tally["socket", f"{seat.name}: {kind}", _named(answer)] += 1
                        if answer["t"] == "ack":
                            id_, n = answer["d"]["id"], answer["d"]["n"]
                            if became.setdefault(id_, n) != n:
                                raise WrongAnswer(f"{id_} is event {n}, and {became[id_]} too.")
            except (ConnectionClosed, TimeoutError) as error:
                raise WrongAnswer(f"{seat.name}: {error!r} after one of {batch}") from error


async def _answer(socket: ClientConnection) -> Json:
    while True:
        message: Json = json.loads(await socket.recv())
        if message["t"] in ("ack", "refused", "pong"):
            return message


def _named(answer: Json) -> str:
    found = answer["d"].get("error", {}).get("code", answer["t"])
    return str(found)


def _check(said: str | bytes, answer: Json) -> None:
    kind, data = answer["t"], answer["d"]
    match kind:
        case "refused":
            fine = (
                set(data["error"]) == {"code", "message"}
                and data["error"]["code"] not in _UNEXPECTED
            )
        case "pong":
            fine = json.loads(said)["t"] in ("ping", "hello")
        case _:
            fine = data["id"] == json.loads(said)["d"]["id"]
    if not fine:
        raise WrongAnswer(f"{said!r} is answered with {answer}")


# What closes the socket

_BROKEN = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82")
_STRANGERS = ("http://elsewhere", "null", "http://127.0.0.1", "https://127.0.0.1:1", "é", "//")
_NOWHERE = ("nowhere", "%00", "..%2e", "a" * 500, "%C3%A9", "%FF")
_AFTER = ("-1", "x", "9" * 30, "%00", "1", "")


def _breaches(chance: Random) -> dict[str, tuple[bytes, tuple[int | None, ...]]]:
    """What is not a WebSocket message, or too large, and the close codes that fit it."""
    large = b"x" * chance.randint(MAX_MESSAGE_BYTES + 1, 70_000)
    text = b'{"t": "ping", "d": "' + chance.choice(_BROKEN) + b'"}'
    return {
        "too large": (frame(large), (1009,)),
        "too large, binary": (frame(large, frames.BINARY), (1009,)),
        "too large, in pieces": (
            b"".join(
                frame(b"x" * 1000, frames.CONTINUATION if at else frames.TEXT, flags=0)
                for at in range(6)
            ),
            (1009,),
        ),
        "said to be huge": (frame(b"x", claim=2**62), (1009, 1002)),
        "broken UTF-8": (frame(text), (1007,)),
        "reserved bits": (frame(b"{}", flags=frames.FIN | 0x20), (1002,)),
        "unknown opcode": (frame(b"{}", chance.choice([3, 4, 7, 11, 15])), (1002,)),
        "no mask": (frame(b"{}", masked=False), (1002,)),
        "long ping": (frame(b"x" * 126, frames.PING), (1002,)),
        "ping in pieces": (frame(b"x", frames.PING, flags=0), (1002,)),
        "end of nothing": (frame(b"{}", frames.CONTINUATION), (1002,)),
        "two beginnings": (frame(b"{", flags=0) + frame(b"{}"), (1002,)),
        "odd goodbye": (
            frame(chance.choice([b"\x00", b"\x00\x01", b"\x13\x88\xff"]), frames.CLOSE),
            (1002, 1007),
        ),
        "noise": (b"\xff" * 20, (1002,)),
    }


async def breach(server: Server, seat: Seat, chance: Random, tally: Tally) -> None:
    """Break the rules of sockets once in every way."""
    for what, (said, codes) in _breaches(chance).items():
        socket = await _greeted(server, seat)
        socket.say(said)
        await _expect(socket, what, codes, tally)


async def squeeze(server: Server, seat: Seat, tally: Tally) -> None:
    """A small frame that unpacks into a large message, where packing was not agreed on."""
    socket = await _greeted(server, seat, "Sec-WebSocket-Extensions: permessage-deflate")
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(b"x" * 4_000_000) + packer.flush(zlib.Z_SYNC_FLUSH)
    socket.say(frame(packed.removesuffix(b"\x00\x00\xff\xff"), flags=frames.FIN | 0x40))
    await _expect(socket, "packed", (1002,), tally)


async def enter_wrongly(server: Server, seat: Seat, chance: Random, tally: Tally) -> None:
    """Come without a proper hello, with the wrong secret, or to no table."""
    said: str | bytes = '{"t": "hello"}'
    while _is_hello(said):
        _, said = inputs.harmless(chance, seat.place)
    binary = isinstance(said, bytes)
    first = said if isinstance(said, bytes) else said.encode()
    hello = json.dumps({"t": "hello", "d": {"secret": f"wrong{chance.random()}"}}).encode()
    watcher = json.dumps({"t": "hello", "d": {}}).encode()
    here = f"/api/tables/{seat.link.table}/socket"
    there = f"/api/tables/{chance.choice(_NOWHERE)}/socket"
    for what, path, message, code in (
        ("no hello", here, frame(first, frames.BINARY if binary else frames.TEXT), 4400),
        ("wrong secret", f"{here}?after={chance.choice(_AFTER)}", frame(hello), 4403),
        ("no table", there, frame(watcher), 4404),
    ):
        socket = await RawSocket.connect(server.port, path)
        await socket.status()
        socket.say(message)
        await _expect(socket, what, (code,), tally)
    socket = await RawSocket.connect(server.port, here, f"Origin: {chance.choice(_STRANGERS)}")
    status = await socket.status()
    await socket.hang_up()
    tally["socket", "wrong origin", str(status)] += 1
    if status != 403:
        raise WrongAnswer(f"A page from elsewhere is answered with {status}.")


def _is_hello(said: str | bytes) -> bool:
    try:
        found: bool = json.loads(said)["t"] == "hello"
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
    return found


async def leave_rudely(server: Server, seat: Seat, chance: Random, tally: Tally) -> None:
    """Go in the middle of a message."""
    socket = await _greeted(server, seat)
    whole = frame(b'{"t": "act", "d": {"id": "12345678", "kind": "roll", "seat": 0}}')
    socket.say(whole[: chance.randrange(len(whole))])
    await socket.hang_up()
    tally["socket", "cut", "gone"] += 1


async def flood(server: Server, seat: Seat, chance: Random, size: int, tally: Tally) -> str:
    """Send all this without reading; returns the closing code."""
    socket = await _greeted(server, seat)
    for _ in range(size):
        said = json.dumps({"t": "act", "d": {"id": inputs.new_id(chance), "kind": "roll"}})
        socket.say(frame(said.encode()))
    socket.say(frame(b"\x03\xe8", frames.CLOSE))
    code = await socket.closing_code()
    await socket.hang_up()
    tally["socket", "flood", str(code)] += size
    return str(code)


async def _greeted(server: Server, seat: Seat, *headers: str) -> RawSocket:
    path = f"/api/tables/{seat.link.table}/socket"
    socket = await RawSocket.connect(server.port, path, *headers)
    if await socket.status() != 101:
        raise WrongAnswer("The socket was not opened.")
    hello = json.dumps({"t": "hello", "d": {"secret": seat.link.secret}})
    socket.say(frame(hello.encode()))
    return socket


async def _expect(
    socket: RawSocket, what: str, codes: tuple[int | None, ...], tally: Tally
) -> None:
    code = await socket.closing_code()
    await socket.hang_up()
    tally["socket", what, str(code)] += 1
    if code not in codes:
        raise WrongAnswer(f"{what}: the socket is closed with {code} instead of {codes}.")


# All of it


async def fuzz_sockets(server: Server, seats: list[Seat], seed: int, count: int) -> Tally:
    """Send about a number of messages, and find everything unchanged."""
    tally: Tally = Tally()
    before = {seat.link.table: server.truth(seat.link.table) for seat in seats}
    became: dict[str, dict[str, int]] = {table: {} for table in before}
    chance = Random(seed)
    rounds = max(1, count // 5000)
    floods, size = max(1, count // 20_000), min(_FLOOD, count // 10)
    rest = count - rounds * 60 - floods * size
    async with _present(seats[0].link), _present(seats[1].link):
        async with asyncio.TaskGroup() as talks:
            for at, seat in enumerate(seats):
                one, noted = Random(f"{seed}/{at}"), became[seat.link.table]
                talks.create_task(talk(seat, one, rest // len(seats), noted, tally))
        for _ in range(rounds):
            for seat in seats[:3]:
                await breach(server, seat, chance, tally)
                await leave_rudely(server, seat, chance, tally)
                await enter_wrongly(server, seat, chance, tally)
            await squeeze(server, seats[2], tally)
        for _ in range(floods):
            if await flood(server, seats[1], chance, size, tally) not in ("1000", "4429"):
                raise WrongAnswer("A flood is neither answered nor stopped.")
    for table, state in before.items():
        check_unchanged(state, server.truth(table), set(became[table].values()))
    server.check_health()
    return tally


def check_unchanged(before: Json, after: Json, reactions: Set[int] = frozenset()) -> None:
    """Nothing has happened but what people said about it, and that was acknowledged."""
    new = after["log"][before["n"] :]
    announced = {event["n"] for event in new if event["kind"] == "reacted"}
    right = announced == {n for n in reactions if n > before["n"]} and len(announced) == len(new)
    same = {**after, "n": before["n"], "log": after["log"][: before["n"]]} == before
    if not right or not same:
        raise WrongAnswer(f"A table has changed: {new or after}")
