"""The dice of a game over days: each seat's salt counts from a turn of that seat on.

At a slow table nobody waits for salts. A seat commits to one when it sits down, and reveals it
when its first turn begins. docs/dice.md has the scheme, what it proves, and test vectors.
"""

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cantstop.dice.derive import derive
from cantstop.dice.sources import (
    check_commitment,
    check_secret,
    check_sides,
    check_word,
    commitment,
    salt_commitment,
)
from cantstop.rules import Busted, Event, InvalidText, Phrase, Position, Rolled, Stopped

GRADUAL_CONTEXT = "gradual"


@dataclass(frozen=True)
class SealedSalt:
    """What a seat adds to the dice, as far as it is known, and from when it counts."""

    promised: str | None = None
    """What the seat committed to; None where its salt was given in the open."""
    salt: str | None = None
    """The salt; None while it is not revealed."""
    since: int | None = None
    """The turn of the dice from which the salt counts; None while it is not revealed."""
    lost: bool = False
    """Whether its owner has said that it is lost: the seat plays without one."""

    def __post_init__(self) -> None:
        if self.promised is not None:
            check_commitment(self.promised)
        if self.salt is not None:
            check_word(Phrase("salt"), self.salt)
        is_open = self.promised is None
        if (
            (self.since is None) is not (self.salt is None)
            or (self.since is not None and self.since < 1)
            or (is_open and (self.since != 1))
            or (self.lost and (is_open or self.salt is not None))
        ):
            raise InvalidText("What the record says of the salts does not fit together.")

    @property
    def is_broken(self) -> bool:
        """Whether the salt is not the one that the seat committed to."""
        if self.promised is None or self.salt is None:
            return False
        return self.promised != salt_commitment(self.salt)


@dataclass(frozen=True)
class GradualSeal:
    """The promise made before the first roll of a game over days (scheme 3).

    >>> anne, bob = SealedSalt(salt_commitment("anne")), SealedSalt(salt="bob", since=1)
    >>> seal = GradualSeal("table", commitment(bytes(32)), (anne, bob))
    >>> seal.salts_at(1)
    (None, 'bob')
    """

    table: str
    commitment: str
    seats: tuple[SealedSalt, ...]

    def __post_init__(self) -> None:
        check_word(Phrase("table"), self.table)
        check_commitment(self.commitment)

    @property
    def broken(self) -> tuple[int, ...]:
        """The seats whose salt is not the one they committed to."""
        return tuple(seat for seat, salt in enumerate(self.seats) if salt.is_broken)

    def salts_at(self, turn: int) -> tuple[str | None, ...]:
        """The salts that count in a turn of the dice; None for a seat whose salt does not yet."""
        return tuple(
            seat.salt if seat.since is not None and seat.since <= turn else None
            for seat in self.seats
        )

    def opens_with(self, secret: bytes) -> bool:
        """Whether this is the secret that was committed to."""
        return hmac.compare_digest(self.commitment, commitment(secret))


@dataclass(frozen=True)
class GradualDice:
    """Dice to which salts are added in the course of a game.

    A roll is known by its turn and by its place in it, both counted from 1: so what one seat does
    in its turn does not change the dice of another one.

    >>> anne, bob = SealedSalt(salt="anne", since=1), SealedSalt(salt="bob", since=1)
    >>> dice = GradualDice(GradualSeal("table", commitment(bytes(32)), (anne, bob)), bytes(32))
    >>> dice.roll_in_turn(1, 1) == dice.roll_in_turn(1, 1)
    True
    """

    seal: GradualSeal
    secret: bytes = field(repr=False)
    sides: int = 6

    def __post_init__(self) -> None:
        check_sides(self.sides)
        check_secret(self.secret)

    def roll_in_turn(self, turn: int, roll: int, count: int = 4) -> tuple[int, ...]:
        """The dice of a roll of a turn of the dice."""
        salts = ",".join(salt or "" for salt in self.seal.salts_at(turn))
        context = f"{GRADUAL_CONTEXT}\n{self.seal.table}\n{turn}\n{salts}"
        return derive(self.secret, context, roll, count, self.sides)


@dataclass(frozen=True)
class DiceTurn:
    """A turn of the dice: one of the game, or one throw of the roll-off for the start."""

    seat: int
    rolls: tuple[tuple[int, ...], ...] = ()
    """What was rolled in it."""


def dice_turns(positions: Sequence[Position], events: Sequence[Event]) -> Iterator[DiceTurn]:
    """The turns of the dice of a game, the one that has begun last included.

    ``positions`` are those before and after each event.
    """
    rolls: list[tuple[int, ...]] = []
    for before, event in zip(positions, events, strict=False):
        if isinstance(event, Rolled):
            rolls.append(event.dice)
        if before.roll_off is not None or isinstance(event, Stopped | Busted):
            yield DiceTurn(before.seat, tuple(rolls))
            rolls = []
    last = positions[len(events)]
    if last.outcome is None or rolls:
        yield DiceTurn(last.seat, tuple(rolls))
