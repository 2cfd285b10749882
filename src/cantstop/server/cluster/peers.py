"""The other workers over the same database: what they say, and who of us plays which bot."""

from collections.abc import Callable
from secrets import token_hex
from typing import Protocol

from cantstop.server.cluster.notices import Notice

Hear = Callable[[Notice], None]
Missed = Callable[[], None]
"""Something may have been said that was not heard, and what was claimed is claimed no more."""


def new_worker_id() -> str:
    """A name for a worker that no other one has."""
    return token_hex(6)


class Neighbours(Protocol):
    """How a worker deals with the others."""

    @property
    def are_there(self) -> bool:
        """Whether others may change the same tables."""

    def listen(self, hear: Hear, missed: Missed) -> None:
        """Have notices of others handed on, and gaps in them."""

    def tell(self, notice: Notice) -> None:
        """Say something to all the others, without waiting for it."""

    async def claim(self, table_id: str) -> bool:
        """Take the turns of a table's bots; False if another worker has them."""

    async def release(self, table_id: str) -> None:
        """Leave them to whoever wants them."""


class Alone:
    """No other worker can be there: the database is this one's own."""

    are_there = False

    def listen(self, hear: Hear, missed: Missed) -> None:
        """Nobody speaks."""

    def tell(self, notice: Notice) -> None:
        """Nobody hears."""

    async def claim(self, table_id: str) -> bool:  # noqa: ARG002
        """Nobody else wants them."""
        return True

    async def release(self, table_id: str) -> None:
        """Nobody waits for them."""
