"""Attacks by what once had no price: pictures, long heads, actions, cold pages, unread answers."""

import asyncio
import itertools
import json
import socket
import time
from contextlib import suppress

from websockets.asyncio.client import ClientConnection

from .attacks import Attack, Target, copy_table
from .players import Json, connect_socket, keep_alive

_PATIENCE = 60.0
_WITHIN = 1.0
"""Seconds that others wait at most."""


async def pictures(target: Target) -> list[str]:
    """12: pictures of a table's board, as many as the limits allow, 100 at the same time."""
    await target.begin()
    path = f"/api/tables/{target.table}/board.png"
    async with target.http() as http:
        await target.every(1 / 100, lambda: http.get(path))
    return []


async def long_heads(target: Target) -> list[str]:
    """12: requests with 2,300 parameters and as long a list of languages, 50 times a second."""
    await target.begin()
    query = "&".join(["a=%20"] * 1300)
    heads = {"Accept-Language": "a," * 3000}
    path = f"/api/tables/{target.table}/events?limit=1&{query}"
    async with target.http() as http:
        await target.every(1 / 50, lambda: http.get(path, headers=heads))
    return []


_HOTSEAT = {
    "mode": "hotseat",
    "seats": [{"kind": "human", "name": name, "salt": name} for name in "ABCD"],
}
_ALLOWED = 2000, 100
"""Actions of one address at once, and a second."""


async def _play(one: ClientConnection, view: Json, until: float) -> int:
    """Play all seats of a table as fast as they are answered; returns how many were accepted."""
    accepted = 0
    for number in itertools.count():
        if view["outcome"] is not None or time.monotonic() > until:
            break
        action: Json = {"id": f"action-{number:06}", "seat": view["seat"], "kind": "roll"}
        if view["phase"] == "move":
            action |= {"kind": "move", "move": view["moves"][0]["move"]}
        elif view["may_stop"]:
            action["kind"] = "stop"
        await one.send(json.dumps({"t": "act", "d": action}))
        message: Json = {"t": ""}
        while message["t"] not in ("ack", "refused"):
            message = json.loads(await one.recv())
            if message["t"] == "event":
                view = message["d"]["view"]
        accepted += message["t"] == "ack"
        await asyncio.sleep(0.05)
    return accepted


async def many_actions(target: Target) -> list[str]:
    """12: one address plays at 55 tables, at each of them as fast as its seats may."""
    async with target.http() as http:
        answers = [await http.post("/api/tables", json=_HOTSEAT) for _ in range(55)]
    tables: list[Json] = [answer.json() for answer in answers]
    sockets = [await target.table_socket(one["id"], one["secret"]) for one in tables]
    pinging = [asyncio.create_task(keep_alive(one)) for one in sockets]
    await target.begin()
    began = time.monotonic()
    played = await asyncio.gather(
        *(
            _play(one, opened["state"]["view"], target.until)
            for one, opened in zip(sockets, tables, strict=True)
        ),
        return_exceptions=True,
    )
    for task in pinging:
        task.cancel()
    for one in sockets:
        one.transport.abort()
    accepted = sum(count for count in played if isinstance(count, int))
    at_once, a_second = _ALLOWED
    allowed = at_once + a_second * (time.monotonic() - began)
    return [f"{accepted} actions, not {allowed:.0f}"] if accepted > allowed else []


async def cold_pages(target: Target) -> list[str]:
    """12: long tables replayed from all sides; a player who has missed something comes back."""
    async with target.http() as http:
        seats = [{"kind": "human", "name": "A", "salt": "a"}, {"kind": "open"}]
        opened = (await http.post("/api/tables", json={"mode": "online", "seats": seats})).json()
    tables = [f"ColdPages{number:02}" for number in range(12)]
    for table in tables:
        await asyncio.to_thread(copy_table, target.database, opened["id"], table, 9_000)
    numbers = itertools.count()
    problems: list[str] = []
    await target.begin()

    async def come_back() -> None:
        """The player's own table, from an event on that nobody has asked for yet."""
        while not target.is_over:
            await asyncio.sleep(0.5)
            async with await connect_socket(
                target.port, "127.0.0.1", target.table, target.secret
            ) as one:
                n = json.loads(await one.recv())["d"]["n"]
            began = time.monotonic()
            async with await connect_socket(
                target.port, "127.0.0.1", target.table, target.secret, after=max(0, n - 10)
            ) as one:
                with suppress(TimeoutError):
                    await asyncio.wait_for(one.recv(), _PATIENCE)
            if (took := time.monotonic() - began) > _WITHIN:
                problems.append(f"a player who came back waited for {took:.1f} s")

    async with target.http() as http:

        async def read() -> None:
            number = next(numbers)
            table = tables[number % len(tables)]
            match number % 3:
                case 0:
                    await http.get(f"/api/tables/{table}/events", params={"limit": 1000})
                case 1:
                    await http.get(f"/api/tables/{table}/board.svg", params={"n": 9_000})
                case 2:
                    after = number * 64 % 8_900
                    await http.get(
                        f"/api/tables/{table}/events", params={"after": after, "limit": 64}
                    )

        await asyncio.gather(target.every(1 / 40, read), come_back())
    return problems[:1]


def _long_record() -> str:
    head = '[Cantstop "1"]\n[Rules "v1,players=1"]\n[Seat1 "x"]\n\n'
    turns = (
        f"{turn}. (1) 1234 = 5+5 2234 = 5+6 1256 = 6+8 1111 = bust\n" for turn in range(1, 1150)
    )
    return head + "".join(turns)


async def unread_answers(target: Target) -> list[str]:
    """12: the longest answer there is, asked for over 300 connections, and read by none."""
    record = _long_record().encode()
    async with target.http("127.0.8.1") as http:
        status = 0
        while status != 200:
            status = (await http.post("/api/review", content=record, timeout=200)).status_code
    request = (
        b"POST /api/review HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(record)
        + record
    )
    await target.begin()
    lines: list[socket.socket] = []

    def ask() -> None:
        with suppress(OSError):
            line = target.raw()
            line.sendall(request)
            lines.append(line)

    for _ in range(300):
        await asyncio.to_thread(ask)
    await asyncio.sleep(max(0, target.until - time.monotonic()))
    for line in lines:
        line.close()
    return []


UNPRICED = [
    Attack(pictures),
    Attack(long_heads),
    Attack(many_actions),
    Attack(cold_pages),
    Attack(unread_answers),
]
