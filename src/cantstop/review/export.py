"""Reviews as rows of a spreadsheet, for many games at once."""

from collections.abc import Iterable
from dataclasses import astuple

from cantstop.review.game import Review
from cantstop.review.grades import Grade

COLUMNS = (
    *("file", "game", "seat", "name", "rules"),
    *("start", "result", "luck", "skill", "drift", "uncertainty", "error"),
    *("decisions", "error_per_decision", "accuracy", "inaccuracies", "mistakes", "blunders"),
    *("played_like", "played_like_low", "played_like_high"),
)


def review_rows(file: str, game: int, review: Review) -> Iterable[tuple[object, ...]]:
    """One row for each seat, under ``COLUMNS``."""
    for seat in review.seats:
        yield (
            file,
            game,
            seat.seat + 1,
            seat.name,
            str(review.rules),
            seat.start,
            seat.result,
            seat.luck,
            seat.skill,
            seat.drift,
            seat.uncertainty,
            seat.error,
            len(seat.decisions),
            seat.error_per_decision,
            seat.accuracy,
            seat.count(Grade.INACCURACY),
            seat.count(Grade.MISTAKE),
            seat.count(Grade.BLUNDER),
            *(("", "", "") if (like := seat.played_like) is None else astuple(like)),
        )
