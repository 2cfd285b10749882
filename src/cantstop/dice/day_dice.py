"""The dice of a day: the same for everybody who is at the same roll of the same turn.

A server has one secret. The key of a day follows from it by HMAC, and tells nothing of the secret
or of another day's key; what is published before the day is SHA-256 of the key. docs/daily.md is
the specification, with test vectors.
"""

import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from cantstop.dice.derive import derive
from cantstop.dice.sources import check_commitment, check_secret, check_sides, commitment
from cantstop.rules import Busted, Event, InvalidText, Rolled, Stopped

DAY_VERSION = "cantstop-day-1"


def day_key(secret: bytes, day: date) -> bytes:
    """The key of a day's dice; the secret cannot be found from it, nor another day's key.

    >>> day_key(bytes(32), date(2026, 11, 15)).hex()[:16]
    'b12d0ef6e1983d35'
    """
    check_secret(secret)
    return hmac.digest(secret, f"{DAY_VERSION}\n{day.isoformat()}".encode(), "sha256")


def read_day(text: str) -> date:
    """A day such as ``2026-11-15``.

    Raises:
        InvalidText: If the text is not a day.
    """
    try:
        day = date.fromisoformat(text)
    except (TypeError, ValueError):
        day = None
    if day is None or day.isoformat() != text:
        raise InvalidText(
            "“{text}” is not a day; they look like {example}.", text=text, example="2026-11-15"
        )
    return day


@dataclass(frozen=True)
class DaySeal:
    """The promise made before a day: a commitment to the key of its dice."""

    day: date
    commitment: str

    def __post_init__(self) -> None:
        check_commitment(self.commitment)

    def opens_with(self, key: bytes) -> bool:
        """Whether this is the key that was committed to."""
        return hmac.compare_digest(self.commitment, commitment(key))


@dataclass(frozen=True)
class DailyDice:
    """The dice of a day. A roll is known by its turn and by its place in it, both counted from 1.

    >>> dice = DailyDice.of(bytes(32), date(2026, 11, 15))
    >>> dice.roll_in_turn(1, 1), dice.roll_in_turn(2, 1)
    ((4, 6, 5, 6), (6, 4, 1, 6))
    """

    seal: DaySeal
    key: bytes = field(repr=False)
    sides: int = 6

    def __post_init__(self) -> None:
        check_sides(self.sides)
        check_secret(self.key)

    @classmethod
    def of(cls, secret: bytes, day: date) -> "DailyDice":
        """The dice of a day on a server with that secret."""
        key = day_key(secret, day)
        return cls(DaySeal(day, commitment(key)), key)

    def roll_in_turn(self, turn: int, roll: int, count: int = 4) -> tuple[int, ...]:
        """The dice of a roll of a turn, whatever was rolled before."""
        context = f"daily\n{self.seal.day.isoformat()}\n{turn}"
        return derive(self.key, context, roll, count, self.sides)


@dataclass(frozen=True)
class RollPlace:
    """Where in a game a roll was: its turn, its place in the turn, and what it showed."""

    turn: int
    roll: int
    dice: tuple[int, ...]


def roll_places(events: Iterable[Event]) -> Iterator[RollPlace]:
    """Every roll of a game from its start, with its place.

    >>> list(roll_places([Rolled((1, 1, 2, 3))]))
    [RollPlace(turn=1, roll=1, dice=(1, 1, 2, 3))]
    """
    turn, roll = 1, 0
    for event in events:
        match event:
            case Rolled(dice):
                roll += 1
                yield RollPlace(turn, roll, dice)
            case Stopped() | Busted():
                turn, roll = turn + 1, 0
