"""Two ratings of people, never blended: Results, who won; Play, the same less the luck of the dice.

Games of a club go in, in the order in which they ended; everybody's ratings come out, all fitted at
once and to the same bits on every machine. Nothing is needed but the standard library.
``docs/ratings.md`` has the model and its derivation.
"""

from cantstop.ratings.club import Rater, Rating, Ratings, rate
from cantstop.ratings.games import (
    Anchor,
    Fate,
    Findings,
    Game,
    Leaving,
    Member,
    Seat,
    ladder_anchor,
)
from cantstop.ratings.model import MODEL, Kind, Opinion, Size, chances

__all__ = [
    "MODEL",
    "Anchor",
    "Fate",
    "Findings",
    "Game",
    "Kind",
    "Leaving",
    "Member",
    "Opinion",
    "Rater",
    "Rating",
    "Ratings",
    "Seat",
    "Size",
    "chances",
    "ladder_anchor",
    "rate",
]
