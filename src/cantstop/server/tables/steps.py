"""What is to be written: events with their numbers, and the table after each of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from cantstop.server.database.storage import Change, NewTable, Stored
from cantstop.server.tables.decisions import Decision
from cantstop.server.tables.events import Entry, Happened
from cantstop.server.tables.opening import Opening
from cantstop.server.tables.table import Table


@dataclass(frozen=True)
class Step:
    """One event, and the table as it is right after it."""

    entry: Entry
    table: Table


@dataclass(frozen=True)
class Write:
    """A change of one table: what storage is given, what listeners are told, and the result."""

    change: Change
    steps: tuple[Step, ...]
    after: Stored


def opening_write(opening: Opening, at: datetime) -> Write:
    """A new table with its first events."""
    first, *others = opening.happened
    entry = Entry(1, at, first.seat, first.event)
    table = Table.opening(opening.id, entry)
    steps = (Step(entry, table), *_steps(table, others, at, None))
    table = steps[-1].table
    change = NewTable(
        table.id,
        tuple(step.entry for step in steps),
        table.bot_to_act is not None,
        opening.holders,
        opening.dice_secret,
    )
    return Write(change, steps, Stored(table, opening.holders, opening.dice_secret))


def decision_write(stored: Stored, decision: Decision, at: datetime, action: str | None) -> Write:
    """The next events of a table."""
    steps = tuple(_steps(stored.table, decision.happened, at, action))
    table = steps[-1].table
    change = Change(
        table.id,
        tuple(step.entry for step in steps),
        table.bot_to_act is not None,
        decision.holders,
    )
    holders = {**stored.holders, **decision.holders}
    return Write(change, steps, Stored(table, holders, stored.dice_secret))


def _steps(
    table: Table, happened: Iterable[Happened], at: datetime, action: str | None
) -> Iterable[Step]:
    for one in happened:
        entry = Entry(table.n + 1, at, one.seat, one.event, action)
        table, action = table.after(entry), None  # what follows by itself has no id
        yield Step(entry, table)
