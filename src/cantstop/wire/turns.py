"""My turn as JSON: the games of a player that go on, those that wait for them first."""

from collections.abc import Mapping
from datetime import datetime

from msgspec.structs import replace

from cantstop.table.events import Mode
from cantstop.table.permissions import seats_to_drop
from cantstop.table.table import SeatKind, Stage, Table
from cantstop.wire.events import time_text
from cantstop.wire.types import EventNumber, SeatNumber, Time, Wire


class TurnSeat(Wire, frozen=True):
    """A place at a table, as a list shows it."""

    name: str | None
    """``null`` for a seat that is free."""
    colour: SeatNumber | None
    bot: str | None
    columns: tuple[int, ...]
    """The columns that it has won."""
    bank: float
    """Seconds that its player may still think longer, in the whole game; 0 where no clock runs."""
    missed: int
    """Turns in a row that its player has let pass, at a slow table."""
    away: Time | None
    """Until when its player is away; ``null`` where they are not."""


class TurnTable(Wire, frozen=True, kw_only=True):
    """A game that goes on, or waits for players."""

    id: str
    n: EventNumber
    """The number of the last event."""
    seat: SeatNumber
    """The player's own."""
    stage: Stage
    """``open`` or ``playing``."""
    edition: str
    rules: str
    rated: bool
    turn: int
    to_act: SeatNumber | None
    """Whose turn it is; ``null`` until the game begins."""
    mine: bool
    """Whether it waits for the player: not where a bot plays for them."""
    since: Time
    """Since when it has waited for whom it waits for now."""
    clock: int | None
    """Seconds for a decision."""
    days: int | None
    """Days for a turn, at a slow table."""
    ends_at: Time | None
    """When the turn that runs is over, at a slow table, as it is now: with the bank and the hours
    of its player. ``null`` where no person has the turn."""
    left: float | None
    """Seconds that are left for that turn; time that does not count is not in them."""
    drop: tuple[SeatNumber, ...]
    """The seats that the player may give up, because of the turns that they have missed."""
    seats: tuple[TurnSeat, ...]


class TurnList(Wire, frozen=True):
    """The games of a player with other people that are not over."""

    waiting: int
    """How many of them wait for the player."""
    tables: tuple[TurnTable, ...]
    """Those that wait for the player first, of these the longest waiting one; then those that
    others play at, then those that wait for players. The 60 that were played at last, at most."""


def turn_table(table: Table, seat: int) -> TurnTable | None:
    """What a seat's player sees of a table in the list; None where nothing is left to do there.

    That is so once the game is over for them, and where nobody but bots would wait. What is not in
    the table's events comes with ``with_times``.
    """
    if table.stage is Stage.OVER or table.opened.mode is not Mode.ONLINE:
        return None
    others = (other for number, other in enumerate(table.seats) if number != seat)
    if table.seats[seat].resigned or all(other.kind is SeatKind.BOT for other in others):
        return None
    return TurnTable(
        id=table.id,
        n=table.n,
        seat=seat,
        stage=table.stage,
        edition=table.opened.edition,
        rules=str(table.rules),
        rated=table.opened.rated,
        turn=table.turn,
        to_act=table.to_act,
        mine=table.decider == seat,
        since=time_text(table.log[max(table.deciding_since, 1) - 1].at),
        clock=table.opened.clock,
        days=table.opened.days,
        ends_at=None,
        left=None,
        drop=() if table.opened.days is None else seats_to_drop(table, seat),
        seats=tuple(
            TurnSeat(
                one.name,
                one.colour,
                one.bot,
                table.position.tokens.won_by(number),
                one.bank,
                one.missed,
                None,
            )
            for number, one in enumerate(table.seats)
        ),
    )


def with_times(
    table: TurnTable, ends: datetime | None, left: float | None, away: Mapping[int, datetime]
) -> TurnTable:
    """The same with the end of the turn that runs, and until when the players of seats are away."""
    seats = tuple(
        replace(seat, away=time_text(away[number])) if number in away else seat
        for number, seat in enumerate(table.seats)
    )
    ends_at = None if ends is None else time_text(ends)
    return replace(
        table, ends_at=ends_at, left=None if left is None else round(left, 1), seats=seats
    )


def time_left(table: TurnTable) -> float | None:
    """Seconds that are left for the turn that runs; of the bank only once all else is used."""
    if table.left is None or table.to_act is None:
        return None
    own = table.left - table.seats[table.to_act].bank
    return own if own > 0 else table.left


def turn_list(tables: list[TurnTable]) -> TurnList:
    """The list, in its order."""
    waiting = sum(table.mine for table in tables)
    return TurnList(waiting, tuple(sorted(tables, key=_urgency)))


def _urgency(table: TurnTable) -> tuple[bool, bool, str]:
    return not table.mine, table.stage is Stage.OPEN, table.since
