"""Who of those who look for others is seated together: by waiting time and rating, and pure."""

import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from statistics import fmean
from typing import TypeVar

from cantstop.bots import LADDER

NEAR = 100.0
"""Points between two ratings that are near from the beginning."""
WIDENING = 20.0
"""By how many points more that is with every second."""
ANYBODY = timedelta(seconds=20)
"""After this, whoever comes will do; and a bot is offered."""

NEW_RATING = 1600.0
"""Of whoever has no rating yet: between the third and the fourth level."""

Sitter = TypeVar("Sitter")

Block = frozenset[str]
"""Two players of whom one has blocked the other."""


@dataclass(frozen=True)
class Seek:
    """A player who looks for others."""

    player: str
    name: str
    secret_hash: str
    players: int
    edition: str
    rated: bool
    since: datetime
    rating: float | None = None
    table: str | None = None
    """Where they were seated, and at which seat."""
    seat: int | None = None

    @property
    def wants(self) -> tuple[int, str, bool]:
        """Those who want the same are seated together."""
        return self.players, self.edition, self.rated

    @property
    def strength(self) -> float:
        """Their rating, or that of a newcomer."""
        return NEW_RATING if self.rating is None else self.rating


def groups(
    seeks: Sequence[Seek], blocks: Collection[Block], at: datetime
) -> Iterator[tuple[Seek, ...]]:
    """Those who are seated together now: nobody twice, the longest wait first."""
    waiting = sorted(seeks, key=lambda seek: (seek.since, seek.player))
    while waiting:
        first = waiting.pop(0)
        found = _group(first, [one for one in waiting if one.wants == first.wants], blocks, at)
        if found is not None:
            yield found
            waiting = [one for one in waiting if one not in found]


def _group(
    first: Seek, others: Sequence[Seek], blocks: Collection[Block], at: datetime
) -> tuple[Seek, ...] | None:
    """The nearest by rating who can sit with the first one, if they are enough."""
    group = [first]
    for other in sorted(others, key=lambda one: (abs(one.strength - first.strength), one.since)):
        if len(group) < first.players and all(_fit(one, other, blocks, at) for one in group):
            group.append(other)
    return tuple(group) if len(group) == first.players else None


def _fit(one: Seek, other: Seek, blocks: Collection[Block], at: datetime) -> bool:
    if frozenset((one.player, other.player)) in blocks:
        return False
    waited = at - min(one.since, other.since)
    near = NEAR + WIDENING * waited.total_seconds()
    return waited >= ANYBODY or abs(one.strength - other.strength) <= near


def in_random_order(seats: Sequence[Sitter]) -> tuple[Sitter, ...]:
    """Whose seat is whose: nobody can choose to begin."""
    return tuple(secrets.SystemRandom().sample(seats, len(seats)))


def bot_for(rating: float | None) -> tuple[str, int]:
    """The bot of the ladder whose level is nearest, with its level."""
    mine = NEW_RATING if rating is None else rating
    level, found = min(enumerate(LADDER, 1), key=lambda pair: abs(pair[1].rating - mine))
    return found.name, level


def gap(group: Sequence[Seek]) -> float:
    """How far apart those of a group are on average."""
    pairs = combinations((seek.strength for seek in group), 2)
    return fmean(abs(one - other) for one, other in pairs)
