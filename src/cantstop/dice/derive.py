"""Dice from a key and a number: the same in every language that has HMAC-SHA-256.

docs/dice.md is the specification, with test vectors.
"""

import hmac
from itertools import islice

VERSION = "cantstop-dice-1"


def derive(key: bytes, context: str, number: int, count: int, sides: int) -> tuple[int, ...]:
    """The dice of roll ``number``.

    Bytes at or above the largest multiple of ``sides`` are passed over, so no side is likelier
    than another; in the rare case that a digest runs out, the next block goes on.
    """
    limit = 256 - 256 % sides
    dice: list[int] = []
    block = 0
    while len(dice) < count:
        message = f"{VERSION}\n{context}\n{number}\n{block}".encode()
        digest = hmac.digest(key, message, "sha256")
        fair = (byte % sides + 1 for byte in digest if byte < limit)
        dice += islice(fair, count - len(dice))
        block += 1
    return tuple(dice)
