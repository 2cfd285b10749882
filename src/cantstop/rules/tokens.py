"""Everybody's tokens: the progress that a bust cannot take, and the columns won with it."""

from dataclasses import dataclass
from typing import Any, Self

from cantstop.rules.moves import RUNNERS, SECOND_STEP, STEP, Reach, columns_of
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
        put(self, "outcome", _outcome(self.rules, self.owners, self.counts))
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

    def _find_reach(self) -> tuple[Reach, ...]:
        found = []
        for seat, spaces in enumerate(self.spaces):
            reach = self.rules.board.runners
            for column in self.open_columns:
                reach += STEP[column]
                if self.steps_left(seat, column, spaces[column]) > 1:
                    reach += SECOND_STEP[column]
            found.append(reach)
        return tuple(found)

    def steps_left(self, seat: int, column: int, space: int) -> int:
        """How many steps lead from a space of an open column to its top (T6).

        With V4 spaces that hold an opponent's token are passed and do not count.
        """
        steps = self.rules.board.tops[column] - space
        if self.rules.sharing is _LEAPFROG:
            steps -= len(self.opponents_above(seat, column, space))
        return steps

    def step(self, seat: int, column: int, space: int) -> tuple[int, int]:
        """The space that a step from here leads to, and how many steps are left from there.

        With V4 it is the next one that no opponent's token is on. There is one: a token on the top
        would have closed the column.
        """
        space += 1
        if self.rules.sharing is not _LEAPFROG:
            return space, self.rules.board.tops[column] - space
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

    def won_since(self, before: "Tokens") -> tuple[int, ...]:
        """The columns that were won after ``before``: what one turn or several have brought."""
        columns = self.rules.board.columns
        return tuple(one for one in columns if self.owners[one] != before.owners[one])

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

    def advanced(self, seat: int, standing: tuple[int, ...], reach: Reach) -> Self:
        """The tokens after a stop: runners become the seat's tokens (T9), tops are won (W2).

        ``standing`` is where the seat's tokens are then, ``reach`` where runners could still step.
        """
        spaces = [*self.spaces]
        spaces[seat] = standing
        draft: Any = _Draft()
        draft.rules = self.rules
        draft.owners = self.owners
        draft.counts = self.counts
        draft.outcome = self.outcome
        draft.reach = self.reach
        out = reach & RUNNERS
        near = out ^ (out & reach >> 2)  # less than two steps below a top: most stops are not
        if near:
            self._settle(draft, spaces, seat, near, out & ~(reach >> 1))
        draft.spaces = tuple(spaces)
        draft.__class__ = type(self)
        after: Self = draft
        if after.rules.sharing is _LEAPFROG:  # a token is in the others' way there
            object.__setattr__(after, "reach", after._find_reach())
        return after

    def _settle(
        self, draft: _Draft, spaces: list[tuple[int, ...]], seat: int, near: int, won: int
    ) -> None:
        """Put into a draft what a stop near some tops, or on them, changes."""
        reaches = [*self.reach]
        reaches[seat] &= ~(near << 2)
        if won:
            owners, counts = [*self.owners], [*self.counts]
            for column in columns_of(won):
                owners[column] = seat
                counts[seat] += 1
                for other, theirs in enumerate(spaces):
                    if theirs[column] and other != seat:
                        spaces[other] = (*theirs[:column], 0, *theirs[column + 1 :])
            draft.owners, draft.counts = tuple(owners), tuple(counts)
            draft.outcome = _outcome(self.rules, draft.owners, draft.counts)
            reaches = [reach & ~(won * 6) for reach in reaches]
        draft.reach = tuple(reaches)


def _outcome(rules: Rules, owners: tuple[int, ...], counts: tuple[int, ...]) -> Outcome | None:
    most = max(counts)
    if most >= rules.columns_to_win:
        ending = Ending.COLUMNS
    elif NOBODY not in owners[2:]:
        ending = Ending.NONE_OPEN
    else:
        return None
    return Outcome(tuple(seat for seat, count in enumerate(counts) if count == most), ending)
