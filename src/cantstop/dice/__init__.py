"""Dice behind one protocol: secure, seeded, sealed, entered by players; a day's, and over days."""

from cantstop.dice.day_dice import DailyDice, DaySeal, day_key, read_day, roll_places
from cantstop.dice.gradual_dice import (
    DiceTurn,
    GradualDice,
    GradualSeal,
    SealedSalt,
    dice_turns,
)
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
    "DiceTurn",
    "EnteredDice",
    "GradualDice",
    "GradualSeal",
    "Seal",
    "SealedDice",
    "SealedSalt",
    "SecureDice",
    "SeededDice",
    "check_commitment",
    "check_word",
    "commitment",
    "day_key",
    "dice_source",
    "dice_turns",
    "new_salt",
    "new_secret",
    "read_day",
    "roll_places",
    "salt_commitment",
]
