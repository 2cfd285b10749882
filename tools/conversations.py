"""Conversations with a server, as files: each line is something asked, or what was answered.

A file starts with ``about`` and the options of ``cantstop serve`` that it was recorded with. The
other lines are, in order:

- ``{"ask": "GET /api/editions", …}`` an HTTP request; ``headers``, ``body`` or
  ``text`` (repeated ``times``) go with it,
- ``{"answer": 200, "type": …, "body": …}`` what came back,
- ``{"at": "anne", "connect": "/api/tables/…/socket"}`` a socket; ``say`` and ``leave`` are its own,
- ``{"wait": "/api/tables/…", "seat": 0}`` nothing is asked until bots have played on,
- ``{"at": "anne", "hear": {…}}`` the next message over it,
- ``{"at": "anne", "closed": 4403}`` it was closed by the server; with ``skip`` after anything else.

All are held on the database in ``tables.sql``, whose ids, secrets and dice are known. What a server
makes up by itself differs each time: such values are written as ``<secret 1>``, the first
secret of this conversation, and have to be the same wherever they come back. The rule is in
``_KINDS``: by the name of a key, if the value is neither in the database nor was said by us. The
sentences for people may change their words, but not be the same in one place and differ in another:
they are ``<words 1>``. Times are ``<time>``.
"""

import json
import re
import sqlite3
import subprocess
import sys
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from time import sleep
from typing import Any, Self
from urllib.request import urlopen

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]

EXPIRED = "2026-01-01 00:00:00.000000"
"""When something happened last at the table that is too old for anybody."""

_KINDS = {
    "id": "table",
    "table": "table",
    "next": "table",
    "secret": "secret",
    "commitment": "commitment",
    "salt": "salt",
    "salts": "salt",
    "message": "words",
    "about": "words",
    "title": "words",
}
_HEADERS = ("allow", "cache-control", "content-disposition", "vary")
_MADE_UP = re.compile(r"<(?:table|secret|commitment|salt) \d+>")
_WORDS_OF_OPENAPI = ("description", "summary", "title", "example", "examples")
_BOTS_FOR_FIGURES = ("rule-of-28-program", "rule-of-28-simple")
"""Only there to check one published figure each: not part of what a player is offered."""
_PATIENCE = 30.0
_TIMES = ("left", "bot_in")
"""The keys of seconds that are left of something: they are never the same, and written as 0."""


class Server:
    """The program in a process of its own, on a copy of the recorded database."""

    def __init__(self, database: Path, options: Iterable[str]) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "cantstop", "serve", "--lang", "en", "--port", "0"),
                *("--database", f"sqlite:///{database}", *options),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", self._process.stdout.readline())
        assert found is not None, "The server did not start."
        self.address = f"127.0.0.1:{found[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process.wait()


def load(dump: str, path: Path) -> None:
    """Make the database file of a dump; its tables were touched just now, not when it was made."""
    with sqlite3.connect(path) as database:
        database.executescript(dump)
        database.execute(
            "UPDATE events SET at = ? WHERE at <> ? AND n ="
            " (SELECT max(n) FROM events AS others WHERE others.table_id = events.table_id)",
            [f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}", EXPIRED],
        )
    database.close()


class Talk:
    """Says what lines say, and returns what comes back as lines."""

    def __init__(self, address: str, known: str) -> None:
        self._address = address
        self._known = known.lower()
        self._names: dict[str, str] = {}
        self._values: dict[str, str] = {}
        self._sockets: dict[str, ClientConnection] = {}
        self._answer: Json = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def say(self, line: Json) -> None:
        """Do what a line says, if it is one of ours."""
        self._known += json.dumps(line, ensure_ascii=False).lower()
        line = json.loads(_MADE_UP.sub(lambda name: self._values[name[0]], json.dumps(line)))
        match line:
            case {"ask": request}:
                method, path = request.split(" ", 1)
                self._ask(method, path, line)
            case {"at": who, "connect": path}:
                self._connect(who, path, line.get("headers", {}))
            case {"at": who, "say": message}:
                with suppress(ConnectionClosed):  # what was said before may have been too much
                    self._sockets[who].send(
                        message if isinstance(message, str) else json.dumps(message)
                    )
            case {"at": who, "say_bytes": message}:
                self._sockets[who].send(bytes.fromhex(message))
            case {"wait": path, "seat": seat}:
                while self._state(path)["view"]["seat"] != seat:
                    sleep(0.02)
            case {"at": who, "leave": _}:
                self._sockets.pop(who).close()

    def hear(self, who: str | None) -> Json:
        """What comes next: from a socket, or as the answer to the last request."""
        if who is None:
            return self._answer
        try:
            message = json.loads(self._sockets[who].recv(_PATIENCE))
        except ConnectionClosed as closed:
            return {"at": who, "closed": closed.rcvd.code if closed.rcvd else None}
        return {"at": who, "hear": self._named(message)}

    def _state(self, path: str) -> Json:
        with urlopen(f"http://{self._address}{path}") as answer:
            state: Json = json.load(answer)
            return state

    def _ask(self, method: str, path: str, line: Json) -> None:
        connection = HTTPConnection(self._address, timeout=_PATIENCE)
        body = (
            json.dumps(line["body"])
            if "body" in line
            else line.get("text", "") * line.get("times", 1)
        )
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request(method, path, body or None, headers | line.get("headers", {}))
        response = connection.getresponse()
        text = response.read().decode()
        kind = response.headers["content-type"]
        self._answer = {"answer": response.status, "type": kind}
        if found := {name: response.headers[name] for name in _HEADERS if name in response.headers}:
            self._answer["headers"] = self._named(found)
        if response.headers["retry-after"]:
            self._answer["headers"]["retry-after"] = "<seconds>"
        if kind == "application/json":
            self._answer["body"] = self._named(_shortened(path, json.loads(text)))
        elif not kind.startswith("text/html"):
            self._answer["text"] = text
        connection.close()

    def _connect(self, who: str, path: str, headers: dict[str, str]) -> None:
        try:
            self._sockets[who] = self._stack.enter_context(
                connect(f"ws://{self._address}{path}", additional_headers=headers, compression=None)
            )
            self._answer = {"answer": 101}
        except InvalidStatus as refused:
            self._answer = {"answer": refused.response.status_code}

    def _named(self, found: Any, key: str = "", /) -> Any:  # noqa: ANN401
        if isinstance(found, dict):
            inside = key if key in _TIMES else None  # what is in there has numbers for names
            return {name: self._named(found[name], inside or name) for name in sorted(found)}
        if isinstance(found, list):
            return [self._named(one, key) for one in found]
        if key in _TIMES and isinstance(found, float):
            return 0
        if not isinstance(found, str):
            return found
        if key == "at":
            return found if found.replace("T", " ").rstrip("Z") in self._known else "<time>"
        kind = _KINDS.get(key)
        if kind is None or (found.lower() in self._known and kind != "words"):
            return found
        if found not in self._names:
            count = sum(name.startswith(f"<{kind} ") for name in self._values)
            name = f"<{kind} {count + 1}>"
            self._names[found], self._values[name] = name, found
        return self._names[found]


def _shortened(path: str, body: Json) -> Json:
    """An answer without what no program relies on."""
    if path.startswith("/api/languages/") and "messages" in body:
        return {"messages": "some" if body["messages"] else "none"}
    if path.startswith("/api/openapi.json"):
        return _Description(body).plain
    if path.startswith("/api/editions"):
        bots = [bot for bot in body["bots"] if bot["name"] not in _BOTS_FOR_FIGURES]
        return {**body, "bots": bots}
    return body


class _Description:
    """OpenAPI without its words and the names of its schemas, which are numbered instead."""

    def __init__(self, api: Json) -> None:
        self._schemas = api["components"]["schemas"]
        self._names: list[str] = []
        paths = self._without_words(api["paths"])
        schemas: list[Json] = []
        while len(schemas) < len(self._names):  # each may name others
            schemas.append(self._without_words(self._schemas[self._names[len(schemas)]]))
        self.plain: Json = {"paths": paths, "schemas": schemas}

    def _without_words(self, found: Any, *, names: bool = False) -> Any:  # noqa: ANN401
        if isinstance(found, list):
            return [self._without_words(one) for one in found]
        if not isinstance(found, dict):
            return found
        if "$ref" in found:
            name = found["$ref"].rpartition("/")[2]
            if name not in self._names:
                self._names.append(name)
            return {"schema": self._names.index(name)}
        return {
            key: self._without_words(found[key], names=key == "properties")
            for key in sorted(found)
            if names or key not in (*_WORDS_OF_OPENAPI, "discriminator")
        }


def read(path: Path) -> list[Json]:
    """The lines of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class _Sorted:
    """What sockets hear, with who is there apart from what happens at the table.

    Who is there is a matter of moments: what a socket hears of that has an order of its own, but
    its place among the table's events depends on the machine.
    """

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._early: dict[tuple[str, bool], deque[Json]] = defaultdict(deque)

    def next_like(self, line: Json) -> Json:
        """The next message of the same sort, or the end of the connection."""
        who, presence = line["at"], _is_presence(line)
        while not self._early[who, presence]:
            found = self._talk.hear(who)
            if "closed" in found:
                return found
            self._early[who, _is_presence(found)].append(found)
        return self._early[who, presence].popleft()

    def begin(self, who: str) -> None:
        """Forget what an earlier connection of that name has heard."""
        for presence in (False, True):
            self._early[who, presence].clear()


def _is_presence(line: Json) -> bool:
    return bool(line.get("hear", {}).get("t") == "presence")


def replay(lines: Iterable[Json], talk: Talk) -> Iterator[tuple[Json, Json]]:
    """Hold a conversation again: what was answered then, and what is answered now."""
    heard = _Sorted(talk)
    for line in lines:
        if line.get("skip"):  # token buckets fill with time: what comes before the end may vary
            while "closed" not in (end := talk.hear(line["at"])):
                pass
            yield line, {**end, "skip": True}
        elif "answer" in line:
            yield line, talk.hear(None)
        elif line.keys() & {"hear", "closed"}:
            yield line, heard.next_like(line)
        else:
            if "connect" in line:
                heard.begin(line["at"])
            talk.say(line)
