"""Where a table's dice come from: sealed before the game or the day, or prepared for a lesson."""

from dataclasses import dataclass
from functools import lru_cache

from cantstop.dice import (
    DailyDice,
    DaySeal,
    GradualDice,
    GradualSeal,
    Seal,
    SealedDice,
    SealedSalt,
    SecureDice,
)
from cantstop.rules import Dice, Rules, Sharing, parse_dice
from cantstop.table.events import Lesson
from cantstop.table.table import Table


def seal_of(table: Table) -> Seal | GradualSeal | DaySeal | None:
    """The commitment that binds the dice; prepared and entered dice have none."""
    commitment = table.opened.commitment
    if commitment is None:
        return None
    if table.opened.daily is not None:
        return DaySeal(table.opened.daily.day, commitment)
    if table.opened.gradual:
        salts = tuple(
            SealedSalt(seat.salt_commitment, seat.salt, seat.salt_since, seat.salt_lost)
            for seat in table.seats
        )
        return GradualSeal(table.id, commitment, salts)
    promised = tuple(seat.salt_commitment for seat in table.seats)
    return _seal(
        table.id, commitment, table.salts, promised if any(promised) else (), table.redraws
    )


_seal = lru_cache(4096)(Seal)  # it looks at all its texts, and is the same for a whole game


def throw(table: Table, dice_secret: bytes | None) -> Dice:
    """The dice of the table's next roll, where they are not entered."""
    sides, count = table.rules.board.sides, table.position.dice_to_roll
    seal = seal_of(table)
    if seal is None:
        lesson = table.opened.lesson
        return (lesson and _prepared(table, lesson)) or SecureDice(sides).roll(count=count)
    assert dice_secret is not None
    if isinstance(seal, DaySeal):
        dice = DailyDice(seal, dice_secret, sides)
        return dice.roll_in_turn(table.turn, table.rolls_in_turn + 1, count)
    if isinstance(seal, GradualSeal):
        gradual = GradualDice(seal, dice_secret, sides)
        return gradual.roll_in_turn(table.dice_turn, table.rolls_in_turn + 1, count)
    return SealedDice(seal, dice_secret, sides).roll(table.rolls + 1, count)


@dataclass(frozen=True)
class LessonScript:
    """The rules of a lesson, and the dice of its first turns, roll by roll."""

    rules: Rules
    turns: tuple[str, ...]


def _rules(*, early: bool = False, sharing: Sharing = Sharing.FREE) -> Rules:
    return Rules(players=2, columns_to_win=1, early=early, sharing=sharing)


LESSONS = {
    # Rolls with three equal dice have one split only: whatever was chosen before, the second turn
    # of the player ends with the bust that the lesson is about.
    Lesson.BASICS: LessonScript(
        _rules(),
        ("2345 1634 2435", "3334 4443", "1112 6665 4443", "5556 2221", "6666 6612"),
    ),
    Lesson.NO_REST: LessonScript(
        _rules(sharing=Sharing.NO_REST), ("1112", "3334 5554", "3334 3334", "4443 2221")
    ),
    Lesson.LEAPFROG: LessonScript(
        _rules(sharing=Sharing.LEAPFROG), ("1112", "3334 5554", "3334", "4443 2221")
    ),
    Lesson.EARLY: LessonScript(_rules(early=True), ("2345 2435", "3334 5554")),
}


def _prepared(table: Table, lesson: Lesson) -> Dice | None:
    """The dice that the lesson has for the next roll, if it has any left for this turn."""
    turns = LESSONS[lesson].turns
    rolls = turns[table.turn - 1].split() if table.turn <= len(turns) else []
    return parse_dice(rolls[table.rolls_in_turn]) if table.rolls_in_turn < len(rolls) else None
