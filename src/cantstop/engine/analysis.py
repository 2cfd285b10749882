"""Any position looked at: what it is worth, what can be done, and what every roll would bring.

A hint is the part that fits a table: the options, the best one first. An analysis has the roll map
besides.
"""

from dataclasses import dataclass

from cantstop.engine.evaluators import EXACT, EstimateError, Evaluator, best_evaluator
from cantstop.engine.solve import Turn, solve_rest, solve_turn
from cantstop.odds import starting_chances, usable_chance
from cantstop.rules import (
    Action,
    Choice,
    Dice,
    Move,
    Phase,
    Position,
    check_is_position,
    dice_text,
    ways,
)

Worths = tuple[float, ...]
"""What a position is worth to each seat.

It is the probability to win; in a solo game minus the expected number of turns that follow.
"""


Row = dict[str, str | int | float | bool | None]
"""Plain values under plain names, for whatever reads tables."""


@dataclass(frozen=True)
class Option:
    """Something that can be done, and what it is worth to the player if they go on at their best.

    After a move, ``then`` is the better of stopping and rolling again.
    """

    action: Action
    worth: float
    then: Choice | None = None


@dataclass(frozen=True, repr=False)
class Hint:
    """What can be done in a position, the best first; ``print`` shows it as people read it.

    Dice that are a bust leave no option, and neither does a game that is over.

    >>> found = Position.parse("v1,players=2 -/- 1 2:2,3:3,12:3 -").hint()
    >>> found
    <Hint v1,players=2 -/- 1 2:2,3:3,12:3 -: stop 0.755, roll 0.577>
    >>> found.best.action, found.at_stake
    (<Choice.STOP: 'stop'>, {2: 2, 3: 3, 12: 3})
    """

    position: Position
    worths: Worths
    """What the position is worth to each seat, if everybody goes on at their best."""
    options: tuple[Option, ...]
    """Everything that can be done, with its worth to the seat that decides."""
    bust: float
    """The chance that best play from here ends the turn in a bust."""
    next_bust: float | None
    """The chance that the next roll is a bust; None where none can follow at once."""
    error: EstimateError | None
    """How far worths like these are from the truth, as measured; None where nobody has."""

    @property
    def worth(self) -> float:
        """What the position is worth to the seat that decides."""
        return self.worths[self.position.seat]

    @property
    def best(self) -> Option | None:
        """The best option, or None where there is nothing to do."""
        return self.options[0] if self.options else None

    @property
    def at_stake(self) -> dict[int, int]:
        """What a bust would take: the spaces that the turn has gained so far, by column."""
        position = self.position
        tokens = position.tokens.spaces[position.seat]
        return {
            column: space - tokens[column] for column, space in enumerate(position.runners) if space
        }

    def rows(self) -> list[Row]:
        """A row for each option, the best first, as pandas and spreadsheets take them."""
        return [
            {
                "position": str(self.position),
                "seat": self.position.seat,
                "action": str(option.action),
                "worth": option.worth,
                "then": None if option.then is None else option.then.value,
            }
            for option in self.options
        ]

    def __repr__(self) -> str:
        options = ", ".join(f"{option.action} {option.worth:.3f}" for option in self.options)
        return f"<{type(self).__name__} {self.position}: {options or 'nothing to do'}>"

    def __str__(self) -> str:
        from cantstop.engine.text import hint_lines  # it needs this class
        from cantstop.language import Translator

        return "\n".join(hint_lines(Translator(), self))


@dataclass(frozen=True)
class RollWorth:
    """A roll that may come, in how many ways, and what is best then; a bust has no best move."""

    dice: Dice
    ways: int
    worth: float
    best: Move | None
    then: Choice | None

    @property
    def is_bust(self) -> bool:
        """Whether it is of no use."""
        return self.best is None


@dataclass(frozen=True, repr=False)
class Analysis(Hint):
    """A hint, and the roll map: every distinct roll that may come next.

    The worth of rolling is the mean of the roll map. It is None where no roll of a turn can follow.
    """

    rolls: tuple[RollWorth, ...] | None

    __str__ = Hint.__str__

    def roll_rows(self) -> list[Row]:
        """A row for each distinct roll that may come next; none where no roll can follow."""
        return [
            {
                "dice": dice_text(roll.dice, self.position.rules.board.sides),
                "ways": roll.ways,
                "bust": roll.is_bust,
                "worth": roll.worth,
                "best": None if roll.best is None else str(roll.best),
                "then": None if roll.then is None else roll.then.value,
            }
            for roll in self.rolls or ()
        ]


def hint(position: Position, evaluator: Evaluator | None = None) -> Hint:
    """What to do in a position of a turn; without another evaluator, by the best one.

    >>> found = hint(Position.parse("v1,players=2 -/- 1 - 1266"))
    >>> [str(option.action) for option in found.options]
    ['7+8', '3+12']
    """
    check_is_position(position)
    evaluator = evaluator or best_evaluator(position.rules)
    return _hint(position, evaluator, solve_rest(position, evaluator))


def analyse(position: Position, evaluator: Evaluator | None = None) -> Analysis:
    """Everything about a position: every seat's worth, the options, what every roll would bring.

    Without another evaluator it is the best one for the game. Positions without a turn are no
    error here: a game that is over has its result, and one before its start the mean over who
    may start.

    >>> found = analyse(Position.parse("v1,players=2 7:4/6:9,8:3 1 6:2,7:6,8:3 -"))
    >>> len(found.rolls), str(found.options[0].action)
    (126, 'roll')
    >>> round(found.next_bust, 3)
    0.08
    """
    check_is_position(position)
    evaluator = evaluator or best_evaluator(position.rules)
    if position.phase is Phase.OVER:
        return Analysis(position, final_worths(position), (), 0.0, None, EXACT, None)
    if position.phase is Phase.START:
        worths, error = worths_before_start(position, evaluator), evaluator.error(position)
        options = (Option(Choice.ROLL, worths[position.seat]),)
        return Analysis(position, worths, options, 0.0, None, error, None)
    turn = solve_rest(position, evaluator)
    found = _hint(position, evaluator, turn)
    return Analysis(
        position,
        found.worths,
        found.options,
        found.bust,
        found.next_bust,
        found.error,
        _rolls(turn, position) if position.may_roll else None,
    )


analyze = analyse
"""The same in American spelling."""


def final_worths(position: Position) -> Worths:
    """What a game that is over is worth: winners share 1; alone no turn follows."""
    outcome, players = position.outcome, position.rules.players
    assert outcome is not None
    if players == 1:
        return (0.0,)
    share = 1 / len(outcome.winners)
    return tuple(share if seat in outcome.winners else 0.0 for seat in range(players))


def worths_before_start(position: Position, evaluator: Evaluator) -> Worths:
    """What a game is worth while it is settled who starts (M4): the mean over who may."""
    rules = position.rules
    assert position.roll_off is not None
    chances = starting_chances(position.roll_off, rules.players, rules.board.sides)
    total = [0.0] * rules.players
    for seat, chance in enumerate(chances):
        if chance:
            opening = Position(position.tokens, seat, position.runners)
            worths = solve_turn(opening, evaluator).worths(opening)
            total = [sum_ + chance * worth for sum_, worth in zip(total, worths, strict=True)]
    return tuple(total)


def options_of(turn: Turn, position: Position) -> tuple[Option, ...]:
    """Everything that can be done in a position of a solved turn, the best first."""
    if position.phase is Phase.MOVE:
        stops = turn.stops_after(position)
        found = [
            Option(move, worth, _choice(stops[move]))
            for move, worth in turn.move_values(position).items()
        ]
    else:
        found = []
        if position.may_stop:
            found.append(Option(Choice.STOP, turn.stop_value(position)))
        if position.may_roll:
            found.append(Option(Choice.ROLL, turn.roll_value(position)))
    return tuple(sorted(found, key=lambda option: -option.worth))


def _hint(position: Position, evaluator: Evaluator, turn: Turn) -> Hint:
    return Hint(
        position,
        turn.worths(position),
        options_of(turn, position),
        turn.bust_chance(position),
        float(1 - usable_chance(position)) if position.may_roll else None,
        evaluator.error(position),
    )


def _rolls(turn: Turn, position: Position) -> tuple[RollWorth, ...]:
    return tuple(
        RollWorth(
            dice,
            times,
            roll.worth,
            Move(*roll.columns) if roll.columns else None,
            _choice(roll.stops) if roll.columns else None,
        )
        for (dice, times), roll in zip(
            ways(position.rules.board.sides, 4).items(), turn.rolls(position), strict=True
        )
    )


def _choice(stops: bool) -> Choice:
    return Choice.STOP if stops else Choice.ROLL
