"""A finished game looked at again: what every decision gave away, and what every roll changed.

``W`` is a seat's win chance from the turn solver; in a solo game it is minus the number of turns
that the game will have taken. Every change of it has one cause, so that for each seat

    result = start + luck + skill + drift

where luck is what rolls changed, skill what decisions changed (a seat's own errors count against
it, the others' for it), and drift what the estimate itself changed between two turns. A turn's
drift was booked as luck or skill with the other sign while the turn was played: the drifts say how
uncertain both are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, reduce
from math import inf, sqrt
from operator import add
from time import monotonic

from cantstop.engine import (
    EstimateError,
    Evaluator,
    Option,
    Turn,
    Worths,
    best_evaluator,
    final_worths,
    options_of,
    solve_turn,
    worths_before_start,
)
from cantstop.game import Game
from cantstop.language import Translator
from cantstop.record import Record
from cantstop.review.grades import Grade, thresholds
from cantstop.review.played_like import PlayedLike, played_like
from cantstop.rules import (
    Action,
    Busted,
    Choice,
    Dice,
    Event,
    Moved,
    Outcome,
    Phase,
    Position,
    Rolled,
    Rules,
    Stopped,
    WrongType,
)


class Question(StrEnum):
    """The two kinds of decisions."""

    PRESS = "stop or roll"
    MOVE = "which move"


Row = dict[str, str | int | float | bool | None]
"""Plain values under plain names, for whatever reads tables."""


@dataclass(frozen=True, repr=False)
class Decision:
    """One decision of the game; ``n`` counts the events, and this one became event ``n``."""

    n: int
    turn: int
    seat: int
    question: Question
    position: Position
    chosen: Action
    options: tuple[Option, ...]
    """Everything that could be done, the best first, with its worth to whoever decided."""
    estimate: EstimateError | None
    """How far such worths are from the truth, as measured."""

    def __repr__(self) -> str:
        return f"<Decision {self.n}: {self.chosen}, best {self.best}, error {self.error:.3f}>"

    def row(self) -> Row:
        """The decision as one row of a table."""
        return {
            "n": self.n,
            "turn": self.turn,
            "seat": self.seat,
            "question": self.question.value,
            "position": str(self.position),
            "chosen": str(self.chosen),
            "worth": self.worth,
            "best": str(self.best),
            "best_worth": self.options[0].worth,
            "error": self.error,
            "grade": self.grade.value,
        }

    def rows(self) -> list[Row]:
        """A row for each option, the best first."""
        return [
            {
                "n": self.n,
                "action": str(option.action),
                "worth": option.worth,
                "then": None if option.then is None else option.then.value,
                "chosen": option.action == self.chosen,
                "grade": self.grade_of(option).value,
            }
            for option in self.options
        ]

    @property
    def best(self) -> Action:
        """What was best."""
        return self.options[0].action

    @property
    def chosen_option(self) -> Option:
        """The option that was chosen."""
        return next(option for option in self.options if option.action == self.chosen)

    @property
    def worth(self) -> float:
        """What the chosen option was worth."""
        return self.chosen_option.worth

    @property
    def grade(self) -> Grade:
        """What to call it."""
        return self.grade_of(self.chosen_option)

    def grade_of(self, option: Option) -> Grade:
        """What to call it if that option had been chosen."""
        error = self.options[0].worth - option.worth
        return thresholds(self.position.rules.players).grade(error, self.estimate)

    @property
    def error(self) -> float:
        """What was given away."""
        return self.options[0].worth - self.worth

    @property
    def at_stake(self) -> float:
        """What the worst option would have given away."""
        return self.options[0].worth - self.options[-1].worth


@dataclass(frozen=True)
class RollLuck:
    """One roll of the game, which is event ``n``: what it changed for each seat."""

    n: int
    turn: int
    seat: int
    dice: Dice
    is_bust: bool
    changes: Worths

    @property
    def luck(self) -> float:
        """What it changed for whoever rolled."""
        return self.changes[self.seat]


@dataclass(frozen=True)
class Moment:
    """The game after event ``n`` (0: before all events), and what it is worth to everybody."""

    n: int
    turn: int
    position: Position
    worths: Worths
    event: Event | None = None
    """What has led here; None before all events."""


@dataclass(frozen=True, repr=False)
class SeatReview:
    """A whole game of one seat."""

    seat: int
    name: str
    start: float
    result: float
    luck: float
    skill: float
    drift: float
    uncertainty: float
    """How far luck, or skill, may be off: a standard deviation; 0 with an exact table."""
    decisions: tuple[Decision, ...]
    """Those of this seat where there was something to decide."""
    rules: Rules

    def __repr__(self) -> str:
        decisions = f"{len(self.decisions)} decisions, error {self.error:.3f}"
        return f"<SeatReview {self.name}: luck {self.luck:+.3f}, {decisions}>"

    def rows(self) -> list[Row]:
        """A row for each decision of the seat."""
        return [{"name": self.name, **decision.row()} for decision in self.decisions]

    @property
    def error(self) -> float:
        """What its own decisions gave away."""
        return _total(decision.error for decision in self.decisions)

    def error_of(self, question: Question) -> float:
        """What its decisions of one kind gave away."""
        return _total(one.error for one in self.decisions if one.question is question)

    @property
    def error_per_decision(self) -> float:
        """What a decision gave away on average; 0 where there was none."""
        return self.error / len(self.decisions) if self.decisions else 0.0

    @property
    def accuracy(self) -> float | None:
        """The share, in percent, that was kept of all that its decisions could have given away."""
        at_stake = _total(decision.at_stake for decision in self.decisions)
        return 100 * (1 - self.error / at_stake) if at_stake else None

    @property
    def played_like(self) -> PlayedLike | None:
        """The rating that such play is worth; None where no bot has been measured."""
        return played_like(self.rules, self.error, len(self.decisions))

    def count(self, grade: Grade) -> int:
        """How many of its decisions have a grade."""
        return sum(decision.grade is grade for decision in self.decisions)


@dataclass(frozen=True, repr=False)
class Review:
    """A game looked at again; ``print`` shows it as people read it."""

    rules: Rules
    names: tuple[str, ...]
    outcome: Outcome | None
    """None for a game that was not played to its end: the last estimates stand for its result."""
    moments: tuple[Moment, ...]
    decisions: tuple[Decision, ...]
    rolls: tuple[RollLuck, ...]
    drifts: tuple[tuple[int, Worths], ...]
    """What the estimate itself changed, with the event after which a turn began."""
    skills: Worths
    """What all decisions together changed for each seat."""
    winners: tuple[int, ...] | None = None
    """Who has won: by the rules, or because all others have resigned."""
    resigned: tuple[int, ...] = ()
    """The seats that have resigned, lowest first; where the game went on, a bot played them."""

    def __repr__(self) -> str:
        decisions = f"{len(self.decisions)} decisions"
        return f"<Review {self.rules} {', '.join(self.names)}: {decisions}>"

    def __str__(self) -> str:
        from cantstop.review.text import review_text  # it needs this class

        return review_text(self, Translator())

    def rows(self) -> list[Row]:
        """A row for each decision, as pandas and spreadsheets take them."""
        return [
            {"name": self.names[decision.seat], **decision.row()} for decision in self.decisions
        ]

    @property
    def is_solo(self) -> bool:
        """Whether worths are turns, not win chances."""
        return self.rules.players == 1

    @cached_property
    def seats(self) -> tuple[SeatReview, ...]:
        """The game of each seat."""
        return tuple(map(self._seat, range(self.rules.players)))

    def _seat(self, seat: int) -> SeatReview:
        drifts = [change[seat] for _, change in self.drifts]
        drift = _total(drifts)
        spread = sqrt(_total(change * change for change in drifts))
        return SeatReview(
            seat,
            self.names[seat],
            self.moments[0].worths[seat],
            self.moments[-1].worths[seat],
            _total(roll.changes[seat] for roll in self.rolls),
            self.skills[seat],
            drift,
            max(spread, abs(drift)),  # it is missing from luck and skill: no less than that
            tuple(decision for decision in self.decisions if decision.seat == seat),
            self.rules,
        )

    def worst_decisions(self, count: int = 5) -> tuple[Decision, ...]:
        """The errors worth a look, the largest first."""
        errors = [decision for decision in self.decisions if decision.grade.is_error]
        return tuple(sorted(errors, key=lambda decision: -decision.error)[:count])

    def turning_points(self, count: int = 5) -> tuple[RollLuck | Decision, ...]:
        """The rolls and decisions that changed most for whoever made them, the largest first."""
        found: list[tuple[float, RollLuck | Decision]] = [
            *((abs(roll.luck), roll) for roll in self.rolls),
            *((decision.error, decision) for decision in self.decisions),
        ]
        found.sort(key=lambda pair: -pair[0])
        return tuple(one for size, one in found[:count] if size > 0.0)


def review(game: Record | Game, evaluator: Evaluator | None = None) -> Review:
    """Look at a game again; without another evaluator, with the best one for its rules.

    A game that was not played to its end is reviewed up to there.

    >>> from cantstop import Game
    >>> game = Game()
    >>> moves = game.roll("2345"); game.move("5+9"); game.stop()
    >>> [f"{decision.chosen}, not {decision.best}" for decision in review(game).decisions]
    ['5+9, not 6+8', 'stop, not roll']
    """
    reviewer = Reviewer(game, evaluator)
    reviewer.run()
    return reviewer.review()


class Reviewer:
    """Goes through a game event by event, and books every change of the win chances.

    It can pause and, copied by pickle, go on in another process.
    """

    def __init__(self, game: Record | Game, evaluator: Evaluator | None = None) -> None:
        if not isinstance(game, Record | Game):
            raise WrongType(
                "{value} is not a game to review: give a game or a record.", value=repr(game)
            )
        start = game.start
        self._given = evaluator
        self._names = (
            game.names
            if isinstance(game, Record)
            else tuple(f"Player {seat + 1}" for seat in range(game.rules.players))
        )
        self._record = game if isinstance(game, Record) else None
        self._events = tuple(game.events)
        self._position = start
        self._n = 0
        self._turn = 1
        self._solved: Turn | None = None
        self._worths = self._here()
        self._moments = [Moment(0, 1, start, self._worths)]
        self._decisions: list[Decision] = []
        self._rolls: list[RollLuck] = []
        self._drifts: list[tuple[int, Worths]] = []
        self._skills = [0.0] * start.rules.players

    def _winners(self) -> tuple[int, ...] | None:
        outcome = self._position.outcome
        if self._record is not None:
            return self._record.winners(outcome)
        return None if outcome is None else outcome.winners

    def run(self, seconds: float = inf) -> bool:
        """Review on for about so long, one event at least; whether the game is reviewed then."""
        until = monotonic() + seconds
        while self._n < len(self._events):
            self._review(self._events[self._n])
            if monotonic() >= until:
                break
        return self._n == len(self._events)

    def _review(self, event: Event) -> None:
        self._n += 1
        match event:
            case Rolled():
                self._roll(event)
            case Moved():
                self._move(event)
            case Stopped():
                self._stop()
            case Busted():
                self._end_turn(self._position.bust())
        self._moments.append(Moment(self._n, self._turn, self._position, self._worths, event))

    def __getstate__(self) -> dict[str, object]:
        """What is to be copied: neither the networks nor the turn that is solved."""
        state = {**self.__dict__, "_solved": None}
        state.pop("_evaluator", None)
        return state

    @cached_property
    def _evaluator(self) -> Evaluator:
        return self._given or best_evaluator(self._position.rules)

    def review(self) -> Review:
        """The game as far as it has been reviewed."""
        return Review(
            self._position.rules,
            self._names,
            self._position.outcome,
            tuple(self._moments),
            tuple(self._decisions),
            tuple(self._rolls),
            tuple(self._drifts),
            tuple(self._skills),
            self._winners(),
            () if self._record is None else self._record.resigned,
        )

    # What positions are worth

    def _here(self) -> Worths:
        """What the position is worth to each seat."""
        position = self._position
        if position.phase is Phase.OVER:
            return self._counted(final_worths(position))
        if position.phase is Phase.START:
            return worths_before_start(position, self._evaluator)
        return self._counted(self._solve(position).worths(position))

    def _solve(self, position: Position) -> Turn:
        solved = self._solved
        if solved is None or not solved.has(position):
            anchor = Position(position.tokens, position.seat, position.rules.board.no_runners)
            solved = self._solved = solve_turn(anchor, self._evaluator)
        return solved

    def _counted(self, worths: Worths) -> Worths:
        """In a solo game the turns so far count too."""
        return worths if len(worths) > 1 else (worths[0] - self._turn,)

    # What happens

    def _roll(self, event: Rolled) -> None:
        before = self._position
        if before.phase is Phase.CHOICE and before.may_stop:
            self._decide(Question.PRESS, Choice.ROLL)
        if before.phase is Phase.CHOICE:
            self._choose(self._counted(self._solve(before).roll_worths(before)))
        worths, seat, turn = self._worths, before.seat, self._turn
        self._position = before.after(event)
        self._worths = self._here()
        changes = tuple(_differences(self._worths, worths))
        is_bust = self._position.phase is Phase.BUST
        self._rolls.append(RollLuck(self._n, turn, seat, event.dice, is_bust, changes))

    def _move(self, event: Moved) -> None:
        self._decide(Question.MOVE, event.move)
        self._position = self._position.after(event)
        self._choose(self._here())

    def _stop(self) -> None:
        self._decide(Question.PRESS, Choice.STOP)
        self._choose(self._counted(self._solve(self._position).stop_worths(self._position)))
        self._end_turn(self._position.stop())

    def _decide(self, question: Question, chosen: Action) -> None:
        """Book a decision, if there was one: between two equally good options there is none."""
        options = options_of(self._solve(self._position), self._position)
        error = options[0].worth - next(one.worth for one in options if one.action == chosen)
        if not error and (len(options) < 2 or options[0].worth == options[1].worth):
            return
        position = self._position
        self._decisions.append(
            Decision(
                self._n,
                self._turn,
                position.seat,
                question,
                position,
                chosen,
                options,
                self._evaluator.error(position),
            )
        )

    def _choose(self, worths: Worths) -> None:
        """Account for a decision: what it changed is skill, or the lack of it."""
        for seat, change in enumerate(_differences(worths, self._worths)):
            self._skills[seat] += change
        self._worths = worths

    def _end_turn(self, after: Position) -> None:
        """The next turn begins: what the estimate was off by shows."""
        self._position = after
        if after.outcome is None:
            self._turn += 1
        worths, self._worths = self._worths, self._here()
        drift = tuple(_differences(self._worths, worths))
        if any(drift):
            self._drifts.append((self._n, drift))


def _total(numbers: Iterable[float]) -> float:
    """Numbers added one after the other.

    ``sum`` does more from Python 3.12 on; a browser does this, and finds the same numbers.
    """
    return reduce(add, numbers, 0.0)


def _differences(after: Worths, before: Worths) -> Iterator[float]:
    return (now - then for now, then in zip(after, before, strict=True))
