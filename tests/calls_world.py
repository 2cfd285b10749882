"""Players, slow tables and what is sent for them, on one event loop with a clock turned by hand."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_network
from itertools import count
from typing import Any

import msgspec
import sqlalchemy as sa

from browser_keys import BrowserKeys
from cantstop.language import Translator
from cantstop.rules import Phase
from cantstop.server.calls.channels.mail import MailServer
from cantstop.server.calls.channels.webpush import encoded
from cantstop.server.calls.options import CallOptions, CallTimes
from cantstop.server.cluster.peers import SingleWorker
from cantstop.server.database import contacts, schema
from cantstop.server.database.contacts import Contact
from cantstop.server.database.players import Known, add_player
from cantstop.server.database.sql import Database, open_database
from cantstop.server.runtime.absences import StoredAbsences
from cantstop.server.runtime.call_dispatcher import CallDispatcher
from cantstop.server.runtime.calls import PlayerCalls, Visit
from cantstop.server.runtime.master import KEEP, Master
from cantstop.server.runtime.presence import Clocks, Presence, Subscriber
from cantstop.server.runtime.turn_lists import TurnLists
from cantstop.server.tables.changes import NewTable
from cantstop.server.tables.decisions import Caller
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.players import Device, Player
from cantstop.server.tables.seating import hashed
from cantstop.wire.actions import MakeMove, Roll, Stop, new_action_id
from cantstop.wire.calls import AddMail, AddNtfy, AddPush, AddWebhook, ContactView
from cantstop.wire.requests import OpenTable, TakeSeat
from local_service import LocalService, local_service
from mailboxes import Mailboxes, mailboxes
from table_client import OPEN

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
SITE = "https://play.example"
TIMES = CallTimes(ask=0.0)


class Turned:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **passed: float) -> None:
        self.now += timedelta(**passed)


async def play_turn(master: Master, table_id: str) -> None:
    """The whole turn of whoever has it: a roll, a move, and a stop."""
    stored = await master.stored(table_id)
    seat, since = stored.table.to_act, stored.table.turn_since
    if seat is None:
        return
    caller = Caller(frozenset({seat}))
    while (table := (await master.stored(table_id)).table).turn_since == since:
        position, name = table.position, new_action_id()
        action: Any = Roll(id=name, seat=seat)
        if position.phase is Phase.MOVE:
            move = str(next(iter(position.legal_moves)))
            action = MakeMove(id=name, seat=seat, move=move)
        elif position.phase is Phase.CHOICE:
            action = Stop(id=name, seat=seat)
        elif position.phase is Phase.OVER:
            return
        await master.act(table_id, caller, action)


@dataclass
class World:
    """A worker without its loops: what is due is sent when a test says so."""

    database: Database
    service: LocalService
    boxes: Mailboxes
    clock: Any
    """``Turned``, or the real one."""
    options: CallOptions
    presence: Presence = field(init=False)
    master: Master = field(init=False)
    turns: TurnLists = field(init=False)
    calls: PlayerCalls = field(init=False)
    dispatcher: CallDispatcher = field(init=False)
    browser: BrowserKeys = field(default_factory=BrowserKeys)
    numbers: "count[int]" = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        absences = StoredAbsences(self.database)
        self.presence = Presence(absences, Clocks(600, 0, 0), self.clock, SingleWorker(), "w")
        self.master = Master(self.database, self.presence.at_table, clock=self.clock)
        self.turns = TurnLists(self.database, self.master, KEEP, self.clock, self.clock)
        self.use(self.options)

    def use(self, options: CallOptions) -> None:
        """Go on as a server that was started with other options."""
        self.calls = PlayerCalls(self.database, self.clock, options, self.turns.of)
        self.dispatcher = self.another_dispatcher()

    def another_dispatcher(self) -> CallDispatcher:
        """As of another worker on the same database."""
        return CallDispatcher(
            self.database, self.calls, self.presence, self.clock, self.clock, self.options.times
        )

    # Players

    async def player(self, name: str) -> Known:
        number = next(self.numbers)
        player = Player(f"player{number:06}", f"{name} {number}", 0, public=False, created_at=NOW)
        device = Device(f"device{number:06}", "Phone", NOW, NOW, hashed(f"key {number}"))
        await self.database.write(partial(add_player, player=player, device=device))
        return Known(player, device)

    def visit(self, language: str = "en") -> Visit:
        return Visit(SITE, Translator(language))

    async def push(self, known: Known, path: str = "/push", language: str = "en") -> ContactView:
        """A browser whose push service is at a path of the local one."""
        asked = AddPush(
            self.service.url(f"{path}/{next(self.numbers)}"),
            encoded(self.browser.public),
            encoded(self.browser.auth),
        )
        other = replace(known.device, id=f"device{next(self.numbers):06}")
        return await self.calls.add_push(replace(known, device=other), asked, self.visit(language))

    async def hook(self, known: Known, path: str = "/hook") -> ContactView:
        asked = AddWebhook(self.service.url(f"{path}/{next(self.numbers)}"))
        return (await self.calls.add_webhook(known, asked, self.visit())).contact

    async def ntfy(self, known: Known, path: str = "/turns") -> ContactView:
        asked = AddNtfy(self.service.url(f"{path}{next(self.numbers)}"))
        return await self.calls.add_ntfy(known, asked, self.visit())

    async def mail(
        self, known: Known, address: str = "anne@home.example", language: str = "en"
    ) -> ContactView:
        """A mail address whose owner has said yes."""
        view = await self.calls.add_mail(known, AddMail(address), self.visit(language))
        await self.database.write(partial(contacts.confirm_contact, contact_id=view.id))
        gone = schema.outbox.delete().where(schema.outbox.c.table_id == "")
        await self.database.write(lambda connection: connection.execute(gone))
        return view

    async def contact(self, view: ContactView) -> Contact | None:
        return await self.database.read(partial(contacts.contact_by_id, contact_id=view.id))

    async def hours(self, known: Known, **hours: Any) -> None:
        row = {"player_id": known.player.id, "zone": "UTC", "weekends_off": False, **hours}
        insert = schema.player_hours.insert()
        await self.database.write(lambda connection: connection.execute(insert, row))

    # Tables

    async def table(self, *players: Known, days: int | None = 2, bank: int = 0) -> str:
        """A slow table, at which the first player is to begin; a live one without days."""
        asked: dict[str, Any] = {"mode": "online", "seats": [OPEN] * len(players)}
        if days is not None:
            asked |= {"days": days, "bank": bank}
        request = msgspec.convert(asked, OpenTable)
        new: NewTable = open_table(request, self.clock()).new_table
        table_id = (await self.master.open(new)).id
        for number, one in enumerate(players):
            asked_seat = TakeSeat(name=one.player.name)
            secret = f"secret-of-{table_id}-{number}-000000"
            await self.master.take_seat(table_id, asked_seat, secret, one.player.id)
        return table_id

    async def play_turn(self, table_id: str) -> None:
        await play_turn(self.master, table_id)

    async def look_at(self, table_id: str, *seats: int) -> Subscriber:
        """A page of the table, opened by who has these seats."""
        subscriber = Subscriber(frozenset(seats), lambda _: None)
        await self.presence.connect((await self.master.stored(table_id)).table, subscriber)
        return subscriber

    async def close_page(self, table_id: str, subscriber: Subscriber) -> None:
        self.presence.disconnect((await self.master.stored(table_id)).table, subscriber)

    # What is sent

    async def send(self) -> None:
        """Send what is due, and wait for what comes of it."""
        await self.dispatcher.send_due()
        await self.dispatcher.finish()

    def pushed(self) -> list[dict[str, Any]]:
        """What the service worker of the browser would be sent."""
        return [
            msgspec.json.decode(self.browser.decrypt(posted.body))
            for posted in self.service.posted
            if "content-encoding" in posted.headers
        ]

    async def rows(self, table_id: str | None = None) -> Sequence[Any]:
        query = sa.select(schema.outbox).order_by(*schema.outbox.primary_key)
        if table_id is not None:
            query = query.where(schema.outbox.c.table_id == table_id)
        return await self.database.read(lambda connection: connection.execute(query).all())


@asynccontextmanager
async def a_world(url: str, times: CallTimes = TIMES, **more: Any) -> AsyncIterator[World]:
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(local_service())
        boxes = await stack.enter_async_context(mailboxes())
        database = await stack.enter_async_context(open_database(url))
        mail = MailServer.read(boxes.url, "games@play.example")
        given = {"public_url": SITE, "mail": mail, "times": times, **more}
        options = CallOptions(allowed=(ip_network("127.0.0.0/8"),), **given)
        world = World(database, service, boxes, Turned(), options)
        try:
            yield world
        finally:
            await world.dispatcher.close()
            await asyncio.sleep(0)
