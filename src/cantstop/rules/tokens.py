"""Everybody's tokens: the progress that a bust cannot take, and the columns won with it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from cantstop.rules.lazy import lazy
from cantstop.rules.outcome import Ending, Outcome
from cantstop.rules.settings import Rules

NOBODY = -1


@dataclass(frozen=True)
class Tokens:
    """Where the tokens stand: ``tokens.spaces[seat][column]``, 0 where there is none.

    A token on the top space is a won column (W2). Positions of one turn share one ``Tokens``, so
    what is derived here is worked out once a turn.
    """

    rules: Rules
    spaces: tuple[tuple[int, ...], ...]

    @classmethod
    def none(cls, rules: Rules) -> Self:
        """No token on the board yet."""
        return cls(rules, ((0,) * len(rules.board.tops),) * rules.players)

    @lazy
    def owners(self) -> tuple[int, ...]:
        """The seat that has won each column, indexed by column number; ``NOBODY`` if open."""
        tops = self.rules.board.tops
        owners = [NOBODY] * len(tops)
        for seat, spaces in enumerate(self.spaces):
            for column, space in enumerate(spaces):
                if space and space == tops[column]:
                    owners[column] = seat
        return tuple(owners)

    @lazy
    def counts(self) -> tuple[int, ...]:
        """How many columns each seat has won."""
        return tuple(self.owners.count(seat) for seat in range(len(self.spaces)))

    @lazy
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on (W4, W5)."""
        most = max(self.counts)
        if most >= self.rules.columns_to_win:
            ending = Ending.COLUMNS
        elif not self.open_columns:
            ending = Ending.NONE_OPEN
        else:
            return None
        winners = tuple(seat for seat, count in enumerate(self.counts) if count == most)
        return Outcome(winners, ending)

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

    def advanced(self, seat: int, runners: Iterable[int]) -> Self:
        """The tokens after a stop: each runner becomes the seat's token (T9), tops win (W2)."""
        mine = list(self.spaces[seat])
        won = []
        for column, space in enumerate(runners):
            if space:
                mine[column] = space
                if space == self.rules.board.tops[column]:
                    won.append(column)
        spaces = [_without(others, won) for others in self.spaces]
        spaces[seat] = tuple(mine)
        after = type(self)(self.rules, tuple(spaces))
        if not won:  # most stops win nothing: what is derived stays as it is
            after.__dict__.update(owners=self.owners, outcome=self.outcome)
        return after


def _without(spaces: tuple[int, ...], columns: list[int]) -> tuple[int, ...]:
    if not columns:
        return spaces
    return tuple(0 if column in columns else space for column, space in enumerate(spaces))
