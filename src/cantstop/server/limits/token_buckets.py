"""Counting what somebody asks for, in memory that stays small."""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf

from cantstop.server.errors import TooMany
from cantstop.server.limits.policy import Cap, Rate

MOST_BUCKETS = 50_000
"""More than any worker has guests; whoever was heard least lately is forgotten first."""


class Bucket:
    """Tokens that are taken and come back: a rate, kept to by one."""

    __slots__ = ("_full_at", "_rate")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._full_at = -inf

    def take(self, now: float) -> float:
        """Take a token; returns 0, or else the seconds until there is one."""
        if self._rate.burst == inf:
            return 0
        one = 1 / self._rate.per_second
        full_at = max(now, self._full_at) + one
        missing = full_at - now - self._rate.burst * one
        if missing > 1e-9:
            return missing
        self._full_at = full_at
        return 0

    def is_full(self, now: float) -> bool:
        """Whether it is as good as new."""
        return self._full_at <= now


class Buckets:
    """A bucket for everybody; those that are full again are dropped."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, now: float) -> float:
        """Take a token of somebody's; returns 0, or else the seconds until there is one."""
        bucket = self._buckets.setdefault(key, Bucket(self._rate))
        self._buckets.move_to_end(key)
        wait = bucket.take(now)
        self._tidy(now)
        return wait

    def _tidy(self, now: float) -> None:
        while self._buckets:
            key, oldest = next(iter(self._buckets.items()))
            if len(self._buckets) <= MOST_BUCKETS and not oldest.is_full(now):
                break
            del self._buckets[key]


class Places:
    """So many places for everybody, which are given back."""

    def __init__(self, cap: Cap) -> None:
        self._cap = cap
        self._taken: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._taken)

    @contextmanager
    def place(self, key: str, otherwise: TooMany) -> Iterator[None]:
        """Have one of somebody's places, or raise what there is to say otherwise."""
        if self._taken[key] >= self._cap.most:
            raise otherwise
        self._taken[key] += 1
        try:
            yield
        finally:
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]
