"""What decides whether the next roll is of use: runners, won columns, tops."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from cantstop.rules import NOBODY, OFFICIAL, Board, InvalidRules, Position


@dataclass(frozen=True)
class Situation:
    """The columns that matter to the next roll: with a runner, with it on the top, and won ones.

    >>> sorted(Situation.on(6, 7, 8).useful)
    [6, 7, 8]
    >>> sorted(Situation.on(6, 7, closed=[2, 12]).useful)
    [3, 4, 5, 6, 7, 8, 9, 10, 11]
    """

    runners: frozenset[int] = frozenset()
    closed: frozenset[int] = frozenset()
    topped: frozenset[int] = frozenset()
    board: Board = OFFICIAL

    def __post_init__(self) -> None:
        for column in sorted(self.runners | self.closed | self.topped):
            if column not in self.board.columns:
                raise InvalidRules(
                    "There is no column {column}: they are {first} to {last}.",
                    column=column,
                    first=self.board.columns[0],
                    last=self.board.columns[-1],
                )
        if len(self.runners) > self.board.runners:
            raise InvalidRules(
                "There are {count} runners, but a turn has {runners}.",
                count=len(self.runners),
                runners=self.board.runners,
            )
        for column in sorted(self.runners & self.closed):
            raise InvalidRules("Column {column} is won: no runner can be there.", column=column)
        for column in sorted(self.topped - self.runners):
            raise InvalidRules(
                "Column {column} has no runner, so none can be on its top.", column=column
            )

    @classmethod
    def on(
        cls,
        *runners: int,
        closed: Iterable[int] = (),
        topped: Iterable[int] = (),
        board: Board = OFFICIAL,
    ) -> Self:
        """The situation with runners in these columns."""
        return cls(frozenset(runners), frozenset(closed), frozenset(topped), board)

    @classmethod
    def of(cls, position: Position) -> Self:
        """The situation that a position is in."""
        board, owners = position.rules.board, position.tokens.owners
        return cls(
            frozenset(column for column in board.columns if position.runners[column]),
            frozenset(column for column in board.columns if owners[column] != NOBODY),
            frozenset(
                column for column in board.columns if position.runners[column] == board.top(column)
            ),
            board,
        )

    @property
    def free(self) -> int:
        """How many runners are in hand."""
        return self.board.runners - len(self.runners)

    @property
    def useful(self) -> frozenset[int]:
        """The columns that a roll has to show at least one of (T2)."""
        reachable = frozenset(self.board.columns) - self.closed if self.free else self.runners
        return reachable - self.topped
