"""What a solved game tells."""

from dataclasses import dataclass

from cantstop.solver.table import Table


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved game: its table, how many anchors that are, and how long it took.

    ``boards`` counts the anchors together with the positions in which the game is over.
    """

    table: Table
    anchors: int
    boards: int
    seconds: float

    @property
    def value(self) -> float:
        """The value of the game to whoever begins: expected turns, or the probability to win."""
        return self.table.start
