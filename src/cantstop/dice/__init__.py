"""Dice behind one protocol: secure, seeded, and sealed (commit and reveal)."""

from cantstop.dice.sources import (
    DiceSource,
    Seal,
    SealedDice,
    SecureDice,
    SeededDice,
    check_commitment,
    check_word,
    commitment,
    dice_source,
    new_salt,
    new_secret,
    salt_commitment,
)

__all__ = [
    "DiceSource",
    "Seal",
    "SealedDice",
    "SecureDice",
    "SeededDice",
    "check_commitment",
    "check_word",
    "commitment",
    "dice_source",
    "new_salt",
    "new_secret",
    "salt_commitment",
]
