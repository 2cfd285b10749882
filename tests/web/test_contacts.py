"""The ways that a player is called, beside the browser: added, tried, changed and removed.

The mail server and the services behind ntfy and webhooks are real ones on this machine.
"""

import hmac
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from secrets import token_hex

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from playwright.sync_api import Locator, expect

from browser_player import Player, ServerProcess
from local_service import LocalService, local_service
from mailboxes import Mailboxes, mailboxes
from slow_games import Friend
from web.axe import severe_problems
from web.test_turns import sits_at

SITE = "https://play.example"
"""Where players reach the server: a proxy stands there, in whose place tests put themselves."""


@dataclass(frozen=True)
class Outside:
    """A server, and what it sends to."""

    server: ServerProcess
    service: LocalService
    boxes: Mailboxes
    portal: BlockingPortal

    def next_mail(self) -> EmailMessage:
        return self.portal.call(self.boxes.arrived.get)

    def link_in(self, mail: EmailMessage, purpose: str) -> str:
        """The link of a mail that serves a purpose, as the proxy hands it on."""
        text = mail.get_body(("plain",))
        assert text is not None
        found = re.search(rf"{SITE}(/calls/mail/\w+/{purpose}\?\S+)", text.get_content())
        assert found, text.get_content()
        return found[1]


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    database = f"sqlite:///{tmp_path_factory.mktemp('contacts') / 'tables.db'}"
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(local_service()) as service,
        portal.wrap_async_context_manager(mailboxes()) as boxes,
    ):
        options = ["--public-url", SITE, "--allow-calls-to", "127.0.0.0/8"]
        options += ["--mail", boxes.url, "--mail-from", "games@play.example"]
        server = ServerProcess(database, more=tuple(options)).start()
        yield Outside(server, service, boxes, portal)
        server.kill()


@pytest.fixture
def server(outside: Outside) -> ServerProcess:
    """The players of these tests sit at the server that sends."""
    return outside.server


@pytest.fixture
def anne(outside: Outside) -> Friend:
    return Friend.begin(outside.server.url, f"Cleo {token_hex(4)}")


@pytest.fixture
def page(player: Player, anne: Friend) -> Player:
    return sits_at(player, anne).go("/notifications")


def add(page: Player, kind: str, address: str) -> None:
    page.find(f".add-{kind} summary").click()
    page.find(f"[name={kind}]").fill(address)
    page.page.keyboard.press("Enter")


def contact(page: Player, kind: str) -> Locator:
    return page.find(f".contact[data-channel={kind}]")


def chooses_a_digest(page: Player, anne: Friend, kind: str) -> None:
    with page.page.expect_response("**/api/me/calls/*"):
        contact(page, kind).locator("[data-field=digest]").check()
    (known,) = anne.ask("GET", "/me/calls")["contacts"]
    assert known["digest"]
    page.page.reload()
    expect(contact(page, kind).locator("[data-field=digest]")).to_be_checked()


def removes(page: Player, anne: Friend, kind: str) -> None:
    contact(page, kind).locator(".remove-contact").click()
    expect(page.find(".toast")).to_have_text("Removed.")
    expect(page.find(".contact")).to_have_count(0)
    assert anne.ask("GET", "/me/calls")["contacts"] == []


def test_a_mail_address_is_asked_says_yes_and_is_dropped(
    page: Player, anne: Friend, outside: Outside, sit: Callable[..., Player]
) -> None:
    address = f"{anne.name.replace(' ', '.').lower()}@home.example"
    add(page, "mail", address)
    expect(page.find(".toast")).to_have_text(
        "A question was sent to your address: open the link in it."
    )
    mine = contact(page, "mail")
    expect(mine).to_contain_text(address)
    expect(mine.locator(".contact-state")).to_contain_text("Waiting for your yes")
    expect(mine.locator(".test-contact")).to_have_count(0)
    assert severe_problems(page) == []

    mail = outside.next_mail()
    assert mail["To"] == address
    owner = sit().go(outside.link_in(mail, "confirm"))  # on the phone, where the mail is read
    expect(owner.find("p").first).to_contain_text(address)
    owner.find("button").click()
    expect(owner.find("h1")).to_have_text("We will write to you")

    # who comes back to the page sees it there
    page.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(mine.locator(".contact-state")).to_have_text(
        "Confirmed: messages are sent there from now on."
    )
    chooses_a_digest(page, anne, "mail")
    removes(page, anne, "mail")
    assert owner.go(outside.link_in(mail, "stop")).find("h1").inner_text() == (
        "This link is not valid any more"
    )


def test_an_address_that_cannot_be_is_refused_beside_the_field(page: Player) -> None:
    add(page, "mail", "cleo@home")
    expect(page.find(".add-mail .problem")).to_have_text("“cleo@home” is not an e-mail address.")
    expect(page.find("[name=mail]")).to_have_value("cleo@home")
    expect(page.find(".contact")).to_have_count(0)


def test_a_topic_of_ntfy_is_added_tried_and_dropped(
    page: Player, anne: Friend, outside: Outside
) -> None:
    topic = f"turns-{token_hex(8)}"
    add(page, "ntfy", outside.service.url(f"/{topic}"))
    mine = contact(page, "ntfy")
    expect(mine.locator(".contact-state")).to_have_text("Nothing was sent there yet.")
    mine.locator(".test-contact").click()
    expect(mine.locator(".test-result")).to_have_text("Sent. It should be there in a moment.")
    posted = [json.loads(one.body) for one in outside.service.posted if one.path == "/"]
    (sent,) = [one for one in posted if one["topic"] == topic]
    assert (sent["title"], sent["click"]) == ("This is a test", f"{SITE}/turns")
    mine.locator(".test-contact").click()
    expect(mine.locator(".contact-test .problem")).to_contain_text("try again in a minute")
    chooses_a_digest(page, anne, "ntfy")
    removes(page, anne, "ntfy")


def test_a_webhook_shows_its_secret_once_and_signs_with_it(
    page: Player, anne: Friend, outside: Outside
) -> None:
    path = f"/hook/{token_hex(8)}"
    add(page, "webhook", outside.service.url(path))
    secret = page.find("dialog .link-field").input_value()
    assert severe_problems(page) == []
    page.find("dialog > .sheet-body > .primary").click()
    expect(page.find("dialog")).to_have_count(0)
    assert secret not in page.page.content()

    mine = contact(page, "webhook")
    mine.locator(".test-contact").click()
    expect(mine.locator(".test-result")).to_have_text("Sent. It should be there in a moment.")
    (sent,) = [one for one in outside.service.posted if one.path == path]
    # as Standard Webhooks has it
    key = b64decode(secret.removeprefix("whsec_"))
    head = [sent.headers[f"webhook-{name}"] for name in ("id", "timestamp")]
    signed = b".".join([*(one.encode() for one in head), sent.body])
    made = b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert sent.headers["webhook-signature"] == f"v1,{made}"
    chooses_a_digest(page, anne, "webhook")
    removes(page, anne, "webhook")


def test_a_service_that_does_not_answer_is_said(
    page: Player, anne: Friend, outside: Outside
) -> None:
    add(page, "webhook", outside.service.url(f"/503/{token_hex(8)}"))
    page.find("dialog > .sheet-body > .primary").click()
    mine = contact(page, "webhook")
    mine.locator(".test-contact").click()
    expect(mine.locator(".contact-test .problem")).to_have_text(
        "Its service does not answer now. Messages are tried again."
    )
    page.page.reload()
    expect(mine.locator(".contact-state.fails")).to_contain_text("did not arrive")
    removes(page, anne, "webhook")


def test_an_address_that_is_gone_is_removed_by_its_test(page: Player, outside: Outside) -> None:
    add(page, "webhook", outside.service.url(f"/410/{token_hex(8)}"))
    page.find("dialog > .sheet-body > .primary").click()
    contact(page, "webhook").locator(".test-contact").click()
    expect(page.find(".toast")).to_have_text("Nobody is at this address any more: it was removed.")
    expect(page.find(".contact")).to_have_count(0)
    expect(page.find("#contacts-title")).to_be_focused()
