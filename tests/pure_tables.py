"""Tables without a server, for tests of what is decided: opened, taken, and played by actions."""

from datetime import UTC, datetime
from itertools import count
from typing import Any

import msgspec

from cantstop.rules import Phase
from cantstop.server.tables.changes import StoredTable
from cantstop.server.tables.decisions import Caller, decide
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.seating import take_free_seat
from cantstop.table.permissions import SeatPresence
from cantstop.wire.actions import TableAction
from cantstop.wire.requests import OpenTable, TakeSeat

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
_ids = count(1)


def a_table(*seats: Any, mode: str = "online", **more: Any) -> StoredTable:
    """A table whose open seats are taken by others, each with a secret of their own."""
    request = msgspec.convert({"mode": mode, "seats": list(seats), **more}, OpenTable)
    stored = StoredTable.opened(open_table(request, NOW).new_table)
    for number in range(sum(seat["kind"] == "open" for seat in seats)):
        secret = f"secret-of-a-guest-{number:04}"
        sits = take_free_seat(stored.table, TakeSeat(name=f"Guest {number}"), secret, NOW)
        stored = stored.after(sits)
    return stored


def after(
    stored: StoredTable,
    kind: str,
    seat: int,
    *,
    thought: float = 0.0,
    at: datetime = NOW,
    **fields: Any,
) -> StoredTable:
    """The table after an action of the owner of a seat, who has thought for some seconds."""
    asked = {"kind": kind, "id": f"action-{next(_ids):04}", "seat": seat, **fields}
    action: TableAction = msgspec.convert(asked, TableAction)
    mine = stored.holders[seat]
    held = frozenset(at for at, secret in stored.holders.items() if secret == mine)
    decision = decide(stored, Caller(held), action, SeatPresence(), at, thought)
    assert isinstance(decision, tuple)
    return stored.after(decision[-1])


def after_a_move(stored: StoredTable) -> StoredTable:
    """The table after the first move; whoever busts before has bad luck."""
    while stored.table.position.phase is not Phase.MOVE:
        stored = after(stored, "roll", stored.table.position.seat)
    seat, moves = stored.table.position.seat, stored.table.position.legal_moves
    return after(stored, "move", seat, move=str(next(iter(moves))))
