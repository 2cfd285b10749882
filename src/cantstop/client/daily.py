"""The daily game of a server: sit down at it, and read a day with its results."""

import secrets
from dataclasses import dataclass

from cantstop.client.links import TableLink, server_address
from cantstop.client.requests import TRIES, Json, request_json, text_of


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
    body = {"name": name, "device": device, "day": day}
    answer = request_json(server, "/api/daily", language, body, tries=TRIES)
    link = TableLink(server, text_of(server, answer, "id"), text_of(server, answer, "secret"))
    of_day = text_of(server, answer, "day")
    return DailySeat(link, device, of_day, counts=answer.get("counts") is True)


def daily(
    server: str, day: str | None = None, *, device: str | None = None, language: str = "en"
) -> Json:
    """A day with its results, today if none is named: docs/protocol.md has the keys."""
    server = server_address(server)
    path = "/api/daily" if day is None else f"/api/daily/{day}"
    return request_json(server, path, language, secret=device, patient=True)
