"""A player's profile on a server: begun or joined with a key of this machine's own, and read."""

import secrets
from datetime import datetime
from urllib.parse import quote

from cantstop.client.links import server_address
from cantstop.client.requests import request_answer
from cantstop.wire.club import AddDevice, GamesPage, Me, NewPlayer, Profile, Restore
from cantstop.wire.hours import AnnounceAway, PlayerHours, SetHours
from cantstop.wire.turns import TurnList


def new_key() -> str:
    """A key that this machine is known by: only a hash of it is kept by the server."""
    return secrets.token_urlsafe(24)


def begin(server: str, key: str, name: str, *, device: str = "", language: str = "en") -> Me:
    """Begin a profile with a key that nobody has yet."""
    body = NewPlayer(name, device=device)
    return request_answer(server_address(server), "/api/me", language, Me, body, secret=key)


def add_by_code(server: str, key: str, code: str, *, device: str = "", language: str = "en") -> Me:
    """Add this machine to the player who shows a code on another device."""
    body, address = AddDevice(code, device), server_address(server)
    return request_answer(address, "/api/me/devices", language, Me, body, secret=key)


def add_by_words(
    server: str, key: str, words: str, *, device: str = "", language: str = "en"
) -> Me:
    """Add this machine to the player whose recovery words these are."""
    body, address = Restore(words, device), server_address(server)
    return request_answer(address, "/api/me/restore", language, Me, body, secret=key)


def me(server: str, key: str, *, language: str = "en") -> Me:
    """The player who has a key."""
    return request_answer(server_address(server), "/api/me", language, Me, secret=key)


def profile(server: str, player: str, key: str | None = None, *, language: str = "en") -> Profile:
    """What a player has done, by name or id."""
    path = f"/api/players/{quote(player, safe='')}"
    return request_answer(server_address(server), path, language, Profile, secret=key)


def games(server: str, player: str, key: str | None = None, *, language: str = "en") -> GamesPage:
    """The newest games of a player."""
    path = f"/api/players/{quote(player, safe='')}/games"
    return request_answer(server_address(server), path, language, GamesPage, secret=key)


def turns(server: str, key: str, *, language: str = "en") -> TurnList:
    """The player's games that are not over: those that wait for them first."""
    return request_answer(server_address(server), "/api/me/turns", language, TurnList, secret=key)


def hours(server: str, key: str, *, language: str = "en") -> PlayerHours:
    """When the player has time for slow games."""
    return request_answer(
        server_address(server), "/api/me/hours", language, PlayerHours, secret=key
    )


def set_hours(server: str, key: str, asked: SetHours, *, language: str = "en") -> PlayerHours:
    """Change zone, quiet hours and weekends: what is not given is as for beginners."""
    address = server_address(server)
    return request_answer(
        address, "/api/me/hours", language, PlayerHours, asked, secret=key, method="PUT"
    )


def announce_away(
    server: str, key: str, start: datetime, end: datetime, *, language: str = "en"
) -> PlayerHours:
    """Be away from one full hour to another one; both have a zone."""
    body, address = AnnounceAway(start.isoformat(), end.isoformat()), server_address(server)
    return request_answer(address, "/api/me/away", language, PlayerHours, body, secret=key)


def cancel_away(server: str, key: str, start: str, *, language: str = "en") -> PlayerHours:
    """Be back, or do not go; ``start`` is the ``from_at`` of that time away."""
    path, address = f"/api/me/away/{quote(start, safe='')}", server_address(server)
    return request_answer(address, path, language, PlayerHours, secret=key, method="DELETE")
