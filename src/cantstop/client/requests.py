"""HTTP requests to a server: open tables, take seats, read tables, records and daily games."""

import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, Literal, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from cantstop.client.links import TableLink, server_address
from cantstop.client.salts import keep_salt
from cantstop.client.table import RemoteTable
from cantstop.dice import new_salt, salt_commitment
from cantstop.record import Record, read_record, record_text
from cantstop.rules import CantStopError, Position, Sharing, Start
from cantstop.table.events import Lesson, Mode
from cantstop.wire.codec import NotJson, WrongField, decode, decoder, encode
from cantstop.wire.daily import DailyAnswer
from cantstop.wire.errors import ErrorAnswer, Problem
from cantstop.wire.insight import AnalysisAnswer, HintAnswer
from cantstop.wire.requests import (
    BotSeat,
    DiceOrigin,
    HumanSeat,
    OpenLesson,
    OpenSeat,
    OpenTable,
    PlayDaily,
    SeatRequest,
    TakeSeat,
)
from cantstop.wire.review import ReviewAnswer
from cantstop.wire.seen import SeenState
from cantstop.wire.table import OpenedDaily, OpenedTable, SeatAnswer

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

Answer = TypeVar("Answer")

OPEN = OpenSeat()
"""A seat for whoever comes, for ``open_table``."""


class Refused(CantStopError):
    """A refusal of the server, with its message; ``code`` is for programs."""

    def __init__(self, error: Problem) -> None:
        super().__init__("{message}", message=error.message)
        self.code = error.code


class Unreachable(CantStopError):
    """A server that does not answer, or is not a Can't Stop server."""


class SentElsewhere(Unreachable):
    """A server that sends on to another one."""


# Requests


def human(name: str, *, colour: int | None = None) -> HumanSeat:
    """A seat for whoever opens the table, for ``open_table``."""
    return HumanSeat(name, colour)


def bot(name: str, *, colour: int | None = None) -> BotSeat:
    """A seat for a bot of the server's, for ``open_table``: ``bot("careful:3")``."""
    return BotSeat(name, colour)


def open_table(
    server: str,
    seats: Sequence[SeatRequest],
    *,
    mode: Mode | str = Mode.ONLINE,
    language: str = "en",
    edition: str = "classic",
    win: int = 3,
    early: bool = False,
    sharing: Sharing | str = Sharing.FREE,
    start: Start | str | None = None,
    help: bool = False,  # noqa: A002 - as the protocol calls it
    hints: bool | None = None,
    dice: DiceOrigin | str = DiceOrigin.SEALED,
    youngest: int = 0,
    clock: int | None = None,
    bank: int | None = None,
    days: Literal[1, 2, 3, 7] | None = None,
) -> TableLink:
    """Open a table and return its link; if a seat is ``human``, with the secret that holds it.

    The rules are those of docs/protocol.md.
    """
    return _open(
        server,
        OpenTable(
            Mode(mode),
            tuple(seats),
            edition=edition,
            win=win,
            early=early,
            sharing=Sharing(sharing),
            start=None if start is None else Start(start),
            help=help,
            hints=hints,
            dice=DiceOrigin(dice),
            youngest=youngest,
            clock=clock,
            bank=bank,
            days=days,
        ),
        language,
    )


def open_lesson(server: str, lesson: Lesson | str, name: str, *, language: str = "en") -> TableLink:
    """Open a tutorial table, such as ``basics``, and return its link with the secret of seat 0."""
    return _open(server, OpenLesson(Lesson(lesson), name), language)


def take_seat(
    link: TableLink | str, name: str, language: str = "en", *, colour: int | None = None
) -> str:
    """Take a free seat at a table and return its secret.

    The secret is ours, so that a request whose answer was lost is sent again and takes no second
    seat.
    """
    link = TableLink.of(link)
    salt, secret = new_salt(), secrets.token_urlsafe(24)
    body = TakeSeat(name, colour, salt_commitment=salt_commitment(salt), secret=secret)
    sent = _request(f"{link.api}/seats", language, body, tries=TRIES)
    secret = read_answer(link.server, sent, SeatAnswer).secret
    keep_salt(link.table, secret, salt)
    return secret


def look(link: TableLink | str, *, language: str = "en") -> RemoteTable:
    """A table as it is now."""
    link = TableLink.of(link)
    sent = _request(link.api, language, secret=link.secret)
    state = read_answer(link.server, sent, SeenState)
    try:
        return RemoteTable.from_state(state)
    except MALFORMED:
        raise unexpected_answer(link.server) from None


def record(link: TableLink | str, *, language: str = "en") -> Record:
    """The record of a game: ``verify(record(link))`` checks its dice."""
    link = TableLink.of(link)
    return read_record(_request(f"{link.api}/record", language).decode(errors="replace"))


def hint(link: TableLink | str, *, language: str = "en") -> HintAnswer:
    """What we can do now at a table with hints, if it is our turn.

    Everybody at the table sees that we have asked.
    """
    link = TableLink.of(link)
    address = f"{link.api}/hint"
    sent = _request(address, language, secret=link.secret, patient=True)
    return read_answer(link.server, sent, HintAnswer)


def review(link: TableLink | str, *, language: str = "en") -> ReviewAnswer:
    """The game of a table looked at again, once it is over."""
    link = TableLink.of(link)
    sent = _request(f"{link.api}/review", language, patient=True)
    return read_answer(link.server, sent, ReviewAnswer)


def review_record(server: str, played: Record, *, language: str = "en") -> ReviewAnswer:
    """A record looked at again by a server, as ``review`` does it for a table."""
    server = server_address(server)
    address, text = f"{server}/api/review", record_text(played)
    sent = _request(address, language, text, tries=TRIES, patient=True)
    return read_answer(server, sent, ReviewAnswer)


def analysis(server: str, position: Position | str, *, language: str = "en") -> AnalysisAnswer:
    """A position looked at by a server."""
    server = server_address(server)
    address = f"{server}/api/analysis?position={quote(str(position))}"
    return read_answer(server, _request(address, language, patient=True), AnalysisAnswer)


def _open(server: str, body: OpenTable | OpenLesson, language: str) -> TableLink:
    server = server_address(server)
    sent = _request(f"{server}/api/tables", language, body)
    opened = read_answer(server, sent, OpenedTable)
    link = TableLink(server, opened.id)
    return link if opened.secret is None else replace(link, secret=opened.secret)


# HTTP


def request_answer(
    server: str,
    path: str,
    language: str,
    kind: type[Answer],
    body: msgspec.Struct | None = None,
    *,
    secret: str | None = None,
    tries: int | None = None,
    patient: bool = False,
    method: str | None = None,
) -> Answer:
    """The answer of a server to a request: GET, or POST with a body, unless it is another one."""
    url = f"{server}{path}"
    sent = _request(url, language, body, secret=secret, tries=tries, patient=patient, method=method)
    return read_answer(server, sent, kind)


def _request(
    url: str,
    language: str,
    body: msgspec.Struct | str | None = None,
    *,
    secret: str | None = None,
    tries: int | None = None,
    patient: bool = False,
    method: str | None = None,
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
        data = body.encode() if isinstance(body, str) else encode(body)
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - links are http or https
    tries = tries or (TRIES if body is None and method is None else 1)
    while True:
        tries -= 1
        try:
            return _send(request, THINKING_TIMEOUT if patient else TIMEOUT)
        except SentElsewhere:
            raise
        except Unreachable:
            if not tries:
                raise
        time.sleep(1 / (tries + 1))  # longer each time: the server may be overloaded


class _SameServer(urllib.request.HTTPRedirectHandler):
    """Follows a redirect within a server, and from http to https there; to no other one.

    Requests hold the secret of a seat, which is for the server of the link alone.
    """

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """The request to follow with, or an error."""
        if not is_same_server(req.full_url, newurl):
            raise another_server(req.full_url, newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def is_same_server(url: str, other: str) -> bool:
    """Whether a redirect stays where a link leads: the same host, and never from TLS to none.

    >>> is_same_server("http://a.example/x", "https://a.example/y")
    True
    >>> is_same_server("https://a.example/x", "https://b.example/x")
    False
    """
    one, two = urlsplit(url), urlsplit(other)
    if one.hostname != two.hostname:
        return False
    if one.scheme == two.scheme:
        return one.port == two.port
    # to the usual port of TLS
    return (one.scheme, two.scheme) in _UPGRADES and two.port in (None, 443)


_UPGRADES = (("http", "https"), ("ws", "wss"))


def another_server(url: str, other: str) -> SentElsewhere:
    """The error of a server that sends us on to another one."""
    return SentElsewhere(
        "{server} sends on to another server, {other}: if you trust that one, use its link.",
        server=url,
        other=other,
    )


_opener = urllib.request.build_opener(_SameServer)


def _send(request: urllib.request.Request, timeout: float) -> bytes:
    url = request.full_url
    try:
        with _opener.open(request, timeout=timeout) as answer:
            return _read(url, answer)
    except SentElsewhere:
        raise
    except urllib.error.HTTPError as error:
        with error:
            problem = read_answer(url, _read(url, error.fp), ErrorAnswer).error
        raise Refused(problem) from None
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


def read_answer(server: str, data: bytes, kind: type[Answer]) -> Answer:
    """An answer as it has to be; what a newer server says besides is ignored."""
    try:
        return decode(data, decoder(kind))
    except (NotJson, WrongField):
        raise unexpected_answer(server) from None


def unexpected_answer(server: str) -> Unreachable:
    """The error of a server that is not a Can't Stop server."""
    return Unreachable("{server} answers, but not as a Can't Stop server does.", server=server)


# The daily game


@dataclass(frozen=True)
class DailySeat:
    """A seat at a daily game."""

    link: TableLink
    """With the secret of the seat."""
    device: str
    """What the server knows us by: keep it."""
    day: str
    counts: bool
    """Whether it is our one try; else it is played outside the ranking."""


def new_device() -> str:
    """A token to be known by: 192 bits."""
    return secrets.token_urlsafe(24)


def play_daily(
    server: str,
    name: str,
    *,
    device: str | None = None,
    day: str | None = None,
    language: str = "en",
) -> DailySeat:
    """Sit down at today's game, or at that of a past day outside the ranking.

    Who plays it already comes back to it. The token is ours, so that a request whose answer was
    lost is sent again and is no second try.
    """
    server = server_address(server)
    device = device or new_device()
    body = PlayDaily(name, device=device, day=day)
    answer = request_answer(server, "/api/daily", language, OpenedDaily, body, tries=TRIES)
    if answer.secret is None:
        raise unexpected_answer(server)
    link = TableLink(server, answer.id, answer.secret)
    return DailySeat(link, device, answer.day, counts=answer.counts)


def daily(
    server: str, day: str | None = None, *, device: str | None = None, language: str = "en"
) -> DailyAnswer:
    """A day with its results, today if none is named."""
    server = server_address(server)
    path = "/api/daily" if day is None else f"/api/daily/{day}"
    return request_answer(server, path, language, DailyAnswer, secret=device, patient=True)
