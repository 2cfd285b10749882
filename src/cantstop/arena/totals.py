"""What was counted at one table; totals of parts add up to the totals of the whole."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from cantstop.kernel.layout import TOTALS
from cantstop.kernel.tables import Records

MOST_REASONS = 20
"""Different reasons for lost games that are kept word for word."""

OTHER_REASON = "…"


@dataclass
class Totals:
    """A ``TOTALS`` record, and why bots forfeited games: (bot, reason) to how often."""

    array: Records = field(default_factory=lambda: np.zeros(1, TOTALS))
    reasons: Counter[tuple[int, str]] = field(default_factory=Counter)

    def count(self, name: str) -> int:
        """A number of the record."""
        return int(self.array[name][0])

    def counts(self, name: str) -> list[int]:
        """A list of the record."""
        return list(map(int, self.array[name][0]))

    def forfeit(self, bot: int, reason: str) -> None:
        """Note why a bot lost a game without playing it to its end."""
        known = (bot, reason) in self.reasons or len(self.reasons) < MOST_REASONS
        self.reasons[bot, reason if known else OTHER_REASON] += 1

    def add(self, other: Self) -> None:
        """Count what somebody else has counted."""
        self.array.view(np.int64)[:] += other.array.view(np.int64)
        for (bot, reason), times in sorted(other.reasons.items()):
            for _ in range(times):
                self.forfeit(bot, reason)

    def to_json(self) -> dict[str, list[int] | list[tuple[int, str, int]]]:
        """A form that a file can hold."""
        reasons = [(bot, reason, times) for (bot, reason), times in self.reasons.items()]
        return {"counts": self.array.view(np.int64).tolist(), "reasons": reasons}

    @classmethod
    def from_json(cls, counts: Sequence[int], reasons: Sequence[tuple[int, str, int]]) -> Self:
        """The totals of such a form."""
        array = np.array(counts, np.int64).view(TOTALS)
        return cls(array, Counter({(bot, reason): times for bot, reason, times in reasons}))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Totals) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]
