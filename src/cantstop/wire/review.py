"""A reviewed game as JSON: the same for the server, ``--json``, clients and browsers.

Standard library alone; the engine, which takes a moment to load, is only named here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cantstop.language import Translator
from cantstop.rules import Busted, Moved, Rolled, Stopped
from cantstop.wire.insight import OptionView

if TYPE_CHECKING:
    from cantstop.review import Decision, Moment, Review, SeatReview

GradeName = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]


@dataclass(frozen=True, slots=True)
class ChoiceView(OptionView):
    """Something that could be done, and what it was worth to whoever had to decide."""

    grade: GradeName
    """What it would have been called."""


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A decision of the game, which became its event ``n``."""

    n: int
    turn: int
    seat: int
    position: str
    chosen: str
    best: str
    error: float
    """What was given away."""
    grade: GradeName
    options: tuple[ChoiceView, ...]
    """The best first."""
    why: str | None
    """One sentence in the reader's language, where it is an error."""


@dataclass(frozen=True, slots=True)
class RollLuckView:
    """A roll of the game, which is its event ``n``."""

    n: int
    turn: int
    seat: int
    dice: tuple[int, ...]
    bust: bool
    luck: float
    """What it changed for whoever rolled."""
    changes: tuple[float, ...]
    """What it changed for each seat."""


@dataclass(frozen=True, slots=True)
class DriftView:
    """What the estimate itself changed at the end of a turn."""

    n: int
    changes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PlayView:
    """What happened in the game, as a table's event says it."""

    kind: Literal["rolled", "moved", "stopped", "busted"]
    seat: int
    dice: tuple[int, ...] | None = None
    """Of ``rolled``."""
    move: str | None = None
    """Of ``moved``."""
    won: tuple[int, ...] | None = None
    """Of ``stopped``: the columns that this has won."""


@dataclass(frozen=True, slots=True)
class MomentView:
    """The game after its event ``n``; 0 is before all events."""

    n: int
    turn: int
    position: str
    win: tuple[float, ...]
    play: PlayView | None
    """The event itself; ``null`` before all events."""
    event: int | None
    """The number of the table's event; ``null`` where the game was no table's."""


@dataclass(frozen=True, slots=True)
class SeatReviewView:
    """A whole game of one seat: result = start + luck + skill + drift."""

    seat: int
    name: str
    start: float
    result: float
    luck: float
    skill: float
    drift: float
    uncertainty: float
    """How far luck, or skill, may be off, by the drifts of all turns."""
    error: float
    """What its own decisions gave away."""
    accuracy: float | None
    """The share, in percent, that was kept of what its decisions could have given away."""
    decisions: int
    error_per_decision: float
    stop_or_roll_error: float
    which_move_error: float
    grades: dict[GradeName, int]


@dataclass(frozen=True, slots=True)
class PlayedLikeView:
    """A rating, and the interval that holds the true one in 95 of 100 cases."""

    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class StoryView:
    """A sentence of the game's story, and the event after which the board shows what it tells."""

    chapter: Literal["dice", "turning-point", "best-moment"]
    n: int
    text: str


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """A game looked at again."""

    rules: str
    names: tuple[str, ...]
    headline: str
    """How the game ended, in the reader's language."""
    verdict: str
    """Whether it was luck; empty where nobody has won alone."""
    story: tuple[tuple[StoryView, ...], ...]
    """The game of each seat in three sentences."""
    winners: tuple[int, ...] | None
    seats: tuple[SeatReviewView, ...]
    decisions: tuple[DecisionView, ...]
    rolls: tuple[RollLuckView, ...]
    drifts: tuple[DriftView, ...]
    moments: tuple[MomentView, ...]
    turning_points: tuple[int, ...]
    """The events that changed most, by their ``n``, the largest first."""
    played_like: tuple[PlayedLikeView | None, ...]
    """For each seat, what such play is worth; ``null`` where no bot has been measured."""


@dataclass(frozen=True, slots=True)
class Reviews:
    """The reviews of several games: what ``cantstop review --json`` prints for them."""

    games: tuple[ReviewAnswer, ...]


def review_view(review: "Review", words: Translator, events: Sequence[int] = ()) -> ReviewAnswer:
    """A review for programs, in a reader's language.

    ``events`` are the numbers of the table's event at each moment, where there is a table.
    """
    from cantstop.review.story import Telling

    telling = Telling(review, words)
    likes = [seat.played_like for seat in review.seats]
    return ReviewAnswer(
        rules=str(review.rules),
        names=review.names,
        headline=telling.headline(),
        verdict=telling.verdict(),
        story=tuple(
            tuple(
                StoryView(one.chapter.value, one.n, one.text) for one in telling.moments(seat.seat)
            )
            for seat in review.seats
        ),
        winners=review.winners,
        seats=tuple(map(_seat, review.seats)),
        decisions=tuple(_decision(decision, words) for decision in review.decisions),
        rolls=tuple(
            RollLuckView(
                roll.n, roll.turn, roll.seat, roll.dice, roll.is_bust, roll.luck, roll.changes
            )
            for roll in review.rolls
        ),
        drifts=tuple(DriftView(n, changes) for n, changes in review.drifts),
        moments=tuple(
            MomentView(
                moment.n,
                moment.turn,
                str(moment.position),
                moment.worths,
                _play(review.moments[moment.n - 1], moment),
                events[moment.n] if events else None,
            )
            for moment in review.moments
        ),
        turning_points=tuple(point.n for point in review.turning_points()),
        played_like=tuple(
            None if like is None else PlayedLikeView(like.rating, like.low, like.high)
            for like in likes
        ),
    )


def _play(before: "Moment", after: "Moment") -> PlayView | None:
    """The event between two moments."""
    seat = before.position.seat
    match after.event:
        case Rolled(dice):
            return PlayView("rolled", seat, dice=dice)
        case Moved(move):
            return PlayView("moved", seat, move=str(move))
        case Stopped():
            won = after.position.tokens.won_since(before.position.tokens)
            return PlayView("stopped", seat, won=won)
        case Busted():
            return PlayView("busted", seat)
    return None


def _seat(seat: "SeatReview") -> SeatReviewView:
    from cantstop.review import Grade, Question

    return SeatReviewView(
        seat=seat.seat,
        name=seat.name,
        start=seat.start,
        result=seat.result,
        luck=seat.luck,
        skill=seat.skill,
        drift=seat.drift,
        uncertainty=seat.uncertainty,
        error=seat.error,
        accuracy=seat.accuracy,
        decisions=len(seat.decisions),
        error_per_decision=seat.error_per_decision,
        stop_or_roll_error=seat.error_of(Question.PRESS),
        which_move_error=seat.error_of(Question.MOVE),
        grades={grade.value: seat.count(grade) for grade in Grade},
    )


def _decision(decision: "Decision", words: Translator) -> DecisionView:
    from cantstop.review.text import decision_sentence

    return DecisionView(
        n=decision.n,
        turn=decision.turn,
        seat=decision.seat,
        position=str(decision.position),
        chosen=str(decision.chosen),
        best=str(decision.best),
        error=decision.error,
        grade=decision.grade.value,
        options=tuple(
            ChoiceView(str(one.action), one.worth, one.then, decision.grade_of(one).value)
            for one in decision.options
        ),
        why=decision_sentence(words, decision) if decision.grade.is_error else None,
    )
