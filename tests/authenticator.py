"""An authenticator for tests: makes a passkey and signs with it, as the text of WebAuthn says."""

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field, replace
from hashlib import sha256
from secrets import token_bytes
from typing import Any, Self

from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PRESENT, VERIFIED, HAS_CREDENTIAL = 1, 4, 64

Json = dict[str, Any]


def base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


@dataclass(frozen=True)
class Authenticator:
    """One passkey for one site; ``replace`` changes what it says."""

    origin: str = "https://testserver"
    site: str = "testserver"
    credential: bytes = field(default_factory=lambda: token_bytes(20))
    flags: int = PRESENT | VERIFIED
    count: int = 0
    cross_origin: bool = False
    key: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @classmethod
    def with_rsa(cls, bits: int = 2048, exponent: int = 65537) -> Self:
        return cls(key=rsa.generate_private_key(exponent, bits))

    def but(self, **other: Any) -> "Authenticator":
        return replace(self, **other)

    @property
    def public_key(self) -> str:
        public = self.key.public_key()
        return base64url(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))

    def made(self, challenge: str, kind: str = "webauthn.create") -> Json:
        """What a browser sends of a new passkey."""
        data = self._head(HAS_CREDENTIAL) + bytes(16)
        data += len(self.credential).to_bytes(2) + self.credential + b"a COSE key"
        return {
            "credential": base64url(self.credential),
            "client_data": base64url(self._client_data(kind, challenge)),
            "authenticator_data": base64url(data),
            "public_key": self.public_key,
        }

    def signed(self, challenge: str, kind: str = "webauthn.get") -> Json:
        """What a browser sends when it is used."""
        client_data, data = self._client_data(kind, challenge), self._head(0)
        text = data + sha256(client_data).digest()
        if isinstance(self.key, rsa.RSAPrivateKey):
            signature = self.key.sign(text, padding.PKCS1v15(), SHA256())
        else:
            signature = self.key.sign(text, ec.ECDSA(SHA256()))
        return {
            "credential": base64url(self.credential),
            "client_data": base64url(client_data),
            "authenticator_data": base64url(data),
            "signature": base64url(signature),
        }

    def _head(self, more: int) -> bytes:
        flags = bytes([self.flags | more])
        return sha256(self.site.encode()).digest() + flags + self.count.to_bytes(4)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        told = {
            "type": kind,
            "challenge": challenge,
            "origin": self.origin,
            "crossOrigin": self.cross_origin,
        }
        return json.dumps(told).encode()
