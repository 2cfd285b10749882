"""Who may do what at a table: each rule once, for the server that decides and all who show it.

A permission is asked for as the reason against it: None where there is none.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from cantstop.rules import IllegalAction, Phase
from cantstop.table.events import Mode, Opened, Order, OrderPart
from cantstop.table.table import SeatKind, Stage, Table

MAX_ASKED = 50
"""How often one seat may ask the others for a take-back."""

MAX_SUBSTITUTES = 100
"""How often a bot may be asked to play for one seat: the last one plays to the end, or whoever
leaves again and again could hold a table without a clock for ever."""

MOST_MISSED = 2
"""Turns in a row that a player may let pass at a slow table before others may give up the seat."""

MAX_ORDERS = 100
"""How often one seat may give a standing order at a table: each is an event that is kept."""

Reason = IllegalAction | None


@dataclass(frozen=True)
class SeatPresence:
    """Who is connected to a table, by the numbers of seats."""

    present: frozenset[int] = frozenset()
    """The seats whose players are connected."""
    expected: frozenset[int] = frozenset()
    """Absent seats whose absence timeout still runs."""
    idle: frozenset[int] = frozenset()
    """Seats whose player is connected but has let a decision wait for longer than the timeout."""


# Taking back


def people_to_ask(table: Table, seat: int) -> frozenset[int]:
    """The seats of people who would have to agree before a seat takes anything back.

    Where one person holds several of them, the server asks only the others.
    """
    return frozenset(
        number
        for number, other in enumerate(table.seats)
        if number != seat and other.kind is SeatKind.HUMAN and not other.resigned
    )


def why_no_take_back(table: Table, seat: int, to_ask: Collection[int]) -> Reason:
    """Why a seat may neither take back its last decision nor ask those others to agree."""
    if table.stage is Stage.OVER and not _goes_on_when_undone(table):
        return IllegalAction("The game is over.")
    if table.opened.entered and table.undo is None:
        return IllegalAction("There is nothing to take back.")
    if table.undo is None or table.undo.position.seat != seat:
        return IllegalAction("You have nothing to take back since the last roll.")
    if table.seats[seat].played_by is not None:
        return IllegalAction("A bot plays for you: come back to your seat first.")
    if not to_ask:
        return None
    if table.asked is not None:
        return IllegalAction("You have asked already.")
    if table.refused_since == table.last_play:
        return IllegalAction("The others have not agreed.")
    if table.seats[seat].asked >= MAX_ASKED:
        return IllegalAction("You have asked {most} times at this table.", most=MAX_ASKED)
    return None


def take_back_seat(table: Table) -> int | None:
    """The seat that may take back its last decision, or ask for it: what every view tells."""
    if table.undo is None:
        return None
    seat = table.undo.position.seat
    others = frozenset[int]() if table.is_at_one_screen else people_to_ask(table, seat)
    return seat if why_no_take_back(table, seat, others) is None else None


def _goes_on_when_undone(table: Table) -> bool:
    """Whether a game that is over goes on once its last decision is taken back."""
    return table.opened.entered and table.ended is None and table.next is None


# Hints


def why_no_hint(table: Table) -> Reason:
    """Why nobody can have a hint at a table now."""
    if not table.opened.hints:
        return IllegalAction("This table was opened without hints.")
    if table.stage is Stage.OPEN:
        return IllegalAction("The game has not begun: seats are still free.")
    if table.to_act is None:
        return IllegalAction("The game is over.")
    if table.bot_to_act is not None:
        return IllegalAction("A bot plays for you: come back to your seat first.")
    if table.position.phase is Phase.START:
        return IllegalAction("There is nothing to decide before the start.")
    return None


# Standing orders


def offered_orders(opened: Opened) -> tuple[OrderPart, ...]:
    """What a standing order may say at a table; nothing where none can be given.

    Where all sit at one screen, or throw their own dice, a person is there who rolls. The chance to
    bust is computed help: an order may name it where everybody sees it, or hints are allowed.
    """
    if opened.mode is not Mode.ONLINE or opened.entered or opened.lesson is not None:
        return ()
    plain = OrderPart.RUNNERS, OrderPart.COLUMN
    return (*plain, OrderPart.BUST) if opened.help or opened.hints else plain


def why_no_order(table: Table, seat: int, order: Order) -> Reason:
    """Why a seat may not give this standing order."""
    offered = offered_orders(table.opened)
    if not offered:
        return IllegalAction("There are no standing orders at this table.")
    if table.stage is Stage.OPEN:
        return IllegalAction("The game has not begun: seats are still free.")
    if table.stage is Stage.OVER:
        return IllegalAction("The game is over.")
    if table.seats[seat].played_by is not None:
        return IllegalAction("A bot plays for you: come back to your seat first.")
    if not set(order.parts) <= set(offered):
        return IllegalAction("This table shows no chance to bust, and was opened without hints.")
    if order == table.seats[seat].order:
        return IllegalAction("This is your standing order already.")
    if table.seats[seat].orders >= MAX_ORDERS:
        return IllegalAction("You have given {most} orders at this table.", most=MAX_ORDERS)
    return None


def why_no_revoke(table: Table, seat: int) -> Reason:
    """Why a seat may not revoke its standing order."""
    if table.seats[seat].order is None:
        return IllegalAction("You have given no standing order.")
    return None


# Substitutes


def why_no_return(table: Table, seat: int) -> Reason:
    """Why the owner of a seat may not play again."""
    if table.seats[seat].resigned:
        return IllegalAction("You have resigned: the bot plays to the end.")
    if table.seats[seat].substitute is None:
        return IllegalAction("No bot plays for you.")
    if table.seats[seat].substitutes >= MAX_SUBSTITUTES:
        return IllegalAction("You have been away too often: the bot plays to the end.")
    return None


def why_no_substitute(
    table: Table, asking: int, absent: int, presence: SeatPresence, at: datetime
) -> Reason:
    """Why a seat may not have a bot play for another one, at this time."""
    seat = table.seats[absent]
    if table.stage is Stage.OVER:
        return IllegalAction("The game is over.")
    if table.opened.entered:
        return IllegalAction("No bot can throw the dice of this table.")
    if seat.kind not in (SeatKind.HUMAN, SeatKind.RESERVED) or absent == asking:
        return IllegalAction("A bot can only play for another person.")
    if seat.substitute is not None:
        return IllegalAction("A bot already plays for {name}.", name=seat.name)
    if seat.substitutes >= MAX_SUBSTITUTES:
        return IllegalAction("A bot has played for {name} often enough.", name=seat.name)
    is_idle = absent in presence.idle and absent == table.decider
    if absent in presence.present and not is_idle:
        return IllegalAction("{name} is there: nobody can play for them.", name=seat.name)
    if absent in presence.expected:
        return IllegalAction("{name} has only just gone: wait a moment.", name=seat.name)
    if _has_time_left(table, at):
        return IllegalAction("{name} still has time: no bot plays before it is up.", name=seat.name)
    return None


def _has_time_left(table: Table, at: datetime) -> bool:
    """Whether an absent player keeps the seat, because a clock gives them time.

    A running clock seats the substitute itself when it is out, so nobody has to ask. Before the
    game begins no clock runs: there a table waits for a player as long as for one decision.
    """
    days, seconds = table.opened.days, table.opened.clock
    time = seconds if days is None else days * 86400
    if time is None:
        return False
    return table.has_started or (at - table.log[-1].at).total_seconds() < time


# Missed turns, at slow tables


def why_no_drop(table: Table, asking: int, absent: int) -> Reason:
    """Why a seat may not give up another one whose player lets turns pass."""
    seat = table.seats[absent]
    if table.stage is not Stage.PLAYING:
        return IllegalAction("No game is on at this table.")
    if seat.kind is not SeatKind.HUMAN or absent == asking:
        return IllegalAction("Only the seat of another person can be given up.")
    if seat.resigned:
        return IllegalAction("{name} has resigned already.", name=seat.name)
    if table.seats[asking].resigned:
        return IllegalAction("You have resigned already.")
    if seat.missed < MOST_MISSED:
        return IllegalAction("{name} has not missed two turns in a row.", name=seat.name)
    return None


def seats_to_drop(table: Table, asking: int | None = None) -> tuple[int, ...]:
    """The seats that a seat, or any other one, may give up: what every view tells."""
    asks = range(len(table.seats)) if asking is None else (asking,)
    return tuple(
        absent
        for absent in range(len(table.seats))
        if any(
            table.seats[one].kind is SeatKind.HUMAN and why_no_drop(table, one, absent) is None
            for one in asks
        )
    )


def is_abandoned(table: Table) -> bool:
    """Whether everybody who is left at a slow table lets their turns pass."""
    left = [seat for seat in table.seats if seat.kind is SeatKind.HUMAN and not seat.resigned]
    return all(seat.missed >= MOST_MISSED for seat in left)
