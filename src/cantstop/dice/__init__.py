"""Dice behind one protocol: secure, seeded, sealed (commit and reveal), entered by players."""

from cantstop.dice.sources import (
    DiceSource,
    EnteredDice,
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
    "EnteredDice",
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
