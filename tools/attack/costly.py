"""Attacks by few requests that each cost much: none of them needs bandwidth."""

import asyncio
import itertools
import time
from contextlib import suppress

from .attacks import LOST, Attack, Target

_CHUNKED = (
    b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"1\r\nx\r\n" * 64_000
    + b"0\r\n\r\n"
)
_HEADERS = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"a: b\r\n" * 7_000 + b"\r\n"


async def _send_raw(target: Target, request: bytes, every: float) -> None:
    """Send the same bytes again and again, each time over a new connection."""

    def send() -> None:
        with suppress(OSError), target.raw() as line:
            line.sendall(request)
            while line.recv(4096):
                pass

    await target.every(every, lambda: asyncio.to_thread(send))


async def tiny_chunks(target: Target) -> list[str]:
    """9: a body of 64,000 chunks of one byte, twice a second."""
    await target.begin()
    await _send_raw(target, _CHUNKED, 1 / 2)
    return []


async def header_lines(target: Target) -> list[str]:
    """9: 7,000 header lines, 20 times a second."""
    await target.begin()
    await _send_raw(target, _HEADERS, 1 / 20)
    return []


async def monitors(target: Target) -> list[str]:
    """9: the health and the description of the API, 600 times a second; a monitor still sees it."""
    await target.begin()
    problems: list[str] = []
    async with target.http() as http, target.http("127.0.6.1") as monitor:

        async def ask() -> None:
            await http.get("/healthz")

        async def describe() -> None:
            await http.get("/api/openapi.json")

        async def watch() -> None:
            while not target.is_over:
                begin = time.monotonic()
                with suppress(*LOST):
                    status = (await monitor.get("/healthz")).status_code
                    if status != 200:
                        problems.append(f"a monitor got {status}")
                if time.monotonic() - begin > 1:
                    problems.append("a monitor waited for more than a second")
                await asyncio.sleep(1)

        await asyncio.gather(target.every(1 / 600, ask), target.every(1 / 20, describe), watch())
    return problems[:1]


_HEAVY = "v1,players=4,start=roll-off,lengths=" + ".".join(["2"] * 39)
"""Passes the bound of memory, and took the roll-off of four seats half a minute."""
_WITHIN = 1.0
"""Seconds that others wait at most."""


async def _analyses_of_others(target: Target) -> list[str]:
    """How long a user at another address waits for analyses meanwhile, each of another position."""
    problems: list[str] = []
    columns = itertools.product(range(2, 13), range(1, 3), range(1, 3))
    async with target.http("127.0.6.2") as http:
        while not target.is_over:
            column, one, two = next(columns)
            position = f"v1,players=2 {column}:{one}/{column}:{two} 1 - -"
            begin = time.monotonic()
            answer = await http.get("/api/analysis", params={"position": position})
            took = time.monotonic() - begin
            if answer.status_code != 200:
                problems.append(f"an analysis of others got {answer.status_code}")
            elif took > _WITHIN:
                problems.append(f"an analysis of others took {took:.1f} s")
            await asyncio.sleep(0.5)
    return problems


async def heavy_analyses(target: Target) -> list[str]:
    """10: boards of 20-sided dice with four seats and a roll-off, analysed; and hanging up."""
    await target.begin()
    async with target.http() as http:

        async def ask() -> None:
            position = f"{_HEAVY} -/-/-/- start:1,2,3,4 - -"
            with suppress(TimeoutError):
                await asyncio.wait_for(
                    http.get("/api/analysis", params={"position": position}), 0.3
                )

        _, problems = await asyncio.gather(target.every(1, ask), _analyses_of_others(target))
    return problems[:1]


async def heavy_reviews(target: Target) -> list[str]:
    """10: empty records of such rules, and of large official games, reviewed; and hanging up."""
    await target.begin()
    async with target.http() as http:

        async def ask() -> None:
            record = f'[Cantstop "1"]\n[Rules "{_HEAVY}"]\n\n*\n'
            with suppress(TimeoutError):
                await asyncio.wait_for(http.post("/api/review", content=record.encode()), 0.3)

        _, problems = await asyncio.gather(target.every(1, ask), _analyses_of_others(target))
    return problems[:1]


COSTLY = [
    Attack(tiny_chunks),
    Attack(header_lines),
    Attack(monitors),
    Attack(heavy_analyses),
    Attack(heavy_reviews),
]
