"""Checking a finished game: its rules by replay, its dice by its seed or seal."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from cantstop.dice import (
    DailyDice,
    DaySeal,
    EnteredDice,
    Seal,
    SealedDice,
    SeededDice,
    roll_places,
)
from cantstop.record.errors import VerificationError
from cantstop.record.record import Record, check_is_record
from cantstop.rules import Dice, Outcome, Phrase, Rolled, dice_text


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
    """How often all salts were drawn again, because a seat did not reveal its own."""
    dice_entered: bool = False
    """Whether the players threw the dice themselves, so that nobody can ever check them."""
    day: date | None = None
    """The day whose dice they are, in a daily game."""

    def rows(self) -> list[dict[str, str | int | bool | None]]:
        """What was found as one row, as pandas and spreadsheets take it."""
        return [
            {
                "turns": self.turns,
                "rolls": self.rolls,
                "dice_checked": self.dice_checked,
                "dice_entered": self.dice_entered,
                "winners": None
                if self.outcome is None
                else ",".join(str(seat) for seat in self.outcome.winners),
                "scheme": self.scheme,
                "protected": ",".join(map(str, self.protected)),
                "redraws": self.redraws,
                "day": None if self.day is None else self.day.isoformat(),
            }
        ]


def verify(record: Record) -> Verification:
    """Check a record; what does not hold is an error that names the place.

    The rules are checked by replaying every event. Dice from a seed, sealed ones whose secret is
    revealed, and a day's once its key is, are thrown again and compared roll by roll.

    >>> from cantstop import play_game
    >>> found = verify(play_game(["careful", "bold"], dice=7))
    >>> found.turns, found.dice_checked
    (20, True)

    Raises:
        VerificationError: If a move is not by the rules, or dice are not of their seal or seed.
    """
    check_is_record(record)
    game = record.game()
    checked = isinstance(record.dice, SeededDice | SealedDice | DailyDice)
    if isinstance(record.dice, SealedDice):
        _check_seal(record.dice.seal, record.dice.secret)
    if isinstance(record.dice, DailyDice):
        _check_day(record.dice)
    for number, (dice, due) in enumerate(_rolls(record), 1):
        if dice != due:
            raise VerificationError(
                "Roll {number} is {dice} in the record, but its {kind} gives {due}.",
                number=number,
                dice=dice_text(dice, record.rules.board.sides),
                kind=Phrase("seed") if isinstance(record.dice, SeededDice) else Phrase("seal"),
                due=dice_text(due, record.rules.board.sides),
            )
    entered = isinstance(record.dice, EnteredDice)
    found = Verification(game.turn, game.rolls, checked, game.outcome, dice_entered=entered)
    seal = record.dice.seal if isinstance(record.dice, SealedDice | DailyDice) else record.dice
    if isinstance(seal, DaySeal):
        return replace(found, day=seal.day)
    if not isinstance(seal, Seal):
        return found
    return replace(found, scheme=seal.scheme, protected=seal.committed, redraws=seal.redraws)


def _rolls(record: Record) -> Iterator[tuple[Dice, Dice]]:
    """Every roll as it is in the record, and as it has to be, where that can be known."""
    match record.dice:
        case SeededDice() | SealedDice() as source:
            rolled = [event.dice for event in record.events if isinstance(event, Rolled)]
            for number, dice in enumerate(rolled, 1):
                yield dice, source.roll(number, len(dice))
        case DailyDice() as daily:
            for place in roll_places(record.events):
                yield place.dice, daily.roll_in_turn(place.turn, place.roll, len(place.dice))


def _check_day(dice: DailyDice) -> None:
    if not dice.seal.opens_with(dice.key):
        raise VerificationError(
            "The key in the record is not the one that the commitment {commitment}… of {day} "
            "stands for.",
            commitment=dice.seal.commitment[:12],
            day=dice.seal.day.isoformat(),
        )


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
