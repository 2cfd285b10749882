"""Checking a finished game: its rules by replay, its dice by its seed or seal."""

from dataclasses import dataclass, replace

from cantstop.dice import EnteredDice, Seal, SealedDice, SeededDice
from cantstop.record.errors import VerificationError
from cantstop.record.record import Record, check_is_record
from cantstop.rules import Outcome, Phrase, Rolled, dice_text


@dataclass(frozen=True)
class Verification:
    """What was checked, and found right."""

    turns: int
    rolls: int
    dice_checked: bool
    """False where the record gives nothing to check the dice against."""
    outcome: Outcome | None
    scheme: int | None = None
    """How the salts of sealed dice came about: 2 where seats committed to them, 1 the older way."""
    protected: tuple[int, ...] = ()
    """The seats that committed to their salts: nobody could steer the dice against them."""
    redraws: int = 0
    """How often all salts were drawn anew, because a seat did not reveal its own."""
    dice_entered: bool = False
    """Whether the players threw the dice themselves, so that nobody can ever check them."""


def verify(record: Record) -> Verification:
    """Check a record; what does not hold is an error that names the place.

    The rules are checked by replaying every event. Dice from a seed, or sealed ones whose secret
    is revealed, are thrown again and compared roll by roll.
    """
    check_is_record(record)
    game = record.game()
    checked = isinstance(record.dice, SeededDice | SealedDice)
    if isinstance(record.dice, SealedDice):
        _check_seal(record.dice.seal, record.dice.secret)
    if isinstance(record.dice, SeededDice | SealedDice):
        rolled = [event.dice for event in record.events if isinstance(event, Rolled)]
        for number, dice in enumerate(rolled, 1):
            due = record.dice.roll(number, len(dice))
            if dice != due:
                raise VerificationError(
                    "Roll {number} is {dice} in the record, but its {kind} gives {due}.",
                    number=number,
                    dice=dice_text(dice, record.rules.board.sides),
                    kind=Phrase("seed") if isinstance(record.dice, SeededDice) else Phrase("seal"),
                    due=dice_text(due, record.rules.board.sides),
                )
    seal = record.dice.seal if isinstance(record.dice, SealedDice) else record.dice
    entered = isinstance(record.dice, EnteredDice)
    found = Verification(game.turn, game.rolls, checked, game.outcome, dice_entered=entered)
    if not isinstance(seal, Seal):
        return found
    return replace(found, scheme=seal.scheme, protected=seal.committed, redraws=seal.redraws)


def _check_seal(seal: Seal, secret: bytes) -> None:
    if not seal.opens_with(secret):
        raise VerificationError(
            "The secret in the record is not the one that its commitment {commitment}… stands for.",
            commitment=seal.commitment[:12],
        )
    for seat in seal.broken:
        raise VerificationError(
            "The salt of seat {seat} is not the one that the seat committed to.", seat=seat + 1
        )
