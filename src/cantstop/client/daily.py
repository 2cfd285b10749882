"""The daily game of a server: sit down at it, and read a day with its results."""

import secrets
from dataclasses import dataclass

from cantstop.client.links import TableLink, server_address
from cantstop.client.requests import TRIES, request_answer, unexpected_answer
from cantstop.wire.daily import DailyAnswer
from cantstop.wire.requests import PlayDaily
from cantstop.wire.table import OpenedDaily


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
