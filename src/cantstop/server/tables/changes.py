"""A change of a table: a decision makes it once, the database writes it and everybody sees it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cantstop.table.events import Entry
from cantstop.table.table import Table


@dataclass(frozen=True)
class Change:
    """What one accepted request adds to a table."""

    versions: tuple[Table, ...]
    """The table right after each of the new events."""
    holders: Mapping[int, str] = field(default_factory=dict)
    """The seats that were taken, with the hash of the secret that holds each."""
    players: Mapping[int, str] = field(default_factory=dict, kw_only=True)
    """Those of these seats that players of the club have taken, with their ids."""
    before: Table | None = field(default=None, kw_only=True)
    """The table before it, where that is at hand: what it had in common need not be written."""

    @property
    def table(self) -> Table:
        """The table after all of them."""
        return self.versions[-1]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The new events."""
        return tuple(table.last_entry for table in self.versions)


@dataclass(frozen=True)
class NewTable(Change):
    """The change that opens a table."""

    dice_secret: bytes | None = field(default=None, repr=False)
    device: str | None = None
    """The hash of the device whose one try of the day this is."""


@dataclass(frozen=True)
class StoredTable:
    """A table with what is never sent: who holds its seats, and the secret of its dice."""

    table: Table
    holders: Mapping[int, str]
    dice_secret: bytes | None = field(repr=False)

    @classmethod
    def opened(cls, change: NewTable) -> "StoredTable":
        """A table that has just been opened."""
        return cls(change.table, change.holders, change.dice_secret)

    def after(self, change: Change) -> "StoredTable":
        """The same table with a change of it."""
        return StoredTable(change.table, {**self.holders, **change.holders}, self.dice_secret)
