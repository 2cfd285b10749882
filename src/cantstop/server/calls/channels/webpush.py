"""Web Push: messages to a browser that is closed (RFC 8030).

They are encrypted for that browser (RFC 8291) and signed with the key of this server (VAPID,
RFC 8292), so that nobody else can use the subscription.
"""

import hashlib
import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cantstop.server.calls.guard import Answer, Forbidden, Guard, NoAnswer
from cantstop.server.calls.message import Failed, Gone, Later, Message, Outcome, Sent, Target

RECORD_SIZE = 4096
"""Of the encrypted message, which is one record: push services take no more (RFC 8291, 4)."""
MAX_PLAIN_BYTES = RECORD_SIZE - 103
"""Its header has 86 bytes, the padding one at least, the cipher's tag 16."""
_POINT_BYTES, _AUTH_BYTES = 65, 16
_TOKEN_SECONDS = 12 * 3600
"""How long a signature is valid; a day at most (RFC 8292, 2)."""
_LONGEST_TTL = 7 * 24 * 3600
_SHORT_BYTES = 200
"""Of the text, where a push service says that a message is too long."""


class BadSubscription(ValueError):
    """Keys that no browser has made."""


def encoded(data: bytes) -> str:
    """Base64 for addresses, without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """What was written by ``encoded``; BadSubscription where it was not.

    >>> decoded(encoded(b"dice"))
    b'dice'
    """
    try:
        return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError as error:
        raise BadSubscription("not base64") from error


def check_keys(public_key: bytes, auth: bytes) -> None:
    """Raise BadSubscription for keys that no browser has made."""
    if len(auth) != _AUTH_BYTES:
        raise BadSubscription("not 16 bytes")
    _point(public_key)


def _point(data: bytes) -> ec.EllipticCurvePublicKey:
    if len(data) != _POINT_BYTES:
        raise BadSubscription("not a point")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)
    except ValueError as error:
        raise BadSubscription("not a point of the curve") from error


def _raw(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


# Encryption


def encrypt(
    plain: bytes,
    public_key: bytes,
    auth: bytes,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt a message for a browser, as RFC 8291 says; key and salt are new for every message."""
    if len(plain) > MAX_PLAIN_BYTES:
        raise ValueError("too long for one record")
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or secrets.token_bytes(16)
    own_public = _raw(own.public_key())
    shared = own.exchange(ec.ECDH(), _point(public_key))
    # RFC 8291, 3.3 and 3.4
    info = b"WebPush: info\0" + public_key + own_public
    secret = _expand(_extract(auth, shared), info, 32)
    # RFC 8188, 2.2 and 2.3
    key = _extract(salt, secret)
    cipher = AESGCM(_expand(key, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _expand(key, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(own_public)]) + own_public
    sealed = cipher.encrypt(nonce, plain + b"\x02", None)  # 2: the last record
    return header + sealed


def _extract(salt: bytes, secret: bytes) -> bytes:
    return hmac.digest(salt, secret, "sha256")


def _expand(key: bytes, info: bytes, length: int) -> bytes:
    return hmac.digest(key, info + b"\x01", "sha256")[:length]


# The server's own key


@dataclass(frozen=True)
class ServerKey:
    """The key by which push services know this server; every subscription is tied to it."""

    private: bytes
    """The number, 32 bytes."""

    @classmethod
    def new(cls) -> "ServerKey":
        """A key that nobody has."""
        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        return cls(number.to_bytes(32, "big"))

    def _key(self) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(int.from_bytes(self.private, "big"), ec.SECP256R1())

    @cached_property
    def public(self) -> str:
        """What a browser subscribes with."""
        return encoded(_raw(self._key().public_key()))

    @cached_property
    def fingerprint(self) -> str:
        """What tells it from other keys: kept with every subscription that was made with it."""
        return encoded(hashlib.sha256(self.public.encode()).digest()[:12])

    def authorization(self, endpoint: str, contact: str, at: datetime) -> str:
        """The header that proves who sends: valid for one push service and half a day."""
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(at.timestamp()) + _TOKEN_SECONDS,
            "sub": contact,
        }
        signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
        found = self._key().sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        r, s = decode_dss_signature(found)
        signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed}.{signature}, k={self.public}"


def _json(value: Mapping[str, object]) -> str:
    return encoded(json.dumps(value, separators=(",", ":")).encode())


# Sending


class WebPush:
    """Sends messages to browsers."""

    def __init__(
        self,
        guard: Guard,
        key: ServerKey,
        contact: str | None,
        clock: Callable[[], datetime],
    ) -> None:
        """``contact`` is an address of the operator, for push services: mailto: or https:.

        Without one it is the site that the message links to.
        """
        self._guard = guard
        self._key = key
        self._contact = contact
        self._clock = clock

    async def send(self, target: Target, message: Message) -> Outcome:
        """Send a message to a browser; where it is too long, without most of its text."""
        try:
            answer = await self._post(target, message, payload(message))
            if answer.status == 413:
                answer = await self._post(target, message, payload(message, _SHORT_BYTES))
        except Forbidden as error:
            return Gone(str(error))
        except BadSubscription as error:
            return Gone(str(error))
        except NoAnswer as error:
            return Later(str(error))
        return outcome_of(answer, self._clock())

    async def _post(self, target: Target, message: Message, plain: bytes) -> Answer:
        now = self._clock()
        left = _LONGEST_TTL if message.until is None else (message.until - now).total_seconds()
        contact = self._contact or _site_of(message.url)
        headers = {
            "Authorization": self._key.authorization(target.address, contact, now),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(min(max(left, 0), _LONGEST_TTL))),
            "Topic": topic_of(message.topic),
            "Urgency": "normal",
        }
        body = encrypt(plain, target.public_key, target.auth)
        return await self._guard.post(target.address, headers, body)


def _site_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def topic_of(topic: str) -> str:
    """A topic as push services take it, 32 letters: a newer message replaces one not fetched yet.

    >>> len(topic_of("a table"))
    32
    """
    return encoded(hashlib.sha256(topic.encode()).digest()[:24])


def payload(message: Message, most: int = 2000) -> bytes:
    """What the service worker is sent; ``most`` bytes of title and text at most."""
    text = message.text.encode()[:most].decode(errors="ignore")
    title = message.title.encode()[: most // 2].decode(errors="ignore")
    shown = {
        "id": message.id,
        "topic": message.topic,
        "title": title,
        "text": text,
        "path": urlsplit(message.url).path,
        "waiting": message.waiting,
    }
    return json.dumps(shown, ensure_ascii=False).encode()


def outcome_of(answer: Answer, now: datetime) -> Outcome:
    """What the answer to a message means, to a push service, to ntfy and to a webhook alike."""
    status = answer.status
    if 200 <= status < 300:
        return Sent()
    if status in (404, 410):
        return Gone(f"status {status}")
    if status in (408, 425, 429) or status >= 500:
        return Later(f"status {status}", _retry_after(answer.headers.get("retry-after"), now))
    return Failed(f"status {status}")


def _retry_after(text: str | None, now: datetime) -> float | None:
    """Seconds or a date, as RFC 9110 has it."""
    if text is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        at = parsedate_to_datetime(text)
        return max(0.0, (at - now).total_seconds())
    except (ValueError, TypeError):
        return None
