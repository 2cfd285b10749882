"""A table as JSON for clients: everything needed to draw it, and nothing secret."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from msgspec import UNSET, UnsetType

from cantstop.daily import reveals_at
from cantstop.odds import par
from cantstop.table.events import Lesson, Mode, Opened, Order, OrderPart, Series
from cantstop.table.permissions import SeatPresence, offered_orders, seats_to_drop
from cantstop.table.table import Seat, SeatKind, Stage, Table
from cantstop.wire.codec import encode
from cantstop.wire.events import encode_entry, time_text, with_view
from cantstop.wire.messages import ClockView, Presence
from cantstop.wire.position import View, table_view
from cantstop.wire.types import EventNumber, SeatNumber, Time, Wire

DiceKind = Literal["sealed", "prepared", "entered", "device"]

DAY_SECONDS = 86400

_NOBODY_LEFT: Mapping[int, float] = {}


class SeatView(Wire, frozen=True):
    """A place at the table."""

    kind: SeatKind
    name: str | None
    colour: SeatNumber | None
    bot: str | None
    present: bool
    substitute: str | None
    """The bot that plays for the absent owner."""
    resigned: bool | UnsetType = UNSET
    """True for a seat whose player has resigned; else left out."""
    order: Order | UnsetType = UNSET
    """What the player has ordered to be decided for the seat; left out where there is none."""


class DailyView(Wire, frozen=True):
    """The day whose dice a table has."""

    day: str
    counts: bool
    """Whether it is the one try of a device."""
    reveals_at: Time
    """When the key of the day's dice is revealed."""


class TableState(Wire, frozen=True, kw_only=True):
    """The state of a table, without its log."""

    id: str
    n: EventNumber
    """The number of the last event."""
    mode: Mode
    edition: str
    lesson: Lesson | None
    rules: str
    """The rules as text: docs/notation.md."""
    par: float | None
    """How many turns best play of a solo game needs on average, where that is known."""
    help: bool
    hints: bool
    """Whether whoever is to decide may ask for a hint."""
    youngest: SeatNumber
    you: tuple[SeatNumber, ...]
    """The seats that the secret of the request holds."""
    seats: tuple[SeatView, ...]
    stage: Stage
    commitment: str | None
    """The commitment to the secret of the dice: docs/dice.md."""
    secret: str | None
    """The secret of the dice, once the game is over."""
    salts: tuple[str | None, ...]
    dice: DiceKind
    """Sealed, prepared for a lesson, entered by the players, or thrown by the table's device."""
    next: str | None
    """The table of the rematch, once there is one."""
    clock: ClockView | UnsetType = UNSET
    """Left out where no clock runs, for decisions or turns."""
    days: int | UnsetType = UNSET
    """Days that a person has for each turn, at a slow table; else left out."""
    series: Series | UnsetType = UNSET
    """At a rematch: the table before it, and how many of the games so far each seat has won."""
    daily: DailyView | UnsetType = UNSET
    """At a daily game; else left out."""
    rated: bool | UnsetType = UNSET
    """True where the game counts for the ratings of the players; else left out."""
    orders: tuple[OrderPart, ...] | UnsetType = UNSET
    """What a standing order may say here; left out where none can be given."""
    view: View


class SeatAnswer(Wire, frozen=True):
    """A seat that was taken."""

    seat: SeatNumber
    secret: str
    """Holds the seat: keep it."""


class OpenedTable(Wire, frozen=True):
    """A new table, without its state."""

    id: str
    secret: str | None
    """Holds ``seats``; ``null`` if none of them is for the opener."""
    seats: tuple[SeatNumber, ...]


class OpenedDaily(OpenedTable, frozen=True):
    """A seat at a daily game, without its state."""

    device: str
    """What the device is known by: keep it."""
    day: str
    counts: bool
    """Whether it is the one try of the device; else it is played outside the ranking."""


def state_json(
    table: Table, present: frozenset[int], you: frozenset[int], *, log: bytes | None = None
) -> bytes:
    """The complete state of a table, up to its last event, as JSON.

    ``log`` are the events in it, where they are at hand.
    """
    opened, daily = table.opened, table.opened.daily
    state = TableState(
        id=table.id,
        n=table.n,
        mode=opened.mode,
        edition=opened.edition,
        lesson=opened.lesson,
        rules=opened.rules,
        par=par(table.start),
        help=opened.help,
        hints=opened.hints,
        youngest=opened.youngest,
        you=tuple(sorted(you)),
        seats=tuple(_seat_view(seat, number in present) for number, seat in enumerate(table.seats)),
        stage=table.stage,
        commitment=opened.commitment,
        secret=table.secret,
        salts=tuple(seat.salt for seat in table.seats),
        dice=_dice_kind(opened),
        next=table.next,
        clock=_clock_of(table),
        days=opened.days or UNSET,
        series=UNSET if opened.series is None else opened.series,
        daily=UNSET
        if daily is None
        else DailyView(daily.day.isoformat(), daily.counts, time_text(reveals_at(daily.day))),
        rated=opened.rated or UNSET,
        orders=offered_orders(opened) or UNSET,
        view=table_view(table),
    )
    events = b",".join(map(encode_entry, table.log)) if log is None else log
    return b'%b,"log":[%b]}' % (encode(state)[:-1], events)


def opened_json(answer: OpenedTable, table: Table, held: frozenset[int]) -> bytes:
    """The answer to a request that opened a table: its id and secret, and its state."""
    return b'%b,"state":%b}' % (encode(answer)[:-1], state_json(table, frozenset(), held))


def event_with_view(table: Table) -> bytes:
    """A table's last event, with the view of the table right after it, as JSON."""
    return with_view(encode_entry(table.last_entry), encode(table_view(table)))


def clock_view(table: Table, left: float | None) -> ClockView:
    """The clock of a table: whose time runs, and how many seconds of it are left."""
    seconds = table.opened.clock
    assert seconds is not None
    return ClockView(
        seconds,
        table.decider,
        None if left is None else round(left, 1),
        tuple(seat.bank for seat in table.seats),
    )


def turn_clock_view(
    table: Table,
    left: float | None = None,
    ends: datetime | None = None,
    away: Mapping[int, datetime] | None = None,
) -> ClockView:
    """The clock of a slow table: what its events tell, and when the turn ends, where that is known.

    ``away`` are the seats whose players are away, and until when.
    """
    assert table.opened.days is not None
    return ClockView(
        table.opened.days * DAY_SECONDS,
        table.decider,
        None if left is None else round(left, 1),
        tuple(seat.bank for seat in table.seats),
        None if ends is None else time_text(ends),
        tuple(seat.missed for seat in table.seats),
        seats_to_drop(table),
        UNSET if away is None else away_view(table, away),
    )


def away_view(table: Table, away: Mapping[int, datetime]) -> tuple[Time | None, ...]:
    """Until when the players of seats are away, for each seat."""
    return tuple(
        time_text(away[number]) if number in away else None for number in range(len(table.seats))
    )


def _clock_of(table: Table) -> ClockView | UnsetType:
    """The clock in a table's state: without the time, which is not in its events."""
    if table.opened.days is not None:
        return turn_clock_view(table)
    return UNSET if table.opened.clock is None else clock_view(table, None)


def presence_view(
    table: Table, presence: SeatPresence, watchers: int, left: Mapping[int, float] = _NOBODY_LEFT
) -> Presence:
    """Who is connected, and the absent seats that a bot may not play for yet.

    ``left`` are the seconds until it may.
    """
    present = presence.present
    bot_in = {str(seat): round(seconds, 1) for seat, seconds in sorted(left.items())}
    return Presence(
        tuple(number in present or seat.bot is not None for number, seat in enumerate(table.seats)),
        tuple(sorted(presence.expected)),
        watchers,
        bot_in or UNSET,
        tuple(sorted(presence.idle)) or UNSET,
    )


def _dice_kind(opened: Opened) -> DiceKind:
    """Where the dice of a table come from."""
    if opened.entered:
        return "entered"
    if opened.commitment:
        return "sealed"
    return "device" if opened.lesson is None else "prepared"


def _seat_view(seat: Seat, present: bool) -> SeatView:
    return SeatView(
        seat.kind,
        seat.name,
        seat.colour,
        seat.bot,
        present or seat.kind is SeatKind.BOT,
        seat.substitute,
        seat.resigned or UNSET,
        seat.order or UNSET,
    )
