"""Attacks on who is who: fake players who lose to one player, and names that are to deceive."""

import asyncio
import itertools
import json
import sqlite3
import subprocess
import sys
import unicodedata
from xml.etree import ElementTree

import httpx2
from websockets.asyncio.client import ClientConnection

from cantstop import read_record
from cantstop.server.database.operating import exclude

from .attacks import ATTACKER, Attack, Target
from .club import LOBBY, Device
from .players import Json, connect_socket

_PUPPETS = 39
"""With the farmer as many profiles as one address may begin at once."""
_AT_ONCE = 6
"""Games that are given away at the same time."""
_ELSEWHERE = "127.0.7.4"
"""A second address, at which the farmer plays every other game."""
_SHORTEST = 4
"""Turns of a game of two that counts."""

_REFUSED = (
    "",
    " \t ",
    "Ann\u0007e",
    "Anne\x00",
    "\x1b[2JAnne",
    "\u202eennA",
    "\u2066Anne\u2069",
    "An\u200bne",
    "An\u200dne",
    "Anne\u00ad",
    "\ufeffAnne",
    "\u3164",
    "\u2800\u2800",
    "Anne\U000e0041",
    "A" + "\u0335" * 9,
    "A" * 25,
    "A" * 60_000,
)
"""Nothing to see, or more than one sees: controls, directions, fillers, marks, and length."""
_SHOWN = (
    "<b>Anne</b>",
    "<img src=x onerror=a()>",
    '"><script>a()</script>',
    "]]>&lt;!--",
    "=HYPERLINK(A1)",
    "+1+1",
    "@SUM(A1)",
    "${7*7}{{7*7}}",
    "'; DROP TABLE players;--",
    "%s%n{0}",
    "../../etc/passwd",
    "[Event]",
)
"""Anybody may be called so: it has to be text wherever it is shown."""
_ALIKE = (
    ("Grace", ("Gr\u0430ce", "GRACE", "G r a c e", "\uff27race", "Gr\u03b1ce")),
    ("Tom Lee", ("Torn Lee", "T0m Lee", "Tom  Lee", "TomLee")),
    ("Operator", ("0perator", "\u041eperator", "operator")),
)
"""Names, and what looks like them: other scripts, letters, widths and spaces."""


# Fake players


async def _act(socket: ClientConnection, seat: int, kind: str, number: int, **more: str) -> Json:
    """Do something at a table; the answer."""
    asked = {"id": f"farm-{number:06}", "seat": seat, "kind": kind, **more}
    await socket.send(json.dumps({"t": "act", "d": asked}))
    message: Json = {"t": ""}
    while message["t"] not in ("ack", "refused"):
        message = json.loads(await socket.recv())
    return message


async def _give_away(target: Target, farmer: Device, puppet: Device) -> bool:
    """A rated game as short as counts, which the puppet then resigns; whether it came to that."""
    seats = [{"kind": "human", "name": "F", "salt": "a"}, {"kind": "open"}]
    asked = {"mode": "online", "rated": True, "seats": seats}
    opened = await farmer.ask("POST", "/tables", asked)
    if opened.status_code != 201:
        return False
    table: str = opened.json()["id"]
    seated = await puppet.ask("POST", f"/tables/{table}/seats", {"name": "P", "salt": "b"})
    holding = opened.json()["secret"], seated.json()["secret"]
    sockets = [await connect_socket(target.port, ATTACKER, table, secret) for secret in holding]
    for number in itertools.count():
        view = (await farmer.ask("GET", f"/tables/{table}")).json()["view"]
        if view["turn"] > _SHORTEST:
            given = await _act(sockets[1], 1, "resign", number)
            break
        seat, kind, more = view["seat"], "roll", {}
        if view["phase"] == "move":
            kind, more = "move", {"move": view["moves"][0]["move"]}
        elif view["may_stop"]:
            kind = "stop"
        if view["phase"] == "bust":
            await asyncio.sleep(0.1)
        else:
            await _act(sockets[seat], seat, kind, number, **more)
    for one in sockets:
        await one.close()
    return bool(given["t"] == "ack")


async def _operator(target: Target, *arguments: str) -> str:
    """What a command of the operator's says."""
    command = [sys.executable, "-m", "cantstop", *arguments]
    command += ["--database", f"sqlite:///{target.database}", "--lang", "en"]
    done = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, check=True
    )
    return done.stdout


async def _looked_at(target: Target, games: int) -> None:
    """Wait until the luck of this number of games is known: only then they count for Play."""
    database = sqlite3.connect(f"file:{target.database}?mode=ro", uri=True)
    query = "SELECT count(*) FROM games WHERE evaluator IS NOT NULL"
    while database.execute(query).fetchone()[0] < games:
        await asyncio.sleep(0.2)
    database.close()


async def _leaders(http: httpx2.AsyncClient, kind: str) -> list[str]:
    answer = await http.get(f"/api/leaderboard?kind={kind}&size=two")
    return [one["player"]["name"] for one in answer.json()["leaders"]]


async def fake_players(target: Target) -> list[str]:
    """31: puppets of one address lose rated games to one player, there and elsewhere."""
    breaches = []
    async with target.http() as http, target.http(_ELSEWHERE) as away:
        farmer, *puppets = (Device(http) for _ in range(_PUPPETS + 1))
        elsewhere = Device(away)
        elsewhere.key = farmer.key
        await farmer.begin("Farmer")
        await farmer.ask("PATCH", "/me", {"public": True})
        for number, puppet in enumerate(puppets):
            await puppet.begin(f"Puppet {number}")
        await target.begin()

        few = asyncio.Semaphore(_AT_ONCE)

        async def lose(number: int, puppet: Device) -> bool:
            async with few:
                return await _give_away(target, elsewhere if number % 2 else farmer, puppet)

        won = sum(await asyncio.gather(*itertools.starmap(lose, enumerate(puppets))))
        await _looked_at(target, won)
        report = json.loads(await _operator(target, "ratings", "recompute", "--json"))
        if won < _PUPPETS or report["games"] != won:
            breaches.append(f"{won} games were given away, {report['games']} count")
        breaches += [
            f"the farmer leads in {kind}"
            for kind in ("results", "play")
            if "Farmer" in await _leaders(http, kind)
        ]
        # the operator excludes the puppets: what they gave away counts no more
        for number in range(_PUPPETS):
            await asyncio.to_thread(
                exclude, f"sqlite:///{target.database}", f"Puppet {number}", excluded=True
            )
        await _operator(target, "ratings", "recompute")
        if found := (await farmer.ask("GET", "/me")).json()["ratings"]:
            breaches.append(f"after all puppets were excluded: {found}")
    return breaches


# Names


async def _shown_places(http: httpx2.AsyncClient, table: str, name: str) -> list[str]:
    """Where a name at a table is anything but text."""
    found = []
    page = (await http.get(f"/t/{table}")).text
    head = page[: page.index("</head>")]
    if any(sign in name for sign in '<>"') and name in head:
        found.append("the page of the table")
    picture = ElementTree.fromstring((await http.get(f"/api/tables/{table}/board.svg")).content)
    if any(part.tag.endswith("script") for part in picture.iter()):
        found.append("the board's picture")
    answer = await http.get(f"/api/tables/{table}")
    is_json = answer.headers["content-type"].startswith("application/json")
    if not is_json or answer.headers.get("x-content-type-options") != "nosniff":
        found.append("the table")
    if answer.json()["seats"][0]["name"] != name:
        found.append("its seat")
    record = await http.get(f"/api/tables/{table}/record")
    if read_record(record.text).names[0] != name:
        found.append("the record")
    return found


async def deceiving_names(target: Target) -> list[str]:
    """31: names of which one sees less than there is, that are code, or another player's."""
    breaches = []
    async with target.http() as http, target.http("127.0.7.1") as other:
        await http.get("/")  # the first page ever asked for has the client put together
        await target.begin()
        anybody = {"kind": "open"}
        for name in _REFUSED:
            seats = [{"kind": "human", "name": name}, anybody]
            tried = {
                "begin": await Device(http).ask("POST", "/me", {"name": name}),
                "open": await http.post("/api/tables", json={"mode": "online", "seats": seats}),
            }
            breaches += [
                f"{how} {name[:20]!a}: {answer.status_code}"
                for how, answer in tried.items()
                if answer.status_code != 400
            ]
        for name in _SHOWN:
            device = Device(other)
            if await device.begin(name) != 201:
                breaches.append(f"{name!r} was refused")
            seats = [{"kind": "human", "name": name, "salt": "a"}, anybody]
            opened = await other.post("/api/tables", json={"mode": "online", "seats": seats})
            table = opened.json()["id"]
            await other.post(f"/api/tables/{table}/seats", json={"name": "B", "salt": "b"})
            places = await _shown_places(other, table, name)
            breaches += [f"{name!r} is more than text in {place}" for place in places]
        listed = await _operator(target, "players", "list", "--most", "0")
        if any(unicodedata.category(sign).startswith("C") for sign in listed.replace("\n", "")):
            breaches.append("the operator's list has controls")
    breaches += await _alike(target)
    return breaches


async def _alike(target: Target) -> list[str]:
    """Names that look like a player's or like a bot's at the same table."""
    breaches = []
    async with target.http("127.0.7.2") as mine, target.http("127.0.7.3") as theirs:
        for name, others in _ALIKE:
            first, second = Device(mine), Device(theirs)
            await first.begin(name)
            taken = [other for other in others if await second.begin(other) == 201]
            await second.begin(f"Not {name}")
            for other in others:
                renamed = await second.ask("PATCH", "/me", {"name": other})
                if renamed.status_code == 200:
                    taken.append(other)
            breaches += [f"{other!r} was accepted beside {name}" for other in taken]
        seats = [{"kind": "human", "name": "fox", "salt": "a"}, {"kind": "bot", "bot": "fox"}]
        table = (await mine.post("/api/tables", json={"mode": "online", "seats": seats})).json()
        bots = [seat.get("bot") for seat in table["state"]["seats"]]
        if bots != [None, "fox"]:
            breaches.append(f"a person called fox beside the fox: {bots}")
    return breaches


IMPOSTORS = (Attack(fake_players, LOBBY), Attack(deceiving_names))
