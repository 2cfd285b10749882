"""What a learner sees and does, in numbers: one action space and one observation for all libraries.

docs/environments.md has both as tables.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import (
    Action,
    AnyMove,
    CantStopError,
    Choice,
    IllegalAction,
    Move,
    Phase,
    Position,
    Rules,
    WrongType,
    parse_action,
    read_rules,
    whole_number,
)

Numbers = NDArray[np.int8]

DICE = 4
"""Numbers of an observation that are dice; the last number says whose turn it is."""


class Encoding:
    """Actions and observations of a game as numbers.

    With n columns there are n moves in a single column, then n (n + 1) / 2 in pairs of columns,
    lowest first, then stopping, then rolling.

    >>> encoding = Encoding(Rules())
    >>> len(encoding.actions), encoding.number(Move(7)), encoding.number(Move(2, 2))
    (79, 5, 11)
    >>> encoding.stop, encoding.roll
    (77, 78)
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        columns, tops = rules.board.columns, rules.board.lengths
        self.moves = [
            *(Move(column) for column in columns),
            *(Move(low, high) for low in columns for high in columns if low <= high),
        ]
        self.actions: tuple[Action, ...] = (*self.moves, Choice.STOP, Choice.ROLL)
        self._numbers: dict[Action, int] = {
            action: number for number, action in enumerate(self.actions)
        }
        self.stop, self.roll = len(self.moves), len(self.moves) + 1
        self.highest: Numbers = np.array(
            [*tops * (rules.players + 1), *[rules.board.sides] * DICE, rules.players], np.int8
        )
        """The largest value of every number of an observation; the smallest is 0."""

    def number(self, action: Action | AnyMove) -> int:
        """The number of an action: a move in any form, “stop” or “roll”.

        >>> encoding_of("players=2").number("6+8"), encoding_of("players=2").number("stop")
        (51, 77)

        Raises:
            IllegalAction: If there is no such action on this board.
        """
        found = parse_action(action) if isinstance(action, str) else Move.read(action)
        if found not in self._numbers:
            raise IllegalAction("{move} is not a move on this board.", move=found)
        return self._numbers[found]

    def action(self, number: int) -> Action:
        """The action of a number, whether it is legal now or not."""
        kind: type[CantStopError] = IllegalAction
        try:
            found = whole_number(number)
            if 0 <= found < len(self.actions):
                return self.actions[found]
        except TypeError:
            kind = WrongType
        raise kind(
            "{number} is not an action: they are numbered from 0 to {last}.",
            number=number,
            last=len(self.actions) - 1,
        )

    def legal(self, position: Position) -> list[int]:
        """The numbers of everything that can be decided in a position, in order."""
        if position.phase is Phase.MOVE:
            return sorted(self._numbers[move] for move in position.legal_moves)
        if position.phase is Phase.CHOICE:
            return [self.stop, self.roll] if position.may_stop else [self.roll]
        return []

    def mask(self, legal: list[int]) -> Numbers:
        """A 1 for every one of these actions, and a 0 for every other one."""
        mask = np.zeros(len(self.actions), np.int8)
        mask[legal] = 1
        return mask

    def observe(self, position: Position, seat: int, *, ended: bool = False) -> Numbers:
        """A position as a seat sees it: its own tokens, those of the seats after it, and so on.

        ``ended`` says that nothing follows, also where the rules would go on.
        """
        players = self.rules.players
        spaces = position.tokens.spaces
        seen: list[int] = []
        for place in range(seat, seat + players):
            seen += spaces[place % players][2:]
        seen += position.runners[2:]
        seen += position.dice or (0,) * DICE
        over = ended or position.phase is Phase.OVER
        seen.append(players if over else (position.seat - seat) % players)
        return np.array(seen, np.int8)


def encoding_of(rules: Rules | str | None = None) -> Encoding:
    """The encoding of some rules, made once."""
    return _encoding_of(read_rules(rules))


_encoding_of = cache(Encoding)


def results(position: Position) -> tuple[float, ...]:
    """What a finished game brings every seat; the sum is 0.

    A winner has 1 and everybody else shares -1; winners of a tie (W5) share their points first.
    Alone there is no result but the turns that it took.
    """
    outcome, players = position.outcome, position.rules.players
    if outcome is None or players == 1:
        return (0.0,) * players
    share = 1 / len(outcome.winners)
    return tuple(
        ((share if seat in outcome.winners else 0.0) * players - 1) / (players - 1)
        for seat in range(players)
    )
