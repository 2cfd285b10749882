"""Games looked at again: luck, errors and drift, separately for every roll and every decision.

``cantstop.review(record)`` is short for ``cantstop.review.review(record)``.
"""

import sys
from types import ModuleType

from cantstop.engine import Evaluator
from cantstop.game import Game
from cantstop.record import Record
from cantstop.review.game import (
    Decision,
    Moment,
    Question,
    Review,
    Reviewer,
    RollLuck,
    SeatReview,
    review,
)
from cantstop.review.grades import SOLO_TURNS, WIN_CHANCE, Grade, Thresholds, thresholds
from cantstop.review.played_like import PlayedLike, played_like

__all__ = [
    "SOLO_TURNS",
    "WIN_CHANCE",
    "Decision",
    "Grade",
    "Moment",
    "PlayedLike",
    "Question",
    "Review",
    "Reviewer",
    "RollLuck",
    "SeatReview",
    "Thresholds",
    "played_like",
    "review",
    "thresholds",
]


class _Callable(ModuleType):
    """The package is a function too: importing it would otherwise hide ``cantstop.review``."""

    def __call__(self, game: Record | Game, evaluator: Evaluator | None = None) -> Review:
        return review(game, evaluator)


sys.modules[__name__].__class__ = _Callable
