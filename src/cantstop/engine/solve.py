"""One turn solved: the best decision and its value in every position of it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cantstop.engine.evaluators import Anchors, Evaluator, RaceModel, SoloModel, ValueModel
from cantstop.engine.module import (
    AT_BEST,
    ROLLING,
    STOPPING,
    GameInstance,
    Look,
    Prospects,
    RollLook,
    forget,
    instance_for,
)
from cantstop.engine.size import check_turn_size
from cantstop.extras import require
from cantstop.kernel.fields import ROUNDING, column_bits
from cantstop.rules import NOBODY, IllegalAction, Move, Phase, Position, Rules, Sharing, Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

_IN_THE_MODULE = (ValueModel, RaceModel, SoloModel)


@dataclass(frozen=True)
class Outlook:
    """What becomes of a turn under best play.

    ``worth[seat]`` is what the position is worth to each seat: the probability to win, or in a
    solo game minus the expected number of turns after this one. ``ends`` are the positions in
    which the turn may be stopped with their chances, the likeliest first.
    """

    worth: tuple[float, ...]
    bust: float
    ends: tuple[tuple[Position, float], ...] = field(repr=False)


class _Part(NamedTuple):
    """What can come of a turn after runners are in all columns of one of the roots."""

    tokens: Tokens
    seat: int
    roots: list[int]

    def covers(self, other: "_Part") -> bool:
        """Whether another part lies within this one."""
        return (
            other.seat == self.seat
            and (other.tokens is self.tokens or other.tokens == self.tokens)
            and all(any(out & root == root for root in self.roots) for out in other.roots)
        )


class Turn:
    """The solution of one turn; it answers for every position of it.

    All values are the mover's: the probability to win, or in a solo game minus the expected
    number of turns that follow this one. The numbers lie in the engine's module: whoever asks
    about one turn after another and comes back to the first lets it be solved again.
    """

    def __init__(self, position: Position, evaluator: Evaluator, *, whole: bool) -> None:
        self.tokens = position.tokens
        self.seat = position.seat
        self._evaluator = evaluator
        self._from = position
        self._whole = whole
        self._part = _Part(self.tokens, self.seat, [0] if whole else _roots(position))
        self._looked: tuple[Position, Look] | None = None
        """The last position that was asked about: most are asked about several times."""
        self._instance()

    def __repr__(self) -> str:
        begins = Position(self.tokens, self.seat, self.tokens.rules.board.no_runners)
        return f"<Turn {begins}>"

    def has(self, position: Position) -> bool:
        """Whether a position belongs to this turn, or to the part of it that is solved."""
        roots = [] if self._whole else _roots(position)
        return position.roll_off is None and self._part.covers(
            _Part(position.tokens, position.seat, roots)
        )

    @cached_property
    def bust_value(self) -> float:
        """What a bust is worth."""
        return self._look(self._from).bust

    def value(self, position: Position) -> float:
        """What a position of the turn is worth with best play."""
        look = self._look(position)
        return look.bust if position.phase is Phase.BUST else look.value

    def move_values(self, position: Position) -> dict[Move, float]:
        """What each legal move is worth, in the order of ``position.legal_moves``."""
        if position.phase is not Phase.MOVE:
            return {}
        return dict(zip(position.legal_moves, self._look(position).moves, strict=True))

    def stops_after(self, position: Position) -> "Mapping[Move, bool]":
        """Whether best play stops after each legal move."""
        return dict(zip(position.legal_moves, map(bool, self._look(position).then), strict=True))

    def stop_value(self, position: Position) -> float:
        """What stopping is worth; minus infinity where it is illegal."""
        return self._look(_without_dice(position)).stop

    def roll_value(self, position: Position) -> float:
        """What rolling (again) is worth."""
        return self._look(_without_dice(position)).again

    def best_move(self, position: Position) -> Move:
        """The best legal move; the first of equals."""
        values = self.move_values(position)
        best, *others = values
        for move in others:
            if values[move] > values[best] + ROUNDING:
                best = move
        return best

    def should_stop(self, position: Position) -> bool:
        """Whether stopping is legal and at least as good as rolling again."""
        return self._look(_without_dice(position)).stops

    def rolls(self, position: Position) -> list[RollLook]:
        """What every distinct roll would bring, in the order of ``rules.ways``."""
        self._check(position)
        return self._instance().look_at_rolls(position)

    def judge(self, judgement: dict[str, int | float], position: Position, moves: int) -> int:
        """What a player does by their judgement: the number of a move, or whether they stop."""
        self._check(position)
        return self._instance().judge(judgement, position, moves)

    # The same for every seat

    def worths(self, position: Position) -> tuple[float, ...]:
        """What a position of the turn is worth to each seat, if the mover goes on at their best."""
        if self._players < 3:
            return self._shared_out(self.value(position))
        return self._ahead(position, AT_BEST).worths

    def stop_worths(self, position: Position) -> tuple[float, ...]:
        """What stopping in a position is worth to each seat."""
        if self._players < 3:
            return self._shared_out(self.stop_value(position))
        return self._ahead(_without_dice(position), STOPPING).worths

    def roll_worths(self, position: Position) -> tuple[float, ...]:
        """What rolling in a position is worth to each seat, whether that is best or not."""
        if self._players < 3:
            return self._shared_out(self.roll_value(position))
        return self._ahead(_without_dice(position), ROLLING).worths

    def bust_chance(self, position: Position) -> float:
        """How likely best play from a position of the turn ends in a bust."""
        return self._ahead(position, AT_BEST).bust

    def outlook(self, position: Position) -> Outlook:
        """Where best play leads from a position of the turn; of equally good ways it takes one."""
        worths, bust = self._ahead(position, AT_BEST)
        if position.phase is Phase.BUST:
            return Outlook(worths, bust, ())
        instance, columns = self._instance(), len(self.tokens.rules.board.tops)
        ends = sorted(instance.ends(), key=lambda end: -end[1])
        return Outlook(
            worths,
            bust,
            tuple(
                (Position(self.tokens, self.seat, instance.runners(state, columns)), chance)
                for state, chance in ends
            ),
        )

    def state_numbers(self) -> dict[str, bytes]:
        """What stopping, rolling again and the better of both are worth in every state: doubles."""
        instance = self._instance()
        size = 8 * instance.states
        exports = {"stop": "stop_values", "again": "roll_values", "value": "state_values"}
        return {
            name: instance.read(instance.call(called), size) for name, called in exports.items()
        }

    @property
    def _players(self) -> int:
        return self.tokens.rules.players

    def _shared_out(self, worth: float) -> tuple[float, ...]:
        """What is the mover's, and for two what is the other's: a game is worth 1 in all."""
        if self._players == 1:
            return (worth,)
        return (worth, 1.0 - worth) if self.seat == 0 else (1.0 - worth, worth)

    def _ahead(self, position: Position, how: int) -> Prospects:
        self._check(position)
        if position.phase is Phase.BUST:
            start = Position(self.tokens, self.seat, self.tokens.rules.board.no_runners)
            return Prospects(self._instance().look_ahead(start, STOPPING).worths, 1.0)
        return self._instance().look_ahead(position, how)

    def _look(self, position: Position) -> Look:
        if self._looked is None or self._looked[0] is not position:
            self._check(position)
            self._looked = position, self._instance().look(position)
        return self._looked[1]

    def _check(self, position: Position) -> None:
        if not self.has(position):
            raise IllegalAction("This position belongs to another turn.")

    def _instance(self) -> GameInstance:
        """The module's instance of this thread, with this turn solved."""
        rules, evaluator = self.tokens.rules, self._evaluator
        # every game begins with the largest turn of all: what is solved of it is kept aside
        is_opening = not any(map(any, self.tokens.spaces))
        instance = instance_for(
            rules, evaluator, is_opening, lambda new: _set_up(new, rules, evaluator)
        )
        solved, in_the_module = instance.solved, type(evaluator) in _IN_THE_MODULE
        # a caller's own evaluator may learn between two turns
        if solved is self._part or (
            in_the_module and isinstance(solved, _Part) and solved.covers(self._part)
        ):
            return instance
        if in_the_module:
            instance.solve(self._from, whole=self._whole)
        else:
            _solve_by(evaluator, instance, self._from, whole=self._whole)
        instance.solved = self._part
        forget(instance)
        return instance


def solve_turn(position: Position, evaluator: Evaluator) -> Turn:
    """Solve the whole turn that a position belongs to."""
    _check_turn(position)
    return Turn(position, evaluator, whole=True)


def solve_rest(position: Position, evaluator: Evaluator) -> Turn:
    """Solve what can still come of a turn after the moves made, and the dice if they are rolled."""
    _check_turn(position)
    return Turn(position, evaluator, whole=False)


def _check_turn(position: Position) -> None:
    """Raise unless the position has a turn, of a size that can be solved."""
    if position.phase in (Phase.START, Phase.OVER):
        if position.phase is Phase.OVER:
            raise IllegalAction("The game is over.")
        raise IllegalAction("There is no turn to solve in this position.")
    check_turn_size(position.rules.board, _steps(position.tokens, position.seat))


def _steps(tokens: Tokens, seat: int) -> list[int]:
    """How many steps a runner can make in each column."""
    board, found = tokens.rules.board, []
    for column in board.columns:
        token = tokens.spaces[seat][column]
        left = board.top(column) - token if tokens.owners[column] == NOBODY else 0
        if left and tokens.rules.sharing is Sharing.LEAPFROG:
            left -= len(tokens.opponents_above(seat, column, token))
        found.append(left)
    return found


def _out(position: Position) -> int:
    return column_bits(column for column, space in enumerate(position.runners) if space)


def _roots(position: Position) -> list[int]:
    """The columns with runners after each legal move, or those there are: sets as bits."""
    out = _out(position)
    if position.phase is not Phase.MOVE:
        return [out]
    return [out | column_bits(set(move)) for move in position.legal_moves]


def _without_dice(position: Position) -> Position:
    """The same runners before a roll."""
    if position.dice is None:
        return position
    return Position(position.tokens, position.seat, position.runners)


def _set_up(instance: GameInstance, rules: Rules, evaluator: Evaluator) -> None:
    if isinstance(evaluator, _IN_THE_MODULE) and type(evaluator) in _IN_THE_MODULE:
        instance.use(evaluator.numbers(rules))
    else:  # another kind of it may say something else
        instance.call("use_given_worths")


def _solve_by(
    evaluator: Evaluator, instance: GameInstance, position: Position, *, whole: bool
) -> None:
    """Solve a turn by a caller's own evaluator, asked about all ends in one call."""
    require("arena")
    import numpy as np

    rules = position.rules
    instance.put(position)
    count: int = instance.call("begin_turn_of", whole)
    columns = len(rules.board.columns)
    raw = instance.read(instance.call("given_tokens"), count * rules.players * columns)
    spaces = np.frombuffer(raw, np.int8).reshape(count, rules.players, columns).copy()
    worth = evaluator.evaluate(Anchors(rules, (position.seat + 1) % rules.players, spaces))
    numbers = np.ascontiguousarray(worth, np.float64).reshape(count, rules.players)
    instance.write(numbers.tobytes(), instance.call("given_numbers"))
    instance.states = instance.call("finish_turn_of")
