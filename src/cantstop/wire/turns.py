"""My turn as JSON: the games of a player that go on, those that wait for them first."""

from cantstop.table.events import Mode
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

    That is so once the game is over for them, and where nobody but bots would wait.
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
        seats=tuple(
            TurnSeat(one.name, one.colour, one.bot, table.position.tokens.won_by(number))
            for number, one in enumerate(table.seats)
        ),
    )


def turn_list(tables: list[TurnTable]) -> TurnList:
    """The list, in its order."""
    waiting = sum(table.mine for table in tables)
    return TurnList(waiting, tuple(sorted(tables, key=_urgency)))


def _urgency(table: TurnTable) -> tuple[bool, bool, str]:
    return not table.mine, table.stage is Stage.OPEN, table.since
