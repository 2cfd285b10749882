"""Dice behind one protocol: secure, seeded, sealed, entered by players; and a day's dice."""

from cantstop.dice.day_dice import DailyDice, DaySeal, day_key, read_day, roll_places
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
    "DailyDice",
    "DaySeal",
    "DiceSource",
    "EnteredDice",
    "Seal",
    "SealedDice",
    "SecureDice",
    "SeededDice",
    "check_commitment",
    "check_word",
    "commitment",
    "day_key",
    "dice_source",
    "new_salt",
    "new_secret",
    "read_day",
    "roll_places",
    "salt_commitment",
]
