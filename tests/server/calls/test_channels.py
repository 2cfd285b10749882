"""ntfy, webhooks, mail, feed and calendar, each read by an independent program."""

import asyncio
import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from cantstop.rules import InvalidText
from cantstop.server.calls.channels.calendar import ics
from cantstop.server.calls.channels.feed import atom
from cantstop.server.calls.channels.mail import Mail, MailServer, is_address, written
from cantstop.server.calls.channels.ntfy import Ntfy, topic_address
from cantstop.server.calls.channels.waiting import WaitingTurn
from cantstop.server.calls.channels.webhook import Webhook, shown_secret
from cantstop.server.calls.guard import Guard
from cantstop.server.calls.message import Failed, Gone, Later, Message, Outcome, Sent, Target
from local_service import LocalService, local_service
from mailboxes import Mailboxes, mailboxes
from patience import PATIENCE

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
MESSAGE = Message(
    "k7QmZr3pW9xA.31.turn",
    "k7QmZr3pW9xA",
    "Your turn, Zoë",
    "Bob has stopped.\nYou have until Friday.",
    "https://play.example/t/k7QmZr3pW9xA",
    2,
    NOW,
    NOW + timedelta(days=1),
    "https://play.example/calls/abc/unsubscribe?token=x",
    "No more of these mails",
)
GUARD = Guard([ip_network("127.0.0.0/8")], PATIENCE)
SECRET = bytes(range(32))


def at_service(
    send: Callable[[LocalService], Awaitable[Outcome]],
) -> tuple[Outcome, LocalService]:
    async def run() -> tuple[Outcome, LocalService]:
        async with local_service() as service:
            return await send(service), service

    return asyncio.run(run())


# ntfy


def test_a_topic_of_ntfy() -> None:
    ntfy = Ntfy(GUARD, lambda: NOW)
    outcome, service = at_service(
        lambda service: ntfy.send(Target(service.url("/my-turns")), MESSAGE)
    )
    (posted,) = service.posted
    sent = json.loads(posted.body)
    assert (outcome, posted.path) == (Sent(), "/")
    assert (sent["topic"], sent["title"], sent["click"]) == (
        "my-turns",
        MESSAGE.title,
        MESSAGE.url,
    )
    later = replace(MESSAGE, id="k7QmZr3pW9xA.31.remind")
    _, service = at_service(lambda service: ntfy.send(Target(service.url("/my-turns")), later))
    assert json.loads(service.posted[0].body)["sequence_id"] == sent["sequence_id"]


@pytest.mark.parametrize("url", ["https://ntfy.sh/", "https://ntfy.sh/a?b", "https://ntfy.sh/a%2F"])
def test_what_is_no_topic(url: str) -> None:
    assert topic_address(url) is None
    assert asyncio.run(Ntfy(GUARD, lambda: NOW).send(Target(url), MESSAGE)) == Gone("not a topic")


def test_a_server_that_is_no_ntfy_is_not_a_topic_that_is_gone() -> None:
    ntfy = Ntfy(GUARD, lambda: NOW)
    outcome, _ = at_service(lambda service: ntfy.send(Target(service.url("/404/topic")), MESSAGE))
    assert outcome == Failed("status 404")
    inside = asyncio.run(Ntfy(Guard(), lambda: NOW).send(Target("https://10.0.0.1/a"), MESSAGE))
    assert inside == Gone("an address inside")


# Webhook


def test_a_webhook_is_signed_as_standard_webhooks_are() -> None:
    webhook = Webhook(GUARD, lambda: NOW)
    outcome, service = at_service(
        lambda service: webhook.send(Target(service.url("/hook"), SECRET), MESSAGE)
    )
    (posted,) = service.posted
    assert outcome == Sent()
    # as their specification says how to check one
    secret = b64decode(shown_secret(SECRET).removeprefix("whsec_"))
    head = posted.headers
    signed = f"{head['webhook-id']}.{head['webhook-timestamp']}.".encode() + posted.body
    expected = b64encode(hmac.digest(secret, signed, "sha256")).decode()
    assert head["webhook-signature"] == f"v1,{expected}"
    assert head["webhook-id"] == MESSAGE.id
    assert int(head["webhook-timestamp"]) == NOW.timestamp()
    assert json.loads(posted.body)["url"] == MESSAGE.url


@pytest.mark.parametrize(
    ("path", "outcome"),
    [("/410", Gone("status 410")), ("/500", Later("status 500")), ("/302", Failed("status 302"))],
)
def test_what_a_webhook_answers(path: str, outcome: Outcome) -> None:
    webhook = Webhook(GUARD, lambda: NOW)
    found, _ = at_service(lambda service: webhook.send(Target(service.url(path), SECRET), MESSAGE))
    assert found == outcome


# Mail


async def mailed(boxes: Mailboxes, user: str | None = None, password: str | None = None) -> Outcome:
    server = MailServer.read(boxes.url, "games@play.example")
    mail = Mail(replace(server, user=user, password=password), PATIENCE)
    return await mail.send(Target("zoe@home.example"), MESSAGE)


def test_a_mail_through_a_mail_server() -> None:
    async def run() -> Mailboxes:
        async with mailboxes() as boxes:
            assert await mailed(boxes) == Sent()
            assert await mailed(boxes) == Sent()
            return boxes

    boxes = asyncio.run(run())
    first, copy = boxes.mails
    assert f"\nList-Unsubscribe: <{MESSAGE.unsubscribe}>\r\n".encode() in boxes.raw[0]
    assert boxes.recipients[0] == ["zoe@home.example"]
    assert first["Subject"] == "Your turn, Zoë"
    assert first["Message-ID"] == copy["Message-ID"] == "<k7QmZr3pW9xA.31.turn@play.example>"
    assert first["List-Unsubscribe"] == f"<{MESSAGE.unsubscribe}>"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert first["Auto-Submitted"] == "auto-generated"
    text, html = (part.get_content() for part in first.iter_parts())
    assert "You have until Friday." in text
    assert MESSAGE.url in text
    assert f'href="{MESSAGE.url}"' in html


def test_the_link_that_ends_mails_is_in_the_header_as_it_is() -> None:
    """However long: mail programs read no encoded words there (RFC 8058)."""
    link = f"https://play.example/calls/mail/k7QmZr3pW9xA/stop?key={'0123456789' * 8}"
    mail = written(replace(MESSAGE, unsubscribe=link), "games@play.example", "zoe@home.example")
    assert f"\r\nList-Unsubscribe: <{link}>\r\n".encode() in mail.as_bytes()
    assert f"List-Unsubscribe: <{link}>" in mail.as_string()


def test_names_cannot_write_headers_or_html() -> None:
    sly = replace(MESSAGE, title="Turn\r\nBcc: all@evil.example", text="<script>x</script>")
    mail = written(sly, "games@play.example", "zoe@home.example")
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Turn Bcc: all@evil.example"
    _, html = (part.get_content() for part in mail.iter_parts())
    assert "<script" not in html


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ({"zoe@home.example": "550 nobody"}, Gone("status 550")),
        ({"zoe@home.example": "452 full"}, Later("status 452")),
        ({"data": "554 no"}, Failed("status 554")),
        ({"data": "451 later"}, Later("status 451")),
    ],
)
def test_what_mail_servers_answer(answers: dict[str, str], outcome: Outcome) -> None:
    async def run() -> Outcome:
        async with mailboxes() as boxes:
            boxes.answers = answers
            return await mailed(boxes)

    assert asyncio.run(run()) == outcome


def test_a_mail_server_that_is_not_there() -> None:
    assert asyncio.run(mailed(Mailboxes(port=1))) == Later("ConnectionRefusedError")


def test_a_mail_server_that_hangs() -> None:
    async def run() -> Outcome:
        ended = asyncio.Event()

        async def wait(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await ended.wait()
            writer.close()

        listening = await asyncio.start_server(wait, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        mail = Mail(MailServer.read(f"smtp://127.0.0.1:{port}", "games@play.example"), 0.2)
        outcome = await mail.send(Target("zoe@home.example"), MESSAGE)
        ended.set()
        listening.close()
        return outcome

    assert isinstance(asyncio.run(run()), Later)


def test_a_password_is_never_sent_in_the_clear() -> None:
    async def run() -> Mailboxes:
        async with mailboxes() as boxes:
            outcome = await mailed(boxes, user="games", password="secret")
            assert outcome == Later("no TLS for the password")
            return boxes

    assert not asyncio.run(run()).mails
    server = MailServer.read("smtp://games:secret@mail.example", "games@play.example")
    assert "secret" not in repr(server)


def test_mail_servers_as_operators_write_them() -> None:
    read = MailServer.read("smtps://games%40play:p%3Aw@mail.example", "games@play.example")
    assert (read.host, read.port, read.is_tls) == ("mail.example", 465, True)
    assert (read.user, read.password) == ("games@play", "p:w")
    for url in ("mail.example", "http://mail.example", "smtp://", "smtp://a:x", "smtp://a/b"):
        with pytest.raises(InvalidText):
            MailServer.read(url, "games@play.example")
    with pytest.raises(InvalidText):
        MailServer.read("smtp://mail.example", "games")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "anne",
        "@home.example",
        "anne@",
        "anne@home",
        "anne@home..example",
        "anne@-home.example",
        "anne@10.0.0.1",
        "a b@home.example",
        "a,b@home.example",
        "<anne@home.example>",
        "anne@home.example\n",
        "anne@home.example, bob@home.example",
        "anne@b@home.example",
        '"anne"@home.example',
        ".anne@home.example",
        "-anne@home.example",
        "änne@home.example",
        f"{'a' * 65}@home.example",
        f"anne@{'a' * 250}.example",
    ],
)
def test_what_is_no_address_of_a_person(text: str) -> None:
    assert not is_address(text)


@pytest.mark.parametrize("text", ["anne@home.example", "Anne+dice@sub.home.example", "o'x@a.io"])
def test_addresses_of_people(text: str) -> None:
    assert is_address(text)


# Feed and calendar


def turn(n: int, title: str = "Your turn", text: str = "Bob, Carol") -> WaitingTurn:
    return WaitingTurn(
        f"k7QmZr3pW9x{n}.31",
        title,
        text,
        f"https://play.example/t/k7QmZr3pW9x{n}",
        NOW - timedelta(hours=n),
        NOW + timedelta(hours=n),
    )


ADDRESS = "https://play.example/calls/abc/turns.atom"
TEXTS = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=120)


@given(title=TEXTS, text=TEXTS)
def test_a_feed_is_read_by_another_program(title: str, text: str) -> None:
    found = feedparser.parse(atom("Can’t Stop", ADDRESS, [turn(2, title, text), turn(1)], NOW))
    assert not found.bozo
    assert found.version == "atom10"
    assert [entry.link for entry in found.entries] == [turn(1).url, turn(2).url]
    assert found.entries[0].updated == "2026-11-19T11:00:00Z"
    assert len({entry.id for entry in found.entries}) == 2


def test_a_feed_keeps_text_as_it_is() -> None:
    sly = '<b>Zoë</b> & "Bob"'
    (entry,) = feedparser.parse(
        atom("x", ADDRESS, [turn(1, sly, "x")], NOW), sanitize_html=False
    ).entries
    assert entry.title == sly
    assert not feedparser.parse(atom("x", ADDRESS, [], NOW)).entries


@given(title=TEXTS, text=TEXTS)
def test_a_calendar_is_read_by_another_program(title: str, text: str) -> None:
    data = ics("Can’t Stop, turns", [turn(1, title, text), turn(2)], NOW)
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    first, second = Calendar.from_ical(data).walk("VEVENT")
    assert (str(first["SUMMARY"]), str(first["DESCRIPTION"])) == (title, text)
    assert first.decoded("DTEND") == NOW + timedelta(hours=1)
    assert str(second["URL"]) == turn(2).url
    assert first["UID"] != second["UID"]
