"""Everybody's tokens: the progress that a bust cannot take, and the columns won with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from cantstop.rules.moves import Reach, columns_in
from cantstop.rules.outcome import Ending, Outcome
from cantstop.rules.settings import Rules, Sharing

NOBODY = -1

_LEAPFROG = Sharing.LEAPFROG


class _Draft:
    """Tokens that are being filled, and what follows from them (see ``Position``)."""

    __slots__ = ("counts", "outcome", "owners", "reach", "rules", "spaces")

    owners: tuple[int, ...]
    """The seat that has won each column, indexed by column number; ``NOBODY`` if open."""
    counts: tuple[int, ...]
    """How many columns each seat has won."""
    outcome: Outcome | None
    """How the game ended, or None while it goes on (W4, W5)."""
    reach: tuple[Reach, ...]
    """Where each seat's runners can step at the start of a turn (T2)."""


@dataclass(frozen=True)
class Tokens(_Draft):
    """Where the tokens stand: ``tokens.spaces[seat][column]``, 0 where there is none.

    A token on the top space is a won column (W2). Positions of one turn share one ``Tokens``, so
    what is derived here is worked out once a turn.
    """

    __slots__ = ()

    rules: Rules
    spaces: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "owners", self._find_owners())
        put(self, "counts", self._find_counts())
        put(self, "outcome", self._find_outcome())
        put(self, "reach", self._find_reach())

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), (self.rules, self.spaces)

    @classmethod
    def none(cls, rules: Rules) -> Self:
        """No token on the board yet."""
        return cls(rules, ((0,) * len(rules.board.tops),) * rules.players)

    def _find_owners(self) -> tuple[int, ...]:
        tops = self.rules.board.tops
        owners = [NOBODY] * len(tops)
        for seat, spaces in enumerate(self.spaces):
            for column, space in enumerate(spaces):
                if space and space == tops[column]:
                    owners[column] = seat
        return tuple(owners)

    def _find_counts(self) -> tuple[int, ...]:
        return tuple(self.owners.count(seat) for seat in range(len(self.spaces)))

    def _find_outcome(self) -> Outcome | None:
        most = max(self.counts)
        if most >= self.rules.columns_to_win:
            ending = Ending.COLUMNS
        elif NOBODY not in self.owners[2:]:
            ending = Ending.NONE_OPEN
        else:
            return None
        winners = tuple(seat for seat, count in enumerate(self.counts) if count == most)
        return Outcome(winners, ending)

    def _find_reach(self) -> tuple[Reach, ...]:
        runners = self.rules.board.runners
        reach = []
        for seat, spaces in enumerate(self.spaces):
            once = twice = 0
            for column in self.open_columns:
                steps = self.steps_left(seat, column, spaces[column])
                once |= 1 << column
                twice |= (steps > 1) << column
            reach.append((once, twice, 0, runners))
        return tuple(reach)

    def steps_left(self, seat: int, column: int, space: int) -> int:
        """How many steps lead from a space of an open column to its top (T6).

        With V4 spaces that hold an opponent's token are passed and do not count.
        """
        steps = self.rules.board.tops[column] - space
        if self.rules.sharing is _LEAPFROG:
            steps -= len(self.opponents_above(seat, column, space))
        return steps

    def leapt(self, seat: int, column: int, space: int) -> tuple[int, int]:
        """The next space from here that no opponent's token is on, and the steps left from it (V4).

        There is one: a token on the top would have closed the column.
        """
        while self.opponent_on(seat, column, space):
            space += 1
        return space, self.steps_left(seat, column, space)

    @property
    def open_columns(self) -> tuple[int, ...]:
        """The columns that nobody has won."""
        return tuple(column for column in self.rules.board.columns if self.owners[column] == NOBODY)

    def won_by(self, seat: int) -> tuple[int, ...]:
        """The columns that a seat has won."""
        return tuple(column for column in self.rules.board.columns if self.owners[column] == seat)

    def seats_on(self, column: int, space: int) -> tuple[int, ...]:
        """The seats whose token stands on a space."""
        return tuple(seat for seat, spaces in enumerate(self.spaces) if spaces[column] == space)

    def opponent_on(self, seat: int, column: int, space: int) -> bool:
        """Whether a token of anybody but ``seat`` stands on a space."""
        return any(
            spaces[column] == space for other, spaces in enumerate(self.spaces) if other != seat
        )

    def opponents_above(self, seat: int, column: int, space: int) -> set[int]:
        """The spaces above ``space`` that hold a token of anybody but ``seat``."""
        return {
            spaces[column]
            for other, spaces in enumerate(self.spaces)
            if other != seat and spaces[column] > space
        }

    def advanced(self, seat: int, runners: Sequence[int], reach: Reach) -> Self:
        """The tokens after a stop: runners become the seat's tokens (T9), tops are won (W2).

        ``reach`` is where the runners could still have stepped.
        """
        once, twice, columns, _ = reach
        won = columns & ~once
        mine = list(self.spaces[seat])
        for column in columns_in(columns):
            mine[column] = runners[column]
        spaces, reaches = list(self.spaces), list(self.reach)
        draft: Any = _Draft()
        draft.rules = self.rules
        if won:
            owners, counts = list(self.owners), list(self.counts)
            for column in columns_in(won):
                owners[column] = seat
                counts[seat] += 1
            draft.owners, draft.counts = tuple(owners), tuple(counts)
            spaces = [_cleared(theirs, won) for theirs in spaces]
            reaches = [(one & ~won, two & ~won, 0, free) for one, two, _, free in reaches]
        else:  # most stops win nothing: what is derived stays as it is
            draft.owners = self.owners
            draft.counts = self.counts
            draft.outcome = self.outcome
        could_once, could_twice, _, free = reaches[seat]
        reaches[seat] = (could_once, could_twice & (twice | ~columns), 0, free)
        spaces[seat] = tuple(mine)
        draft.spaces = tuple(spaces)
        draft.reach = tuple(reaches)
        draft.__class__ = self.__class__
        after: Self = draft
        if won:
            object.__setattr__(after, "outcome", after._find_outcome())
        if self.rules.sharing is _LEAPFROG:  # a token is in the others' way there
            object.__setattr__(after, "reach", after._find_reach())
        return after


def _cleared(spaces: tuple[int, ...], columns: int) -> tuple[int, ...]:
    return tuple(0 if columns >> column & 1 else space for column, space in enumerate(spaces))
