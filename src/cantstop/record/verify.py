"""Checking a finished game: its rules by replay, its dice by its seed or seal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from cantstop.dice import (
    DailyDice,
    DaySeal,
    DiceTurn,
    EnteredDice,
    GradualDice,
    GradualSeal,
    Seal,
    SealedDice,
    SeededDice,
    dice_turns,
    roll_places,
)
from cantstop.game import Game
from cantstop.record.errors import VerificationError
from cantstop.record.record import Record, RevealedDice, check_is_record
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
    """How the salts of sealed dice came about: 3 in a game over days, where each counts from a turn
    of its seat on; 2 where seats committed to them, 1 the older way."""
    protected: tuple[int, ...] = ()
    """The seats that committed to their salts: nobody could steer the dice against them."""
    protected_from: tuple[int, ...] = ()
    """The roll from which on each of these is: 1, unless it is a game over days."""
    redraws: int = 0
    """How often all salts were drawn again, because a seat did not reveal its own."""
    unsalted_turns: tuple[int, ...] = ()
    """In a game over days, for each seat, how many of its own turns began without its salt, which
    it had not revealed."""
    lost: tuple[int, ...] = ()
    """The seats whose salt was lost before it was revealed: nothing protects them."""
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
                "protected_from": ",".join(map(str, self.protected_from)),
                "redraws": self.redraws,
                "unsalted_turns": ",".join(map(str, self.unsalted_turns)),
                "lost": ",".join(map(str, self.lost)),
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
    checked = isinstance(record.dice, SeededDice | RevealedDice)
    if isinstance(record.dice, SealedDice | GradualDice):
        _check_seal(record.dice.seal, record.dice.secret)
    if isinstance(record.dice, DailyDice):
        _check_day(record.dice)
    entered = isinstance(record.dice, EnteredDice)
    found = Verification(game.turn, game.rolls, checked, game.outcome, dice_entered=entered)
    found = _sealed(found, record, game)
    for number, (dice, due) in enumerate(_rolls(record), 1):
        if dice != due:
            raise VerificationError(
                "Roll {number} is {dice} in the record, but its {kind} gives {due}.",
                number=number,
                dice=dice_text(dice, record.rules.board.sides),
                kind=Phrase("seed") if isinstance(record.dice, SeededDice) else Phrase("seal"),
                due=dice_text(due, record.rules.board.sides),
            )
    return found


def _sealed(found: Verification, record: Record, game: Game) -> Verification:
    """What was found, with what the seal of its dice says."""
    match record.dice.seal if isinstance(record.dice, RevealedDice) else record.dice:
        case DaySeal(day):
            return replace(found, day=day)
        case Seal() as seal:
            return replace(
                found,
                scheme=seal.scheme,
                protected=seal.committed,
                protected_from=(1,) * len(seal.committed),
                redraws=seal.redraws,
            )
        case GradualSeal() as seal:
            return _with_salts(found, seal, tuple(dice_turns(game.positions, game.events)))
        case _:
            return found


def _with_salts(found: Verification, seal: GradualSeal, turns: Sequence[DiceTurn]) -> Verification:
    """What was found, and from which roll on each salt counts.

    Raises:
        VerificationError: If one counts from a moment that its owner could have chosen.
    """
    first_rolls = [1]  # of each turn
    for turn in turns:
        first_rolls.append(first_rolls[-1] + len(turn.rolls))
    protected: dict[int, int] = {}
    unsalted = [0] * len(seal.seats)
    early = []
    for seat, salt in enumerate(seal.seats):
        if salt.promised is None:
            continue
        own = [number for number, turn in enumerate(turns, 1) if turn.seat == seat]
        since = salt.since or len(turns) + 1
        if salt.since == 1 and 1 not in own:
            early.append(seat)
        elif salt.since is not None and salt.since not in own:
            raise VerificationError(
                "The salt of seat {seat} counts from turn {turn} on, which is not a turn of that "
                "seat.",
                seat=seat + 1,
                turn=salt.since,
            )
        if not salt.lost:
            unsalted[seat] = sum(n < since and bool(turns[n - 1].rolls) for n in own)
        if salt.since is not None and turns[since - 1].rolls:
            protected[seat] = first_rolls[since - 1]
    if len(early) > 1:
        raise VerificationError(
            "The salts of seats {first} and {second} count from the first turn on: at most one "
            "may, besides that of the seat whose turn it is.",
            first=early[0] + 1,
            second=early[1] + 1,
        )
    return replace(
        found,
        scheme=3,
        protected=tuple(protected),
        protected_from=tuple(protected.values()),
        unsalted_turns=tuple(unsalted),
        lost=tuple(seat for seat, salt in enumerate(seal.seats) if salt.lost),
    )


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
        case GradualDice() as gradual:
            for number, turn in enumerate(dice_turns(record.game().positions, record.events), 1):
                for at, dice in enumerate(turn.rolls, 1):
                    yield dice, gradual.roll_in_turn(number, at, len(dice))


def _check_day(dice: DailyDice) -> None:
    if not dice.seal.opens_with(dice.key):
        raise VerificationError(
            "The key in the record is not the one that the commitment {commitment}… of {day} "
            "stands for.",
            commitment=dice.seal.commitment[:12],
            day=dice.seal.day.isoformat(),
        )


def _check_seal(seal: Seal | GradualSeal, secret: bytes) -> None:
    if not seal.opens_with(secret):
        raise VerificationError(
            "The secret in the record is not the one that its commitment {commitment}… stands for.",
            commitment=seal.commitment[:12],
        )
    for seat in seal.broken:
        raise VerificationError(
            "The salt of seat {seat} is not the one that the seat committed to.", seat=seat + 1
        )
