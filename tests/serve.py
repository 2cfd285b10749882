"""``cantstop serve`` for tests: ``serve.py TIME …``; its clock begins at that time, or “now”.

Its engine has the priority of everything else: a machine that is busy with tests would let it wait
for minutes. A lesson's dice are the same every time, also those after its script.
"""

import random
import sys
from datetime import UTC, datetime

from cantstop.rules import Dice
from cantstop.server.runtime import steady_clock
from cantstop.server.tables import dice
from cantstop.server.work import process
from cantstop.table.events import Lesson
from cantstop.table.table import Table

process.NICENESS = 0  # also in the processes for heavy work, which import this file
scripted = dice._prepared


def lesson_dice(table: Table, lesson: Lesson) -> Dice:
    """The seed leads to games of 40 to 95 events for the learner of ``web/test_lessons.py``."""
    chance = random.Random(f"4 {lesson.value} {table.rolls}")
    return scripted(table, lesson) or tuple(chance.choices(range(1, 7), k=4))


if __name__ == "__main__":
    dice._prepared = lesson_dice
    if sys.argv[1] != "now":
        ahead = datetime.fromisoformat(sys.argv[1]) - datetime.now(UTC)
        steady_clock.now = lambda: datetime.now(UTC) + ahead
    from cantstop.cli import main  # only now: others take the clock from the module above

    main(["serve", *sys.argv[2:]])
