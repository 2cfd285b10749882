"""The storage protocol: what the master asks of a database, whichever it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from cantstop.server.errors import Refused
from cantstop.server.tables.changes import Change, StoredTable
from cantstop.server.tables.seating import Absence
from cantstop.server.tables.turns import RunningTurn
from cantstop.table.events import Entry
from cantstop.wire.errors import ErrorCode


@dataclass(frozen=True)
class PendingDecision:
    """A decision with a clock: the event that it began with, and the seconds left for it."""

    since: int
    left: float


@dataclass(frozen=True)
class News:
    """What was added to a table after some event."""

    entries: Sequence[Entry]
    holders: Mapping[int, str] | None
    """Who holds which seat, if that has changed."""


class Conflict(Exception):
    """Another worker was faster: the event's number, the action's id or the seat is taken."""


class Unavailable(Refused):
    """The database does not answer; whether a change was written is not known."""

    code = ErrorCode.UNAVAILABLE

    def __init__(self) -> None:
        super().__init__("The server cannot reach its database just now; try again in a moment.")


class Storage(Protocol):
    """Stores tables. A change is durable once ``commit`` has returned.

    Every method raises ``Unavailable`` where the database does not answer.
    """

    async def load(self, table_id: str) -> StoredTable | None:
        """The table of that id, if there is one."""

    async def news(self, after: Mapping[str, int]) -> Mapping[str, News]:
        """What happened at each of these tables after the event of this number."""

    async def rewritten(self, at: datetime) -> list[str]:
        """Tables whose events a name was taken out of lately."""

    async def heads(self, table_ids: Sequence[str]) -> Mapping[str, int]:
        """The numbers of these tables' last events."""

    async def seat_of_key(self, table_id: str, key_hash: str) -> int | None:
        """The seat at a table of the player whose device has a key, by the key's hash."""

    async def commit(self, *changes: Change) -> None:
        """Write all of the changes or, with a ``Conflict``, none of them.

        A caller that is cancelled meanwhile learns the outcome first: it is cancelled when it waits
        for something else.
        """

    async def absences(self, table_id: str) -> Mapping[int, Absence]:
        """The seats of a table whose players are absent."""

    async def record_absences(self, absences: Mapping[tuple[str, int], Absence | None]) -> None:
        """Write which seats, by table and number, are absent; None for those that are not."""

    async def pending_decisions(self) -> Mapping[str, PendingDecision]:
        """The decisions whose time was recorded, by table."""

    async def record_decisions(self, decisions: Mapping[str, PendingDecision | None]) -> None:
        """Write what time is left for decisions, by table; None for those that were taken."""

    async def running_turn(self, table_id: str) -> RunningTurn | None:
        """The turn that a person has at a slow table, if one runs there."""

    async def delete_untouched(self, before: datetime, limit: int) -> int:
        """Delete up to ``most`` tables without events since then; returns how many."""

    async def count_untouched(self, before: datetime) -> tuple[int, int]:
        """How many tables ``delete_untouched`` would delete in all, and how many there are."""

    async def record_time(self, believed: datetime) -> None:
        """Write the time that this server believes, unless another one was further."""

    async def forget_daily_names(self, before: date) -> None:
        """Remove the names from the results of days before this one."""

    async def ping(self) -> None:
        """Return if the database can be written and read."""
