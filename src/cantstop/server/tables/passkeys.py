"""Passkeys (WebAuthn): whether what an authenticator has sent or signed is what it should be.

No attestation is asked for: a passkey is added by a device that has its player's key already, so
the public key is whatever that device says it is, and no CBOR has to be read. What is checked when
it is added are the challenge, the site and that its owner was verified; when it is used, the
signature of all that as well.
"""

import ipaddress
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import assert_never

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key
from msgspec.json import Decoder

from cantstop.server.errors import Malformed, Refused, WrongCode
from cantstop.server.tables.seating import hashed
from cantstop.wire.club import NewPasskey, UsePasskey
from cantstop.wire.types import Wire

CHALLENGE_SECONDS = timedelta(minutes=5)
"""How long a challenge is valid: people look for their security key first."""
MOST_PASSKEYS = 10
"""Of one player."""

_PRESENT, _VERIFIED, _HAS_CREDENTIAL = 0x01, 0x04, 0x40
"""Flags of authenticator data."""
_HEAD = 37
"""Bytes of authenticator data before the credential: the site's hash, the flags, the counter."""
_RSA_BITS = range(2048, 4097)
_RSA_EXPONENT = 65537
"""A larger one would make each signature cost as much as its owner likes."""


class _ClientData(Wire, frozen=True):
    """What a browser says that its user has agreed to; there is more, and there may be."""

    type: str
    challenge: str
    origin: str
    crossOrigin: bool = False  # noqa: N815


_CLIENT_DATA = Decoder(_ClientData)


@dataclass(frozen=True)
class Site:
    """The site that a passkey belongs to, by the name that a request was sent to."""

    id: str
    """The name of the host."""
    origins: tuple[str, ...]
    """Where its pages come from."""


@dataclass(frozen=True)
class Passkey:
    """A passkey of a player."""

    id: str
    credential: str
    public_key: bytes
    """A SubjectPublicKeyInfo, as DER."""
    signatures: int
    """How many the authenticator has counted; many never count."""
    name: str
    added_at: datetime
    used_at: datetime


def site_of(host: str) -> Site:
    """The site that a Host header names; refused where browsers have no passkeys.

    They need a name and HTTPS; only on the machine itself is HTTP enough.

    >>> site_of("play.example:8443")
    Site(id='play.example', origins=('https://play.example:8443',))
    >>> site_of("localhost:8000").origins
    ('https://localhost:8000', 'http://localhost:8000')
    """
    where = host.lower()
    name = where.rpartition(":")[0] if where.rpartition(":")[2].isdecimal() else where
    if not name or name.startswith("[") or _is_address(name):
        raise Refused("Passkeys need a server that has a name: this one is reached by an address.")
    origins = (f"https://{where}",)
    return Site(name, (*origins, f"http://{where}") if name == "localhost" else origins)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def new_challenge() -> str:
    """Random bytes for a passkey to sign, in base64url."""
    return secrets.token_urlsafe(32)


def challenge_hash(challenge: str) -> str:
    """What is stored of a challenge."""
    return hashed(f"cantstop-passkey-1 {challenge}")


def challenge_of(client_data: str) -> str:
    """What is stored of the challenge that a browser's data are about."""
    return challenge_hash(_client_data(client_data).challenge)


def unknown_passkey() -> WrongCode:
    """What refuses a passkey, or an answer to a challenge, that is nobody's here."""
    return WrongCode("This passkey is not known here, or not any more.")


def _bytes(field: str, text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise _malformed(field) from None


def _malformed(field: str) -> Malformed:
    return Malformed("“{field}” is missing or cannot be read.", field=field)


def _client_data(text: str) -> _ClientData:
    try:
        return _CLIENT_DATA.decode(_bytes("client_data", text))
    except (ValueError, RecursionError):
        raise _malformed("client_data") from None


def _check_site(client_data: str, kind: str, site: Site) -> None:
    """Whether a browser has said that this was done for a site, on a page of its own."""
    found = _client_data(client_data)
    if found.type != kind or found.origin not in site.origins or found.crossOrigin:
        raise unknown_passkey()


def _check_owner(data: bytes, site: Site) -> None:
    """Whether an authenticator has verified its owner, for a site."""
    if len(data) < _HEAD:
        raise _malformed("authenticator_data")
    asked = _PRESENT | _VERIFIED
    if (
        not compare_digest(data[:32], sha256(site.id.encode()).digest())
        or data[32] & asked != asked
    ):
        raise unknown_passkey()


def _count(data: bytes) -> int:
    return int.from_bytes(data[33:37])


def _credential(data: bytes) -> str:
    """What new authenticator data call their passkey."""
    size = int.from_bytes(data[_HEAD + 16 : _HEAD + 18])
    found = data[_HEAD + 18 : _HEAD + 18 + size]
    if not data[32] & _HAS_CREDENTIAL or not size or len(found) < size:
        raise _malformed("authenticator_data")
    return urlsafe_b64encode(found).decode().rstrip("=")


def new_passkey(asked: NewPasskey, site: Site, passkey: str, name: str, at: datetime) -> Passkey:
    """The passkey that a browser has made; refused where it is not what was asked for.

    The challenge is looked up where it is stored (``challenge_of``).
    """
    _check_site(asked.client_data, "webauthn.create", site)
    data = _bytes("authenticator_data", asked.authenticator_data)
    _check_owner(data, site)
    if _credential(data) != asked.credential:
        raise _malformed("credential")
    key = _bytes("public_key", asked.public_key)
    _read_key(key)
    return Passkey(passkey, asked.credential, key, _count(data), name, at, at)


def _read_key(der: bytes) -> EllipticCurvePublicKey | RSAPublicKey:
    """A public key of a kind that was asked for: ES256 or RS256."""
    try:
        key = load_der_public_key(der)
    except (ValueError, UnsupportedAlgorithm):
        raise _malformed("public_key") from None
    if isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1):
        return key
    if (
        isinstance(key, RSAPublicKey)
        and key.key_size in _RSA_BITS
        and key.public_numbers().e == _RSA_EXPONENT
    ):
        return key
    raise _malformed("public_key")


def counted(passkey: Passkey, asked: UsePasskey, site: Site) -> int:
    """Check what a passkey has signed; returns how many signatures it has counted by now.

    An authenticator that counts and counts backwards was copied: neither copy is let in.
    """
    _check_site(asked.client_data, "webauthn.get", site)
    data = _bytes("authenticator_data", asked.authenticator_data)
    _check_owner(data, site)
    signed = data + sha256(_bytes("client_data", asked.client_data)).digest()
    _check_signature(_read_key(passkey.public_key), _bytes("signature", asked.signature), signed)
    count = _count(data)
    if count <= passkey.signatures and (count or passkey.signatures):
        raise unknown_passkey()
    return count


def _check_signature(
    key: EllipticCurvePublicKey | RSAPublicKey, signature: bytes, signed: bytes
) -> None:
    try:
        match key:
            case EllipticCurvePublicKey():
                key.verify(signature, signed, ECDSA(SHA256()))
            case RSAPublicKey():
                key.verify(signature, signed, PKCS1v15(), SHA256())
            case _:
                assert_never(key)
    except InvalidSignature:
        raise unknown_passkey() from None
