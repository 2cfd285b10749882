"""Tutorial tables: prepared dice that show one thing after the other."""

from dataclasses import dataclass

from cantstop.rules import Dice, Rules, Sharing, parse_dice
from cantstop.server.tables.events import Lesson
from cantstop.server.tables.table import Table

TEACHER = "careful"
"""The bot that the learner plays against: it does the same with the same dice every time."""


@dataclass(frozen=True)
class Script:
    """The rules of a lesson, and the dice of its first turns, roll by roll."""

    rules: Rules
    turns: tuple[str, ...]


def _rules(*, early: bool = False, sharing: Sharing = Sharing.FREE) -> Rules:
    return Rules(players=2, columns_to_win=1, early=early, sharing=sharing)


SCRIPTS = {
    # Rolls with three equal dice have one split only: whatever was chosen before, the second turn
    # of the player ends with the bust that the lesson is about.
    Lesson.BASICS: Script(
        _rules(),
        ("2345 1634 2435", "3334 4443", "1112 6665 4443", "5556 2221", "6666 6612"),
    ),
    Lesson.NO_REST: Script(
        _rules(sharing=Sharing.NO_REST), ("1112", "3334 5554", "3334 3334", "4443 2221")
    ),
    Lesson.LEAPFROG: Script(
        _rules(sharing=Sharing.LEAPFROG), ("1112", "3334 5554", "3334", "4443 2221")
    ),
    Lesson.EARLY: Script(_rules(early=True), ("2345 2435", "3334 5554")),
}


def prepared_dice(table: Table, lesson: Lesson) -> Dice | None:
    """The dice that the lesson has for the next roll, if it has any left for this turn."""
    turns = SCRIPTS[lesson].turns
    rolls = turns[table.turn - 1].split() if table.turn <= len(turns) else []
    return parse_dice(rolls[table.rolls_in_turn]) if table.rolls_in_turn < len(rolls) else None
