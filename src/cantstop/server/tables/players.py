"""Players of the club: keys, names, codes for a second device, recovery words.

A device makes its key itself; what is stored of it is a hash. Nobody needs a profile to play.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

from cantstop.server.errors import WrongCode
from cantstop.server.tables.names import clean_name
from cantstop.server.tables.seating import hashed, new_table_id

CODE_SECONDS = timedelta(minutes=1)
"""How long a code for a second device is valid."""

_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without those that look alike, and without U: no code is a word."""
_CODE_LENGTH = 8  # 39 bits for a minute, and ten guesses an address

_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"
WORDS = 6
"""Recovery words: 96 bits, so that no guessing helps whoever has the hashes either."""
_SALT = b"cantstop-recovery-words-1"
"""One for all: the words themselves are random, and have to be found by their hash."""

MOST_DEVICES = 20
"""Of one player."""
LONGEST_DEVICE_NAME = 40


@dataclass(frozen=True)
class Player:
    """A player."""

    id: str
    name: str
    mark: int
    public: bool
    created_at: datetime
    has_words: bool = False
    excluded: bool = False
    household: int | None = None
    """Where they last sat down at a rated table; see ``household_of``."""


@dataclass(frozen=True)
class Device:
    """A device that has a key of a player."""

    id: str
    name: str
    added_at: datetime
    seen_at: datetime
    key_hash: str


def new_player_id() -> str:
    """An id for a player or for one of their devices."""
    return new_table_id()


def household_of(secret: bytes, address: str) -> int:
    """A number for the household at an address, by which games within one are known.

    It has 16 bits: some 65,000 IPv4 addresses share each of them, so that even whoever has the
    secret cannot tell which it was.

    >>> household_of(b"secret", "192.0.2.7") in range(2**16)
    True
    """
    digest = hmac.digest(secret, f"household {address}".encode(), "sha256")
    return int.from_bytes(digest[:2], "big")


def device_name(text: str) -> str:
    """What a device is called, as it can be shown; empty where nothing of it can."""
    shown = " ".join(text.split())[:LONGEST_DEVICE_NAME]
    return shown if shown.isprintable() else ""


def player_name(text: str) -> str:
    """The name of a player, as it can be shown; one that cannot is refused."""
    return clean_name(text)


# Codes


def new_code() -> str:
    """A code that is read from one screen and typed on another."""
    letters = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def code_hash(text: str) -> str:
    """What is stored of a code, however it is typed; what can be none is refused.

    >>> code_hash("abcd 2345") == code_hash("ABCD-2345")
    True
    """
    letters = "".join(letter for letter in text.upper() if letter not in " -–")
    if len(letters) != _CODE_LENGTH or not set(letters) <= set(_CODE_LETTERS):
        raise WrongCode("This code is not valid, or not any more: a code is good for a minute.")
    return hashed(f"cantstop-link-1 {letters}")


# Recovery words


def _syllables() -> Iterator[str]:
    for consonant, vowel in product(_CONSONANTS, _VOWELS):
        yield consonant + vowel


_SYLLABLES = tuple(_syllables())


def new_words() -> str:
    """Words that can be read out in any language: each has five letters, and 16 random bits."""
    return " ".join(_word(secrets.randbits(16)) for _ in range(WORDS))


def _word(bits: int) -> str:
    """Two syllables and a consonant, as ``lusab``.

    >>> _word(0), _word(65535)
    ('babab', 'zuzuz')
    """
    return _SYLLABLES[bits >> 10] + _SYLLABLES[bits >> 4 & 63] + _CONSONANTS[bits & 15]


def words_hash(text: str) -> str:
    """What is stored of recovery words, however they are typed: it takes a while on purpose."""
    words = "".join(text.lower().replace("-", " ").split())
    if len(words) != 5 * WORDS:
        raise WrongCode("These are not the recovery words of any player here.")
    found = hashlib.scrypt(
        words.encode(errors="replace"), salt=_SALT, n=1 << 14, r=8, p=1, dklen=32
    )
    return found.hex()
