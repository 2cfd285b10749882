"""Pictures of boards for the previews of links: drawn once, one at a time, and cached."""

from collections.abc import Sequence
from functools import partial

from cantstop.draw import board_png
from cantstop.rules import Position
from cantstop.server.runtime.cache import BytesCache
from cantstop.server.work.turns import FairThread

CACHE_BYTES = 4_000_000
"""A picture has 16,000 bytes."""

_Key = tuple[Position, tuple[int, ...]]


class Pictures:
    """PNGs of positions, without any names."""

    def __init__(self, thread: FairThread) -> None:
        self._thread = thread
        self._known = BytesCache[_Key, bytes]("pictures", CACHE_BYTES, len)

    def is_known(self, position: Position, colours: Sequence[int]) -> bool:
        """Whether the picture need not be drawn."""
        return (position, tuple(colours)) in self._known

    async def png(self, position: Position, colours: Sequence[int], share: str) -> bytes:
        """The picture of a position; ``share`` is whoever asks for it."""
        key = position, tuple(colours)
        found = self._known.recent(key)
        if found is None:
            found = await self._thread.run(share, partial(self._draw, key))
            self._known.keep(key, found)
        return found

    def _draw(self, key: _Key) -> bytes:
        """The picture, unless it was drawn while this request waited for its turn."""
        position, colours = key
        return self._known.get(key) or board_png(position, seat_marks=colours)
