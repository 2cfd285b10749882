"""Attacks on the club: names, the lobby, keys and codes, who keeps to themselves, a block."""

import asyncio
import itertools
import secrets
from collections.abc import Sequence

import httpx2

from .attacks import Attack, Target
from .players import Json

LOBBY = ("--lobby", "on")
_PROFILES = 40
"""Profiles that one address may begin at once."""
_GUESSES = 10
_LOOK_ALIKES = (
    "Grace",
    "GRACE",
    "G race",
    "Gr\u0430ce",
    "Gr\u0430c\u0435",
    "\u202eecarG",
    "Grace\u200b",
)
"""Of Grace: the same, with Cyrillic letters, turned round, and with what cannot be seen."""


class Device:
    """A device of the attacker's, with a key of its own."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http
        self.key = secrets.token_urlsafe(24)

    async def ask(self, method: str, path: str, body: Json | None = None) -> httpx2.Response:
        """The answer to a request with the key."""
        bearer = {"Authorization": f"Bearer {self.key}"}
        return await self._http.request(method, f"/api{path}", headers=bearer, json=body)

    async def begin(self, name: str) -> int:
        """The status with which a profile is begun."""
        return (await self.ask("POST", "/me", {"name": name})).status_code

    async def look(self, secret: str) -> Json:
        """Look for others."""
        found: Json = (await self.ask("PUT", "/lobby/seek", {"secret": secret})).json()
        return found


async def look_alikes(target: Target) -> list[str]:
    """31: profiles with names that look like another player's, and many from one address."""
    await target.begin()
    breaches = []
    async with target.http() as http, target.http("127.0.7.1") as other:
        if await Device(other).begin("Grace") != 201:
            breaches.append("Grace could not begin")
        taken = [name for name in _LOOK_ALIKES if await Device(http).begin(name) == 201]
        breaches += [f"{name!r} was accepted beside Grace" for name in taken]
        begun = 0
        for number in itertools.count():
            status = await Device(http).begin(f"Farmer {number}")
            if status == 429 or target.is_over:
                break
            begun += status == 201
        if begun > _PROFILES + 2:
            breaches.append(f"{begun} profiles from one address")
    return breaches


async def lobby_flood(target: Target) -> list[str]:
    """31: everybody whom one address can begin looks for others, again and again."""
    async with target.http() as http:
        devices = [Device(http) for _ in range(_PROFILES - 5)]
        for number, one in enumerate(devices):
            await one.begin(f"Flood {number}")
        await target.begin()
        turn = itertools.cycle(devices)

        async def look() -> None:
            await next(turn).look(secrets.token_urlsafe(24))

        await target.every(1 / 100, look)
    return []


async def guessed_codes(target: Target) -> list[str]:
    """31: codes for a second device are guessed, a thousand at once; a stolen key is removed."""
    breaches: list[str] = []
    async with target.http("127.0.7.1") as http, target.http() as thief:
        grace = Device(http)
        await grace.begin("Grace")
        await target.begin()
        await grace.ask("POST", "/me/link")
        guesses = [f"{at:08}".replace("0", "X").replace("1", "Y") for at in range(1000)]
        answers = await asyncio.gather(
            *(Device(thief).ask("POST", "/me/devices", {"code": guess}) for guess in guesses),
            return_exceptions=True,
        )
        looked_at = _count(answers, 403)
        if looked_at > _GUESSES + 1:
            breaches.append(f"{looked_at} guesses were looked at")
        breaches += await _stolen_key(grace, Device(http), Device(thief))
    return breaches


def _count(answers: Sequence[object], status: int) -> int:
    return sum(isinstance(one, httpx2.Response) and one.status_code == status for one in answers)


async def _stolen_key(grace: Device, new: Device, thief: Device) -> list[str]:
    """Whoever has a key is its player, until that device is removed by another one."""
    code = (await grace.ask("POST", "/me/link")).json()["code"]
    added: Json = (await new.ask("POST", "/me/devices", {"code": code})).json()
    stolen = next(one["id"] for one in added["devices"] if not one["this"])
    thief.key = grace.key
    await new.ask("DELETE", f"/me/devices/{stolen}")
    if (await thief.ask("GET", "/me")).status_code != 403:
        return ["a removed device's key was accepted"]
    return []


async def enumeration(target: Target) -> list[str]:
    """31: profiles of players who keep to themselves are asked for, and names that nobody has."""
    async with target.http("127.0.7.1") as http:
        grace = Device(http)
        await grace.begin("Grace")
        mine: Json = (await grace.ask("GET", "/me")).json()
    await target.begin()
    async with target.http() as http:
        asked = ["Grace", mine["id"], "Nobody", "k7QmZr3pW9xA"]
        answers = [(await http.get(f"/api/players/{name}")).text for name in asked]
        names = itertools.count()
        await target.every(1 / 100, lambda: http.get(f"/api/players/Player{next(names)}"))
    return [] if len(set(answers)) == 1 else ["a private profile differs from none"]


async def round_a_block(target: Target) -> list[str]:
    """31: a blocked player looks for the one who blocked them, and comes to their tables."""
    breaches = []
    async with target.http("127.0.7.1") as http, target.http() as other:
        grace, pest = Device(http), Device(other)
        await grace.begin("Grace")
        await pest.begin("Pest")
        who: Json = (await pest.ask("GET", "/me")).json()
        await grace.ask("PUT", f"/me/courtesy/{who['id']}", {"kind": "block"})
        await target.begin()
        secret, theirs = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        while not target.is_over:
            seats = [await grace.look(secret), await pest.look(theirs)]
            if any(seat.get("table") for seat in seats):
                breaches.append("the two were seated together")
                break
            await asyncio.sleep(1)
        table = {
            "mode": "online",
            "seats": [{"kind": "human", "name": "Grace"}, {"kind": "open"}],
            "listed": True,
        }
        opened: Json = (await grace.ask("POST", "/tables", table)).json()
        second = Device(other)  # another device of the same player is the same player
        code = (await pest.ask("POST", "/me/link")).json()["code"]
        await second.ask("POST", "/me/devices", {"code": code})
        for one in (pest, second):
            path = f"/tables/{opened['id']}/seats"
            if (await one.ask("POST", path, {"name": "Pest"})).status_code == 201:
                breaches.append("the blocked player sat down at a table of the lobby")
    return breaches


CLUB = (
    Attack(look_alikes),
    Attack(lobby_flood, LOBBY),
    Attack(guessed_codes),
    Attack(enumeration),
    Attack(round_a_block, LOBBY),
)
