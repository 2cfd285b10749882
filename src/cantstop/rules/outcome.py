"""How a game ends, as a value (W4, W5)."""

from dataclasses import dataclass
from enum import Enum


class Ending(Enum):
    """Why a game is over."""

    COLUMNS = "columns"  # W4: a player has the columns that win
    NONE_OPEN = "none-open"  # W5: no column is open any more


@dataclass(frozen=True)
class Outcome:
    """The seats that won (more than one where a tie is shared) and why the game is over.

    >>> from cantstop import Position
    >>> Position.parse("v1,players=2 2:3,3:5,12:3/- 1 - -").outcome
    Outcome(winners=(0,), ending=<Ending.COLUMNS: 'columns'>)
    """

    winners: tuple[int, ...]
    ending: Ending

    @property
    def winner(self) -> int | None:
        """The only winner, or None where a tie is shared."""
        return self.winners[0] if len(self.winners) == 1 else None
