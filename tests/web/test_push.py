"""A call in a real browser: encrypted by the server, shown by the worker, opened by a click.

Only the push service between them is the test's own, since the browser's maker cannot be reached:
it keeps what the server posts, and the browser is given that after it was decrypted with its keys.
"""

import base64
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from shutil import which
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser_keys import BrowserKeys
from browser_player import CHROMIUM, CHROMIUM_ARGS, MILLISECONDS, Player, ServerProcess
from notification_service import NotificationService, notification_service
from patience import PATIENCE
from slow_games import Friend
from web.axe import severe_problems
from web.test_turns import KEEP, sits_at

SUBSCRIBE = """(given) => {
  let subscription = null;
  PushManager.prototype.getSubscription = async () => subscription;
  PushManager.prototype.subscribe = async (options) => {
    const { endpoint, keys } = given;
    subscription = { options: {}, unsubscribe: async () => void (subscription = null),
      toJSON: () => ({ endpoint, keys }) };
    return subscription;
  };
}"""
"""What a browser does with its maker's push service."""
REGISTERED = """async () => {
  await navigator.serviceWorker.ready;
  window.registration = new Promise((known) => (window.registered = known));
}"""
CHANGED = """async () => {
  let done;
  ExtendableEvent.prototype.waitUntil = (promise) => void (done = promise);
  self.dispatchEvent(new ExtendableEvent("pushsubscriptionchange"));
  await done;
}"""
"""Browsers let a worker wait for something only in events that they make themselves."""


@dataclass
class PushService:
    """Takes what servers post to browsers."""

    keys: BrowserKeys = field(default_factory=BrowserKeys)
    posted: Queue[bytes] = field(default_factory=Queue)
    gone: set[str] = field(default_factory=set)
    """Where no browser is any more."""
    port: int = 0

    @property
    def subscription(self) -> dict[str, Any]:
        return self.subscription_at("push")

    def subscription_at(self, path: str) -> dict[str, Any]:
        """Another one, at an address of its own."""
        keys = {"p256dh": self.keys.public, "auth": self.keys.auth}
        text = {name: base64.urlsafe_b64encode(key).decode() for name, key in keys.items()}
        return {"endpoint": f"http://127.0.0.1:{self.port}/{path}", "keys": text}

    def next(self) -> dict[str, Any]:
        """The next message, as the browser reads it."""
        message = json.loads(self.keys.decrypt(self.posted.get(timeout=PATIENCE)))
        assert isinstance(message, dict)
        return message


@contextmanager
def push_service() -> Iterator[PushService]:
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path not in service.gone:
                service.posted.put(body)
            self.send_response(410 if self.path in service.gone else 201)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Keep it out of the tests' output."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.port = server.server_port
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield service
        server.shutdown()
        thread.join()


@dataclass(frozen=True)
class Phone:
    """A browser whose notifications are shown by the desktop, and are clicked on there."""

    context: BrowserContext
    player: Player
    desk: NotificationService
    pushes: PushService

    def deliver(self, message: object) -> None:
        """Hand a message to the service worker, as the browser does."""
        page = self.context.pages[0]
        page.evaluate(REGISTERED)
        session = self.context.new_cdp_session(page)

        def on_update(event: dict[str, Any]) -> None:
            for registration in event["registrations"]:
                page.evaluate("(id) => window.registered(id)", registration["registrationId"])

        session.on("ServiceWorker.workerRegistrationUpdated", on_update)
        session.send("ServiceWorker.enable")
        registration = page.evaluate("window.registration")
        text = message if isinstance(message, str) else json.dumps(message)
        session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": self.player.url, "registrationId": registration, "data": text},
        )
        session.detach()

    def lose_subscription(self, then: dict[str, Any]) -> None:
        """The browser gives its subscription up, and has its service worker have this new one."""
        (worker,) = self.context.service_workers
        worker.evaluate(f"({SUBSCRIBE})({json.dumps(then)})")
        worker.evaluate(CHANGED)

    def click_opens(self, click: Any) -> Page:
        with self.context.expect_page(timeout=MILLISECONDS) as opened:
            self.desk.click(click)
        return opened.value


@pytest.fixture(scope="module")
def calling_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that may post to the test's own push service."""
    database = f"sqlite:///{tmp_path_factory.mktemp('calls') / 'tables.db'}"
    server = ServerProcess(database, more=("--allow-calls-to", "127.0.0.0/8")).start()
    yield server
    server.kill()


@pytest.fixture
def phone(browser: Browser, tmp_path: Path, calling_server: ServerProcess) -> Iterator[Phone]:
    with notification_service() as desk, push_service() as pushes:
        # the browser without windows shows no notifications, nor does one in a private window
        context = browser.browser_type.launch_persistent_context(
            tmp_path / "profile",
            executable_path=which("chromium") or CHROMIUM,
            args=CHROMIUM_ARGS,
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": desk.address},
            base_url=calling_server.url,
            locale="en",
            reduced_motion="reduce",
        )
        context.set_default_timeout(MILLISECONDS)
        context.grant_permissions(["notifications"], origin=calling_server.url)
        context.add_init_script(f"({SUBSCRIBE})({json.dumps(pushes.subscription)})")
        player = Player(context.pages[0], calling_server.url)
        yield Phone(context, player, desk, pushes)
        context.close()


def test_a_turn_is_called_by_a_notification_that_opens_the_table(
    phone: Phone, calling_server: ServerProcess
) -> None:
    anne, bob = (Friend.begin(calling_server.url, name) for name in ("Push Anne", "Push Bob"))
    player = sits_at(phone.player, anne).go("/notifications")
    expect(player.find(".push-on")).to_have_count(0)
    player.find(".begin-push").click()
    expect(player.find(".push-on")).to_have_text("Notifications are on.")
    assert severe_problems(player) == []
    anne.opens(bob, days=None)  # a live game waits as well
    table = bob.opens(anne)
    bob.plays(table)

    message = phone.pushes.next()
    assert (message["path"], message["topic"], message["waiting"]) == (f"/t/{table}", table, 2)
    player.go("/turns")
    assert player.page.evaluate("window.badge") == message["waiting"]
    phone.deliver(message)
    shown = phone.desk.next()
    assert shown.title == message["title"]
    assert "Push Bob" in shown.text
    opened = Player(phone.click_opens(shown), calling_server.url)
    opened.sees(stage="playing", live=True)
    assert opened.table_id == table

    # the page is there now: a later call leads to it, and to no other one
    phone.deliver({**message, "id": "later"})
    phone.desk.click(phone.desk.next())
    player.page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    opened.take_turn()
    assert [page.url for page in phone.context.pages].count(opened.page.url) == 1

    player.go("/notifications").find(".end-push").click()
    expect(player.find(".begin-push")).to_be_visible()
    assert anne.ask("GET", "/me/calls")["contacts"] == []


def test_a_browser_that_changes_its_subscription_is_called_at_the_new_one(
    phone: Phone, calling_server: ServerProcess
) -> None:
    anne, bob = (Friend.begin(calling_server.url, name) for name in ("Lost Anne", "Lost Bob"))
    player = sits_at(phone.player, anne)
    player.page.evaluate(KEEP, ["prefs", {"name": anne.name, "language": "fr"}])
    player.go("/notifications")
    player.find(".begin-push").click()
    expect(player.find(".push-on")).to_be_visible()
    player.go("/rules")
    (before,) = anne.ask("GET", "/me/calls")["contacts"]
    phone.pushes.gone.add("/push")

    phone.lose_subscription(phone.pushes.subscription_at("renewed"))
    (after,) = anne.ask("GET", "/me/calls")["contacts"]
    assert after["id"] != before["id"]
    table = bob.opens(anne)
    bob.plays(table)
    message = phone.pushes.next()
    assert message["topic"] == table
    # in the language that was chosen here, which need not be the browser's
    assert message["title"] == "C’est ton tour"


@pytest.mark.parametrize("sent", ["", "no JSON", "{}", '{"path": "https://example.org/"}'])
def test_whatever_is_sent_something_is_shown_and_no_other_site_is_opened(
    phone: Phone, sent: str
) -> None:
    phone.player.go("/rules")
    phone.deliver(sent)
    assert phone.desk.next().title == "Can’t Stop"
