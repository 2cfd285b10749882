"""Passkeys: one adds a device, once for each challenge; what only looks like one does not."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.testclient import TestClient

from authenticator import PRESENT, VERIFIED, Authenticator, base64url
from cantstop.server import ServerOptions, create_app
from cantstop.server.database import schema
from cantstop.server.database.connections import open_engine
from cantstop.server.limits.policy import Limits
from cantstop.server.tables.passkeys import CHALLENGE_SECONDS, MOST_PASSKEYS, site_of
from cantstop.wire.club import Me, PasskeyChallenge
from club import Member, device, member
from set_clock import SetClock
from wire_json import check_type

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
WRONG = (403, "wrong-code")
MALFORMED = (400, "malformed")


@pytest.fixture
def clocked(each_url: str, web: Path, time: SetClock) -> Iterator[TestClient]:
    """A server of one's own, whose clock is set."""
    options = ServerOptions(each_url, pace=0, web=web, clock=time, limits=Limits().times(0))
    with TestClient(create_app(options)) as running:
        yield running


_numbers = count()


def player(server: TestClient) -> Member:
    """A player with a name of their own."""
    return member(server, f"Player {next(_numbers)}")


def challenge_for(one: Member) -> str:
    found = one.ask("POST", "/me/passkeys/challenge", 201)
    check_type(PasskeyChallenge, found)
    return str(found["challenge"])


def with_passkey(server: TestClient, passkey: Authenticator) -> Member:
    """A player with a passkey."""
    found = player(server)
    found.ask("POST", "/me/passkeys", 201, **passkey.made(challenge_for(found)), device="Laptop")
    return found


def test_a_new_device_is_added_by_a_passkey(clocked: TestClient, time: SetClock) -> None:
    passkey = Authenticator()
    anne = with_passkey(clocked, passkey)
    me = anne.ask("GET", "/me")
    check_type(Me, me)
    assert [one["name"] for one in me["passkeys"]] == ["Laptop"]
    time.now = NOON + timedelta(days=3)
    phone = device(clocked)
    added = phone.ask(
        "POST", "/me/passkeys/use", 201, **passkey.signed(challenge_for(phone)), device="Phone"
    )
    assert added["id"] == me["id"]
    assert [one["name"] for one in added["devices"]] == ["", "Phone"]
    assert added["passkeys"][0]["used_at"] == "2026-11-18T00:00:00.000Z"
    assert phone.ask("GET", "/me")["name"] == me["name"]


def test_one_of_windows_signs_by_rsa(each_server: TestClient) -> None:
    passkey = Authenticator.with_rsa()
    with_passkey(each_server, passkey)
    phone = device(each_server)
    phone.ask("POST", "/me/passkeys/use", 201, **passkey.signed(challenge_for(phone)))


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://testserver"},
        {"origin": "https://testserver:8443"},
        {"site": "evil.example"},
        {"flags": PRESENT},
        {"flags": VERIFIED},
        {"cross_origin": True},
        {"key": ec.generate_private_key(ec.SECP256R1())},
        {"credential": b"another passkey"},
    ],
    ids=lambda changed: " ".join(f"{name}={value}" for name, value in changed.items())[:40],
)
def test_what_is_not_the_passkey_lets_nobody_in(
    each_server: TestClient, changed: dict[str, Any]
) -> None:
    passkey = Authenticator()
    with_passkey(each_server, passkey)
    thief = device(each_server)
    signed = passkey.but(**changed).signed(challenge_for(thief))
    assert thief.refusal("POST", "/me/passkeys/use", **signed) == WRONG
    assert thief.refusal("GET", "/me") == (403, "wrong-key")


@pytest.mark.parametrize(
    "changed",
    [{"origin": "https://evil.example"}, {"site": "evil.example"}, {"flags": PRESENT}],
    ids=str,
)
def test_a_passkey_of_another_site_cannot_be_added(
    each_server: TestClient, changed: dict[str, Any]
) -> None:
    anne = player(each_server)
    made = Authenticator().but(**changed).made(challenge_for(anne))
    assert anne.refusal("POST", "/me/passkeys", **made) == WRONG
    assert anne.ask("GET", "/me")["passkeys"] == []


class TestChallenge:
    def test_it_is_good_once(self, each_server: TestClient) -> None:
        passkey = Authenticator()
        with_passkey(each_server, passkey)
        phone = device(each_server)
        signed = passkey.signed(challenge_for(phone))
        (lost,) = [
            one["id"]
            for one in phone.ask("POST", "/me/passkeys/use", 201, **signed)["devices"]
            if one["this"]
        ]
        phone.ask("DELETE", f"/me/devices/{lost}", 204)
        assert phone.refusal("POST", "/me/passkeys/use", **signed) == WRONG

    def test_it_is_only_for_the_device_that_has_asked(self, each_server: TestClient) -> None:
        """An eavesdropper adds none of their own devices."""
        passkey = Authenticator()
        anne = with_passkey(each_server, passkey)
        phone, thief = device(each_server), device(each_server)
        signed = passkey.signed(challenge_for(phone))
        challenge_for(thief)
        assert thief.refusal("POST", "/me/passkeys/use", **signed) == WRONG
        mine = Authenticator(credential=b"a second one").made(challenge_for(phone))
        assert anne.refusal("POST", "/me/passkeys", **mine) == WRONG

    def test_it_ends_after_five_minutes_and_with_the_next_one(
        self, clocked: TestClient, time: SetClock
    ) -> None:
        passkey = Authenticator()
        with_passkey(clocked, passkey)
        phone = device(clocked)
        first, second = challenge_for(phone), challenge_for(phone)
        assert phone.refusal("POST", "/me/passkeys/use", **passkey.signed(first)) == WRONG
        time.now = NOON + CHALLENGE_SECONDS
        assert phone.refusal("POST", "/me/passkeys/use", **passkey.signed(second)) == WRONG

    def test_those_that_have_ended_are_not_kept(
        self, clocked: TestClient, time: SetClock, each_url: str
    ) -> None:
        for _ in range(5):
            challenge_for(device(clocked))
        time.now = NOON + CHALLENGE_SECONDS
        challenge_for(device(clocked))
        engine = open_engine(each_url)
        with engine.connect() as connection:
            kept = sa.select(sa.func.count()).select_from(schema.passkey_challenges)
            assert connection.scalar(kept) == 1
        engine.dispose()

    def test_it_was_for_something_else(self, each_server: TestClient) -> None:
        passkey = Authenticator()
        anne = with_passkey(each_server, passkey)
        phone = device(each_server)
        signed = passkey.signed(challenge_for(phone), "webauthn.create")
        assert phone.refusal("POST", "/me/passkeys/use", **signed) == WRONG
        other = Authenticator(credential=b"a second one")
        made = other.made(challenge_for(anne), "webauthn.get")
        assert anne.refusal("POST", "/me/passkeys", **made) == WRONG


def test_an_authenticator_that_counts_backwards_was_copied(each_server: TestClient) -> None:
    passkey = Authenticator(count=7)
    with_passkey(each_server, passkey)
    for counted, is_known in ((9, True), (9, False), (8, False), (0, False), (10, True)):
        phone = device(each_server)
        signed = passkey.but(count=counted).signed(challenge_for(phone))
        answer = phone.try_to("POST", "/me/passkeys/use", **signed)
        assert answer.status_code == (201 if is_known else 403), counted


def test_a_removed_passkey_lets_nobody_in_and_nobody_removes_anothers(
    each_server: TestClient,
) -> None:
    passkey = Authenticator()
    anne, bob = with_passkey(each_server, passkey), player(each_server)
    (kept,) = anne.ask("GET", "/me")["passkeys"]
    assert bob.refusal("DELETE", f"/me/passkeys/{kept['id']}") == (404, "not-found")
    anne.ask("DELETE", f"/me/passkeys/{kept['id']}", 204)
    phone = device(each_server)
    signed = passkey.signed(challenge_for(phone))
    assert phone.refusal("POST", "/me/passkeys/use", **signed) == WRONG


def test_it_is_never_the_only_way_in(each_server: TestClient) -> None:
    anne = with_passkey(each_server, Authenticator())
    (only,) = anne.ask("GET", "/me")["devices"]
    assert anne.refusal("DELETE", f"/me/devices/{only['id']}") == (409, "not-now")


def test_a_passkey_is_of_one_player_who_has_not_too_many(each_server: TestClient) -> None:
    passkey = Authenticator()
    anne, bob = with_passkey(each_server, passkey), player(each_server)
    made = passkey.made(challenge_for(bob))
    assert bob.refusal("POST", "/me/passkeys", **made) == (409, "not-now")
    others = (passkey.but(credential=bytes([at])) for at in range(MOST_PASSKEYS))
    for other in list(others)[1:]:
        anne.ask("POST", "/me/passkeys", 201, **other.made(challenge_for(anne)))
    known = anne.ask("POST", "/me/passkeys/challenge", 201)
    assert len(known["known"]) == MOST_PASSKEYS
    last = passkey.but(credential=b"one more").made(known["challenge"])
    assert anne.refusal("POST", "/me/passkeys", **last) == (409, "not-now")


def test_an_erased_player_has_none(each_server: TestClient) -> None:
    passkey = Authenticator()
    with_passkey(each_server, passkey).ask("DELETE", "/me", 204)
    phone = device(each_server)
    signed = passkey.signed(challenge_for(phone))
    assert phone.refusal("POST", "/me/passkeys/use", **signed) == WRONG
    with_passkey(each_server, passkey)


@pytest.mark.parametrize(
    "changed",
    [
        {"client_data": base64url(b"no JSON")},
        {"client_data": base64url(b"[]")},
        {"client_data": base64url(b"[" * 1500)},
        {"client_data": base64url(b"\xff\xfe")},
        {"client_data": "A"},
        {"authenticator_data": base64url(b"short")},
        {"authenticator_data": base64url(Authenticator()._head(0))},
        {"public_key": base64url(b"no key")},
        {"public_key": Authenticator(key=ec.generate_private_key(ec.SECP384R1())).public_key},
        {"public_key": Authenticator.with_rsa(1024).public_key},
        {"public_key": Authenticator.with_rsa(exponent=3).public_key},
        {"credential": base64url(b"not what was signed")},
        {"credential": "not base64!"},
        {"more": "a"},
    ],
    ids=lambda changed: "-".join(changed),
)
def test_what_cannot_be_read_is_refused(each_server: TestClient, changed: dict[str, Any]) -> None:
    anne = player(each_server)
    made = Authenticator().made(challenge_for(anne))
    assert anne.refusal("POST", "/me/passkeys", **made | changed) == MALFORMED
    assert anne.ask("GET", "/me")["passkeys"] == []


@pytest.mark.parametrize("signature", ["AAAA", "A"])
def test_a_signature_that_is_none(each_server: TestClient, signature: str) -> None:
    passkey = Authenticator()
    with_passkey(each_server, passkey)
    phone = device(each_server)
    signed = passkey.signed(challenge_for(phone)) | {"signature": signature}
    assert phone.refusal("POST", "/me/passkeys/use", **signed) in (WRONG, MALFORMED)


def test_wrong_ones_are_limited_and_noted(
    strict: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    guesser, most = device(strict), int(Limits().guesses.burst)
    codes = [
        guesser.refusal(
            "POST", "/me/passkeys/use", **Authenticator().signed(challenge_for(guesser))
        )[0]
        for _ in range(most + 2)
    ]
    assert codes == [403] * most + [429, 429]
    assert "Wrong passkey for a player's second device." in caplog.text


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000", "http://[::1]:8000", "http://[::1]"])
def test_a_server_without_a_name_has_none(url: str, web: Path, address: str) -> None:
    with TestClient(create_app(ServerOptions(url, web=web)), base_url=address) as server:
        refused = device(server).refusal("POST", "/me/passkeys/challenge")
    assert refused == (409, "not-now")


def test_on_the_machine_itself_http_will_do() -> None:
    assert "http://localhost:8000" in site_of("localhost:8000").origins
    assert site_of("Play.Example").origins == ("https://play.example",)
