"""Every anchor of a game as one number, digit by digit: what each column's digit means.

A column is in one of a few conditions, whatever the others are in; its condition is a digit, and
the digits of all columns make the anchor's number, the last column counting fastest. Everything
is described from the seat whose turn it is, so a stop ends in the anchor as the other seat sees it.
"""

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.turn import way_up
from cantstop.rules import InvalidRules, Rules, Sharing

MAX_PLAYERS = 2


class Digits(NamedTuple):
    """The digits of all columns as arrays over column and digit (and step).

    Column ``c`` has ``base[c]`` digits, and a digit counts ``weight[c]``. ``flipped`` is
    what changes in it where the other seat looks; ``landing`` what a stop after some steps
    changes in the flipped number; ``nudge`` what the player's token one step further changes in
    the number itself (0 where that would win the column, or it may not rest there).
    """

    weight: NDArray[np.int64]
    base: NDArray[np.int64]
    steps: NDArray[np.int64]
    level: NDArray[np.int64]
    mine: NDArray[np.int64]
    theirs: NDArray[np.int64]
    possible: NDArray[np.bool_]
    flipped: NDArray[np.int64]
    nudge: NDArray[np.int64]
    landing: NDArray[np.int64]
    shared: NDArray[np.bool_]


class Condition(NamedTuple):
    """A column as the seat whose turn it is sees it: both tokens, or who has won it."""

    own: int
    other: int
    top: int

    @property
    def is_open(self) -> bool:
        """Whether nobody has won the column."""
        return self.top not in (self.own, self.other)

    @property
    def flipped(self) -> "Condition":
        """The column as the other seat sees it."""
        return Condition(self.other, self.own, self.top)

    def with_own(self, space: int) -> "Condition":
        """The column with the own token on a space; on the top it has won (W2)."""
        return Condition(space, 0 if space == self.top else self.other, self.top)


@dataclass(frozen=True)
class Numbering:
    """The numbers of all anchors of a game for one or two players."""

    rules: Rules

    def __post_init__(self) -> None:
        if self.rules.players > MAX_PLAYERS:
            raise InvalidRules(
                "Only games for one and two players can be solved, not for {players}.",
                players=self.rules.players,
            )

    @cached_property
    def conditions(self) -> tuple[tuple[Condition, ...], ...]:
        """The conditions of every column, in the order of their digits.

        A lone player's digits are the steps that are left; else they begin with the lowest tokens.
        """
        if self.rules.players == 1:
            return tuple(
                tuple(Condition(top - left, 0, top) for left in range(top + 1))
                for top in self.rules.board.lengths
            )
        return tuple(
            (
                *(Condition(own, other, top) for own in range(top) for other in range(top)),
                Condition(top, 0, top),
                Condition(0, top, top),
            )
            for top in self.rules.board.lengths
        )

    @cached_property
    def boards(self) -> int:
        """How many numbers there are."""
        alone = self.rules.players == 1
        return prod(top + 1 if alone else top * top + 2 for top in self.rules.board.lengths)

    @cached_property
    def is_mirrored(self) -> bool:
        """Whether the board is the same read backwards, so that half of the work is enough."""
        lengths = self.rules.board.lengths
        return lengths == lengths[::-1]

    @cached_property
    def start(self) -> int:
        """The number of the anchor without any token."""
        spaces = (0,) * len(self.conditions)
        return self.number(spaces, spaces)

    def number(self, own: tuple[int, ...], other: tuple[int, ...]) -> int:
        """The number of an anchor: own tokens and those of the other seat, none in a solo game."""
        found = 0
        for one, two, digits in zip(own, other, self.conditions, strict=True):
            found = found * len(digits) + digits.index(Condition(one, two, digits[0].top))
        return found

    @cached_property
    def digits(self) -> Digits:
        """The digits as arrays."""
        columns, most = len(self.conditions), max(map(len, self.conditions))
        longest = max(self.rules.board.lengths)
        flat = (columns, most)
        found = Digits(
            weight=np.array(self._weights(), np.int64),
            base=np.array([len(digits) for digits in self.conditions], np.int64),
            steps=np.zeros(flat, np.int64),
            level=np.zeros(flat, np.int64),
            mine=np.zeros(flat, np.int64),
            theirs=np.zeros(flat, np.int64),
            possible=np.zeros(flat, np.bool_),
            flipped=np.zeros(flat, np.int64),
            nudge=np.zeros(flat, np.int64),
            landing=np.zeros((*flat, longest + 1), np.int64),
            shared=np.zeros((*flat, longest + 1), np.bool_),
        )
        for column, digits in enumerate(self.conditions):
            place = {condition: digit for digit, condition in enumerate(digits)}
            for digit, condition in enumerate(digits):
                self._describe(found, column, digit, condition, place)
        return found

    def _weights(self) -> list[int]:
        weights = [1]
        for digits in self.conditions[:0:-1]:
            weights.insert(0, weights[0] * len(digits))
        return weights

    def _describe(
        self,
        digits: Digits,
        column: int,
        digit: int,
        condition: Condition,
        place: dict[Condition, int],
    ) -> None:
        weight, alone = int(digits.weight[column]), self.rules.players == 1
        free = alone or self.rules.sharing is Sharing.FREE
        flipped = digit if alone else place[condition.flipped]
        digits.flipped[column, digit] = (flipped - digit) * weight
        digits.mine[column, digit] = condition.own == condition.top
        digits.theirs[column, digit] = condition.other == condition.top
        digits.possible[column, digit] = (
            free or condition.own != condition.other or not condition.own
        )
        if not condition.is_open:
            return
        digits.level[column, digit] = (
            condition.top - condition.own + (0 if alone else condition.top - condition.other)
        )
        taken = {condition.other} if condition.other > condition.own else set()
        way = way_up(condition.own, condition.top, taken, self.rules.sharing)
        digits.steps[column, digit] = len(way)
        for step, (space, closed) in enumerate(way, start=1):
            after = condition.with_own(space)
            seen = place[after] if alone else place[after.flipped]
            digits.landing[column, digit, step] = (seen - flipped) * weight
            digits.shared[column, digit, step] = closed
            if step == 1 and after.is_open and not closed:
                digits.nudge[column, digit] = (place[after] - digit) * weight
