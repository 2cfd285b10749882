"""A cache that is bounded in bytes: the least recently used values go first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

from cantstop.server.ops import metrics

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


ENTRY_BYTES = 400
"""About what a key and an entry take besides the value."""


class BytesCache(OrderedDict[Key, Value]):
    """The most recently used values that fit into a number of bytes; its name is for metrics."""

    def __init__(self, name: str, most: int, size: Callable[[Value], int]) -> None:
        super().__init__()
        self._most = most
        self._size = size
        self.bytes = 0
        self._gauge = metrics.CACHE_BYTES.labels(name)
        metrics.CACHE_LIMIT.labels(name).set(most)

    def recent(self, key: Key) -> Value | None:
        """The value of a key, if it is still there."""
        if key not in self:
            return None
        self.move_to_end(key)
        return self[key]

    def keep(self, key: Key, value: Value) -> None:
        """Add a value as the most recently used one."""
        self.drop(key)
        self[key] = value
        self.bytes += ENTRY_BYTES + self._size(value)
        while self.bytes > self._most and len(self) > 1:
            self.drop(next(iter(self)))
        self._gauge.set(self.bytes)

    def drop(self, key: Key) -> None:
        """Forget a value, if it is there."""
        if key in self:
            self.bytes -= ENTRY_BYTES + self._size(self.pop(key))
