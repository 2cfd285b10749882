"""HTTP requests to a server: open tables, take seats, read tables and records."""

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import replace
from http.client import HTTPException, HTTPResponse
from typing import IO, Any
from urllib.parse import quote

from cantstop.client.links import TableLink, server_address
from cantstop.client.salts import keep_salt
from cantstop.client.table import RemoteTable
from cantstop.dice import new_salt, salt_commitment
from cantstop.record import Record, read_record, record_text
from cantstop.rules import CantStopError, Position

TIMEOUT = 10
"""Seconds for an answer."""
THINKING_TIMEOUT = 60
"""Seconds for one that the server has to think about, or that waits for others."""
TRIES = 5
"""How often a request is tried that may be sent twice."""

LONGEST_ANSWER = 60
"""Seconds until an answer that has begun is complete."""
MAX_ANSWER_BYTES = 16 << 20
_PIECE = 1 << 16

MALFORMED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What comes of reading an answer that a Can't Stop server does not give."""

Json = dict[str, Any]

OPEN: Json = {"kind": "open"}
"""A seat for whoever comes, for ``open_table``."""


class Refused(CantStopError):
    """A refusal of the server, with its message; ``code`` is for programs."""

    def __init__(self, error: Json) -> None:
        super().__init__("{message}", message=error.get("message", ""))
        self.code = str(error.get("code", ""))


class Unreachable(CantStopError):
    """A server that does not answer, or is not a Can't Stop server."""


# Requests


def human(name: str, *, colour: int | None = None) -> Json:
    """A seat for whoever opens the table, for ``open_table``."""
    return {"kind": "human", "name": name, "colour": colour}


def bot(name: str, *, colour: int | None = None) -> Json:
    """A seat for a bot of the server's, for ``open_table``: ``bot("careful:3")``."""
    return {"kind": "bot", "bot": name, "colour": colour}


def open_table(
    server: str,
    seats: Sequence[Json],
    *,
    mode: str = "online",
    language: str = "en",
    **rules: object,
) -> TableLink:
    """Open a table and return its link; if a seat is ``human``, with the secret that holds it.

    ``rules`` are those of the protocol: ``edition``, ``win``, ``early``, ``sharing``, ``start``,
    ``help``, ``hints``, ``youngest``, ``clock``, ``bank`` and ``dice``.
    """
    return _open(server, {"mode": mode, "seats": list(seats), **rules}, language)


def open_lesson(server: str, lesson: str, name: str, *, language: str = "en") -> TableLink:
    """Open a tutorial table, such as ``basics``, and return its link with the secret of seat 0."""
    return _open(server, {"lesson": lesson, "name": name}, language)


def take_seat(
    link: TableLink | str, name: str, language: str = "en", *, colour: int | None = None
) -> str:
    """Take a free seat at a table and return its secret.

    The secret is ours, so that a request whose answer was lost is sent again and takes no second
    seat.
    """
    link = TableLink.of(link)
    salt, secret = new_salt(), secrets.token_urlsafe(24)
    body = {
        "name": name,
        "colour": colour,
        "salt_commitment": salt_commitment(salt),
        "secret": secret,
    }
    answer = _json(link.server, _request(f"{link.api}/seats", language, body, tries=TRIES))
    secret = text_of(link.server, answer, "secret")
    keep_salt(link.table, secret, salt)
    return secret


def look(link: TableLink | str, *, language: str = "en") -> RemoteTable:
    """A table as it is now."""
    link = TableLink.of(link)
    state = _json(link.server, _request(link.api, language, secret=link.secret))
    try:
        return RemoteTable.from_state(state)
    except MALFORMED:
        raise unexpected_answer(link.server) from None


def record(link: TableLink | str, *, language: str = "en") -> Record:
    """The record of a game: ``verify(record(link))`` checks its dice."""
    link = TableLink.of(link)
    return read_record(_request(f"{link.api}/record", language).decode(errors="replace"))


def hint(link: TableLink | str, *, language: str = "en") -> Json:
    """What we can do now at a table with hints, if it is our turn: docs/protocol.md has the keys.

    Everybody at the table is told that we have asked.
    """
    link = TableLink.of(link)
    address = f"{link.api}/hint"
    return _json(link.server, _request(address, language, secret=link.secret, patient=True))


def review(link: TableLink | str, *, language: str = "en") -> Json:
    """The game of a table looked at again, once it is over: docs/protocol.md has the keys."""
    link = TableLink.of(link)
    return _json(link.server, _request(f"{link.api}/review", language, patient=True))


def review_record(server: str, played: Record, *, language: str = "en") -> Json:
    """A record looked at again by a server, as ``review`` does it for a table."""
    server = server_address(server)
    address, text = f"{server}/api/review", record_text(played)
    return _json(server, _request(address, language, text, tries=TRIES, patient=True))


def analysis(server: str, position: Position | str, *, language: str = "en") -> Json:
    """A position looked at by a server: docs/protocol.md has the keys."""
    server = server_address(server)
    address = f"{server}/api/analysis?position={quote(str(position))}"
    return _json(server, _request(address, language, patient=True))


def _open(server: str, body: Json, language: str) -> TableLink:
    server = server_address(server)
    answer = _json(server, _request(f"{server}/api/tables", language, body))
    secret = answer.get("secret")
    link = TableLink(server, text_of(server, answer, "id"))
    return replace(link, secret=secret) if isinstance(secret, str) else link


# HTTP


def request_json(
    server: str,
    path: str,
    language: str,
    body: Json | None = None,
    *,
    secret: str | None = None,
    tries: int | None = None,
    patient: bool = False,
) -> Json:
    """The answer of a server to a request, as JSON."""
    sent = _request(f"{server}{path}", language, body, secret=secret, tries=tries, patient=patient)
    return _json(server, sent)


def _request(
    url: str,
    language: str,
    body: Json | str | None = None,
    *,
    secret: str | None = None,
    tries: int | None = None,
    patient: bool = False,
) -> bytes:
    """The body of the answer; tried again if there is none, where that changes nothing.

    ``patient`` is for what the server has to think about.
    """
    kind = "text/plain; charset=utf-8" if isinstance(body, str) else "application/json"
    headers = {"Content-Type": kind, "Accept-Language": language}
    if secret is not None:
        headers["Authorization"] = f"Bearer {secret}"
    data = None
    if body is not None:
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
    request = urllib.request.Request(url, data, headers)  # noqa: S310 - links are http or https
    tries = tries or (TRIES if body is None else 1)
    while True:
        tries -= 1
        try:
            return _send(request, THINKING_TIMEOUT if patient else TIMEOUT)
        except Unreachable:
            if not tries:
                raise
        time.sleep(1 / (tries + 1))  # longer each time: the server may be overloaded


def _send(request: urllib.request.Request, timeout: float) -> bytes:
    url = request.full_url
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:  # noqa: S310
            return _read(url, answer)
    except urllib.error.HTTPError as error:
        with error:
            problem = _json(url, _read(url, error.fp)).get("error")
        raise (Refused(problem) if isinstance(problem, dict) else unexpected_answer(url)) from None
    except (OSError, HTTPException, UnicodeError) as error:
        reason = getattr(error, "reason", error)
        raise Unreachable(
            "{server} cannot be reached: {reason}.", server=url, reason=reason
        ) from None


def _read(url: str, answer: IO[bytes]) -> bytes:
    """A body that comes to its end: a server may mean harm, or be slow without end."""
    deadline = time.monotonic() + LONGEST_ANSWER
    data = bytearray()
    while (
        piece := answer.read1(_PIECE) if isinstance(answer, HTTPResponse) else answer.read(_PIECE)
    ):
        data += piece
        if len(data) > MAX_ANSWER_BYTES or time.monotonic() > deadline:
            raise unexpected_answer(url)
    return bytes(data)


def _json(url: str, data: bytes) -> Json:
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        raise unexpected_answer(url) from None
    if not isinstance(answer, dict):
        raise unexpected_answer(url)
    return answer


def text_of(server: str, answer: Json, key: str) -> str:
    """A text that an answer has to have."""
    found = answer.get(key)
    if not isinstance(found, str):
        raise unexpected_answer(server)
    return found


def unexpected_answer(server: str) -> Unreachable:
    """The error of a server that is not a Can't Stop server."""
    return Unreachable("{server} answers, but not as a Can't Stop server does.", server=server)
