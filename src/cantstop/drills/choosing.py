"""Which drill comes next: one that was not seen yet, about as hard as the player is strong."""

import random
from bisect import bisect_left
from collections.abc import Callable, Sequence

from cantstop.drills.drill import Drill, Topic
from cantstop.drills.progress import Progress

NEAREST = 20
"""The next drill is drawn from this many of the nearest difficulty, so that none is foreseen."""


def next_drill(
    drills: Sequence[Drill],
    progress: Progress,
    chance: random.Random,
    wanted: Callable[[Drill], bool] = lambda drill: True,  # noqa: ARG005
) -> Drill | None:
    """A drill that is wanted, new and near the rating; None where none at all is wanted.

    ``drills`` come in the order of their difficulties. When all were seen, the one that was seen
    longest ago comes again.
    """
    seen = set(progress.seen)
    fresh = [drill for drill in drills if drill.id not in seen and wanted(drill)]
    if fresh:
        return chance.choice(nearest(fresh, progress.rating.rating))
    known = {drill.id: drill for drill in drills if wanted(drill)}
    return next((known[one] for one in progress.seen if one in known), None)


def nearest(drills: Sequence[Drill], rating: float, count: int = NEAREST) -> Sequence[Drill]:
    """The drills whose difficulty is nearest to a rating, a given number of them."""
    high = bisect_left(drills, rating, key=lambda drill: drill.difficulty)
    low = high
    while high - low < min(count, len(drills)):
        above = drills[high].difficulty - rating if high < len(drills) else None
        below = rating - drills[low - 1].difficulty if low else None
        if below is None or (above is not None and above < below):
            high += 1
        else:
            low -= 1
    return drills[low:high]


def is_about(topic: Topic | None, players: int | None) -> Callable[[Drill], bool]:
    """Whether a drill is about a topic and for a number of players, if either is given.

    Variants are for those who ask for them: whoever names no topic plays by the standard rules.
    """
    wanted = None if players is None else f"players={players}"

    def check(drill: Drill) -> bool:
        if drill.topic is not topic and (topic is not None or drill.topic is Topic.VARIANT):
            return False
        # the text tells: a position takes a hundred times as long to read
        return wanted is None or wanted in drill.text.partition(" ")[0].split(",")

    return check
