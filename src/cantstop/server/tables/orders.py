"""Standing orders: what a player gives and revokes, and what follows from those that stand.

What an order decides is said in ``cantstop.table.orders``, for clients too. Here it is done: in the
change that its turn began with, or its seat's own decision, so that it needs nobody to be there.
"""

from collections.abc import Callable
from datetime import datetime

from cantstop.rules import Action
from cantstop.server.errors import Malformed, check_permission
from cantstop.table.events import Order, Ordered, Revoked
from cantstop.table.orders import ordered_action
from cantstop.table.permissions import why_no_order, why_no_revoke
from cantstop.table.table import Table
from cantstop.wire.actions import GiveOrder, Revoke

MAX_ORDERED = 100
"""Decisions that standing orders take in one change; it would take hundreds of turns at once."""

PlayOrdered = Callable[[Table, Action, float], tuple[Table, ...]]
"""Has a decision of an order played, at the cost of some seconds of the bank."""


def give_order(table: Table, action: GiveOrder, at: datetime) -> Table:
    """The table after a seat has given a standing order."""
    if not (action.runners or action.column or action.bust is not None):
        raise Malformed("A standing order says at least one thing.")
    order = Order(action.runners, action.column, action.bust)
    check_permission(why_no_order(table, action.seat, order))
    return table.append(Ordered(order), action.seat, at, action.id)


def revoke_order(table: Table, action: Revoke, at: datetime) -> Table:
    """The table after a seat has revoked its standing order."""
    check_permission(why_no_revoke(table, action.seat))
    return table.append(Revoked(), action.seat, at, action.id)


def with_orders(
    versions: tuple[Table, ...], at: datetime, play: PlayOrdered, spent: float = 0.0
) -> tuple[Table, ...]:
    """The versions of a table, and what standing orders decide next, one after the other.

    ``spent`` is what the first of these decisions takes from the bank: nothing, unless the order
    was given just now, over a decision that has had its time. An order that finds no end is over:
    no table ever waits for one.
    """
    found = list(versions)
    for _ in range(MAX_ORDERED):
        decision = ordered_action(found[-1])
        if decision is None:
            return tuple(found)
        found += play(found[-1], decision, spent)
        spent = 0.0
    if ordered_action(found[-1]) is not None:
        found.append(found[-1].append(Revoked(), found[-1].decider, at))
    return tuple(found)
