"""The scores of a table: what a game says of everybody who played it.

A score has the mean ``P(i wins)``. Results has 1 for who won and 0 for the others. Play has
``result − w · luck − (start − 1/n)``: luck has mean zero roll by roll, and so has ``start − 1/n``
where seats are drawn, so that the mean is the same and the variance smaller.
"""

from collections.abc import Sequence
from math import fsum

from cantstop.ratings.games import Fate, Findings, Game, Leaving
from cantstop.ratings.model import Opinion, chances, leaving_waste

LEAVING_COSTS = 0.03
"""What leaving costs in Play, as a part of a win: so much less than the least that is fair."""


def result_scores(game: Game, expected: Sequence[float]) -> list[float]:
    """Who won: shares of one win. Who left has lost.

    Where all who won had left and others played on for them, nobody knows which of the others would
    have won: each gets a share as ratings expected, so that the game says nothing between them.
    """
    won = [1.0 if seat.fate is Fate.WON else 0.0 for seat in game.seats]
    if not any(won):
        won = [
            0.0 if seat.fate is Fate.LEFT else chance
            for seat, chance in zip(game.seats, expected, strict=True)
        ]
    total = fsum(won)
    return [one / total for one in won]


def play_scores(
    game: Game, findings: Findings, weight: float, opinions: Sequence[Opinion]
) -> list[float]:
    """What each seat has made of the dice.

    Args:
        game: The game, with who won.
        findings: What its review found.
        weight: How much of the luck is subtracted, fixed before the game.
        opinions: What was known of everybody before the game; used where a seat left.
    """
    reached = (
        result_scores(game, chances([one.mean for one in opinions]))
        if findings.leaving is None
        else leaving_scores(findings.leaving, opinions)
    )
    even = 1.0 / len(game.seats)
    return [
        score - weight * luck - (start - even)
        for score, luck, start in zip(reached, findings.luck, findings.starts, strict=True)
    ]


def leaving_scores(leaving: Leaving, opinions: Sequence[Opinion]) -> list[float]:
    """What stands for the result where a seat left.

    Others get their chance at that moment, corrected by what ratings expect of the rest: they lose
    nothing by it. Who left gets the lesser of the chance and the corrected one, less what a player
    of that rating wastes, and less again: staying is always worth more.

    >>> opinions = [Opinion(1750, 0), Opinion(1897, 0)]
    >>> scores = leaving_scores(Leaving(0, (0.5, 0.5)), opinions)
    >>> [round(score, 2) for score in scores]
    [0.27, 0.7]
    >>> [round(score, 2) for score in leaving_scores(Leaving(1, (0.5, 0.5)), opinions)]
    [0.3, 0.47]
    """
    scores = corrected(leaving.chances, chances([one.mean for one in opinions]))
    seat = leaving.seat
    least = min(leaving.chances[seat], scores[seat]) - leaving_waste(opinions[seat])
    scores[seat] = max(0.0, least) - LEAVING_COSTS
    return scores


def corrected(reached: Sequence[float], expected: Sequence[float]) -> list[float]:
    """Chances to win that take part in what ratings say of the players.

    The review's estimate takes everybody to play on as a champion; ratings know better. The chances
    are tilted by the odds of the ratings: from an even position they are what ratings expect, and
    where the game is decided they hardly change.

    >>> [round(chance, 2) for chance in corrected([0.5, 0.5], [0.8, 0.2])]
    [0.8, 0.2]
    >>> [round(chance, 2) for chance in corrected([0.95, 0.05], [0.8, 0.2])]
    [0.99, 0.01]
    """
    tilted = [chance * odds for chance, odds in zip(reached, expected, strict=True)]
    total = fsum(tilted)
    return [one / total for one in tilted] if total > 0.0 else list(reached)
