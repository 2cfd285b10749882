"""Who starts: the roll-off with two dice a seat (M4)."""

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class RollOff:
    """A round of the roll-off: the seats still in it, and the sums thrown so far, in that order."""

    contenders: tuple[int, ...]
    sums: tuple[int, ...] = ()

    @property
    def seat(self) -> int:
        """The seat that throws next."""
        return self.contenders[len(self.sums)]

    def thrown(self, total: int) -> Self | int:
        """The roll-off after the next throw, or the seat that has won it."""
        sums = (*self.sums, total)
        if len(sums) < len(self.contenders):
            return type(self)(self.contenders, sums)
        best = tuple(
            seat for seat, thrown in zip(self.contenders, sums, strict=True) if thrown == max(sums)
        )
        return best[0] if len(best) == 1 else type(self)(best)
