"""Attacks on what a server keeps: caches, days, tables; and on whoever waits for the same."""

import asyncio
import itertools
import json
import sqlite3
import time
from contextlib import suppress

from .attacks import LOST, Attack, Target, copy_table
from .players import Json, connect_socket

_RESULTS = 100
"""The number of results of a day that are shown."""
_LONG = 9_000
_PATIENCE = 60.0
_WITHIN = 20.0
"""Seconds that a player waits at most for the review of their own game, whoever asked first."""


async def _finished_game(target: Target, path: str, body: Json) -> Json:
    """A game for one that was played to its end, by someone who stops after two moves."""
    async with target.http("127.0.7.1") as http:
        opened: Json = (await http.post(path, json=body)).json()
    view, moves = opened["state"]["view"], 0
    async with await connect_socket(
        target.port, "127.0.7.1", opened["id"], opened["secret"]
    ) as table_socket:
        for number in itertools.count():
            if view["outcome"] is not None:
                return opened
            action: Json = {"id": f"solo-{number:06}", "seat": 0, "kind": "roll"}
            if view["phase"] == "move":
                action |= {"kind": "move", "move": view["moves"][0]["move"]}
            elif view["may_stop"] and moves >= 2:
                action["kind"] = "stop"
            await table_socket.send(json.dumps({"t": "act", "d": action}))
            message: Json = {"t": ""}
            while message["t"] not in ("ack", "refused"):
                message = json.loads(await table_socket.recv())
                if message["t"] == "event":
                    view, kind = message["d"]["view"], message["d"]["kind"]
                    moves = 0 if kind in ("stopped", "busted") else moves + (kind == "moved")
            if message["t"] == "refused":  # the rate limit: the same again, later
                await asyncio.sleep(0.2)
    raise AssertionError


def _copy_results(database: str, table: str) -> None:
    """Copy the result of a daily game, with its table, as if many had played; none is graded."""
    for number in range(_RESULTS):
        copy_table(database, table, f"Daily{number:06}", 0)
    connection = sqlite3.connect(database, timeout=30)
    connection.row_factory = sqlite3.Row
    with connection:
        found = connection.execute("SELECT * FROM daily_tries WHERE table_id = ?", [table])
        row = dict(found.fetchone())
        for number in range(_RESULTS):
            mine = {**row, "table_id": f"Daily{number:06}", "device_hash": f"{number:064}"}
            mine |= {"luck": None, "skill": None}
            marks = ", ".join("?" * len(mine))
            names = ", ".join(mine)
            connection.execute(
                f"INSERT INTO daily_tries ({names}) VALUES ({marks})", [*mine.values()]
            )
    connection.close()


async def graded_days(target: Target) -> list[str]:
    """11: a day with 100 results whose luck nobody knows yet, read 20 times a second."""
    opened = await _finished_game(target, "/api/daily", {"name": "Anne"})
    await asyncio.to_thread(_copy_results, target.database, opened["id"])
    await target.begin()
    async with target.http() as http:
        await target.every(1 / 20, lambda: http.get("/api/daily"))
    return []


async def turn_tables(target: Target) -> list[str]:
    """11: positions on boards of every number of sides and runners, analysed one by one."""
    boards = [
        f"v1,players=2,lengths={'.'.join(['3'] * (2 * sides - 1))},runners={runners} -/- 1 - -"
        for sides in range(2, 13)
        for runners in range(2, 6)
    ]
    numbers = itertools.count()
    await target.begin()
    async with target.http() as http:

        async def ask() -> None:
            position = boards[next(numbers) % len(boards)]
            await http.get("/api/analysis", params={"position": position})

        await target.every(1 / 4, ask)
    return []


async def first_asker(target: Target) -> list[str]:
    """11: an attacker has many reviews done, and asks for a player's before the player does."""
    opened = await _finished_game(
        target,
        "/api/tables",
        {"mode": "solo", "seats": [{"kind": "human", "name": "Anne", "salt": "a"}]},
    )
    path = f"/api/tables/{opened['id']}/review"
    async with target.http() as http:
        record = (await http.get(f"/api/tables/{opened['id']}/record")).text
        await target.begin()
        numbers = itertools.count()

        async def ask() -> None:
            text = record.replace("Anne", f"Anne {next(numbers)}")
            await http.post("/api/review", content=text.encode())

        async def wait() -> list[str]:
            await asyncio.sleep(1)  # by now some of the attacker's reviews wait
            first = asyncio.create_task(http.get(path))
            await asyncio.sleep(0.1)
            began = time.monotonic()
            async with target.http("127.0.7.2") as player:
                answer = await player.get(path, timeout=_PATIENCE)
            first.cancel()
            took = time.monotonic() - began
            if answer.status_code != 200 or took > _WITHIN:
                return [f"a player's review: {answer.status_code} after {took:.1f} s"]
            return []

        _, problems = await asyncio.gather(target.every(1 / 10, ask), wait())
    return problems


async def long_idle(target: Target) -> list[str]:
    """11: 24 tables of 9,000 events that nobody is at, read one after the other."""
    async with target.http() as http:
        seats = [{"kind": "human", "name": "A", "salt": "a"}, {"kind": "open"}]
        opened = (await http.post("/api/tables", json={"mode": "online", "seats": seats})).json()
    tables = [f"LongIdle{number:02}" for number in range(24)]
    for table in tables:
        await asyncio.to_thread(copy_table, target.database, opened["id"], table, _LONG)
    numbers = itertools.count()
    await target.begin()
    async with target.http() as http:

        async def read() -> None:
            table = tables[next(numbers) % len(tables)]
            await http.get(f"/api/tables/{table}/events", params={"limit": 1})

        await target.every(1, read)
    return []


async def many_tables(target: Target) -> list[str]:
    """11: as many tables as one address may open, as fast as it goes; none is more than its due."""
    await target.begin()
    opened = 0
    body = {"mode": "hotseat", "seats": [{"kind": "human", "name": n, "salt": n} for n in "ABCD"]}
    began = time.monotonic()
    async with target.http() as http:

        async def ask() -> None:
            nonlocal opened
            with suppress(*LOST):
                opened += (await http.post("/api/tables", json=body)).status_code == 201

        await target.every(1 / 40, ask)
    allowed = 60 + (time.monotonic() - began) + 2
    return [f"{opened} tables were opened, not {allowed:.0f}"] if opened > allowed else []


HOARDING = [
    Attack(graded_days),
    Attack(turn_tables),
    Attack(first_asker),
    Attack(long_idle),
    Attack(many_tables),
]
