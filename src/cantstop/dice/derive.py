"""Dice from a key and a number: the same in every language that has HMAC-SHA-256.

docs/dice.md is the specification, with test vectors.
"""

import hmac

from cantstop.rules import WrongType, whole_number

VERSION = "cantstop-dice-1"


def derive(key: bytes, context: str, number: int, count: int, sides: int) -> tuple[int, ...]:
    """The dice of roll ``number``.

    Bytes at or above the largest multiple of ``sides`` are passed over, so no side is likelier
    than another; in the rare case that a digest runs out, the next block goes on.
    """
    if not type(number) is type(count) is int:
        number, count = _whole(number, count)
    limit = 256 - 256 % sides
    dice: list[int] = []
    block = 0
    while len(dice) < count:
        message = f"{VERSION}\n{context}\n{number}\n{block}".encode()
        for byte in hmac.digest(key, message, "sha256"):
            if byte < limit:
                dice.append(byte % sides + 1)
                if len(dice) == count:
                    break
        block += 1
    return tuple(dice)


def _whole(number: int, count: int) -> tuple[int, int]:
    try:
        return whole_number(number), whole_number(count)
    except TypeError:
        raise WrongType(
            "{count} dice cannot be thrown as roll {number}: both are whole numbers.",
            count=repr(count),
            number=repr(number),
        ) from None
