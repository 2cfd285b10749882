"""Reviews for programs: JSON, and rows of a spreadsheet for many games at once."""

from collections.abc import Iterable
from dataclasses import asdict, astuple
from typing import Any

from cantstop.review.game import Decision, Question, Review, RollLuck, SeatReview
from cantstop.review.grades import Grade

COLUMNS = (
    "file",
    "game",
    "seat",
    "name",
    "rules",
    "start",
    "result",
    "luck",
    "skill",
    "drift",
    "error",
    "decisions",
    "error_per_decision",
    "accuracy",
    "inaccuracies",
    "mistakes",
    "blunders",
    "played_like",
    "played_like_low",
    "played_like_high",
)


def review_json(review: Review) -> dict[str, Any]:
    """Everything in a review as plain JSON values."""
    return {
        "rules": str(review.rules),
        "winners": None if review.winners is None else list(review.winners),
        "seats": [_seat(seat) for seat in review.seats],
        "decisions": [_decision(decision) for decision in review.decisions],
        "rolls": [_roll(roll) for roll in review.rolls],
        "drifts": [{"n": n, "changes": list(changes)} for n, changes in review.drifts],
        "moments": [
            {
                "n": moment.n,
                "turn": moment.turn,
                "position": str(moment.position),
                "win": list(moment.worths),
            }
            for moment in review.moments
        ],
        "turning_points": [point.n for point in review.turning_points()],
        "played_like": [
            None if seat.played_like is None else asdict(seat.played_like) for seat in review.seats
        ],
    }


def _seat(seat: SeatReview) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "name": seat.name,
        "start": seat.start,
        "result": seat.result,
        "luck": seat.luck,
        "skill": seat.skill,
        "drift": seat.drift,
        "error": seat.error,
        "accuracy": seat.accuracy,
        "decisions": len(seat.decisions),
        "error_per_decision": seat.error_per_decision,
        "stop_or_roll_error": seat.error_of(Question.PRESS),
        "which_move_error": seat.error_of(Question.MOVE),
        "grades": {grade.value: seat.count(grade) for grade in Grade},
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "n": decision.n,
        "turn": decision.turn,
        "seat": decision.seat,
        "position": str(decision.position),
        "chosen": str(decision.chosen),
        "best": str(decision.best),
        "error": decision.error,
        "grade": decision.grade.value,
        "options": [
            {
                "action": str(one.action),
                "win": one.worth,
                "then": one.then,
                "grade": decision.grade_of(one).value,
            }
            for one in decision.options
        ],
    }


def _roll(roll: RollLuck) -> dict[str, Any]:
    return {
        "n": roll.n,
        "turn": roll.turn,
        "seat": roll.seat,
        "dice": list(roll.dice),
        "bust": roll.is_bust,
        "luck": roll.luck,
        "changes": list(roll.changes),
    }


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
            seat.error,
            len(seat.decisions),
            seat.error_per_decision,
            seat.accuracy,
            seat.count(Grade.INACCURACY),
            seat.count(Grade.MISTAKE),
            seat.count(Grade.BLUNDER),
            *(("", "", "") if (like := seat.played_like) is None else astuple(like)),
        )
