"""A hint: everything that can be done in a position, with what it is worth."""

from dataclasses import dataclass
from enum import StrEnum

from cantstop.engine.evaluators import Evaluator
from cantstop.engine.turn import Turn, solve_rest
from cantstop.rules import Move, Phase, Position


class Press(StrEnum):
    """The other decision of a turn, besides which move to make."""

    STOP = "stop"
    ROLL = "roll"


@dataclass(frozen=True)
class Option:
    """Something that can be done, and what it is worth to the player if they go on at their best.

    Worth is the probability to win; in a solo game it is minus the expected number of turns that
    follow this one. After a move, ``then`` is the better of stopping and rolling again.
    """

    action: Move | Press
    worth: float
    then: Press | None = None


@dataclass(frozen=True)
class Hint:
    """The options of a position, the best one first; ``bust`` is the chance to lose the turn.

    Dice that are a bust leave no option.
    """

    options: tuple[Option, ...]
    worth: float
    bust: float


def hint(position: Position, evaluator: Evaluator) -> Hint:
    """What to do in a position of a turn.

    >>> from cantstop.engine import race_model
    >>> found = hint(Position.parse("v1,players=2 -/- 1 - 1266"), race_model())
    >>> [str(option.action) for option in found.options]
    ['7+8', '3+12']
    """
    turn = solve_rest(position, evaluator)
    options = sorted(_options(turn, position), key=lambda option: -option.worth)
    return Hint(tuple(options), turn.value(position), turn.bust_chance(position))


def _options(turn: Turn, position: Position) -> list[Option]:
    if position.phase is Phase.MOVE:
        return [
            Option(move, worth, _press(turn, position.move(move)))
            for move, worth in turn.move_values(position).items()
        ]
    options = []
    if position.may_stop:
        options.append(Option(Press.STOP, turn.stop_value(position)))
    if position.may_roll:
        options.append(Option(Press.ROLL, turn.roll_value(position)))
    return options


def _press(turn: Turn, moved: Position) -> Press:
    return Press.STOP if turn.should_stop(moved) else Press.ROLL
