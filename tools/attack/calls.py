"""Attacks on calls: inward addresses, links in mails, shared feeds, floods, and a lost key."""

import asyncio
import hmac
import itertools
import sqlite3
from contextlib import closing

from .attacks import Attack, Target
from .club import Device

OPTIONS = (
    *("--public-url", "http://127.0.0.1:8000"),
    *("--mail", "smtp://127.0.0.1:1", "--mail-from", "games@play.example"),
)
_CONTACTS = 30
"""Contacts that one address may add at once."""
_INSIDE = (
    "https://127.0.0.1/",
    "https://10.0.0.1/",
    "https://192.168.1.1/turns",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[64:ff9b::10.0.0.1]/",
    "https://[fd00::1]/",
    "http://127.0.0.1/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/",
    "https://play.example:25/",
    "https://user@play.example/",
)
_KEYS = {"p256dh": "B" + 86 * "A", "auth": 22 * "A"}


async def inward_addresses(target: Target) -> list[str]:
    """32: webhooks, topics and subscriptions that point inwards, by number and by name."""
    breaches, reached = [], 0

    def count_connection(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal reached
        reached += 1
        writer.close()

    inside = await asyncio.start_server(count_connection, "127.0.0.1", 0)
    port = inside.sockets[0].getsockname()[1]
    async with target.http("127.0.7.1") as http, target.http() as other, inside:
        grace = Device(http)
        await grace.begin("Grace")
        await target.begin()
        for url in _INSIDE:
            for kind, asked in (("webhook", {"url": url}), ("push", {"endpoint": url, **_KEYS})):
                answer = await grace.ask("POST", f"/me/calls/{kind}", asked)
                if answer.status_code != 400:
                    breaches.append(f"{kind} {url}: {answer.status_code}")
        # a name can only be looked at when something is sent: it resolves to an address inside
        mallory = Device(other)
        await mallory.begin("Mallory")
        for name in ("localhost", "localhost.", "ip6-localhost"):
            url = f"https://{name}:{port}/"
            added = await mallory.ask("POST", "/me/calls/webhook", {"url": url})
            if added.status_code == 201:
                contact = added.json()["contact"]["id"]
                tested = (await mallory.ask("POST", f"/me/calls/{contact}/test")).json()
                if tested.get("result") == "sent":
                    breaches.append(f"{url}: {tested}")
    if reached:
        breaches.append(f"{reached} connections inside")
    return breaches


async def forwarded_mails(target: Target) -> list[str]:
    """32: every link of a mail is opened by programs, and used for another purpose."""
    breaches = []
    async with target.http("127.0.7.1") as http, target.http() as other:
        grace = Device(http)
        await grace.begin("Grace")
        asked = {"address": "grace@home.example"}
        contact = (await grace.ask("POST", "/me/calls/mail", asked)).json()["id"]
        with closing(sqlite3.connect(target.database)) as database:
            query = "SELECT secret FROM contacts WHERE id = ?"
            (secret,) = database.execute(query, (contact,)).fetchone()
        keys = {
            link: hmac.digest(secret, link.encode(), "sha256").hex()[:40]
            for link in ("confirm", "stop")
        }
        await target.begin()

        async def state() -> str:
            found = (await grace.ask("GET", "/me/calls")).json()["contacts"]
            return str(found[0]["state"]) if found else "gone"

        for link, key in keys.items():
            for method in ("GET", "HEAD", "OPTIONS", "PUT"):
                await other.request(method, f"/calls/mail/{contact}/{link}?key={key}")
        await other.post(f"/calls/mail/{contact}/confirm?key={keys['stop']}")
        if (found := await state()) != "unconfirmed":
            breaches.append(f"links that were opened made it {found}")
        guesses = itertools.count()
        path = f"/calls/mail/{contact}/confirm?key="
        await target.every(1 / 100, lambda: other.post(f"{path}{next(guesses):040x}"))
        if (found := await state()) != "unconfirmed":
            breaches.append(f"guessed keys made it {found}")
    return breaches


async def shared_feeds(target: Target) -> list[str]:
    """32: a feed's address is shared and then ended; others are guessed."""
    breaches = []
    async with target.http("127.0.7.1") as http, target.http() as other:
        grace = Device(http)
        await grace.begin("Grace")
        urls = [
            (await grace.ask("POST", "/me/calls/feeds/feed")).json()["url"].partition(":8000")[2]
            for _ in range(2)
        ]
        await target.begin()
        found = [(await other.get(url)).status_code for url in urls]
        if found != [404, 200]:
            breaches.append(f"the first and the second address: {found}")
        text = (await other.get(urls[1])).text
        breaches += [f"a feed shows {what}" for what in ("Grace", grace.key) if what in text]
        await grace.ask("DELETE", "/me/calls/feeds/feed")
        if (await other.get(urls[1])).status_code != 404:
            breaches.append("a feed that was ended is there")
        guesses = itertools.count()
        path = "/calls/turns.atom?key="
        await target.every(1 / 100, lambda: other.get(f"{path}{next(guesses):032}"))
    return breaches


async def contact_flood(target: Target) -> list[str]:
    """32: subscriptions and questions to strangers' mailboxes, as many as one address can."""
    breaches = []
    async with target.http() as http:
        devices = [Device(http) for _ in range(20)]
        for number, one in enumerate(devices):
            await one.begin(f"Flood {number}")
        await target.begin()
        added, numbers, turn = 0, itertools.count(), itertools.cycle(devices)

        async def add() -> None:
            nonlocal added
            number = next(numbers)
            kind, asked = (
                ("mail", {"address": f"victim{number % 3}@home.example"})
                if number % 2
                else ("ntfy", {"url": f"https://ntfy.example/turns{number}"})
            )
            answer = await next(turn).ask("POST", f"/me/calls/{kind}", asked)
            added += answer.status_code == 201

        await target.every(1 / 100, add)
        if added > _CONTACTS + 2:
            breaches.append(f"{added} contacts from one address")
    with closing(sqlite3.connect(target.database)) as database:
        (asked_most,) = database.execute("SELECT max(times) FROM asked_addresses").fetchone()
    if (asked_most or 0) > 2:
        breaches.append(f"a mailbox was asked {asked_most} times")
    return breaches


async def lost_key(target: Target) -> list[str]:
    """32: the key that push services know the server by is lost, and restored from a backup."""
    breaches = []
    async with target.http("127.0.7.1") as http:
        grace = Device(http)
        await grace.begin("Grace")
        await target.begin()

        async def offered() -> str:
            return str((await grace.ask("GET", "/me/calls")).json()["offers"]["push"])

        first = await offered()
        with closing(sqlite3.connect(target.database)) as database:
            (kept,) = database.execute("SELECT private FROM server_key").fetchone()
            database.execute("DELETE FROM server_key")
            database.commit()
        if await offered() == first:
            breaches.append("a key that was lost is still offered")
        with closing(sqlite3.connect(target.database)) as database:
            database.execute("UPDATE server_key SET private = ?", (kept,))
            database.commit()
        if await offered() != first:
            breaches.append("a key that was restored is not offered")
    return breaches


CALLS = (
    Attack(inward_addresses, OPTIONS),
    Attack(forwarded_mails, OPTIONS),
    Attack(shared_feeds, OPTIONS),
    Attack(contact_flood, OPTIONS),
    Attack(lost_key, OPTIONS),
)
