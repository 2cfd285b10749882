"""Web Push: the examples of RFC 8291 and RFC 8292, and what push services answer."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import ip_network

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from browser_keys import BrowserKeys, point
from cantstop.server.calls.channels.webpush import (
    MAX_PLAIN_BYTES,
    BadSubscription,
    ServerKey,
    WebPush,
    check_keys,
    decoded,
    encoded,
    encrypt,
    payload,
    topic_of,
)
from cantstop.server.calls.guard import Guard
from cantstop.server.calls.message import Failed, Gone, Later, Message, Outcome, Sent, Target
from local_service import LocalService, local_service
from patience import PATIENCE

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
MESSAGE = Message(
    "k7QmZr3pW9xA.31.turn",
    "k7QmZr3pW9xA",
    "Your turn",
    "Bob has stopped.",
    "https://play.example/t/k7QmZr3pW9xA",
    2,
    NOW,
    NOW + timedelta(days=1),
)
BROWSER = BrowserKeys()


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(text), "big"), ec.SECP256R1())


# RFC 8291, section 5 and appendix A

RFC_PLAIN = b"When I grow up, I want to be a watermelon"
RFC_SERVER = private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
RFC_BROWSER = BrowserKeys(
    private("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), decoded("BTBZMqHH6r4Tts7J_aSIgg")
)
RFC_BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_RFC_8291_to_the_byte() -> None:
    body = encrypt(
        RFC_PLAIN,
        RFC_BROWSER.public,
        RFC_BROWSER.auth,
        own=RFC_SERVER,
        salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(body) == RFC_BODY
    assert RFC_BROWSER.decrypt(decoded(RFC_BODY)) == RFC_PLAIN


def test_a_browser_reads_what_is_encrypted_for_it_and_no_other_does() -> None:
    for plain in (b"", b"7", b"x" * MAX_PLAIN_BYTES):
        body = encrypt(plain, BROWSER.public, BROWSER.auth)
        assert BROWSER.decrypt(body) == plain
        assert len(body) <= 4096
        with pytest.raises(InvalidTag):
            replace(BROWSER, auth=b"0" * 16).decrypt(body)
    assert encrypt(b"7", BROWSER.public, BROWSER.auth) != encrypt(
        b"7", BROWSER.public, BROWSER.auth
    )
    with pytest.raises(ValueError, match="too long"):
        encrypt(b"x" * (MAX_PLAIN_BYTES + 1), BROWSER.public, BROWSER.auth)


# RFC 8292, section 2.4

RFC_TOKEN = (
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9"
    ".eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNo"
    "QGV4YW1wbGUuY29tIn0"
    ".i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"
)
RFC_KEY = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"


def read_token(header: str) -> tuple[dict[str, str], dict[str, object]]:
    """What a push service finds in the header, once the signature is right."""
    scheme, token, key = header.replace(",", "").split(" ")
    assert (scheme, token[:2], key[:2]) == ("vapid", "t=", "k=")
    signed, _, signature = token[2:].rpartition(".")
    raw = decoded(signature)
    assert len(raw) == 64
    r, s = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key[2:]))
    public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, claims = (json.loads(decoded(part)) for part in signed.split("."))
    return head, claims


def test_the_example_of_RFC_8292() -> None:
    head, claims = read_token(f"vapid t={RFC_TOKEN}, k={RFC_KEY}")  # the reader reads the RFC's
    key = ServerKey.new()
    at = datetime.fromtimestamp(1453523768, UTC) - timedelta(hours=12)
    header = key.authorization("https://push.example.net/p/1", "mailto:push@example.com", at)
    assert read_token(header) == (head, claims)
    # the same claims in the same bytes; only the signature differs, which has chance in it
    assert header.split(" ")[1][2:].split(".")[:2] == RFC_TOKEN.split(".")[:2]


def test_a_signature_of_another_key_is_none() -> None:
    header = ServerKey.new().authorization("https://push.example.net/", "mailto:a@b.org", NOW)
    with pytest.raises(InvalidSignature):
        read_token(f"{header.rpartition('k=')[0]}k={ServerKey.new().public}")


def test_a_key_is_the_same_after_it_was_stored() -> None:
    key = ServerKey.new()
    assert ServerKey(bytes(key.private)).public == key.public
    assert len(decoded(key.public)) == 65


@pytest.mark.parametrize(
    ("public", "auth"),
    [
        (b"", b"0" * 16),
        (b"\x04" + b"\xff" * 64, b"0" * 16),
        (b"\x02" + b"\x01" * 32, b"0" * 16),
        (BROWSER.public, b"0" * 15),
    ],
    ids=["none", "not on the curve", "compressed", "short"],
)
def test_keys_that_no_browser_made(public: bytes, auth: bytes) -> None:
    with pytest.raises(BadSubscription):
        check_keys(public, auth)


def test_keys_of_a_browser() -> None:
    check_keys(BROWSER.public, BROWSER.auth)
    assert len(point(BROWSER.private)) == 65
    with pytest.raises(BadSubscription):
        decoded("é")


# A push service


async def pushed(
    service: LocalService, path: str, message: Message = MESSAGE, seconds: float = PATIENCE
) -> Outcome:
    guard = Guard([ip_network("127.0.0.0/8")], seconds)
    push = WebPush(guard, ServerKey.new(), "mailto:host@play.example", lambda: NOW)
    target = Target(service.url(path), public_key=BROWSER.public, auth=BROWSER.auth)
    return await push.send(target, message)


def once(
    path: str, message: Message = MESSAGE, seconds: float = PATIENCE, **told: object
) -> tuple[Outcome, LocalService]:
    async def run() -> tuple[Outcome, LocalService]:
        async with local_service() as service:
            for name, value in told.items():
                setattr(service, name, value)
            return await pushed(service, path, message, seconds), service

    return asyncio.run(run())


def test_a_push_service_gets_what_it_needs() -> None:
    outcome, service = once("/p/1")
    assert outcome == Sent()
    (posted,) = service.posted
    assert posted.headers["ttl"] == "86400"
    assert posted.headers["topic"] == topic_of(MESSAGE.topic)
    assert posted.headers["content-encoding"] == "aes128gcm"
    _, claims = read_token(posted.headers["authorization"])
    assert claims["aud"] == f"http://127.0.0.1:{service.port}"
    assert json.loads(BROWSER.decrypt(posted.body)) == {
        "id": MESSAGE.id,
        "topic": MESSAGE.topic,
        "title": "Your turn",
        "text": "Bob has stopped.",
        "path": "/t/k7QmZr3pW9xA",
        "waiting": 2,
    }


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("/201", Sent()),
        ("/404", Gone("status 404")),
        ("/410", Gone("status 410")),
        ("/429", Later("status 429", 120.0)),
        ("/503", Later("status 503", 120.0)),
        ("/400", Failed("status 400")),
        ("/307", Failed("status 307")),  # followed nowhere
    ],
)
def test_what_push_services_answer(path: str, outcome: Outcome) -> None:
    found, service = once(path, headers={"Retry-After": "120"})
    assert found == outcome
    assert len(service.posted) == 1


def test_a_push_service_that_never_answers_is_asked_again_later() -> None:
    assert once("/hang", seconds=0.2)[0] == Later("no answer in time")


def test_a_push_service_may_name_a_date() -> None:
    date = format_datetime(NOW + timedelta(seconds=90), usegmt=True)
    assert once("/429", headers={"Retry-After": date})[0] == Later("status 429", 90.0)
    assert once("/429", headers={"Retry-After": "soon"})[0] == Later("status 429")


def test_a_message_that_is_too_long_is_sent_again_shorter() -> None:
    long = replace(MESSAGE, text="Bob has stopped. " * 200)
    outcome, service = once("/p/1", long, most_bytes=900)
    assert outcome == Sent()
    first, second = service.posted
    assert len(second.body) < 900 < len(first.body) <= 4096
    assert long.text.startswith(json.loads(BROWSER.decrypt(second.body))["text"])
    assert once("/p/1", long, most_bytes=0)[0] == Failed("status 413")


def test_no_text_is_too_long_for_a_record() -> None:
    worst = replace(MESSAGE, title="“" * 900, text='"\\\n' * 900)
    assert len(payload(worst)) <= MAX_PLAIN_BYTES + 1200


def test_what_is_no_http_is_no_answer() -> None:
    for nonsense in ("\x00\x00", "HTTP/1.1 2 x\r\n\r\n", "X" * 40_000, ""):
        outcome, _ = once("/nonsense", answers={"/nonsense": nonsense})
        assert isinstance(outcome, Later), nonsense[:10]
