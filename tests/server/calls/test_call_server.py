"""A whole server calls its players: by its own loops, and again after a backup was restored."""

import asyncio
import io
import json
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from browser_keys import BrowserKeys
from calls_world import SITE
from cantstop.server import ServerOptions, create_app
from cantstop.server.calls.channels.webpush import encoded
from cantstop.server.calls.options import CallOptions
from cantstop.server.database.backup import back_up, restore
from cantstop.server.limits.policy import Limits
from club import Member, member
from local_service import local_service
from table_client import OPEN

CALLS = CallOptions(SITE, None, (ip_network("127.0.0.0/8"),))


def serving(url: str, web: Path) -> TestClient:
    options = ServerOptions(url, web=web, calls=CALLS, limits=Limits().times(0))
    return TestClient(create_app(options), base_url=SITE)


def a_slow_game(anne: Member, bob: Member) -> str:
    seats: list[Any] = [{"kind": "human", "name": "A", "salt": "a"}, OPEN]
    table = anne.ask("POST", "/tables", 201, mode="online", seats=seats, days=1)["id"]
    bob.ask("POST", f"/tables/{table}/seats", 201, name="B", salt="b")
    return str(table)


@pytest.mark.parametrize("hangs", [0, 20], ids=["alone", "beside services that hang"])
def test_a_server_calls_by_itself(each_url: str, web: Path, hangs: int) -> None:
    browser = BrowserKeys()
    with serving(each_url, web) as server:
        assert server.portal is not None
        with server.portal.wrap_async_context_manager(local_service()) as service:
            bob = member(server, "Bob")
            for number in range(hangs):
                other = member(server, f"Other {number}")
                other.ask("POST", "/me/calls/webhook", 201, url=service.url(f"/hang/{number}"))
                a_slow_game(other, bob)
            anne = member(server, "Anne")
            subscription = {
                "endpoint": service.url("/push"),
                "p256dh": encoded(browser.public),
                "auth": encoded(browser.auth),
            }
            anne.ask("POST", "/me/calls/push", 201, **subscription)
            table = a_slow_game(anne, bob)

            async def pushed() -> bytes:
                while not (found := [one for one in service.posted if one.path == "/push"]):
                    await asyncio.sleep(0.01)
                return found[0].body

            body = server.portal.call(pushed)
            assert json.loads(browser.decrypt(body))["topic"] == table


def test_a_backup_brings_contacts_and_the_key_that_they_were_made_with(
    each_new_url: Callable[[], str], web: Path
) -> None:
    first, second = each_new_url(), each_new_url()
    with serving(first, web) as server:
        anne = member(server, "Anne")
        anne.ask("POST", "/me/calls/ntfy", 201, url="https://ntfy.example/turns")
        anne.ask("PUT", "/me/calls/reminders", hours=[3])
        before = anne.ask("GET", "/me/calls")
        saved = io.BytesIO()
        back_up(first, saved, lambda _: None)
    saved.seek(0)
    restore(second, saved, lambda _: None)
    with serving(second, web) as server:
        assert Member(server, anne.key).ask("GET", "/me/calls") == before
