"""How far a solution has come, and how long it will still take."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """``share`` of the work is done, after ``seconds``; ``left`` are the seconds it may still take.

    The share counts work, not anchors: the anchors of the first levels are solved in no time.
    """

    level: int
    levels: int
    share: float
    seconds: float

    @property
    def left(self) -> float | None:
        """An estimate of the seconds to go, once there is something to go by."""
        return self.seconds * (1 / self.share - 1) if self.share > 0 else None


Report = Callable[[Progress], None]


def no_report(progress: Progress) -> None:
    """For those who can wait in silence."""
