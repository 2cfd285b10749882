"""Where tables are kept: what the master asks for, whatever database there is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from cantstop.server.errors import ErrorCode, Refused
from cantstop.server.tables.events import Entry
from cantstop.server.tables.table import Table


@dataclass(frozen=True)
class Stored:
    """A table with what nobody is told: who holds its seats, and the secret of its dice."""

    table: Table
    holders: Mapping[int, str]
    dice_secret: bytes | None = field(repr=False)


@dataclass(frozen=True)
class News:
    """What was added to a table since somebody looked last."""

    entries: Sequence[Entry]
    holders: Mapping[int, str] | None
    """Who holds which seat, if that has changed."""


@dataclass(frozen=True)
class Change:
    """What one accepted request adds to a table."""

    table_id: str
    entries: tuple[Entry, ...]
    bot_to_act: bool
    holders: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class NewTable(Change):
    """The change that opens a table."""

    dice_secret: bytes | None = field(default=None, repr=False)


class Conflict(Exception):
    """Somebody else was quicker: the number, the action's id or the seat is taken."""


class Unavailable(Refused):
    """The database does not answer; whether a change was written is not known."""

    code = ErrorCode.UNAVAILABLE

    def __init__(self) -> None:
        super().__init__("The server cannot reach its database just now; try again in a moment.")


class Storage(Protocol):
    """Keeps tables. A change that ``commit`` has returned from is never lost.

    Every method raises ``Unavailable`` where the database does not answer.
    """

    async def load(self, table_id: str) -> Stored | None:
        """The table of that id, if there is one."""

    async def news(self, after: Mapping[str, int]) -> Mapping[str, News]:
        """What happened at each of these tables after the event of this number."""

    async def heads(self, table_ids: Sequence[str]) -> Mapping[str, int]:
        """The numbers of these tables' last events."""

    async def commit(self, *changes: Change) -> None:
        """Write all of the changes or, with a ``Conflict``, none of them."""

    async def tables_waiting_for_bots(self) -> list[str]:
        """The ids of the tables where it is a bot's turn."""

    async def delete_untouched(self, before: datetime, most: int) -> int:
        """Delete tables where nothing happened since then; returns how many they were."""

    async def ping(self) -> None:
        """Ask for nothing: whether it answers is what counts."""
