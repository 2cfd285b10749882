"""Where dice come from: the system's secure generator, a seed, a sealed secret, or the players."""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Protocol, cast

from cantstop.dice.derive import derive
from cantstop.rules import IllegalAction, InvalidText, Phrase, WrongType, whole_number

SECRET_BYTES = 32
SALT_VERSION = "cantstop-salt-1"
_WORD = re.compile(r"[A-Za-z0-9_-]{1,64}")


class DiceSource(Protocol):
    """Throws dice. ``number`` counts the rolls of a game from 1, the roll-off's included.

    Sources that can be checked afterwards answer the same to the same number, so a game can be
    resumed, and a taken-back move never changes the dice.
    """

    def roll(self, number: int, count: int = 4) -> tuple[int, ...]:
        """The dice of roll ``number``."""


@dataclass(frozen=True)
class SecureDice:
    """Dice from the system's secure generator: nobody can foresee or repeat them.

    >>> all(1 <= die <= 6 for die in SecureDice().roll())
    True
    """

    sides: int = 6

    def __post_init__(self) -> None:
        check_sides(self.sides)

    def roll(self, number: int = 0, count: int = 4) -> tuple[int, ...]:
        """Fresh dice; the number does not matter."""
        return tuple(secrets.randbelow(self.sides) + 1 for _ in range(count))


@dataclass(frozen=True)
class SeededDice:
    """The same dice for the same seed, on every machine: for tests and simulation.

    >>> SeededDice(2026).roll(1)
    (6, 1, 1, 2)
    """

    seed: int
    sides: int = 6

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "seed", whole_number(self.seed))
        except TypeError:
            raise WrongType(
                "{seed} is not a seed: a seed is a whole number.", seed=repr(self.seed)
            ) from None
        check_sides(self.sides)

    def roll(self, number: int, count: int = 4) -> tuple[int, ...]:
        """The dice of roll ``number``."""
        return derive(str(self.seed).encode(), "seeded", number, count, self.sides)


@dataclass(frozen=True)
class Seal:
    """The promise made before the first roll: a commitment to the secret, and the seats' salts.

    A seat that commits to its salt, and reveals it only once every other seat has given or
    committed to its own, keeps everybody else from steering the dice: docs/dice.md has the proof.
    """

    table: str
    commitment: str
    salts: tuple[str, ...]
    salt_commitments: tuple[str | None, ...] = ()
    """What each seat committed to; None where the salt was given in the open. Empty if all were."""
    redraws: int = 0
    """How often all drew new salts, because a seat did not reveal the one it committed to."""

    def __post_init__(self) -> None:
        check_word(Phrase("table"), self.table)
        for salt in self.salts:
            check_word(Phrase("salt"), salt)
        for text in (self.commitment, *self.salt_commitments):
            if text is not None:
                check_commitment(text)
        if self.salt_commitments and (
            len(self.salt_commitments) != len(self.salts) or not self.committed
        ):
            raise InvalidText("The commitments of the seats do not match their salts.")

    @property
    def scheme(self) -> int:
        """2 where a seat has committed to its salt, 1 where all salts were given in the open."""
        return 2 if self.committed else 1

    @property
    def committed(self) -> tuple[int, ...]:
        """The seats that committed to their salts: against them, nobody could steer the dice."""
        return tuple(
            seat for seat, promised in enumerate(self.salt_commitments) if promised is not None
        )

    @property
    def broken(self) -> tuple[int, ...]:
        """The seats whose salt is not the one they committed to."""
        return tuple(
            seat
            for seat, promised in enumerate(self.salt_commitments)
            if promised not in (None, salt_commitment(self.salts[seat]))
        )

    def opens_with(self, secret: bytes) -> bool:
        """Whether this is the secret that was committed to."""
        return hmac.compare_digest(self.commitment, commitment(secret))


@dataclass(frozen=True)
class SealedDice:
    """Dice that everybody can check once the secret is known: it opens the seal made before.

    >>> secret = bytes(SECRET_BYTES)  # of a real game, new_secret()
    >>> seal = Seal("table", commitment(secret), salts=("anne", "bob"))
    >>> SealedDice(seal, secret).roll(1) == SealedDice(seal, secret).roll(1)
    True
    >>> seal.opens_with(secret), seal.opens_with(bytes(31) + b"x")
    (True, False)
    """

    seal: Seal
    secret: bytes = field(repr=False)
    sides: int = 6

    def __post_init__(self) -> None:
        check_sides(self.sides)
        check_secret(self.secret)

    def roll(self, number: int, count: int = 4) -> tuple[int, ...]:
        """The dice of roll ``number``."""
        context = f"{self.seal.table}\n{','.join(self.seal.salts)}"
        return derive(self.secret, context, number, count, self.sides)


@dataclass(frozen=True)
class EnteredDice:
    """Dice that the players throw at their own table, and enter: nobody can check them.

    >>> from cantstop import Game
    >>> game = Game(players=2, dice=EnteredDice())
    >>> game.roll("2345")
    <LegalMoves: 5+9, 6+8, 7+7>
    """

    sides: int = 6

    def __post_init__(self) -> None:
        check_sides(self.sides)

    def roll(self, number: int = 0, count: int = 4) -> tuple[int, ...]:
        """Nothing is thrown here: a roll has to say how the dice fell.

        Raises:
            IllegalAction: Always: the players throw these dice.
        """
        raise IllegalAction(
            "The dice of this game are thrown by the players: enter what they show."
        )


def dice_source(dice: DiceSource | int | None, sides: int) -> DiceSource:
    """The dice that a caller asks for: a source, a number as the seed of one, or None for secure.

    >>> dice_source(7, sides=6), dice_source(None, sides=4)
    (SeededDice(seed=7, sides=6), SecureDice(sides=4))

    Raises:
        WrongType: If it is neither a source of dice nor a seed.
        InvalidText: If the dice have other sides than the board takes.
    """
    if dice is None:
        return SecureDice(sides)
    if isinstance(dice, int):
        return SeededDice(dice, sides)
    if hasattr(dice, "__index__"):  # a number of NumPy's, say
        return SeededDice(cast("int", dice), sides)
    if isinstance(dice, type) or not callable(getattr(dice, "roll", None)):
        raise WrongType(
            "{dice} cannot throw dice: give a source such as SeededDice(7), or a seed.",
            dice=repr(dice),
        )
    has = getattr(dice, "sides", sides)
    if has != sides:
        raise InvalidText(
            "Dice with {sides} sides do not fit this board: it takes {due}.", sides=has, due=sides
        )
    return dice


def check_sides(sides: int) -> None:
    """Refuse dice that there are not."""
    if isinstance(sides, bool) or not isinstance(sides, int) or sides < 1:
        raise InvalidText("A die cannot have {sides} sides.", sides=repr(sides))


def check_secret(secret: bytes) -> None:
    """Refuse a secret of another length."""
    if len(secret) != SECRET_BYTES:
        raise InvalidText(
            "A secret has {due} bytes, not {count}.", due=SECRET_BYTES, count=len(secret)
        )


def new_secret() -> bytes:
    """A secret for sealed dice."""
    return secrets.token_bytes(SECRET_BYTES)


def new_salt() -> str:
    """A salt for a seat: 128 bits, so that it cannot be guessed from a commitment to it."""
    return secrets.token_hex(16)


def commitment(secret: bytes) -> str:
    """What is published before the game: the secret cannot be guessed from it, nor changed."""
    return hashlib.sha256(secret).hexdigest()


def salt_commitment(salt: str) -> str:
    """What a seat publishes before it reveals its salt."""
    return hashlib.sha256(f"{SALT_VERSION}\n{salt}".encode()).hexdigest()


def check_commitment(text: str) -> None:
    """Refuse what cannot be a commitment.

    Raises:
        InvalidText: If it is not a commitment.
    """
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise InvalidText(
            "“{text}” is not a commitment: it takes 64 hexadecimal digits.", text=text
        )


def check_word(kind: Phrase, text: str) -> None:
    """Table names and salts are plain words, so that a roll's message reads in one way only.

    Raises:
        InvalidText: If it is not such a word.
    """
    if not _WORD.fullmatch(text):
        raise InvalidText(
            "“{text}” cannot be a {kind}: it takes 1 to 64 letters, digits, “-” or “_”.",
            text=text,
            kind=kind,
        )
