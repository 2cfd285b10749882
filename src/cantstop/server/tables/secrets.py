"""Ids that nobody guesses, and the secrets that hold seats: only their hashes are kept."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""Without those that look alike: a table's id may be read out to somebody."""

_ID_LENGTH = 12  # 70 bits
_TABLE_ID = re.compile(r"[0-9A-Za-z]{1,32}")


def new_table_id() -> str:
    """An id for a table. Who knows it may watch, so it cannot be guessed."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def is_table_id(text: str) -> bool:
    """Whether a text can be the id of a table at all."""
    return _TABLE_ID.fullmatch(text) is not None


def new_seat_secret() -> str:
    """A secret for a seat: 192 bits."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is kept of a secret. It is too long to be guessed, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def seats_held(secret: str | None, holders: Mapping[int, str]) -> frozenset[int]:
    """The seats that a secret holds, by the hashes of those that do."""
    if secret is None:
        return frozenset()
    mine = hashed(secret)
    return frozenset(seat for seat, kept in holders.items() if hmac.compare_digest(kept, mine))
