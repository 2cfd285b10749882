"""What is sent when a turn begins: once a turn and contact, to whom, when, and in which words."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from calls_world import NOW, SITE, World, a_world
from cantstop.server.calls.channels.mail import MailServer
from cantstop.server.calls.channels.webpush import encoded
from cantstop.server.calls.message import Message, Outcome, Sent
from cantstop.server.database import contacts, outbox, schema
from cantstop.server.database.contacts import Contact
from cantstop.server.database.storage import Unavailable
from cantstop.server.runtime import call_dispatcher
from cantstop.wire.calls import AddMail, AddPush, ContactView

Test = Callable[[World], Awaitable[None]]


@pytest.fixture
def calling(each_url: str) -> Callable[..., None]:
    """Runs what a test does in a world of its own, on each kind of database."""

    def run(test: Test, **more: Any) -> None:
        async def running() -> None:
            async with a_world(each_url, **more) as world:
                await test(world)

        asyncio.run(running())

    return run


@pytest.fixture
def alone(url: str) -> Callable[..., None]:
    """The same on one kind of database: where SQL has no part in it."""

    def run(test: Test, **more: Any) -> None:
        async def running() -> None:
            async with a_world(url, **more) as world:
                await test(world)

        asyncio.run(running())

    return run


# One message a turn


def test_a_turn_is_announced_once(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        for add in (world.push, world.hook, world.ntfy, world.mail):
            await add(anne)
        await world.push(bob)
        table = await world.table(anne, bob)
        for _ in range(3):
            await world.send()
            world.clock.turn(minutes=2)
        (pushed,) = world.pushed()
        assert pushed == {
            "id": f"{table}.4.turn",
            "topic": table,
            "title": "It is your turn",
            "text": f"It is your turn in a game with {bob.player.name}.\n2 days left",
            "path": f"/t/{table}",
            "waiting": 1,
        }
        assert len(world.service.posted) == 3  # push, webhook, ntfy
        (mail,) = world.boxes.mails
        assert mail["Message-ID"] == f"<{table}.4.turn@play.example>"
        # Bob's turn is announced to Bob
        await world.play_turn(table)
        await world.send()
        assert [one["text"].splitlines()[0] for one in world.pushed()[1:]] == [
            f"{anne.player.name} has played."
        ]

    calling(test)


def test_a_turn_that_is_over_is_not_told(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        table = await world.table(anne, bob)
        await world.play_turn(table)
        await world.send()
        assert world.service.posted == []
        assert await world.rows() == []

    calling(test)


def test_who_has_a_table_deleted_under_them_is_called_no_more(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        table = await world.table(anne, bob)
        await world.database.delete_table(table)
        await world.send()
        assert (world.service.posted, await world.rows()) == ([], [])

    calling(test)


def test_turns_within_a_minute_are_one_message(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        first = await world.table(anne, bob)
        await world.send()
        later = []
        for days in (3, 1):
            world.clock.turn(seconds=10)
            later.append(await world.table(anne, bob, days=days))
            await world.send()
        assert [one["topic"] for one in world.pushed()] == [first]
        world.clock.turn(seconds=41)
        await world.send()
        _, both = world.pushed()
        assert (both["title"], both["topic"], both["path"]) == (
            "2 games wait for you",
            "turns",
            "/turns",
        )
        # that whose time ends first is named first
        assert both["text"].splitlines() == [
            f"{bob.player.name}: 24 hours left",
            f"{bob.player.name}: 3 days left",
        ]
        assert both["waiting"] == 3

    calling(test)


def test_the_number_on_the_icon_is_that_of_the_list(calling: Any) -> None:
    """Live games wait, too: whoever opens the app finds as many as its icon has said."""

    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        await world.table(anne, bob, days=None)
        theirs = await world.table(anne, bob, days=None)
        await world.play_turn(theirs)
        await world.table(anne, bob)
        await world.send()
        listed = await world.turns.of(anne.player.id)
        assert [one["waiting"] for one in world.pushed()] == [listed.waiting] == [2]

    calling(test)


def test_the_time_that_is_left_is_that_of_the_list(calling: Any) -> None:
    """The bank is for later: whoever reads of eleven days would find three in the list."""

    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        table = await world.table(anne, bob, days=3, bank=8 * 86_400)
        await world.send()
        world.clock.turn(days=4)  # now it is the bank's
        other = await world.table(anne, bob, days=3, bank=8 * 86_400)
        again = schema.outbox.update().where(schema.outbox.c.table_id == table)
        again = again.values(due_at=world.clock.now, message_id=None, result=None)
        await world.database.write(lambda connection: connection.execute(again))
        await world.send()
        first, both = world.pushed()
        assert first["text"].splitlines()[-1] == "3 days left"
        name = bob.player.name
        assert both["text"].splitlines() == [f"{name}: 7 days left", f"{name}: 3 days left"]
        assert [both["topic"], table != other] == ["turns", True]

    calling(test)


# Who is looking


def test_nothing_is_sent_to_who_looks_at_the_table(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        table = await world.table(anne, bob)
        await world.look_at(table, 0)
        for _ in range(3):
            await world.send()
            world.clock.turn(seconds=20)
        assert world.service.posted == []
        (row,) = await world.rows()
        assert (row.due_at, row.result) == (None, "seen")

    calling(test)


def test_who_has_just_left_is_told_a_moment_later(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        table = await world.table(anne, bob)
        page = await world.look_at(table, 0)
        await world.send()
        await world.close_page(table, page)
        await world.send()
        assert world.service.posted == []
        world.clock.turn(seconds=15)
        await world.send()
        assert len(world.pushed()) == 1

    calling(test)


def test_who_watches_another_seat_is_told(alone: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        table = await world.table(anne, bob)
        await world.look_at(table, 1)
        await world.look_at(table)
        await world.send()
        assert len(world.pushed()) == 1

    alone(test)


# When


def test_quiet_hours_hold_back_what_is_sent(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        # it is one o'clock in the afternoon in Berlin; quiet until three
        await world.hours(anne, zone="Europe/Berlin", quiet_from=12 * 60, quiet_until=15 * 60)
        await world.table(anne, bob)
        await world.send()
        world.clock.turn(hours=1, minutes=59)
        await world.send()
        assert world.service.posted == []
        world.clock.turn(minutes=1)
        await world.send()
        assert len(world.pushed()) == 1

    calling(test)


def test_who_wants_turns_once_a_day_gets_one_mail_in_the_morning(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        view = await world.mail(anne)
        change = partial(
            contacts.change_contact,
            player_id=anne.player.id,
            contact_id=view.id,
            language="en",
            digest=True,
        )
        await world.database.write(change)
        await world.hours(anne, zone="Europe/Berlin")
        await world.calls.set_reminders(anne, (24,))
        await world.table(anne, bob, days=3)
        world.clock.turn(hours=7)
        await world.table(anne, bob, days=1)  # with less time than a day: it is not reminded of
        await world.send()
        world.clock.now = datetime(2026, 11, 20, 6, 59, tzinfo=UTC)
        await world.send()
        assert world.boxes.mails == []
        world.clock.turn(minutes=1)  # eight in Berlin
        await world.send()
        (mail,) = world.boxes.mails
        assert mail["Subject"] == "2 games wait for you"
        # reminders come at once: here in the evening
        world.clock.now = NOW + timedelta(days=2)
        await world.dispatcher.remind()
        await world.send()
        assert [one["Subject"] for one in world.boxes.mails[1:]] == ["Your turn: 24 hours left"]

    calling(test)


def test_reminders_come_as_often_as_one_chose_and_no_more(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        await world.calls.set_reminders(anne, (3, 24, 48))
        await world.table(anne, bob, days=2)  # two days: not reminded of two days at once
        told: list[tuple[int, str]] = []
        for hour in range(48):
            world.clock.now = NOW + timedelta(hours=hour, minutes=1)
            for _ in range(2):
                await world.dispatcher.remind()
                await world.send()
            told += [(hour, one["title"]) for one in world.pushed()[len(told) :]]
        assert told == [
            (0, "It is your turn"),
            (24, "Your turn: 24 hours left"),
            (45, "Your turn: 3 hours left"),
        ]

    calling(test)


def test_of_several_reminders_that_were_missed_the_last_one_is_sent(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        await world.calls.set_reminders(anne, (1, 3, 6))
        await world.table(anne, bob, days=1)
        await world.send()
        world.clock.now = NOW + timedelta(hours=21, minutes=30)  # two and a half hours are left
        await world.dispatcher.remind()
        await world.dispatcher.remind()
        await world.send()
        assert [one["title"] for one in world.pushed()[1:]] == ["Your turn: 2 hours left"]
        # one that is late by most of its time says nothing any more
        world.clock.now = NOW + timedelta(hours=23, minutes=40)
        await world.dispatcher.remind()
        await world.send()
        assert len(world.pushed()) == 2

    calling(test)


def test_a_reminder_goes_by_the_end_that_a_turn_has_now(calling: Any) -> None:
    """Hours that were changed, or a server that was down, have moved it."""

    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        await world.calls.set_reminders(anne, (3,))
        table = await world.table(anne, bob, days=1)
        await world.send()
        move = (
            schema.turns.update()
            .where(schema.turns.c.table_id == table)
            .values(ends_at=NOW + timedelta(days=5))
        )
        await world.database.write(lambda connection: connection.execute(move))
        world.clock.now = NOW + timedelta(hours=22)
        await world.dispatcher.remind()
        await world.send()
        assert len(world.pushed()) == 1
        world.clock.now = NOW + timedelta(days=4, hours=21)
        await world.dispatcher.remind()
        await world.send()
        assert [one["title"] for one in world.pushed()[1:]] == ["Your turn: 3 hours left"]

    calling(test)


# What services answer


@pytest.mark.parametrize(
    ("path", "state", "tries"),
    [("/201", "works", 1), ("/404", None, 1), ("/410", None, 1), ("/413", "fails", 2)],
)
def test_what_push_services_answer(calling: Any, path: str, state: str | None, tries: int) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        view = await world.push(anne, path)
        await world.table(anne, bob)
        for _ in range(3):
            await world.send()
            world.clock.turn(minutes=10)
        assert len(world.service.posted) == tries
        found = await world.contact(view)
        assert (None if found is None else found.state.value) == state
        assert [row for row in await world.rows() if row.due_at is not None] == []

    calling(test)


def test_a_service_that_is_busy_is_asked_when_it_says(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        view = await world.push(anne, "/429")
        world.service.headers = {"Retry-After": "600"}
        table = await world.table(anne, bob)
        await world.send()
        world.clock.turn(seconds=599)
        await world.send()
        assert len(world.service.posted) == 1
        contact = await world.contact(view)
        assert contact is not None
        assert contact.state == "fails"
        # what comes meanwhile waits with it, and what is taken in the end has the same id
        await world.table(anne, bob)
        await world.send()
        path = contact.address.partition(f":{world.service.port}")[2]
        world.service.answers = {path: "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"}
        world.clock.turn(seconds=1)
        await world.send()
        world.clock.turn(minutes=1)
        await world.send()
        assert [one["id"] for one in world.pushed()[:2]] == [f"{table}.4.turn"] * 2
        assert len(world.pushed()) == 3

    calling(test)


def test_a_contact_that_fails_is_tried_less_and_less_and_removed_after_a_month(
    calling: Any,
) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        view = await world.push(anne, "/503")
        table = await world.table(anne, bob)
        tries = []
        while world.clock.now < NOW + timedelta(hours=5):
            before = len(world.service.posted)
            await world.send()
            if len(world.service.posted) > before:
                tries.append(world.clock.now)
            world.clock.turn(minutes=1)
        waits = [(later - at).total_seconds() / 60 for at, later in pairwise(tries)]
        assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
        later = NOW + timedelta(days=31)
        due = schema.outbox.update().values(due_at=later)
        await world.database.write(lambda connection: connection.execute(due))
        world.clock.now = later
        await world.send()
        assert await world.contact(view) is None
        assert await world.rows(table) == []

    calling(test)


# Slow services


def test_services_that_hang_delay_nothing_else(calling: Any) -> None:
    """More of them than there are messages sent at once: the others come through all the same."""

    async def test(world: World) -> None:
        names = range(24)
        players = [await world.player(f"P{number}") for number in names]
        anne, bob = await world.player("Anne"), await world.player("Bob")
        for one in players:
            await world.hook(one, "/hang")
            await world.table(one, bob)
        await world.dispatcher.send_due()
        assert len(world.dispatcher._sending) == 16
        await world.push(anne)
        await world.mail(anne)
        table = await world.table(anne, bob)
        sending = set(world.dispatcher._sending)
        await world.dispatcher.send_due()
        await asyncio.gather(*(world.dispatcher._sending - sending))
        assert [one["topic"] for one in world.pushed()] == [table]
        assert len(world.boxes.mails) == 1
        assert all(not task.done() for task in sending)

    calling(test)


def test_a_mail_server_that_is_not_there_delays_nothing_else(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        view = await world.mail(anne)
        await world.push(anne)
        table = await world.table(anne, bob)
        await world.send()
        assert [one["topic"] for one in world.pushed()] == [table]
        contact = await world.contact(view)
        assert contact is not None
        assert contact.state == "fails"

    async def down(world: World) -> None:
        nobody = MailServer.read("smtp://127.0.0.1:1", "games@play.example")
        world.use(replace(world.options, mail=nobody))
        await test(world)
        assert world.boxes.mails == []
        # once it is back, what still waits is sent, within ten minutes
        world.use(world.options)
        world.clock.turn(minutes=10)
        await world.send()
        assert len(world.boxes.mails) == 1

    calling(down)


# Several workers, and those that die


def test_a_message_is_one_workers(calling: Any) -> None:
    async def test(world: World) -> None:
        bob = await world.player("Bob")
        for number in range(12):
            anne = await world.player(f"Anne {number}")
            await world.push(anne)
            await world.table(anne, bob)
        workers = [world.another_dispatcher() for _ in range(4)]
        await asyncio.gather(*(one.send_due() for one in workers))
        await asyncio.gather(*(one.finish() for one in workers))
        ids = [one["id"] for one in world.pushed()]
        assert len(ids) == len(set(ids)) == 12

    calling(test)


@pytest.mark.parametrize("taken", [False, True], ids=["before", "after"])
def test_what_a_worker_that_died_had_begun_is_sent_again_with_the_same_id(
    calling: Any, monkeypatch: pytest.MonkeyPatch, taken: bool
) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        await world.table(anne, bob)
        send = world.calls.send

        begun = asyncio.Event()

        async def dies(contact: Contact, message: Message) -> Outcome:
            if taken:
                assert await send(contact, message) == Sent()
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError

        monkeypatch.setattr(world.calls, "send", dies)
        await world.dispatcher.send_due()
        await begun.wait()
        for task in world.dispatcher._sending:
            task.cancel()
        await world.dispatcher.finish()
        monkeypatch.setattr(world.calls, "send", send)
        other = world.another_dispatcher()
        await world.table(anne, bob)  # what has come since goes into a message of its own

        async def others_send() -> int:
            await other.send_due()
            await other.finish()
            return len(world.pushed())

        world.clock.turn(seconds=29)
        assert await others_send() == taken  # the first one may still be at it
        world.clock.turn(seconds=1)
        assert await others_send() == 1 + taken
        world.clock.turn(minutes=1)
        assert await others_send() == 2 + taken
        ids = [one["id"] for one in world.pushed()]
        assert len(set(ids)) == 2
        assert len(ids) == 2 + taken
        assert ids[0] == ids[taken]

    calling(test)


def test_what_cannot_be_noted_for_a_moment_is_not_sent_again(
    alone: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.push(anne)
        await world.table(anne, bob)
        write, failures = world.database.write, iter([True, True])

        async def unsure(writing: Any) -> Any:
            if "result" in getattr(writing, "keywords", ()) and next(failures, False):
                raise Unavailable
            return await write(writing)

        monkeypatch.setattr(world.database, "write", unsure)
        monkeypatch.setattr(call_dispatcher, "_NOTE_SECONDS", (0.0, 0.0, 0.0))
        await world.send()
        world.clock.turn(minutes=5)
        await world.send()
        assert len(world.pushed()) == 1

    alone(test)


# The key of this server


def test_a_subscription_of_another_key_fails_until_it_is_made_again(calling: Any) -> None:
    """The key was lost, or a backup from before it was restored."""

    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        view = await world.push(anne)
        key = await world.calls.key()
        lost = schema.server_key.delete()
        await world.database.write(lambda connection: connection.execute(lost))
        assert (await world.calls.key()).public != key.public
        await world.table(anne, bob)
        await world.send()
        assert world.service.posted == []
        contact = await world.contact(view)
        assert contact is not None
        assert contact.state == "fails"
        # made again with the new key, it works
        device = replace(anne, device=replace(anne.device, id=contact.device_id))
        await again(world, device, contact)
        await world.table(anne, bob)
        await world.send()
        assert len(world.pushed()) == 1
        # the first key is back, with the backup: now that subscription is another key's
        stored = schema.server_key.update().values(private=key.private)
        await world.database.write(lambda connection: connection.execute(stored))
        await world.table(anne, bob)
        world.clock.turn(minutes=2)
        await world.send()
        assert len(world.pushed()) == 1

    calling(test)


async def again(world: World, known: Any, contact: Contact) -> ContactView:
    """The same browser subscribes again."""
    keys = world.browser
    asked = AddPush(contact.address, encoded(keys.public), encoded(keys.auth))
    return await world.calls.add_push(known, asked, world.visit())


# The question, and words


def test_the_question_is_all_that_an_address_gets_without_a_yes(calling: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        asked = AddMail("anne@home.example")
        view = await world.calls.add_mail(anne, asked, world.visit("de"))
        await world.table(anne, bob)
        for _ in range(3):
            await world.send()
            world.clock.turn(hours=7)
        (mail,) = world.boxes.mails
        assert mail["Subject"] == "Sollen wir dir schreiben, wenn du am Zug bist?"
        text = mail.get_body(("plain",))
        assert text is not None
        assert f"{SITE}/calls/mail/{view.id}/confirm?key=" in text.get_content()
        # nothing in it is what a stranger has written
        assert anne.player.name not in mail.as_string()
        # nobody has said yes in a day: it is forgotten
        world.clock.turn(hours=4)
        clean = partial(outbox.clean_outbox, at=world.clock())
        await world.database.write(clean)
        assert await world.contact(view) is None
        assert await world.rows("") == []

    calling(test)


@pytest.mark.parametrize(
    ("language", "title", "text"),
    [
        ("en", "It is your turn", "It is your turn in a game with Bob 2 and Carla 3.\n2 days left"),
        ("fr", "C’est ton tour", "C’est ton tour dans une partie avec Bob 2 et Carla 3.\n2 jours"),
        ("nl", "Je bent aan de beurt", "Je bent aan de beurt in een partij met Bob 2 en Carla 3."),
        ("it", "È il tuo turno", "È il tuo turno in una partita con Bob 2 e Carla 3.\n2 giorni"),
        ("de", "Du bist am Zug", "Du bist am Zug in einem Spiel mit Bob 2 und Carla 3.\n2 Tage"),
    ],
)
def test_the_words_are_in_the_language_of_the_contact(
    alone: Any, language: str, title: str, text: str
) -> None:
    async def test(world: World) -> None:
        players = [await world.player(name) for name in ("Anne", "Bob", "Carla")]
        await world.push(players[0], language=language)
        await world.table(*players)
        await world.send()
        (pushed,) = world.pushed()
        assert pushed["title"] == title
        assert pushed["text"].startswith(text)

    alone(test)


def test_among_several_the_others_are_named_beside_the_one_who_has_played(alone: Any) -> None:
    async def test(world: World) -> None:
        anne, bob, carla = [await world.player(name) for name in ("Anne", "Bob", "Carla")]
        await world.push(bob)
        await world.play_turn(await world.table(anne, bob, carla))
        await world.send()
        (pushed,) = world.pushed()
        assert pushed["text"].splitlines()[0] == (
            f"{anne.player.name} has played. It is your turn in a game with {anne.player.name} "
            f"and {carla.player.name}."
        )

    alone(test)


def test_a_webhook_names_what_it_is_about(alone: Any) -> None:
    async def test(world: World) -> None:
        anne, bob = await world.player("Anne"), await world.player("Bob")
        await world.hook(anne)
        table = await world.table(anne, bob)
        await world.send()
        (posted,) = world.service.posted
        assert json.loads(posted.body)["topic"] == table
        assert json.loads(posted.body)["url"] == f"{SITE}/t/{table}"

    alone(test)
