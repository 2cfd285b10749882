"""One turn solved: the best decision and its value in every position of it."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.anchors import Evaluator
from cantstop.engine.turn.ends import Ends, Paths, ends_of_turn, paths_of
from cantstop.engine.turn.recursion import TurnValues, follow_best_play, solve_turn_states
from cantstop.engine.turn.states import StateLayout, check_turn_size, state_layout
from cantstop.engine.turn.tables import TurnTables, turn_tables
from cantstop.rules import IllegalAction, Move, Phase, Position, Tokens


@dataclass(frozen=True)
class Outlook:
    """What becomes of a turn under best play.

    ``worth[seat]`` is what the position is worth to each seat: the probability to win, or in a
    solo game minus the expected number of turns after this one. ``ends`` are the positions in
    which the turn may be stopped with their chances, the likeliest first.
    """

    worth: tuple[float, ...]
    bust: float
    ends: tuple[tuple[Position, float], ...]


class SolvedTurn(NamedTuple):
    """What compiled code looks up in a solved turn: numbers of states, and what they are worth.

    ``step_on[column, space]`` is the step that leads to a space; ``bust[0]`` what a bust is worth.
    """

    step_on: NDArray[np.int64]
    layout: StateLayout
    values: TurnValues
    bust: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Turn:
    """The solution of one turn; it answers for every position of it.

    All values are the mover's: the probability to win, or in a solo game minus the expected
    number of turns that follow this one.
    """

    tokens: Tokens
    seat: int
    _paths: Paths
    _tables: TurnTables
    _layout: StateLayout
    _ends: Ends
    _values: TurnValues

    def has(self, position: Position) -> bool:
        """Whether a position belongs to this turn, or to the part of it that is solved."""
        return (
            position.seat == self.seat
            and position.roll_off is None
            and (position.tokens is self.tokens or position.tokens == self.tokens)
            and bool(self._tables.wanted[self._set(position)])
        )

    @property
    def bust_value(self) -> float:
        """What a bust is worth."""
        return float(self._ends.worth[0, self.seat])

    def value(self, position: Position) -> float:
        """What a position of the turn is worth with best play."""
        match position.phase:
            case Phase.MOVE:
                return max(self.move_values(position).values())
            case Phase.BUST:
                return self.bust_value
            case _:
                return float(self._values.value[self._state(position)])

    def move_values(self, position: Position) -> dict[Move, float]:
        """What each legal move is worth, in the order of ``position.legal_moves``."""
        return {
            move: float(self._values.value[self._state(position.move(move))])
            for move in position.legal_moves
        }

    def stop_value(self, position: Position) -> float:
        """What stopping is worth; minus infinity where it is illegal."""
        return float(self._values.stop[self._state(position)])

    def roll_value(self, position: Position) -> float:
        """What rolling (again) is worth."""
        return float(self._values.again[self._state(position)])

    # The same for every seat

    def worths(self, position: Position) -> tuple[float, ...]:
        """What a position of the turn is worth to each seat, if the mover goes on at their best."""
        if self._players < 3:
            return self._shared_out(self.value(position))
        return self._following(self._stops, position)

    def stop_worths(self, position: Position) -> tuple[float, ...]:
        """What stopping in a position is worth to each seat."""
        if self._players < 3:
            return self._shared_out(self.stop_value(position))
        return tuple(self._ends.worth[self._state(position)].tolist())

    def roll_worths(self, position: Position) -> tuple[float, ...]:
        """What rolling in a position is worth to each seat, whether that is best or not."""
        if self._players < 3:
            return self._shared_out(self.roll_value(position))
        stops = self._stops.copy()
        stops[self._state(position)] = False  # a turn never comes back to where it was
        return self._following(stops, position)

    @property
    def _players(self) -> int:
        return self.tokens.rules.players

    def _shared_out(self, worth: float) -> tuple[float, ...]:
        """What is the mover's, and for two what is the other's: a game is worth 1 in all."""
        if self._players == 1:
            return (worth,)
        return (worth, 1.0 - worth) if self.seat == 0 else (1.0 - worth, worth)

    def _following(self, stops: NDArray[np.bool_], position: Position) -> tuple[float, ...]:
        bust, chance = self._follow(position, stops)
        worth = (chance[:-1] * stops) @ self._ends.worth + bust * self._ends.worth[0]
        return tuple(worth.tolist())

    def best_move(self, position: Position) -> Move:
        """The best legal move; the first of equals."""
        values = self.move_values(position)
        return max(values, key=values.__getitem__)

    def should_stop(self, position: Position) -> bool:
        """Whether stopping is legal and at least as good as rolling again."""
        return bool(self._stops[self._state(position)])

    def bust_chance(self, position: Position) -> float:
        """How likely best play from a position of the turn ends in a bust."""
        return self._follow(position, self._stops)[0]

    def outlook(self, position: Position) -> Outlook:
        """Where best play leads from a position of the turn; of equally good ways it takes one."""
        bust, chance = self._follow(position, self._stops)
        stopped = np.flatnonzero(chance[:-1] * self._stops)
        stopped = stopped[np.argsort(-chance[stopped], kind="stable")]
        worth = chance[stopped] @ self._ends.worth[stopped] + bust * self._ends.worth[0]
        return Outlook(
            tuple(worth.tolist()),
            bust,
            tuple((self._position(int(state)), float(chance[state])) for state in stopped),
        )

    def _follow(
        self, position: Position, stops: NDArray[np.bool_]
    ) -> tuple[float, NDArray[np.float64]]:
        """The chance of a bust, and the chance to stop in each state."""
        chance = np.zeros(len(self._values.value))
        if position.phase is Phase.MOVE:
            position = position.move(self.best_move(position))
        if position.phase is Phase.BUST:
            return 1.0, chance
        chance[self._state(position)] = 1.0
        value = self._values.value
        bust = follow_best_play(self._tables, self._layout, stops, value, chance)
        return bust, chance

    @cached_property
    def solved(self) -> SolvedTurn:
        """The same for compiled code."""
        step_on = np.zeros(self._paths.spaces.shape, np.int64)
        for column, steps in enumerate(self._paths.step_on):
            step_on[column, list(steps)] = list(steps.values())
        return SolvedTurn(step_on, self._layout, self._values, np.array([self.bust_value]))

    @cached_property
    def _stops(self) -> NDArray[np.bool_]:
        return (self._values.stop >= self._values.again) & self._ends.legal

    def _state(self, position: Position) -> int:
        """The number of the state that the runners of a position make."""
        if not self.has(position):
            raise IllegalAction("This position belongs to another turn.")
        runners = [
            (column, self._paths.step_on[column][space])
            for column, space in enumerate(position.runners[2:])
            if space
        ]
        index = self._set(position)
        return int(self._layout.first[index]) + sum(
            (step - 1) * int(self._layout.stride[index, place])
            for place, (_, step) in enumerate(runners)
        )

    def _set(self, position: Position) -> int:
        """The number of the set of columns that have a runner."""
        index = 0
        for column, space in enumerate(position.runners[2:]):
            if space:
                index = int(self._tables.sets.children[index, column])
        return index

    def _position(self, state: int) -> Position:
        """The position with the runners of a state."""
        index = int(np.searchsorted(self._layout.first, state, side="right")) - 1
        state -= int(self._layout.first[index])
        runners = [0] * len(self.tokens.rules.board.tops)
        for place in range(int(self._tables.sets.sizes[index])):
            column = int(self._tables.sets.members[index, place])
            step, state = divmod(state, int(self._layout.stride[index, place]))
            runners[column + 2] = int(self._paths.spaces[column, step + 1])
        return Position(self.tokens, self.seat, tuple(runners))


def solve_turn(position: Position, evaluator: Evaluator) -> Turn:
    """Solve the whole turn that a position belongs to."""
    paths = _possible_paths(position)
    tables = turn_tables(position.rules.board, position.rules.early)
    return _solve(position, evaluator, paths, tables)


def solve_rest(position: Position, evaluator: Evaluator) -> Turn:
    """Solve what can still come of a turn after the moves made, and the dice if they are rolled."""
    paths = _possible_paths(position)
    tables = turn_tables(position.rules.board, position.rules.early)
    if position.phase is Phase.MOVE:
        moved = [position.move(move) for move in position.legal_moves]
    else:
        moved = [position]
    roots = {tuple(np.flatnonzero(after.runners[2:]).tolist()) for after in moved}
    return _solve(position, evaluator, paths, tables.restricted_to(roots))


def _possible_paths(position: Position) -> Paths:
    """The ways up in a turn, if there is one that can be solved: nothing large is made before."""
    if position.phase in (Phase.START, Phase.OVER):
        if position.phase is Phase.OVER:
            raise IllegalAction("The game is over.")
        raise IllegalAction("There is no turn to solve in this position.")
    paths = paths_of(position.tokens, position.seat)
    check_turn_size(position.rules.board, paths.steps)
    return paths


def _solve(position: Position, evaluator: Evaluator, paths: Paths, tables: TurnTables) -> Turn:
    tokens, seat = position.tokens, position.seat
    layout, states = state_layout(tables.sets, tables.wanted, paths.steps)
    ends = ends_of_turn(tables, layout, states, paths, tokens, seat, evaluator)
    stop = np.where(ends.legal, ends.worth[:, seat], -np.inf)
    values = TurnValues(stop, np.empty(states), np.empty(states + 1))
    solve_turn_states(tables, layout, float(ends.worth[0, seat]), values)
    return Turn(tokens, seat, paths, tables, layout, ends, values)
