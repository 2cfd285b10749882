"""The board: how long each column is, and how many runners a turn has (M1, M2)."""

from dataclasses import dataclass
from operator import index
from typing import Self

from cantstop.rules.errors import InvalidRules
from cantstop.rules.lazy import lazy

LARGEST_DIE = 20
LONGEST_COLUMN = 99


@dataclass(frozen=True)
class Board:
    """Column lengths, lowest column first; the dice follow from how many columns there are.

    Four dice with n sides make pairs of 2 to 2n, so 2n - 1 lengths mean n-sided dice.

    >>> Board().sides, Board().top(7)
    (6, 13)
    >>> Board.stepped(sides=4, shortest=1).lengths
    (1, 3, 5, 7, 5, 3, 1)
    """

    lengths: tuple[int, ...] = (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
    runners: int = 3

    def __post_init__(self) -> None:
        try:
            lengths, runners = tuple(map(index, self.lengths)), index(self.runners)
        except TypeError:
            raise InvalidRules(
                "A board has whole numbers as column lengths and runners, not {lengths} and "
                "{runners}.",
                lengths=repr(self.lengths),
                runners=repr(self.runners),
            ) from None
        object.__setattr__(self, "lengths", lengths)  # a list will do
        object.__setattr__(self, "runners", runners)
        if len(self.lengths) % 2 == 0 or not 2 <= self.sides <= LARGEST_DIE:
            raise InvalidRules(
                "The number of columns cannot be {count}: dice with n sides (2 to {largest}) "
                "make 2n - 1 columns.",
                count=len(self.lengths),
                largest=LARGEST_DIE,
            )
        for column, length in zip(self.columns, self.lengths, strict=True):
            if not 1 <= length <= LONGEST_COLUMN:
                raise InvalidRules(
                    "Column {column} cannot have {length} spaces: 1 to {longest} are possible.",
                    column=column,
                    length=length,
                    longest=LONGEST_COLUMN,
                )
        if not 1 <= self.runners <= len(self.lengths):
            raise InvalidRules(
                "A turn cannot have {runners} runners: 1 to {most} are possible on this board.",
                runners=self.runners,
                most=len(self.lengths),
            )

    @classmethod
    def stepped(cls, sides: int, shortest: int, runners: int = 3) -> Self:
        """The board whose outer columns have ``shortest`` spaces and each one inward two more."""
        rising = [shortest + 2 * step for step in range(min(sides, LARGEST_DIE + 1))]
        return cls((*rising, *reversed(rising[:-1])), runners)

    @lazy
    def sides(self) -> int:
        """How many sides each of the four dice has."""
        return (len(self.lengths) + 1) // 2

    @lazy
    def columns(self) -> range:
        """The column numbers, lowest first."""
        return range(2, 2 * self.sides + 1)

    @lazy
    def tops(self) -> tuple[int, ...]:
        """The top space of every column, indexed by column number."""
        return (0, 0, *self.lengths)

    @lazy
    def no_runners(self) -> tuple[int, ...]:
        """Every runner in hand, by column number."""
        return (0,) * len(self.tops)

    def top(self, column: int) -> int:
        """The top space of a column: its length."""
        return self.tops[column]


OFFICIAL = Board()
