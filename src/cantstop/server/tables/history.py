"""What has happened at a table: an immutable sequence that grows without being copied."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import overload

from cantstop.server.tables.events import Entry


class History(Sequence[Entry]):
    """The events of a table up to some number, in their order.

    The versions of a table share one list, of which each sees its beginning. A tuple for every
    version would be copied with every event, and a garbage collector that looks at what is new
    would walk through the whole game each time.
    """

    __slots__ = ("_entries", "_length")

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._length = len(entries)

    def after(self, entry: Entry) -> "History":
        """The history with one more event."""
        went_on_another_way = len(self._entries) > self._length
        entries = self._entries[: self._length] if went_on_another_way else self._entries
        entries.append(entry)
        return History(entries)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Entry: ...

    @overload
    def __getitem__(self, at: slice) -> list[Entry]: ...

    def __getitem__(self, at: int | slice) -> Entry | list[Entry]:
        if isinstance(at, slice):
            return self._entries[: self._length][at]
        return self._entries[range(self._length)[at]]

    def __iter__(self) -> Iterator[Entry]:
        return islice(self._entries, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
