"""Fuzzes the rate limits: they refuse what exceeds them, say so, and nothing changes."""

import asyncio
import json
import urllib.error
import urllib.request
from random import Random

from cantstop.client import OPEN, human, open_table
from fuzz.inputs import Place
from fuzz.served import Server, Tally, WrongAnswer
from fuzz.sockets import Seat, check_unchanged, flood

_FLOOD = 1000
_MOST_REQUESTS = 5000
_MOST_TABLES = 500


def fuzz_limits(database: str, seed: int) -> Tally:
    """Ask a server as it usually runs for too much of everything."""
    tally: Tally = Tally()
    with Server(database, limits=1) as server:
        link = open_table(server.url, [human("Anne"), OPEN])
        before = server.truth(link.table)
        seat = Seat("flooding", link, Place((0,), link.secret, before["n"]))
        if asyncio.run(flood(server, seat, Random(seed), _FLOOD, tally)) != "4420":
            raise WrongAnswer(f"A flood of messages is not stopped: {tally}")
        body = json.dumps({"mode": "online", "seats": [{"kind": "open"}] * 2}).encode()
        _until_refused(server, "/api/tables", body, _MOST_TABLES, tally)
        _until_refused(server, f"/api/tables/{link.table}", None, _MOST_REQUESTS, tally)
        server.check_health()
    with Server(database) as server:
        after = server.truth(link.table)
        if [entry["kind"] for entry in after["log"][before["n"] :]] != ["seated"]:
            check_unchanged(before, after)  # Anne's hello took her seat; nothing else may be
    return tally


def _until_refused(server: Server, path: str, body: bytes | None, most: int, tally: Tally) -> None:
    headers = {"Content-Type": "application/json"}
    for _ in range(most):
        request = urllib.request.Request(server.url + path, body, headers)
        try:
            with urllib.request.urlopen(request) as answer:
                tally["limits", path, str(answer.status)] += 1
        except urllib.error.HTTPError as error:
            with error:
                tally["limits", path, str(error.code)] += 1
                wait = error.headers.get("Retry-After", "")
                code = json.load(error)["error"]["code"]
                if (error.code, code, wait.isdecimal()) == (429, "too-many", True):
                    return
                raise WrongAnswer(f"{path} gives {error.code} {code}.") from None
    raise WrongAnswer(f"{path} may be asked for {most} times.")
