"""Where tables are kept: what the master asks for, whatever database there is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from cantstop.server.events import Entry
from cantstop.server.tables import Table


@dataclass(frozen=True)
class Stored:
    """A table with what nobody is told: who holds its seats, and the secret of its dice."""

    table: Table
    holders: Mapping[int, str]
    dice_secret: bytes | None = field(repr=False)


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


class Storage(Protocol):
    """Keeps tables. A change that ``commit`` has returned from is never lost."""

    async def load(self, table_id: str) -> Stored | None:
        """The table of that id, if there is one."""

    async def commit(self, *changes: Change) -> None:
        """Write all of the changes or, with a ``Conflict``, none of them."""

    async def tables_waiting_for_bots(self) -> list[str]:
        """The ids of the tables where it is a bot's turn."""
