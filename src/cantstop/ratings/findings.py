"""What ratings take from the review of a game."""

from collections.abc import Mapping
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from cantstop.ratings.games import Findings, Leaving

if TYPE_CHECKING:
    from cantstop.review import Review


def findings_of(review: "Review", left: Mapping[int, int] | None = None) -> Findings:
    """The start and the luck of every seat, up to the moment at which the first one left.

    Args:
        review: The whole game, or its part until a seat left.
        left: For each seat that left, how many events there had been.

    >>> from cantstop import Game
    >>> from cantstop.review import review
    >>> game = Game()
    >>> moves = game.roll("2345"); game.move("5+9"); game.stop()
    >>> found = findings_of(review(game), {0: 3})
    >>> found.leaving.seat, len(found.leaving.chances)
    (0, 2)
    """
    until, leaving = len(review.moments) - 1, None
    if left:
        seat = min(left, key=lambda one: (left[one], one))
        until = left[seat]
        leaving = Leaving(seat, review.moments[until].worths)
    rolls = [roll for roll in review.rolls if roll.n <= until]
    luck = tuple(
        reduce(add, (roll.changes[seat] for roll in rolls), 0.0)
        for seat in range(review.rules.players)
    )
    return Findings(review.moments[0].worths, luck, leaving)
