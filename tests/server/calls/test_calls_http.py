"""Contacts, reminders, feeds and the links in mails, over HTTP, as players and mail programs ask.

The tests have a server on each kind of database in common, and players of their own.
"""

import json
import re
import socket
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_network
from itertools import count
from pathlib import Path
from typing import Any

import feedparser
import msgspec
import pytest
import sqlalchemy as sa
from icalendar import Calendar
from starlette.testclient import TestClient

from browser_keys import BrowserKeys
from cantstop.server import ServerOptions, create_app
from cantstop.server.calls.channels.mail import MailServer
from cantstop.server.calls.options import CallOptions
from cantstop.server.database import schema
from cantstop.server.database.contacts import contact_by_id
from cantstop.server.limits import limiter
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime.calls import MailLink, link_key
from cantstop.wire import calls
from cantstop.wire.calls import Calls, ContactView, FeedAddress, NewWebhook
from cantstop.wire.club import PlayerExport
from cantstop.wire.events import time_text
from club import Member, device, member
from table_client import OPEN

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
SITE = "https://play.example"
BROWSER = BrowserKeys()


def base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def subscription(n: int = 1, browser: BrowserKeys = BROWSER) -> dict[str, str]:
    return {
        "endpoint": f"https://push.example/p/{n}",
        "p256dh": base64(browser.public),
        "auth": base64(browser.auth),
    }


class Turned:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def serving(url: str, web: Path, **options: Any) -> Iterator[TestClient]:
    calls = options.pop(
        "calls",
        CallOptions(
            SITE,
            MailServer.read("smtp://127.0.0.1:1", "games@play.example"),
            (ip_network("127.0.0.0/8"),),
        ),
    )
    given = {"limits": Limits().times(0), "clock": Turned(), **options}
    app = create_app(ServerOptions(url, web=web, calls=calls, **given))
    with TestClient(app, base_url=SITE) as server:
        yield server


@pytest.fixture(scope="module")
def server(each_new_url: Callable[[], str], web: Path) -> Iterator[TestClient]:
    with serving(each_new_url(), web) as running:
        yield running


_numbers = count(1)


def player(server: TestClient, name: str, **more: Any) -> Member:
    """A player whose name nobody else has."""
    return member(server, f"{name} {next(_numbers)}", **more)


def a_browser() -> dict[str, str]:
    """A subscription that no other browser has."""
    return subscription(next(_numbers))


def an_address() -> dict[str, str]:
    """A mail address that no other test asks."""
    return {"address": f"carla{next(_numbers)}@home.example"}


def clock_of(server: TestClient) -> Turned:
    clock: Turned = server.app.state.runtime.clock  # type: ignore[attr-defined]
    return clock


def read(server: TestClient, reading: Callable[[sa.Connection], Any]) -> Any:
    """What is in the server's database."""
    storage = server.app.state.runtime.storage  # type: ignore[attr-defined]
    assert server.portal is not None
    return server.portal.call(storage.read, reading)


def write(server: TestClient, writing: Callable[[sa.Connection], Any]) -> None:
    storage = server.app.state.runtime.storage  # type: ignore[attr-defined]
    assert server.portal is not None
    server.portal.call(storage.write, writing)


def calls_of(player: Member) -> Calls:
    return msgspec.convert(player.ask("GET", "/me/calls"), Calls)


def rows_of(connection: sa.Connection, query: sa.Select[Any]) -> list[Any]:
    return list(connection.execute(query).all())


def a_slow_game(*players: Member) -> str:
    """A slow table with these players: the first one is to begin."""
    seats: list[Any] = [{"kind": "human", "name": "A", "salt": "a"}, *[OPEN] * (len(players) - 1)]
    body = {"mode": "online", "seats": seats, "days": 2}
    table = players[0].ask("POST", "/tables", 201, **body)["id"]
    for player in players[1:]:
        player.ask("POST", f"/tables/{table}/seats", 201, name="B", salt="b")
    return str(table)


# What there is


def test_who_has_set_up_nothing(server: TestClient) -> None:
    anne = player(server, "Anne")
    found = calls_of(anne)
    assert (found.contacts, found.reminders, found.feeds) == ((), (), ())
    assert (found.offers.mail, found.offers.ntfy, found.offers.webhook) == (True, True, True)
    assert found.offers.push is not None
    assert len(found.offers.push) == 87
    assert calls_of(anne).offers.push == found.offers.push  # the key stays the same
    assert device(server).refusal("GET", "/me/calls") == (403, "wrong-key")


def test_without_settings_there_is_push_with_https_and_feeds(url: str, web: Path) -> None:
    with serving(url, web, calls=CallOptions()) as server:
        anne = player(server, "Anne")
        offers = calls_of(anne).offers
        assert offers.push is not None
        assert (offers.mail, offers.ntfy, offers.webhook) == (False, False, False)
        anne.ask("POST", "/me/calls/push", 201, **a_browser())
        for kind, body in {
            "mail": {"address": "anne@home.example"},
            "ntfy": {"url": "https://ntfy.example/turns"},
            "webhook": {"url": "https://hook.example/"},
        }.items():
            assert anne.refusal("POST", f"/me/calls/{kind}", **body) == (409, "not-now")
        unsafe = TestClient(server.app, base_url="http://play.example")
        unsafe.portal = server.portal
        other = Member(unsafe, anne.key)
        assert calls_of(other).offers.push is None
        assert other.refusal("POST", "/me/calls/push", **a_browser()) == (409, "not-now")
        local = TestClient(server.app, base_url="http://localhost:8000")
        assert calls_of(Member(local, anne.key)).offers.push is not None


# Contacts


def test_a_browser(server: TestClient) -> None:
    anne = player(server, "Anne", device="Phone")
    first = a_browser()
    added = msgspec.convert(anne.ask("POST", "/me/calls/push", 201, **first), ContactView)
    assert (added.address, added.name, added.this, added.state) == (
        "push.example",
        "Phone",
        True,
        "new",
    )
    assert calls_of(anne).contacts == (added,)
    # asked again it is the same one
    again = anne.ask("POST", "/me/calls/push", 201, **first)
    assert again["id"] == added.id
    # a browser that has lost its subscription has another one now, and the first is nobody's
    other = anne.ask("POST", "/me/calls/push", 201, **a_browser())
    assert [one.id for one in calls_of(anne).contacts] == [other["id"]]
    # on another device it is not “this”
    tablet = device(server)
    code = anne.ask("POST", "/me/link", 201)["code"]
    tablet.ask("POST", "/me/devices", 201, code=code, device="Tablet")
    assert [one.this for one in calls_of(tablet).contacts] == [False]
    clock_of(server).now += timedelta(seconds=1)
    tablet.ask("POST", "/me/calls/push", 201, **a_browser())
    assert [one.this for one in calls_of(tablet).contacts] == [False, True]


def test_a_browser_is_called_for_the_player_who_has_it_now(server: TestClient) -> None:
    anne, bob = player(server, "Anne"), player(server, "Bob")
    shared = a_browser()
    anne.ask("POST", "/me/calls/push", 201, **shared)
    bob.ask("POST", "/me/calls/push", 201, **shared)
    assert calls_of(anne).contacts == ()
    assert len(calls_of(bob).contacts) == 1


def test_a_device_that_is_locked_out_is_called_no_more(server: TestClient) -> None:
    anne, tablet = player(server, "Anne"), device(server)
    code = anne.ask("POST", "/me/link", 201)["code"]
    tablet.ask("POST", "/me/devices", 201, code=code, device="Tablet")
    tablet.ask("POST", "/me/calls/push", 201, **a_browser())
    tablet.ask("POST", "/me/calls/ntfy", 201, url="https://ntfy.example/turns")
    (lost,) = [one for one in anne.ask("GET", "/me")["devices"] if one["name"] == "Tablet"]
    anne.ask("DELETE", f"/me/devices/{lost['id']}", 204)
    assert [one.channel for one in calls_of(anne).contacts] == ["ntfy"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("push", subscription() | {"endpoint": "https://10.0.0.1/p"}),
        ("push", subscription() | {"auth": "AAAA"}),
        ("push", subscription() | {"p256dh": "AAAA"}),
        ("mail", {"address": "anne"}),
        ("mail", {"address": "anne@home.example\nBcc: all@home.example"}),
        ("ntfy", {"url": "https://ntfy.example/"}),
        ("ntfy", {"url": "https://192.168.1.1/turns"}),
        ("webhook", {"url": "https://169.254.169.254/latest/meta-data/"}),
        ("webhook", {"url": "file:///etc/passwd"}),
        ("webhook", {"url": "https://hook.example:22/"}),
        ("webhook", {"url": ""}),
    ],
)
def test_what_is_no_contact(server: TestClient, path: str, body: dict[str, str]) -> None:
    anne = player(server, "Anne")
    assert anne.refusal("POST", f"/me/calls/{path}", **body) == (400, "malformed")
    assert calls_of(anne).contacts == ()


def test_a_player_has_twelve_contacts_at_most(server: TestClient) -> None:
    anne = player(server, "Anne")
    for n in range(12):
        anne.ask("POST", "/me/calls/ntfy", 201, url=f"https://ntfy.example/turns{n}")
    more = {"url": "https://ntfy.example/more"}
    assert anne.refusal("POST", "/me/calls/ntfy", **more) == (409, "not-now")
    first = calls_of(anne).contacts[0]
    anne.ask("DELETE", f"/me/calls/{first.id}", 204)
    anne.ask("POST", "/me/calls/ntfy", 201, **more)


def test_a_contact_is_its_players_alone(server: TestClient) -> None:
    anne, bob = player(server, "Anne"), player(server, "Bob")
    contact = anne.ask("POST", "/me/calls/ntfy", 201, url="https://ntfy.example/turns")["id"]
    assert bob.refusal("DELETE", f"/me/calls/{contact}") == (404, "not-found")
    assert bob.refusal("PATCH", f"/me/calls/{contact}") == (404, "not-found")
    assert bob.refusal("POST", f"/me/calls/{contact}/test") == (404, "not-found")
    assert len(calls_of(anne).contacts) == 1


def test_a_webhook_tells_its_secret_once_and_a_new_one_when_it_is_asked_again(
    server: TestClient,
) -> None:
    anne, hook = player(server, "Anne"), {"url": "https://hook.example/turns"}
    first = msgspec.convert(anne.ask("POST", "/me/calls/webhook", 201, **hook), NewWebhook)
    second = msgspec.convert(anne.ask("POST", "/me/calls/webhook", 201, **hook), NewWebhook)
    assert first.contact.id == second.contact.id
    assert first.secret != second.secret
    assert "whsec_" not in json.dumps(anne.ask("GET", "/me/calls"))


def test_a_contact_speaks_the_language_of_the_request_that_added_or_changed_it_last(
    server: TestClient,
) -> None:
    anne, topic = player(server, "Anne"), {"url": "https://ntfy.example/turns"}

    def language() -> str:
        return str(read(server, lambda found: contact_by_id(found, contact).language))  # type: ignore[union-attr]

    contact = anne.ask("POST", "/me/calls/ntfy?lang=nl", 201, **topic)["id"]
    assert language() == "nl"
    anne.ask("PATCH", f"/me/calls/{contact}?lang=fr", digest=True)
    assert language() == "fr"
    anne.ask("POST", "/me/calls/ntfy?lang=de", 201, **topic)
    assert language() == "de"
    assert calls_of(anne).contacts[0].digest


def test_reminders(server: TestClient) -> None:
    anne = player(server, "Anne")
    assert anne.ask("PUT", "/me/calls/reminders", hours=[3, 24, 3])["reminders"] == [24, 3]
    assert calls_of(anne).reminders == (24, 3)
    assert anne.ask("PUT", "/me/calls/reminders", hours=[])["reminders"] == []
    for hours in ([2], [1, 3, 6, 12, 24, 48, 1], "x", [-1]):
        assert anne.refusal("PUT", "/me/calls/reminders", hours=hours)[0] == 400, hours


def test_a_test_message_of_a_service_that_is_not_there(server: TestClient) -> None:
    anne = player(server, "Anne")
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # nobody listens there, and nobody else can
        hook = {"url": f"http://127.0.0.1:{bound.getsockname()[1]}/"}
        contact = anne.ask("POST", "/me/calls/webhook", 201, **hook)["contact"]
        answer = anne.ask("POST", f"/me/calls/{contact['id']}/test")
    tested = msgspec.convert(answer, calls.TestedCall)
    assert tested.result == "later"
    assert tested.contact is not None
    assert tested.contact.state == "fails"
    assert tested.contact.sent_at == time_text(clock_of(server).now)
    # one message a minute, however it ends
    again = anne.refusal("POST", f"/me/calls/{contact['id']}/test")
    assert again == (409, "not-now")


def test_contacts_are_added_so_often_only(
    url: str, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter, "monotonic", lambda: 0.0)  # however slow the machine is
    with serving(url, web, limits=Limits()) as server:
        anne = player(server, "Anne")
        statuses = [
            anne.try_to("POST", "/me/calls/ntfy", url="https://ntfy.example/turns").status_code
            for _ in range(31)
        ]
        assert statuses == [201] * 30 + [429]


# Erasing and exporting


def test_who_is_erased_is_called_no_more_and_exports_it_before(server: TestClient) -> None:
    anne, bob = player(server, "Anne"), player(server, "Bob")
    anne.ask("POST", "/me/calls/push", 201, **a_browser())
    clock_of(server).now += timedelta(seconds=1)
    mailbox = an_address()
    anne.ask("POST", "/me/calls/mail", 201, **mailbox)
    anne.ask("PUT", "/me/calls/reminders", hours=[24])
    anne.ask("POST", "/me/calls/feeds/feed", 201)
    a_slow_game(anne, bob)
    me = anne.ask("GET", "/me")["id"]
    export = server.get("/api/me/export", headers=anne.bearer)
    known = msgspec.json.decode(export.content, type=PlayerExport).calls
    assert [one.address for one in known.contacts] == ["push.example", mailbox["address"]]
    assert (known.reminders, [one.kind for one in known.feeds]) == ((24,), ["feed"])
    anne.ask("DELETE", "/me", 204)
    for table in (schema.contacts, schema.call_reminders, schema.feeds):
        mine = sa.select(table).where(table.c.player_id == me)
        assert read(server, partial(rows_of, query=mine)) == [], table
    assert [
        row for row in outbox(server) if row.contact_id in {one.id for one in known.contacts}
    ] == []


# The outbox


def outbox(server: TestClient) -> list[Any]:
    query = sa.select(schema.outbox).order_by(*schema.outbox.primary_key)
    found: list[Any] = read(server, lambda connection: connection.execute(query).all())
    return found


def test_a_turn_is_written_for_each_contact_of_its_player_with_the_event(
    server: TestClient,
) -> None:
    anne, bob = player(server, "Anne"), player(server, "Bob")
    first = anne.ask("POST", "/me/calls/push", 201, **a_browser())
    second = anne.ask("POST", "/me/calls/ntfy", 201, url="https://ntfy.example/turns")
    anne.ask("POST", "/me/calls/mail", 201, **an_address())  # not confirmed
    bob.ask("POST", "/me/calls/ntfy", 201, url="https://ntfy.example/bob")
    table = a_slow_game(anne, bob)
    state = server.get(f"/api/tables/{table}").json()
    rows = [row for row in outbox(server) if row.table_id == table]
    assert {(row.table_id, row.since, row.hours, row.contact_id) for row in rows} == {
        (table, state["n"], 0, first["id"]),
        (table, state["n"], 0, second["id"]),
    }


def test_other_tables_write_nothing(server: TestClient) -> None:
    anne, bob = player(server, "Anne"), player(server, "Bob")
    anne.ask("POST", "/me/calls/ntfy", 201, url="https://ntfy.example/turns")
    seats: list[Any] = [{"kind": "human", "name": "A", "salt": "a"}, OPEN]
    table = anne.ask("POST", "/tables", 201, mode="online", seats=seats, clock=30)["id"]
    bob.ask("POST", f"/tables/{table}/seats", 201, name="B", salt="b")
    assert [row for row in outbox(server) if row.table_id == table] == []


# Feeds


def test_a_feed_and_a_calendar_are_read_by_other_programs(server: TestClient) -> None:
    anne, bob, carla = player(server, "Anne"), player(server, "Bob"), player(server, "Carla")
    feed = msgspec.convert(anne.ask("POST", "/me/calls/feeds/feed?lang=de", 201), FeedAddress)
    ics = msgspec.convert(anne.ask("POST", "/me/calls/feeds/calendar", 201), FeedAddress)
    assert feed.url.startswith(f"{SITE}/calls/turns.atom?key=")
    empty = feedparser.parse(server.get(feed.url).content)
    assert (empty.bozo, empty.entries) == (False, [])
    table = a_slow_game(anne, bob, carla)
    answer = server.get(feed.url)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    (entry,) = feedparser.parse(answer.content).entries
    assert entry.link == f"{SITE}/t/{table}"
    assert re.search(r"Bob \d+ und Carla \d+", entry.summary)
    answer = server.get(ics.url)
    assert answer.headers["content-type"].startswith("text/calendar")
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert event.decoded("DTEND") == clock_of(server).now + timedelta(
        days=8
    )  # two days, and a bank of six
    assert re.search(r"Bob \d+ and Carla \d+", str(event["SUMMARY"]))
    # a reader that comes often learns in a few bytes that nothing has changed
    again = server.get(ics.url, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert server.get(ics.url).content == answer.content


def test_a_feed_that_was_shared_is_ended_by_a_new_one_or_for_good(server: TestClient) -> None:
    anne = player(server, "Anne")
    first = anne.ask("POST", "/me/calls/feeds/feed", 201)["url"]
    second = anne.ask("POST", "/me/calls/feeds/feed", 201)["url"]
    assert [server.get(one).status_code for one in (first, second)] == [404, 200]
    anne.ask("DELETE", "/me/calls/feeds/feed", 204)
    assert server.get(second).status_code == 404
    assert calls_of(anne).feeds == ()
    assert anne.refusal("POST", "/me/calls/feeds/news")[0] == 400


def test_an_address_is_secret(server: TestClient) -> None:
    """It is good for one kind, shows what a watcher sees, and is nowhere in the database."""
    anne, bob = player(server, "Anne"), player(server, "Bob")
    url = anne.ask("POST", "/me/calls/feeds/feed", 201)["url"]
    key = url.partition("key=")[2]
    assert server.get(f"/calls/turns.ics?key={key}").status_code == 404
    assert server.get("/calls/turns.atom").status_code == 404
    a_slow_game(anne, bob)
    text = server.get(url).text
    assert anne.key not in text
    assert "Anne" not in text  # whoever reads it knows whose it is, or does not
    assert "noindex" in server.get(url).headers["x-robots-tag"]
    rows = read(server, lambda found: found.execute(sa.select(schema.feeds)).all())
    assert key not in str(rows)


# Links in mails


def mail_links(server: TestClient, contact_id: str) -> dict[MailLink, str]:
    contact = read(server, lambda found: contact_by_id(found, contact_id))
    return {
        link: f"/calls/mail/{contact_id}/{link}?key={link_key(contact, link)}" for link in MailLink
    }


def state_of(player: Member) -> str | None:
    found = calls_of(player).contacts
    return found[0].state.value if found else None


def test_programs_that_open_every_link_neither_confirm_nor_end_anything(
    server: TestClient,
) -> None:
    anne = player(server, "Anne")
    contact = anne.ask("POST", "/me/calls/mail", 201, **an_address())["id"]
    links = mail_links(server, contact)
    for address in links.values():
        for method in ("GET", "HEAD"):
            answer = server.request(method, address)
            assert answer.status_code == 200
    assert state_of(anne) == "unconfirmed"
    page = server.get(links[MailLink.CONFIRM]).text
    assert '<form method="post">' in page
    assert "@home.example" in page
    server.post(links[MailLink.CONFIRM], data={"answer": "yes"})
    assert state_of(anne) == "new"
    server.get(links[MailLink.STOP])
    assert state_of(anne) == "new"


def test_a_mail_programs_own_button_ends_mails_in_one_request(server: TestClient) -> None:
    anne = player(server, "Anne")
    contact = anne.ask("POST", "/me/calls/mail", 201, **an_address())["id"]
    links = mail_links(server, contact)
    server.post(links[MailLink.CONFIRM])
    # RFC 8058: no cookies, no redirect, from anywhere
    headers = {"Origin": "https://mail.example", "Sec-Fetch-Site": "cross-site"}
    answer = server.post(
        links[MailLink.STOP],
        data={"List-Unsubscribe": "One-Click"},
        headers=headers,
        follow_redirects=False,
    )
    assert answer.status_code == 200
    assert state_of(anne) is None
    assert server.post(links[MailLink.STOP]).status_code == 404


def test_a_link_that_was_forwarded_is_good_for_its_own_purpose_only(server: TestClient) -> None:
    anne, bob = player(server, "Anne"), player(server, "Bob")
    mine = anne.ask("POST", "/me/calls/mail", 201, **an_address())["id"]
    other = bob.ask("POST", "/me/calls/mail", 201, **an_address())["id"]
    stop = mail_links(server, mine)[MailLink.STOP]
    key = stop.partition("key=")[2]
    for path in (
        f"/calls/mail/{mine}/confirm?key={key}",
        f"/calls/mail/{other}/stop?key={key}",
        f"/calls/mail/{mine}/stop?key=",
        f"/calls/mail/{mine}/stop?key=é",
        f"/calls/mail/{mine}/other?key={key}",
        f"/calls/mail/nobody/stop?key={key}",
    ):
        assert server.post(path).status_code == 404, path
    assert (state_of(anne), state_of(bob)) == ("unconfirmed", "unconfirmed")


def test_a_page_of_a_mail_says_nothing_to_scripts_and_frames(server: TestClient) -> None:
    anne = player(server, "Anne")
    contact = anne.ask("POST", "/me/calls/mail?lang=de", 201, **an_address())["id"]
    answer = server.get(mail_links(server, contact)[MailLink.CONFIRM])
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert '<html lang="de">' in answer.text


def test_an_address_is_asked_twice_a_day_whoever_wants_it(server: TestClient) -> None:
    address = an_address()
    players = [player(server, name) for name in ("Anne", "Bob", "Dora")]
    for one in players[:2]:
        one.ask("POST", "/me/calls/mail", 201, **address)
    assert players[2].refusal("POST", "/me/calls/mail", **address) == (409, "not-now")
    # nor does it help to remove it and to ask again
    (mine,) = calls_of(players[0]).contacts
    players[0].ask("DELETE", f"/me/calls/{mine.id}", 204)
    assert players[0].refusal("POST", "/me/calls/mail", **address) == (409, "not-now")
    clock_of(server).now += timedelta(days=1, minutes=1)
    players[2].ask("POST", "/me/calls/mail", 201, **address)


def test_an_owner_who_refuses_is_not_asked_again(server: TestClient) -> None:
    anne, bob = player(server, "Anne"), player(server, "Bob")
    address = an_address()
    contact = anne.ask("POST", "/me/calls/mail", 201, **address)["id"]
    server.post(mail_links(server, contact)[MailLink.STOP])
    clock_of(server).now += timedelta(days=30)
    for wanted in (address, {"address": address["address"].upper()}):
        assert bob.refusal("POST", "/me/calls/mail", **wanted) == (409, "not-now")
    rows = read(server, lambda found: found.execute(sa.select(schema.asked_addresses)).all())
    assert "home.example" not in str(rows)
