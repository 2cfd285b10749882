"""Fuzzes HTTP: by the OpenAPI description, and in raw bytes."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import requests  # type: ignore[import-untyped, unused-ignore]
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from cantstop.wire.messages import MAX_MESSAGE_BYTES
from fuzz.inputs import KEYS, WORDS, value
from fuzz.served import Server, Tally, WrongAnswer
from fuzz.sockets import check_unchanged

_TIMEOUT = 60.0
_CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
_OTHER_ADDRESS = (404, 405)
"""What nonsense in an address may lead to, since it is another address then."""


# By the description


def fuzz_described(server: Server, table: str, number: int, examples: int) -> Tally:
    """What the description allows and what it does not, for every request, by Schemathesis."""
    tally: Tally = Tally()
    before = server.truth(table)
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    with requests.Session() as session:
        for found in schema.get_all_operations():
            operation: Any = found.ok()  # type: ignore[union-attr]
            for mode in schemathesis.GenerationMode:
                places: list[dict[str, Any] | None] = [None]
                if "{table_id}" in operation.path:
                    places.append({"table_id": table})
                for place in places:
                    cases = operation.as_strategy(generation_mode=mode, path_parameters=place)
                    _asking(cases, session, number, examples, tally)()
    check_unchanged(before, server.truth(table))
    server.check_health()
    return tally


def _asking(
    cases: Any,  # noqa: ANN401 - a strategy of Hypothesis
    session: requests.Session,
    number: int,
    examples: int,
    tally: Tally,
) -> Callable[[], None]:
    @seed(number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def ask(case: Any) -> None:  # noqa: ANN401
        answer = case.call(session=session, timeout=_TIMEOUT)
        tally["described", f"{case.method} {case.path}", str(answer.status_code)] += 1
        case.validate_response(answer, checks=_CHECKS)
        declared = case.operation.definition.raw["responses"]
        if str(answer.status_code) not in declared and answer.status_code not in _OTHER_ADDRESS:
            raise WrongAnswer(f"{case.as_curl_command()} gives {answer.status_code}.")

    asking: Callable[[], None] = ask
    return asking


# In bytes


def _body(chance: Random) -> bytes:
    match chance.randrange(8):
        case 0:
            return chance.randbytes(chance.randrange(300))
        case 1:
            depth = chance.randrange(1, 30_000)
            return b"[" * depth + b"]" * depth
        case 2:
            return b"x" * chance.randint(MAX_MESSAGE_BYTES, 300_000)
        case 3:
            return b'{"mode": "online", "seats": [{"kind": "human", "name": "\xff\xfe"}]}'
        case 4:
            text = json.dumps(_almost(chance))
            return text[: chance.randrange(len(text))].encode()
        case 5:
            return b'{"name": ' + b"9" * chance.randrange(1, 5000) + b"}"
        case 6:
            return json.dumps(value(chance)).encode()
        case _:
            return json.dumps(_almost(chance)).encode()


def _almost(chance: Random) -> dict[str, Any]:
    """A table with one thing that is wrong."""
    seats: list[Any] = [
        {"kind": "human", "name": chance.choice(WORDS)},
        {"kind": "bot", "bot": "no-such-bot"},
    ]
    table = {"mode": "online", "seats": seats, "edition": "custom", "win": 3}
    chance.choice([table, seats[0], seats[1]])[chance.choice(KEYS)] = value(chance)
    return table


def raw_request(chance: Random, table: str) -> tuple[str, bytes]:
    """Something like a request, and what kind of thing it is."""
    here = f"/api/tables/{table}"
    address = chance.choice(
        [
            *("/api/tables", f"{here}/seats", here, f"{here}/events", f"{here}/board.svg"),
            *("/api", "/api/", "/api/nothing", "/", "/t/%00", "/static/../main.js", "//", "*"),
            *("/static/%2e%2e/%2e%2e/etc/passwd", "/api/languages/%2e%2e", "/api/tables/%FF%00"),
            "/" + "a" * chance.choice([1, 2000]),
            f"{here}?after={chance.choice(['-1', 'x', '%00', '1e9', '9' * 500, 'NaN'])}",
            f"{here}/events?after={chance.choice(['-1', 'x', '%00', '9' * 20, '1&after=x'])}",
            f"{here}/board.svg?n={chance.choice(['-1', 'x', '', '%F0', '9' * 20, '0'])}",
            f"{here}/record?lang={chance.choice(['../..', '%00', 'de' * 500, 'xx'])}",
            *(f"{here}/hint", f"{here}/review", "/api/review", "/api/analysis"),
            *("/api/drills/next", "/api/drills/answer", "/api/drills/progress?name=%00"),
            f"/api/analysis?position={chance.choice(['', '%00', 'v1', 'v1+-/-+1+-+9999', 'é'])}",
        ]
    )
    method = chance.choice(
        ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW", "get"]
    )
    if chance.randrange(2):
        posts = ["/api/tables", f"{here}/seats", "/api/review", "/api/drills/next"]
        posts += ["/api/drills/answer", "/api/drills/progress"]
        method, address = "POST", chance.choice(posts)
    body = _body(chance) if method in ("POST", "PUT", "PATCH", "DELETE") else b""
    headers = [
        "Host: 127.0.0.1",
        "Connection: close",
        f"Content-Type: {chance.choice(['application/json', 'text/plain', 'x', ''])}",
        f"Accept-Language: {chance.choice(['de', 'x' * 500, ',;q=', 'de;q=9', '*', 'é'])}",
        f"Authorization: {chance.choice(['Bearer ', 'Bearer x', 'Basic eDp4', '', 'é'])}",
        f"Accept-Encoding: {chance.choice(['gzip', 'identity;q=0', 'x'])}",
        f"Range: bytes={chance.choice(['0-', '-1', 'x', '9-1', '0-0,1-1'])}",
        f"If-Modified-Since: {chance.choice(['x', 'Thu, 01 Jan 1970 00:00:00 GMT'])}",
    ]
    headers = headers[:2] + chance.sample(headers[2:], chance.randrange(len(headers) - 1))
    kind = chance.choice(["plain", "plain", "plain", "chunked", "broken"])
    if kind == "broken":
        headers.append(chance.choice(["no colon", ": x", "Content-Length: x", "Bad Name: 1", "\0"]))
    if kind == "chunked":
        headers.append("Transfer-Encoding: chunked")
        body = b"".join(
            b"%x\r\n%s\r\n" % (len(part), part)
            for part in (body[at : at + 999] for at in range(0, len(body), 999))
        )
        body += b"0\r\n\r\n"
    elif body:
        headers.append(f"Content-Length: {len(body)}")
    lines = [f"{method} {address} HTTP/1.1", *headers, "", ""]
    return f"{kind} {method}", "\r\n".join(lines).encode() + body


async def fuzz_raw(server: Server, table: str, number: int, count: int) -> Tally:
    """A number of requests in bytes of our own."""
    tally: Tally = Tally()
    before = server.truth(table)
    chance = Random(number)
    todo = [raw_request(chance, table) for _ in range(count)]

    async def work() -> None:
        while todo:
            kind, request = todo.pop()
            status = await _status(server.port, request)
            tally["raw", kind, str(status)] += 1
            if status >= 500:
                raise WrongAnswer(f"{request!r} gives {status}.")

    async with asyncio.TaskGroup() as workers:
        for _ in range(4):
            workers.create_task(work())
    check_unchanged(before, server.truth(table))
    server.check_health()
    return tally


async def _status(port: int, request: bytes) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    with suppress(ConnectionError):  # it may be answered before all of it was said
        async with asyncio.timeout(_TIMEOUT):
            writer.write(request)
            while piece := await reader.read(2**16):
                answer += piece
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head:
        return 0
    status = int(head.split()[1])
    if status >= 400 and b"application/json" in head.lower() and not request.startswith(b"HEAD"):
        error = json.loads(body)["error"]
        if set(error) != {"code", "message"}:
            raise WrongAnswer(f"{request!r} gives {body!r}.")
    return status
