"""Token buckets for rates and counters for concurrent connections, in bounded memory."""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf

from cantstop.server.errors import LimitExceeded
from cantstop.server.limits.policy import Cap, Rate

MAX_BUCKETS = 50_000
"""More than a worker has clients; beyond it the least recently used bucket is evicted."""


class TokenBucket:
    """Token bucket: sustained rate and burst.

    Stored as one number, the time at which the bucket is full again.
    """

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

    def charge(self, tokens: float, now: float) -> None:
        """Take what was used already, even if that leaves a debt to be paid off first."""
        if self._rate.burst != inf:
            self._full_at = max(now, self._full_at) + tokens / self._rate.per_second

    def reserve(self, now: float) -> float:
        """Take a token that may be due only later; returns the seconds until it is."""
        self.charge(1, now)
        return max(0.0, self._full_at - now - self._rate.burst / self._rate.per_second)

    def is_empty(self, now: float) -> bool:
        """Whether there is no token to be had now."""
        if self._rate.burst == inf:
            return False
        one = 1 / self._rate.per_second
        return max(now, self._full_at) + one - now - self._rate.burst * one > 1e-9

    def is_full(self, now: float) -> bool:
        """Whether a new bucket would be the same."""
        return self._full_at <= now


class TokenBuckets:
    """One token bucket per key (an address, a seat); full and least recently used ones go."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, now: float) -> float:
        """Take a token from the key's bucket; returns 0, or else the seconds until there is one."""
        if self._rate.burst == inf:
            return 0
        bucket = self._buckets.setdefault(key, TokenBucket(self._rate))
        self._buckets.move_to_end(key)
        wait = bucket.take(now)
        self._evict(now)
        return wait

    def reserve(self, key: str, now: float) -> float:
        """Take a token of the key's that may be due only later; returns the seconds until it is."""
        if self._rate.burst == inf:
            return 0
        bucket = self._buckets.setdefault(key, TokenBucket(self._rate))
        self._buckets.move_to_end(key)
        wait = bucket.reserve(now)
        self._evict(now)
        return wait

    def charge(self, key: str, tokens: float, now: float) -> None:
        """Take from the key's bucket what was used already, even if that leaves a debt."""
        bucket = self._buckets.setdefault(key, TokenBucket(self._rate))
        self._buckets.move_to_end(key)
        bucket.charge(tokens, now)

    def is_empty(self, key: str, now: float) -> bool:
        """Whether the key's bucket has no token now."""
        bucket = self._buckets.get(key)
        return bucket is not None and bucket.is_empty(now)

    def _evict(self, now: float) -> None:
        while self._buckets:
            key, oldest = next(iter(self._buckets.items()))
            if len(self._buckets) <= MAX_BUCKETS and not oldest.is_full(now):
                break
            del self._buckets[key]


class ConnectionCaps:
    """Counts the open connections of each key, up to a cap."""

    def __init__(self, cap: Cap) -> None:
        self._cap = cap
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def open(self, key: str) -> int:
        """How many connections of a key are open."""
        return self._open[key]

    def enter(self, key: str) -> bool:
        """Count one more connection; False, and not counted, beyond the cap."""
        if self._open[key] >= self._cap.most:
            return False
        self._open[key] += 1
        return True

    def leave(self, key: str) -> None:
        """A connection that was counted has ended."""
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]

    @contextmanager
    def connection(self, key: str, template: str, limit: str) -> Iterator[None]:
        """Count one more connection while it is open; beyond the cap, refuse it."""
        if not self.enter(key):
            # made here: an error that is a local variable of its own traceback is a cycle
            raise LimitExceeded(template, limit)
        try:
            yield
        finally:
            self.leave(key)
